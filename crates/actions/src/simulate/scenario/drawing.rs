//! The net that is built from a scenario.

use std::path::Path;
use std::sync::Arc;

use hotset_models::tiers::{File, Traffic, drawn};
use hotset_petri::Net;
use hotset_scenario::Scenario;
use hotset_trace::Trace;

use super::nodes::{Content, Nodes};
use super::plan::Plan;
use super::stores::Stores;
use crate::{Input, JobError};

/// Bytes of all files, of which nodes may have a share as their memory: a drawing shows no bytes.
const FILES_BYTES: u64 = 1 << 40;

/// The net that simulations of the scenario at `path` run, whatever the traffic.
///
/// # Errors
/// A scenario that cannot be read, and what is not simulated yet.
pub fn net(path: &Path) -> Result<Net, JobError> {
    let scenario = Scenario::load(path)?;
    let in_file = |error: JobError| JobError::at(path.display(), error);
    let nodes = Nodes::of(&scenario).map_err(in_file)?;
    let input = Input::of_trace(Trace {
        sites: sites(&scenario),
        ..Trace::default()
    });
    let stores = Stores::of(&scenario, &input).map_err(in_file)?;
    let content = Content {
        plan: &Plan::read(None, &nodes.nodes, &input)?,
        stores: &stores,
        input: &input,
        files_bytes: FILES_BYTES,
    };
    let tiers = nodes.tiers(content).map_err(in_file)?;
    let traffic = Traffic {
        sites: input.trace.sites.clone(),
        files: vec![File { site: 0, bytes: 1 }],
        ..Traffic::default()
    };
    let net = drawn(&tiers, &Arc::new(traffic));
    net.map_err(|error| in_file(error.into()))
}

/// Those of the scenario, or one where it names none.
fn sites(scenario: &Scenario) -> Vec<String> {
    match &scenario.sites[..] {
        [] => vec!["all".to_owned()],
        sites => sites.iter().map(|site| site.name.clone()).collect(),
    }
}
