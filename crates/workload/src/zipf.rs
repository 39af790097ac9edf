//! Zipf-like popularity over files of varied sizes.

use rand::SeedableRng;
use rand_distr::Distribution;
use rand_pcg::Pcg64Mcg;

use crate::error::{GenerateError, require};
use crate::generator::Generator;
use crate::load::Load;
use crate::single_site::{numbered_files, trace, whole_file};
use crate::size_order::{places, require_correlation};
use crate::sizes::{log_uniform_mean, with_total};
use hotset_trace::Trace;

/// File sizes and working set of one of the documents' workload classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZipfClass {
    /// Smallest file.
    pub min_bytes: u64,
    /// Largest file.
    pub max_bytes: u64,
    /// All files together.
    pub working_set_bytes: u64,
}

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;

/// Zipf classes 0 to 4: "Workload-driven analysis of file systems in shared multi-tier data-centers
/// over InfiniBand", table 3; "Characterization of multi-tier data-centers", table 2.
pub const CLASSES: [ZipfClass; 5] = [
    ZipfClass::up_to(250 * KIB, 25 * MIB),
    ZipfClass::up_to(MIB, 100 * MIB),
    ZipfClass::up_to(4 * MIB, 450 * MIB),
    ZipfClass::up_to(16 * MIB, 2 * GIB),
    ZipfClass::up_to(64 * MIB, 6 * GIB),
];

impl ZipfClass {
    /// The smallest file has 1 KiB in every class.
    const fn up_to(max_bytes: u64, working_set_bytes: u64) -> ZipfClass {
        ZipfClass {
            min_bytes: KIB,
            max_bytes,
            working_set_bytes,
        }
    }
}

/// Exponent of the classes ("Characterization of multi-tier data-centers", table 2).
pub const CLASS_ALPHA: f64 = 0.9;

/// Rank correlation of size and popularity in the classes. The documents have most requests go to small files ("Workload-driven
/// analysis …", sections 4.2, 4.4 and 4.5; "Characterization …", sections 4.3 and 4.4) and give no figure. This one lies between two
/// that they rule out, by whole files in an LRU cache of 450 MiB, about what a server of 512 MB has (`docs/explanation/workloads.md`
/// has the table):
///
/// - Where sizes are shuffled, a request of class 4 misses 3.6 MB. At the 40 MB/s that are read over the network (section 4.2), the
///   640,000 requests of an experiment ("Characterization …", section 3) take 16 hours. Here they take 6.6, and 5.2 if popularity
///   follows size to the letter.
/// - If it does, 9 % of the requests of class 4 are for files above 1 MB, and here 17 %. But class 4 has "many accesses to large files"
///   ("Characterization …", section 4.3).
///
/// A request of class 3 moves 0.3 of the mean file, and about the mean file where sizes are shuffled.
pub const CLASS_SIZE_CORRELATION: f64 = -0.5;

/// Requests for file i, counted from the most popular, in proportion to 1 / i^alpha.
///
/// Object id i - 1 has popularity rank i. Sizes follow a bounded Pareto distribution whose shape makes
/// them add up to the working set, whatever their order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Zipf {
    /// Number of files.
    pub objects: u32,
    /// Exponent of popularity, 0 or more.
    pub alpha: f64,
    /// Smallest file.
    pub min_bytes: u64,
    /// Largest file.
    pub max_bytes: u64,
    /// All files together.
    pub working_set_bytes: u64,
    /// Spearman's rank correlation of size and popularity, within
    /// [`SIZE_CORRELATION_TOLERANCE`](crate::SIZE_CORRELATION_TOLERANCE): at -1 the most popular file is the smallest, at 1 the
    /// largest; at 0 sizes are shuffled.
    pub size_correlation: f64,
    /// The requests.
    pub load: Load,
}

impl Zipf {
    /// Workload class `class` of [`CLASSES`]. The documents give no number of files: it is the one at
    /// which sizes are log-uniform, so that small files are the most.
    ///
    /// # Errors
    /// [`GenerateError::Parameter`] where there is no such class.
    pub fn class(class: usize, load: Load) -> Result<Self, GenerateError> {
        require(class < CLASSES.len(), "Zipf class", class, "0 to 4")?;
        let ZipfClass {
            min_bytes,
            max_bytes,
            working_set_bytes,
        } = CLASSES[class];
        let mean = log_uniform_mean(min_bytes as f64, max_bytes as f64);
        let objects = (working_set_bytes as f64 / mean).round() as u32;
        Ok(Self {
            objects,
            alpha: CLASS_ALPHA,
            min_bytes,
            max_bytes,
            working_set_bytes,
            size_correlation: CLASS_SIZE_CORRELATION,
            load,
        })
    }

    /// Any exponent, number of files and working set. Sizes are those of class 4, 1 KiB to 64 MiB,
    /// or reach to a tenth or ten times of their mean where that lies outside. They are shuffled.
    pub fn new(alpha: f64, objects: u32, working_set_bytes: u64, load: Load) -> Self {
        let mean = working_set_bytes / u64::from(objects.max(1));
        let widest = CLASSES[CLASSES.len() - 1];
        let min_bytes = widest.min_bytes.min(mean / 10).max(1);
        let max_bytes = widest.max_bytes.max(mean.saturating_mul(10));
        Self {
            objects,
            alpha,
            min_bytes,
            max_bytes,
            working_set_bytes,
            size_correlation: 0.0,
            load,
        }
    }

    /// Sizes by object id.
    pub(crate) fn sizes(&self, seed: u64) -> Result<Vec<u64>, GenerateError> {
        require(self.objects > 0, "objects", self.objects, "at least 1")?;
        require_correlation(self.size_correlation)?;
        let rising = with_total(
            self.objects as usize,
            self.working_set_bytes,
            self.min_bytes,
            self.max_bytes,
        )?;
        let places = self.size_places(seed);
        Ok(places.iter().map(|&place| rising[place as usize]).collect())
    }

    /// Place of each object in rising order of size.
    pub(crate) fn size_places(&self, seed: u64) -> Vec<u32> {
        let mut random = Pcg64Mcg::seed_from_u64(seed ^ SIZES);
        places(self.objects as usize, self.size_correlation, &mut random)
    }

    /// Popularity ranks, counted from 0.
    pub(crate) fn ranks(&self) -> Result<impl Fn(&mut Pcg64Mcg) -> u32 + use<>, GenerateError> {
        let ranks = rand_distr::Zipf::new(f64::from(self.objects), self.alpha);
        let ranks = ranks.map_err(|_| GenerateError::Parameter {
            name: "alpha",
            value: self.alpha.to_string(),
            range: "a number of at least 0",
        })?;
        let last = self.objects.saturating_sub(1);
        Ok(move |random: &mut Pcg64Mcg| (ranks.sample(random) as u32).saturating_sub(1).min(last))
    }
}

impl Generator for Zipf {
    fn generate(&self, seed: u64) -> Result<Trace, GenerateError> {
        let sizes = self.sizes(seed)?;
        let rank = self.ranks()?;
        let objects = numbered_files(sizes.clone());
        trace("zipf", objects, self.load, seed, |random, _| {
            whole_file(rank(random), &sizes)
        })
    }
}

/// Keeps the stream that places sizes apart from the stream that draws requests.
const SIZES: u64 = 0x5349_5a45;
