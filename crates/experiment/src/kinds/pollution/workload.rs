//! The requests of two sites as one trace, and the files they are for.

use hotset_plan::{Catalogue, PageCacheModel, PlanOptions, Workload};
use hotset_trace::Trace;
use hotset_workload::{GenerateError, Generator, Load, Mix, Zipf};
use serde::{Deserialize, Serialize};

/// Names of the two sites; the index is the site's id.
pub(crate) const SITES: [&str; 2] = ["foreground", "background"];

/// Both sites ask at this rate: only the order of requests counts where a client waits for each response.
const RATE_PER_SECOND: f64 = 100.0;

/// What a cell's requests are made from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct WorkloadSpec {
    /// Workload class of each site.
    pub classes: [usize; 2],
    /// Exponent of popularity.
    pub alpha: f64,
    /// Rank correlation of size and popularity, -1 to 1; left out where sizes are shuffled.
    #[serde(default, skip_serializing_if = "is_shuffled")]
    pub size_correlation: f64,
    /// Requests of both sites together.
    pub requests: u64,
    /// Requests that train; left out where as large a share does as in hotset plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub training: Option<u64>,
    /// Requests of a segment of the paced phase; left out where it is measured all at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub segment: Option<u64>,
    /// File sizes are the class' divided by it.
    pub scale: u64,
    /// Seed.
    pub seed: u64,
}

/// Whether sizes say nothing about popularity.
pub(crate) fn is_shuffled(size_correlation: &f64) -> bool {
    *size_correlation == 0.0
}

/// How sizes and popularity hang together, as results say it.
pub(crate) fn correlation_in_words(correlation: f64) -> String {
    match is_shuffled(&correlation) {
        true => "File sizes are shuffled: they say nothing about popularity.".to_owned(),
        false => format!("The rank correlation of file size and popularity is {correlation}."),
    }
}

/// One site's files and requests. Sizes depend on class, correlation, scale and seed only, so that files on a disk serve every
/// trace of their class.
pub(crate) fn site(
    class: usize,
    alpha: f64,
    size_correlation: f64,
    scale: u64,
    requests: u64,
) -> Result<Zipf, GenerateError> {
    let zipf = Zipf::class(class, Load::new(requests, RATE_PER_SECOND))?;
    Ok(Zipf {
        alpha,
        size_correlation,
        min_bytes: (zipf.min_bytes / scale).max(1),
        max_bytes: zipf.max_bytes / scale,
        working_set_bytes: zipf.working_set_bytes / scale,
        ..zipf
    })
}

/// The merged trace of a cell, split as `hotset plan` splits it.
#[derive(Debug)]
pub(crate) struct CellWorkload {
    /// Workload class of each site.
    pub classes: [usize; 2],
    /// Both sites' files and requests.
    pub trace: Trace,
    /// Object of each access, in order.
    pub accesses: Vec<u32>,
    /// Accesses that train; the rest is held out.
    pub training: usize,
    /// Whether their number is given, not their share.
    training_is_given: bool,
    /// Accesses of a segment of the held-out part.
    segment: usize,
}

impl CellWorkload {
    /// The workload that belongs to `spec`.
    ///
    /// # Errors
    /// A class, exponent or number of requests that allows no trace.
    pub fn generate(spec: &WorkloadSpec) -> Result<Self, GenerateError> {
        let part = |index: usize| {
            let requests = spec.requests / 2 + (spec.requests % 2) * (1 - index as u64);
            let (alpha, correlation) = (spec.alpha, spec.size_correlation);
            site(
                spec.classes[index],
                alpha,
                correlation,
                spec.scale,
                requests,
            )
        };
        let [foreground, background] = [part(0)?, part(1)?];
        let mix = Mix {
            sites: vec![
                (SITES[0].to_owned(), Box::new(foreground)),
                (SITES[1].to_owned(), Box::new(background)),
            ],
        };
        let trace = mix.generate(spec.seed)?;
        let accesses = trace.requests.object.clone();
        let share = PlanOptions::new(0).training_share;
        let training = match spec.training {
            Some(training) => accesses.len().min(training as usize),
            None => (accesses.len() as f64 * share) as usize,
        };
        Ok(Self {
            classes: spec.classes,
            trace,
            accesses,
            training,
            training_is_given: spec.training.is_some(),
            segment: spec.segment.map_or(usize::MAX, |segment| segment as usize),
        })
    }

    /// The workload of each segment of the first `accesses` held out: as many accesses before it as train, and its own.
    pub fn segments(&self, accesses: usize) -> impl Iterator<Item = Self> {
        let firsts = (0..accesses).step_by(self.segment.max(1));
        firsts.map(move |first| self.part(first, self.segment.min(accesses - first)))
    }

    /// So many held-out accesses from the one numbered `first`, behind as many as train.
    fn part(&self, first: usize, held_out: usize) -> Self {
        let accesses = first..first + self.training + held_out;
        let mut trace = self.trace.clone();
        trace.requests.time_us = trace.requests.time_us[accesses.clone()].to_vec();
        Self {
            classes: self.classes,
            trace,
            accesses: self.accesses[accesses].to_vec(),
            training: self.training,
            training_is_given: true,
            segment: held_out,
        }
    }

    /// As the planner takes it.
    pub fn planned(&self) -> Workload<'_> {
        Workload {
            accesses: &self.accesses,
            times_us: Some(&self.trace.requests.time_us),
            files: Catalogue {
                sizes: &self.trace.objects.size,
                site_of_object: &self.trace.objects.site,
                sites: &self.trace.sites,
            },
        }
    }

    /// The planner's options for a node that is measured, without what a measurement does not need. The page cache is that of
    /// Linux: beside whole files in two lists, measured nodes miss up to a third more often than predicted.
    pub fn options(&self, memory_bytes: u64) -> PlanOptions {
        let usual = PlanOptions::new(memory_bytes);
        PlanOptions {
            curve_points: 0,
            page_cache: PageCacheModel::Linux,
            training_share: match self.training_is_given {
                // The planner cuts to a whole number.
                true => (self.training as f64 + 0.5) / self.accesses.len() as f64,
                false => usual.training_share,
            },
            ..usual
        }
    }

    /// Accesses of the training part.
    pub fn training(&self) -> &[u32] {
        &self.accesses[..self.training]
    }

    /// Accesses that the planner has not seen.
    pub fn held_out(&self) -> &[u32] {
        &self.accesses[self.training..]
    }

    /// Site of an object.
    pub fn site(&self, object: u32) -> usize {
        usize::from(self.trace.objects.site[object as usize])
    }

    /// Bytes of an object.
    pub fn size(&self, object: u32) -> u64 {
        self.trace.objects.size[object as usize]
    }

    /// Request target of an object, which is also its path below the site's folder.
    pub fn target(&self, object: u32) -> String {
        self.trace.objects.display_path(object)
    }

    /// Accesses of each object in the training part.
    pub fn counts(&self) -> Vec<u32> {
        let mut counts = vec![0; self.trace.objects.len()];
        for &object in self.training() {
            counts[object as usize] += 1;
        }
        counts
    }
}
