//! A workload checked and split in two, with everything that planning needs.

use std::sync::{Arc, OnceLock};

use hotset_cache::{LinuxPageCache, PAGE_BYTES};
use hotset_scenario::Target;

use super::options::{PageCacheModel, PlanOptions};
use super::sampling::Sampling;
use super::workload::Workload;
use super::writers::Writers;
use crate::PlanError;
use crate::select::{HeldSet, Ranking};
use crate::value::{ProfileCosts, Values, reserved_pages, terms_of_sites};

/// Share of the training part that ranks when a split is validated; the rest of it scores. The same as
/// the default share of the trace that trains.
const INNER_SHARE: f64 = 0.7;

/// How many of the first `accesses` rank when the rest of them validates.
pub(crate) fn ranking_part(accesses: usize) -> usize {
    part_of(accesses, INNER_SHARE)
}

/// So many of the first `accesses`, cut to a whole number.
fn part_of(accesses: usize, share: f64) -> usize {
    (accesses as f64 * share) as usize
}

/// Rankings that plans for any memory share, each made when it is first asked for.
#[derive(Default)]
pub(crate) struct Rankings {
    inner: OnceLock<Ranking>,
    training: OnceLock<Ranking>,
}

/// Accesses of each object in parts of the accesses, which plans for any memory and any stores share, counted likewise.
#[derive(Default)]
pub(crate) struct Counts {
    inner: OnceLock<Vec<u32>>,
    validating: OnceLock<Vec<u32>>,
    training: OnceLock<Vec<u32>>,
    held_out: OnceLock<Vec<u32>>,
}

/// A workload whose first accesses train and whose last ones score.
#[derive(Clone)]
pub(crate) struct Backtest<'a> {
    pub workload: Workload<'a>,
    pub values: Arc<Values>,
    /// The empty page cache, where it is not one of whole files.
    pub linux: Option<Arc<LinuxPageCache>>,
    /// Programs that write into it, where there are some.
    pub writers: Option<Arc<Writers>>,
    /// Pages each site reserves.
    pub reserved_pages: Vec<u64>,
    /// Pages of memory.
    pub memory_pages: u64,
    /// Accesses that the plan learns from.
    pub training: usize,
    /// What is held already.
    pub previous: Arc<HeldSet>,
    pub rankings: Arc<Rankings>,
    pub counts: Arc<Counts>,
    /// What each site's responses are to come to before the mean counts; empty where the mean is all that counts.
    pub targets: Arc<Vec<Vec<Target>>>,
    /// How accesses are sampled that are scored; nothing where all of them are.
    pub sampling: Option<Sampling>,
}

impl<'a> Backtest<'a> {
    pub fn prepare(
        workload: &Workload<'a>,
        costs: &ProfileCosts,
        options: &PlanOptions,
    ) -> Result<Self, PlanError> {
        workload.check()?;
        options.check()?;
        let values = Values::new(&workload.files, costs, &options.terms)?;
        let values = values.stopped_by(options.stop.clone());
        let mut page_cache = match options.page_cache {
            PageCacheModel::WholeFiles => None,
            PageCacheModel::Linux => Some(linux(workload, &values)?),
        };
        let writers = writers(workload, &values, options, page_cache.as_mut())?;
        Ok(Self {
            workload: *workload,
            linux: page_cache.map(Arc::new),
            writers: writers.map(Arc::new),
            reserved_pages: reserved_pages(&terms_of_sites(&workload.files, &options.terms)),
            memory_pages: options.memory_bytes / PAGE_BYTES,
            training: part_of(workload.accesses.len(), options.training_share),
            previous: Arc::new(held_already(options, &values)),
            rankings: Arc::default(),
            counts: Arc::default(),
            values: Arc::new(values),
            targets: Arc::new(options.targets_first()),
            sampling: None,
        })
    }

    /// Refuses to go on where planning is asked to end. Scans end early then, so that nothing may be made of what they say.
    pub fn go_on(&self) -> Result<(), PlanError> {
        match self.values.are_stopped() {
            true => Err(PlanError::Interrupted),
            false => Ok(()),
        }
    }

    /// Number of objects.
    pub fn objects(&self) -> usize {
        self.values.objects()
    }

