//! The net that is built from a scenario.

use std::path::Path;
use std::sync::Arc;

use hotset_models::tiers::{File, Traffic, drawn};
use hotset_petri::Net;
use hotset_scenario::{Node, Scenario};
use hotset_topology::{Content, Held, Nodes, Servers, Stores, TopologyError};
use hotset_trace::Trace;

use crate::JobError;

/// Bytes of all files, of which nodes may have a share as their memory: a drawing shows no bytes.
const FILES_BYTES: u64 = 1 << 40;

/// The net that simulations of the scenario at `path` run, whatever the traffic.
///
/// # Errors
/// A scenario that cannot be read, and what is not simulated yet.
pub fn net(path: &Path) -> Result<Net, JobError> {
    let scenario = Scenario::load(path)?;
    let in_file = |error: TopologyError| JobError::at(path.display(), error);
    let nodes = Nodes::of(&scenario).map_err(in_file)?;
    let trace = Trace {
        sites: sites(&scenario),
        ..Trace::default()
    };
    let stores = Stores::of(&scenario, &trace).map_err(in_file)?;
    let held = |_: &Node| Held::default();
    let content = Content {
        stores: &stores,
        held: &held,
        files_bytes: FILES_BYTES,
        servers: &Servers::of(&scenario),
    };
    let tiers = nodes.tiers(content).map_err(in_file)?;
    let traffic = Traffic {
        sites: trace.sites.clone(),
        files: vec![File { site: 0, bytes: 1 }],
        ..Traffic::default()
    };
    let net = drawn(&tiers, &Arc::new(traffic));
    net.map_err(|error| JobError::at(path.display(), error))
}

/// Those of the scenario, or one where it names none.
fn sites(scenario: &Scenario) -> Vec<String> {
    match &scenario.sites[..] {
        [] => vec!["all".to_owned()],
        sites => sites.iter().map(|site| site.name.clone()).collect(),
    }
}
