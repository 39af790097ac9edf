//! How to plan.

use hotset_cache::{PAGE_BYTES, Stop};
use hotset_outcome::Bootstrap;
use hotset_scenario::{Objective, Target};

use super::writers::Writer;
use crate::PlanError;
#[cfg(doc)]
use crate::value::Catalogue;
use crate::value::SiteTerms;

/// How often the renewed plan chooses anew what to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Renewal {
    /// A hundred times in the trace: by time where it has times, else by accesses.
    HundredTimes,
    /// After so many accesses.
    Accesses(u64),
    /// After so many microseconds of the trace's time; a trace without times falls back to
    /// [`Renewal::HundredTimes`].
    Microseconds(u64),
}

/// How the page cache is modelled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::EnumString, strum::VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum PageCacheModel {
    /// What Linux does with the parts of files that `sendfile` reads ([`hotset_cache::LinuxPageCache`]): close to a
    /// node that is measured. Files can be read in part, and at least a twentieth of the memory stays page cache,
    /// because a memory group that is filled with held files kills its processes. The best split of memory is searched for.
    #[default]
    Linux,
    /// Whole files in the inactive and the active list: hotset's definition, which is short enough to be written down twice.
    /// Every split of memory is tried.
    WholeFiles,
}

impl PageCacheModel {
    /// Bytes of `memory_bytes` that stay page cache, whatever is held: a twentieth beside the page cache of Linux, nothing
    /// by the definition.
    ///
    /// Two things need the room. The kernel's records of evicted pages take up to an eighth of a node of 576 bytes for each
    /// page in memory, 1.8 % (`count_shadow_nodes`, `mm/workingset.c`). Pages on their way from disk to network take two
    /// read-ahead windows of 128 KiB for each request that is served: 0.8 % of a node of 512 MiB with the 16 clients of the
    /// pollution experiment (`experiments/pollution`). A twentieth is about twice their sum, because a memory group that is
    /// too full kills its processes instead of refusing. The experiment's node was killed when held files took all of its
    /// file memory, and ran with 90 % of it held (cell 1x3).
    pub const fn floor_bytes(self, memory_bytes: u64) -> u64 {
        match self {
            Self::WholeFiles => 0,
            Self::Linux => (memory_bytes / PAGE_BYTES).div_ceil(20) * PAGE_BYTES,
        }
    }
}

/// So many accesses are scored with each memory of a curve, and for each store, in a second or two.
const FEW_ACCESSES: usize = 1_000_000;

/// Options of a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanOptions {
    /// Memory of the node for file data, held files and page cache together, in bytes.
    pub memory_bytes: u64,
    /// Share of the accesses, from the first, that the plan learns from; the rest scores it.
    pub training_share: f64,
    /// Terms of each site in the order of [`Catalogue::sites`]; empty when all sites have the default.
    pub terms: Vec<SiteTerms>,
    /// What the plan is made for.
    pub objective: Objective,
    /// What the responses of each site are to come to, in the order of [`Catalogue::sites`]; empty where none has targets.
    pub targets: Vec<Vec<Target>>,
    /// Whether each site may get a memory group of its own, with a page cache that no other site can take.
    pub groups: bool,
    /// Programs that write into the node's page cache by the times of the accesses; only [`PageCacheModel::Linux`] without groups follows
    /// them. Page caches of other kinds that the plan is laid beside have the memory for themselves.
    pub writers: Vec<Writer>,
    /// Objects held until now, which cost nothing to keep.
    pub previous: Vec<u32>,
    /// How often the renewed plan chooses anew what to hold.
    pub renewal: Renewal,
    /// Memory points of the curve besides the asked one; 0 for no curve.
    pub curve_points: usize,
    /// Accesses up to which all of them are scored with each memory of the curve, and for each store that is advised on. Of more, a
    /// sample is: the asked memory and stores alone are scored on all.
    pub scored_up_to: usize,
    /// How many accesses are as large a share of all as the sample is of those that choose, and of those that are held out.
    pub sampled_accesses: usize,
    /// How the page cache is modelled.
    pub page_cache: PageCacheModel,
    /// Whether a plan is given up that does no better on the accesses held out than only what sites reserve, held beside
    /// the page cache. hotset's definition keeps every plan.
    pub give_up_losses: bool,
    /// Seed of the bootstrap.
    pub seed: u64,
    /// Whoever asks it gets [`PlanError::Interrupted`], soon.
    pub stop: Option<Stop>,
}

impl PlanOptions {
    /// Plans for `memory_bytes` beside the page cache of Linux from the first 70 % of the accesses, all sites alike, with a
    /// curve of 12 points.
    pub fn new(memory_bytes: u64) -> Self {
        Self {
            memory_bytes,
            training_share: 0.7,
            terms: Vec::new(),
            objective: Objective::default(),
            targets: Vec::new(),
            groups: false,
            writers: Vec::new(),
            previous: Vec::new(),
            renewal: Renewal::HundredTimes,
            curve_points: 12,
            scored_up_to: FEW_ACCESSES,
            sampled_accesses: FEW_ACCESSES,
            page_cache: PageCacheModel::default(),
            give_up_losses: false,
            seed: 0,
            stop: None,
        }
    }

    /// The targets that come before the mean, by site.
    pub(crate) fn targets_first(&self) -> Vec<Vec<Target>> {
        match self.objective {
            Objective::Mean => Vec::new(),
            Objective::Targets => self.targets.clone(),
        }
    }

    pub(crate) fn bootstrap(&self) -> Bootstrap {
        Bootstrap::seeded(self.seed)
    }

    pub(crate) fn check(&self) -> Result<(), PlanError> {
        if self.memory_bytes < PAGE_BYTES {
            return Err(PlanError::Memory {
                memory_bytes: self.memory_bytes,
            });
        }
        check_share("training_share", self.training_share)?;
        if matches!(
            self.renewal,
            Renewal::Accesses(0) | Renewal::Microseconds(0)
        ) {
            return Err(PlanError::Option {
                option: "renewal",
                value: 0.0,
                range: "at least 1",
            });
        }
        self.check_writers()?;
        self.check_reservations()
    }

    fn check_writers(&self) -> Result<(), PlanError> {
        let page_caches = match self.page_cache {
            PageCacheModel::WholeFiles => "page caches of whole files",
            PageCacheModel::Linux if self.groups => "memory groups",
            PageCacheModel::Linux => return Ok(()),
        };
        let first = self.writers.first();
        first.map_or(Ok(()), |writer| {
            Err(PlanError::WriterBeside {
                writer: writer.name.clone(),
                page_caches,
            })
        })
    }

    fn check_reservations(&self) -> Result<(), PlanError> {
        let reserved_bytes = self.terms.iter().fold(0u64, |sum, terms| {
            sum.saturating_add(terms.reservation_bytes)
        });
        let floor_bytes = self.page_cache.floor_bytes(self.memory_bytes);
        if reserved_bytes > self.memory_bytes - floor_bytes {
            return Err(PlanError::Reservations {
                reserved_bytes,
                memory_bytes: self.memory_bytes,
                floor_bytes,
            });
        }
        Ok(())
    }
}

/// Refuses what is no share between 0 and 1, NaN as well.
pub(crate) fn check_share(option: &'static str, value: f64) -> Result<(), PlanError> {
    if value > 0.0 && value < 1.0 {
        return Ok(());
    }
    Err(PlanError::Option {
        option,
        value,
        range: "above 0 and below 1",
    })
}
