//! The question in the planner's own columns: pages, costs and terms by object.

use crate::{CostModel, PAGE_BYTES, PlanError, PlanOptions, Workload};

/// Where an access finds its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Served {
    Held = 0,
    Hit = 1,
    Miss = 2,
}

/// A checked workload with everything that planning needs by object.
pub(crate) struct Problem<'a> {
    pub workload: Workload<'a>,
    /// Whole pages of each object.
    pub pages: Vec<u64>,
    /// Microseconds to serve each object, indexed by [`Served`].
    pub response_us: Vec<[f64; 3]>,
    /// Weight of each object's site.
    pub weight: Vec<f64>,
    /// Pages each site reserves.
    pub reserved_pages: Vec<u64>,
    /// Pages of memory.
    pub memory_pages: u64,
    /// Accesses that the plan learns from.
    pub training: usize,
    /// Whether each object is held already.
    pub previous: Vec<bool>,
}

impl<'a> Problem<'a> {
    pub fn new(
        workload: &Workload<'a>,
        costs: &dyn CostModel,
        options: &PlanOptions,
    ) -> Result<Self, PlanError> {
        workload.check()?;
        options.check(workload)?;
        let terms = options.terms_of(workload);
        let objects = workload.sizes.len();
        let mut previous = vec![false; objects];
        let known = options
            .previous
            .iter()
            .filter(|&&object| (object as usize) < objects);
        known.for_each(|&object| previous[object as usize] = true);
        Ok(Self {
            workload: *workload,
            pages: workload
                .sizes
                .iter()
                .map(|size| size.div_ceil(PAGE_BYTES).max(1))
                .collect(),
            response_us: (0..objects as u32)
                .map(|object| responses(costs, object))
                .collect::<Result<_, _>>()?,
            weight: workload
                .site_of_object
                .iter()
                .map(|&site| terms[usize::from(site)].weight)
                .collect(),
            reserved_pages: terms
                .iter()
                .map(|terms| terms.reservation_bytes / PAGE_BYTES)
                .collect(),
            memory_pages: options.memory_bytes / PAGE_BYTES,
            training: part_of(workload.accesses.len(), options.training_share),
            previous,
        })
    }

    /// Number of objects.
    pub fn objects(&self) -> usize {
        self.pages.len()
    }

    /// The part of the accesses that the plan learns from.
    pub fn training_accesses(&self) -> &'a [u32] {
        &self.workload.accesses[..self.training]
    }

    /// Accesses of each object in `accesses`.
    pub fn counts(&self, accesses: &[u32]) -> Vec<u32> {
        let mut counts = vec![0; self.objects()];
        accesses
            .iter()
            .for_each(|&object| counts[object as usize] += 1);
        counts
    }

    /// Weighted microseconds that an access saves when `object` is held instead of read from its store.
    pub fn saved_us(&self, object: u32) -> f64 {
        let us = &self.response_us[object as usize];
        (us[Served::Miss as usize] - us[Served::Held as usize]) * self.weight[object as usize]
    }

    /// The same question for another memory; reservations shrink in proportion where they no longer fit.
    pub fn with_memory(&self, memory_pages: u64) -> Problem<'a> {
        let reserved: u64 = self.reserved_pages.iter().sum();
        let fit = |pages: u64| {
            (u128::from(pages) * u128::from(memory_pages) / u128::from(reserved.max(1))) as u64
        };
        let shrink = |&pages: &u64| {
            if reserved <= memory_pages {
                pages
            } else {
                fit(pages)
            }
        };
        Problem {
            workload: self.workload,
            pages: self.pages.clone(),
            response_us: self.response_us.clone(),
            weight: self.weight.clone(),
            reserved_pages: self.reserved_pages.iter().map(shrink).collect(),
            memory_pages,
            training: self.training,
            previous: self.previous.clone(),
        }
    }
}

/// So many of the first `accesses`, cut to a whole number.
pub(crate) fn part_of(accesses: usize, share: f64) -> usize {
    (accesses as f64 * share) as usize
}

fn responses(costs: &dyn CostModel, object: u32) -> Result<[f64; 3], PlanError> {
    let us = [
        costs.held_us(object),
        costs.hit_us(object),
        costs.miss_us(object),
    ];
    match us.iter().find(|us| !(us.is_finite() && **us >= 0.0)) {
        Some(&us) => Err(PlanError::Cost { object, us }),
        None => Ok(us),
    }
}
