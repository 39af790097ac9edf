//! From traffic and what is asked for to a plan and everything said about it.

mod planned;
mod previous;
mod setting;

use std::path::PathBuf;

use hotset_cache::Stop;
use hotset_plan::PageCacheModel;
use hotset_scenario::{MemorySize, Objective, Target};

pub use planned::PlannedTraffic;
pub use setting::{NodeMemory, Setting, check_reservations};

/// What is asked of a plan; options of `hotset plan` of the same names.
#[derive(Clone, Debug, Default)]
pub struct Planning {
    /// Memory of the node, or of each node of the scenario.
    pub memory: Option<MemorySize>,
    /// Bytes of it that the server and the kernel need.
    pub server_memory: Option<u64>,
    /// Model of the page cache.
    pub page_cache: PageCacheModel,
    /// Store of the sites that the scenario does not name: a built-in profile or a file.
    pub backing: Option<String>,
    /// Scenario file.
    pub scenario: Option<PathBuf>,
    /// What the plan is made for.
    pub objective: Option<Objective>,
    /// What sites' responses should come to, in place of the scenario's targets.
    pub targets: Vec<SiteTarget>,
    /// Whether the plan may split the memory into groups.
    pub groups: bool,
    /// Plan file in force.
    pub previous: Option<PathBuf>,
    /// A gain, 0 to 1, whose memory is asked for.
    pub for_gain: Option<f64>,
    /// Stores to consider for each site: built-in profiles or files.
    pub candidates: Vec<String>,
    /// Seed of the confidence intervals.
    pub seed: u64,
    /// Whoever asks it gets an error, soon.
    pub stop: Option<Stop>,
}

/// A target of a site.
#[derive(Clone, Debug)]
pub struct SiteTarget {
    /// Name of the site.
    pub site: String,
    /// What its responses should come to.
    pub target: Target,
}

impl std::str::FromStr for SiteTarget {
    type Err = String;

    fn from_str(text: &str) -> Result<SiteTarget, String> {
        let (site, target) = text
            .split_once('=')
            .ok_or("write the site, =, and its target, as in shop=p99<20ms")?;
        Ok(SiteTarget {
            site: site.to_owned(),
            target: target.parse()?,
        })
    }
}
