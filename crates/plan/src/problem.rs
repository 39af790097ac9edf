//! The question in the planner's own columns: pages, costs and terms by object.

use std::sync::Arc;

use hotset_cache::StoreRead;

use crate::linux::{Linux, METADATA_PLACES};
use crate::{CostModel, PAGE_BYTES, PageCacheModel, PlanError, PlanOptions, Workload};

/// Where an access finds its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Served {
    Held,
    Hit,
    Miss,
    /// Nor are so many places of its directory and inode in memory.
    Cold(u32),
    /// Partly in the page cache; the rest is read.
    Part(StoreRead),
}

impl Served {
    /// Bytes read from the store for an object of `bytes`.
    pub fn read_bytes(self, bytes: u64) -> u64 {
        match self {
            Served::Held | Served::Hit => 0,
            Served::Miss | Served::Cold(_) => bytes,
            Served::Part(read) => bytes.min(read.pages * PAGE_BYTES),
        }
    }
}

/// Microseconds to serve an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Responses {
    held_us: f64,
    hit_us: f64,
    miss_us: f64,
    cold_us: f64,
    /// What each place costs that a store reads at.
    gap_us: f64,
}

impl Responses {
    fn of(costs: &dyn CostModel, object: u32) -> Result<Self, PlanError> {
        let responses = Self {
            held_us: costs.held_us(object),
            hit_us: costs.hit_us(object),
            miss_us: costs.miss_us(object),
            cold_us: costs.cold_us(object),
            gap_us: costs.gap_us(object),
        };
        let Self {
            held_us,
            hit_us,
            miss_us,
            cold_us,
            gap_us,
        } = responses;
        let us = [held_us, hit_us, miss_us, cold_us, gap_us];
        match us.iter().find(|us| !(us.is_finite() && **us >= 0.0)) {
            Some(&us) => Err(PlanError::Cost { object, us }),
            None => Ok(responses),
        }
    }

    /// Between a hit and a miss by the share of the pages that are read, and each place read at on top.
    fn part_us(&self, share: f64, gaps: u32) -> f64 {
        let by_bytes = self.miss_us - self.hit_us - self.gap_us;
        self.hit_us + by_bytes * share + self.gap_us * f64::from(gaps)
    }
}

/// A checked workload with everything that planning needs by object.
pub(crate) struct Problem<'a> {
    pub workload: Workload<'a>,
    /// Whole pages of each object.
    pub pages: Vec<u64>,
    responses: Vec<Responses>,
    /// The empty page cache, where it is not one of whole files.
    pub linux: Option<Arc<Linux>>,
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
        options.check(&workload.files)?;
        let terms = options.terms_of(&workload.files);
        let objects = workload.files.sizes.len();
        let pages = |&size: &u64| size.div_ceil(PAGE_BYTES).max(1);
        let pages: Vec<u64> = workload.files.sizes.iter().map(pages).collect();
        let mut previous = vec![false; objects];
        let known = options
            .previous
            .iter()
            .filter(|&&object| (object as usize) < objects);
        known.for_each(|&object| previous[object as usize] = true);
        let responses: Vec<Responses> = (0..objects as u32)
            .map(|object| Responses::of(costs, object))
            .collect::<Result<_, _>>()?;
        let metadata = responses.iter().any(|of| of.cold_us > of.miss_us);
        Ok(Self {
            workload: *workload,
            responses,
            linux: match options.page_cache {
                PageCacheModel::WholeFiles => None,
                PageCacheModel::Linux => {
                    Some(Arc::new(Linux::new(&workload.files, &pages, metadata)?))
                }
            },
            pages,
            weight: workload
                .files
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
        let Responses {
            miss_us, held_us, ..
        } = self.responses[object as usize];
        (miss_us - held_us) * self.weight[object as usize]
    }

    /// Microseconds to serve `object` as it was found.
    #[inline]
    pub fn response_us(&self, object: u32, served: Served) -> f64 {
        let responses = &self.responses[object as usize];
        match served {
            Served::Held => responses.held_us,
            Served::Hit => responses.hit_us,
            Served::Miss => responses.miss_us,
            Served::Cold(places) => {
                let share = f64::from(places) / f64::from(METADATA_PLACES);
                responses.miss_us + (responses.cold_us - responses.miss_us) * share
            }
            Served::Part(read) => {
                let share = read.pages as f64 / self.pages[object as usize] as f64;
                responses.part_us(share, read.gaps)
            }
        }
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
            responses: self.responses.clone(),
            linux: self.linux.clone(),
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