    /// The part of the accesses that the plan learns from.
    pub fn training_accesses(&self) -> &'a [u32] {
        &self.workload.accesses[..self.training]
    }

    /// The part that scores.
    pub fn held_out_accesses(&self) -> &'a [u32] {
        &self.workload.accesses[self.training..]
    }

    /// Accesses of the training part that rank when a split is validated.
    pub fn inner(&self) -> usize {
        ranking_part(self.training)
    }

    /// What those rank.
    pub fn inner_ranking(&self) -> &Ranking {
        let ranking = || self.ranking_of(self.inner_counts());
        self.rankings.inner.get_or_init(ranking)
    }

    /// What the whole training part ranks.
    pub fn training_ranking(&self) -> &Ranking {
        let ranking = || self.ranking_of(self.training_counts());
        self.rankings.training.get_or_init(ranking)
    }

    /// Accesses of each object in the training part.
    pub fn training_counts(&self) -> &[u32] {
        let counts = || {
            let parts = self.inner_counts().iter().zip(self.validating_counts());
            parts
                .map(|(inner, validating)| inner + validating)
                .collect()
        };
        self.counts.training.get_or_init(counts)
    }

    /// Accesses of each object in the part of the training part that ranks when a split is validated.
    fn inner_counts(&self) -> &[u32] {
        let counts = || self.counts(&self.training_accesses()[..self.inner()]);
        self.counts.inner.get_or_init(counts)
    }

    /// Accesses of each object in the part of the training part that scores when a split is validated.
    pub fn validating_counts(&self) -> &[u32] {
        let counts = || self.counts(&self.training_accesses()[self.inner()..]);
        self.counts.validating.get_or_init(counts)
    }

    /// Accesses of each object in the held-out part.
    pub fn held_out_counts(&self) -> &[u32] {
        let counts = || self.counts(self.held_out_accesses());
        self.counts.held_out.get_or_init(counts)
    }

    /// Accesses of each site, in their order.
    pub fn by_site(&self, accesses: &[u32]) -> Vec<Vec<u32>> {
        let mut sites = vec![Vec::new(); self.workload.files.sites.len()];
        for &object in accesses {
            sites[self.values.site(object)].push(object);
        }
        sites
    }

    /// Accesses of each object in `accesses`.
    pub fn counts(&self, accesses: &[u32]) -> Vec<u32> {
        let mut counts = vec![0; self.objects()];
        accesses
            .iter()
            .for_each(|&object| counts[object as usize] += 1);
        counts
    }

    /// Ranks the objects of `accesses` by how often they occur there.
    pub fn ranking(&self, accesses: &[u32]) -> Ranking {
        self.ranking_of(&self.counts(accesses))
    }

    /// Ranks objects by these numbers of accesses, those that have some.
    pub fn ranking_of(&self, counts: &[u32]) -> Ranking {
        let seen = counts.iter().enumerate().filter(|(_, count)| **count > 0);
        let heat = seen.map(|(object, &count)| (object as u32, f64::from(count)));
        Ranking::new(&self.values, heat)
    }

    /// As [`Backtest::ranking`], with each site's accesses multiplied by its boost.
    pub fn boosted_ranking(&self, accesses: &[u32], boosts: &[f64]) -> Ranking {
        let counts = self.counts(accesses);
        let seen = (0u32..).zip(counts).filter(|(_, count)| *count > 0);
        let heat = seen.map(|(object, count)| {
            let boost = boosts[self.values.site(object)];
            (object, f64::from(count) * boost)
        });
        Ranking::new(&self.values, heat)
    }

    /// Bytes of `object`.
    #[inline]
    pub fn size(&self, object: u32) -> u64 {
        self.values.size(object)
    }

    /// Whether it is worth a look how ways of using the memory do beside a page cache of whole files: it is not what scores them, and
    /// nobody writes, which that one does not follow.
    pub fn compares_whole_files(&self) -> bool {
        self.linux.is_some() && self.writers.is_none()
    }

    fn page_cache(&self) -> PageCacheModel {
        match self.linux {
            None => PageCacheModel::WholeFiles,
            Some(_) => PageCacheModel::Linux,
        }
    }

    /// The same with another memory; reservations shrink in proportion where they no longer fit.
    pub fn with_memory(&self, memory_pages: u64) -> Self {
        let reserved: u64 = self.reserved_pages.iter().sum();
        let floor_bytes = self.page_cache().floor_bytes(memory_pages * PAGE_BYTES);
        let room = memory_pages - floor_bytes / PAGE_BYTES;
        let fit = |pages: u64| {
            (u128::from(pages) * u128::from(room) / u128::from(reserved.max(1))) as u64
        };
        let shrink = |&pages: &u64| {
            if reserved <= room { pages } else { fit(pages) }
        };
        Self {
            reserved_pages: self.reserved_pages.iter().map(shrink).collect(),
            memory_pages,
            ..self.clone()
        }
    }
}

/// The empty page cache of Linux for the files of `workload`.
pub(crate) fn linux(workload: &Workload, values: &Values) -> Result<LinuxPageCache, PlanError> {
    let pages = values.all_pages();
    Ok(if values.has_metadata() {
        LinuxPageCache::with_metadata(0, pages, workload.files.site_of_object)?
    } else {
        LinuxPageCache::new(0, pages)?
    })
}

/// The programs that write into the empty `page_cache`, which gets objects for that.
fn writers(
    workload: &Workload,
    values: &Values,
    options: &PlanOptions,
    page_cache: Option<&mut LinuxPageCache>,
) -> Result<Option<Writers>, PlanError> {
    let (Some(first), Some(page_cache)) = (options.writers.first(), page_cache) else {
        return Ok(None);
    };
    let Some(times_us) = workload.times_us else {
        return Err(PlanError::WriterWithoutTimes {
            writer: first.name.clone(),
        });
    };
    // Curves have no memory beyond that.
    let files_pages: u64 = values.all_pages().iter().sum();
    let most_pages = (options.memory_bytes / PAGE_BYTES).max(files_pages);
    let writers = Writers::new(&options.writers, times_us, page_cache, most_pages)?;
    Ok(writers)
}

fn held_already(options: &PlanOptions, values: &Values) -> HeldSet {
    let known = |&object: &u32| (object as usize) < values.objects();
    let previous: Vec<u32> = options.previous.iter().copied().filter(known).collect();
    HeldSet::of(values, &previous)
}
