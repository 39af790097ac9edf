//! What is asked of a plan.

use std::path::PathBuf;

use hotset_machine::cgroup::MemoryGroup;
use hotset_plan::PageCacheModel;
use hotset_report::PlanFileFormat;
use hotset_scenario::{MemorySize, Objective, Target};
use hotset_trace::Zone;

use crate::{Logs, Results};

/// What is asked of a plan.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The logs to plan for.
    pub logs: Logs,
    /// On whose clocks hours are.
    pub time_zone: Zone,
    /// Memory of the node, or of each node of the scenario. Where nobody names a size, it is what is free here, and others are
    /// proposed.
    pub memory: Option<MemorySize>,
    /// The memory group that the server's files are charged to, where a server is named: what is free there is free here. Nothing in it where it has
    /// none, and files are charged to the machine.
    pub group: Option<Option<MemoryGroup>>,
    /// Whether the result is kept or acted on, which takes a size that somebody has named.
    pub needs_size: bool,
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
    /// Whether it is told how long each part took.
    pub timings: bool,
    /// The format of the plan file, which is written to the `output` of the results.
    pub output_format: PlanFileFormat,
    /// Where plan file, report and tables go.
    pub results: Results,
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
