//! What serving costs by file size, from single requests.

use hotset_scenario::{CostLine, Profile};
use serde::{Deserialize, Serialize};

/// One file's response in each state, microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// Site that the file belongs to, by its number.
    pub site: usize,
    /// Bytes of the file.
    pub bytes: u64,
    /// Nothing of it in memory, not even its directory and inode.
    pub cold_us: u64,
    /// Its data not in memory, its inode is.
    pub uncached_us: u64,
    /// In the page cache.
    pub cached_us: u64,
    /// Held in ramfs; nothing where it was too large to be copied there.
    pub held_us: Option<u64>,
}

/// Costs measured on a node with single requests, one client, nothing else running.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeasuredCosts {
    /// The page cache and the disk, for each site: where its files lie on the disk decides how far the head travels.
    pub backing: Vec<Profile>,
    /// The memory file system.
    pub memory: Profile,
    /// What the lines were fitted to.
    pub samples: Vec<Sample>,
}

impl MeasuredCosts {
    /// Fits lines to the samples; nothing for fewer than two samples of a state, or none of a site.
    pub fn fit(samples: Vec<Sample>) -> Option<Self> {
        let sites = samples.iter().map(|sample| sample.site).max()? + 1;
        let held = fit(samples
            .iter()
            .filter_map(|sample| Some((sample.bytes, sample.held_us?))))?;
        Some(Self {
            backing: (0..sites)
                .map(|site| backing(&samples, site))
                .collect::<Option<_>>()?,
            memory: profile("measured memory".to_owned(), held, held, None),
            samples,
        })
    }
}

fn backing(samples: &[Sample], site: usize) -> Option<Profile> {
    let line = |time: &dyn Fn(&Sample) -> u64| {
        let own = samples.iter().filter(|sample| sample.site == site);
        fit(own.map(|sample| (sample.bytes, time(sample))))
    };
    Some(profile(
        format!("measured backing of site {site}"),
        line(&|sample| sample.cached_us)?,
        line(&|sample| sample.uncached_us)?,
        Some(line(&|sample| sample.cold_us)?),
    ))
}

fn profile(name: String, cached: CostLine, uncached: CostLine, cold: Option<CostLine>) -> Profile {
    Profile {
        cold,
        ..Profile::of_lines(
            &name,
            cached,
            uncached,
            "single requests on the node, least squares of relative errors",
        )
    }
}

/// The line through times of at least a microsecond.
fn fit(points: impl Iterator<Item = (u64, u64)>) -> Option<CostLine> {
    CostLine::fit(points.map(|(bytes, us)| (bytes, us.max(1) as f64)))
}
