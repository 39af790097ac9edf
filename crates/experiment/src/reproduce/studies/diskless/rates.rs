//! What the disks deliver, locally and over NFS: table 3.

use std::path::Path;
use std::sync::Arc;

use hotset_lab::Control;
use hotset_models::tiers::{File, Traffic};
use hotset_scenario::{Client, Scenario, ServerCosts};
use hotset_trace::{Objects, Trace};
use hotset_workload::directory_files;
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_pcg::Pcg64Mcg;
use serde::{Deserialize, Serialize};

use super::machines::{results, scenario, simulated};
use super::settings::SEED;
use crate::ExperimentError;

/// The table's rows, as the published figures call them: the scenario, and whether files are those of class 3.
pub(crate) const RATE_ROWS: [(&str, &str, bool); 4] = [
    ("local disk sequential MB/s", "local.toml", false),
    ("NFS sequential MB/s", "nfs.toml", false),
    ("local disk class 3 MB/s", "local.toml", true),
    ("NFS class 3 MB/s", "nfs.toml", true),
];
/// Files of class 3 that the document copies, one after the other, each once.
const FILES: f64 = 1999.0;
/// The class of the largest files.
const LARGEST: usize = 3;
/// Bytes of the large file, and how many such are copied here.
const LARGE_BYTES: u64 = 33_000_000;
const LARGE_FILES: usize = 4;
/// What starting a program takes that copies a file, and a byte that it copies. Assumed.
const COPYING: ServerCosts = ServerCosts {
    request_us: 2000.0,
    ns_per_byte: 3.3,
    connection_us: 0.0,
};

/// A row of the table.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Rate {
    pub row: String,
    /// Millions of bytes in a second.
    pub mb_per_s: f64,
}

/// The rows of the table.
///
/// # Errors
/// Files that cannot be used, and an interruption.
pub(crate) fn rates(path: &Path, control: &dyn Control) -> Result<Vec<Rate>, ExperimentError> {
    let rows = RATE_ROWS.into_iter();
    rows.map(|row| rate(path, control, row)).collect()
}

fn rate(
    path: &Path,
    control: &dyn Control,
    (row, file, is_of_class): (&str, &str, bool),
) -> Result<Rate, ExperimentError> {
    let scenario = copying(scenario(path, file, 1.0)?);
    let sizes = match is_of_class {
        true => class_sizes(),
        false => vec![LARGE_BYTES; LARGE_FILES],
    };
    let trace = trace(&sizes);
    let result = simulated(&scenario, &trace, &once_each(&trace), control)?;
    let webs = results(&scenario, &result, true)?;
    let cache = webs.first().and_then(|(_, web)| web.cache);
    let bytes = cache.map_or(0.0, |cache| cache.bytes as f64);
    Ok(Rate {
        row: row.to_owned(),
        mb_per_s: bytes / result.seconds.max(1e-9) / 1e6,
    })
}

/// The machines of a scenario with a program in place of the web server that copies one file after the other.
fn copying(mut scenario: Scenario) -> Scenario {
    let web = scenario.nodes.iter_mut().find(|node| node.reads_store());
    scenario.clients = web
        .map(|web| {
            web.needs.system = None;
            web.needs.logs = None;
            Client {
                timeout_ns: None,
                name: "copying".to_owned(),
                asks: web.name.clone(),
                clients: 1,
                think_ns: None,
                node: None,
                opens_connections: false,
            }
        })
        .into_iter()
        .collect();
    if let Some(profile) = &mut scenario.server_profile {
        profile.apache = Some(COPYING);
    }
    scenario
}

/// Sizes of so many files of class 3, as often as they are asked for.
fn class_sizes() -> Vec<u64> {
    let largest = directory_files().filter(|(class, ..)| *class == LARGEST);
    let all: f64 = largest.map(|(.., share)| share).sum();
    let largest = directory_files().filter(|(class, ..)| *class == LARGEST);
    let sizes = largest.flat_map(|(_, bytes, share)| {
        let count = (FILES * share / all).round() as usize;
        vec![bytes; count]
    });
    sizes.collect()
}

/// Files of these sizes, without requests.
fn trace(sizes: &[u64]) -> Trace {
    Trace {
        sites: vec!["files".to_owned()],
        objects: Objects {
            site: vec![0; sizes.len()],
            size: sizes.to_vec(),
            ..Objects::default()
        },
        ..Trace::default()
    }
}

/// A request for each file, in an order that is not that of the disk.
fn once_each(trace: &Trace) -> Arc<Traffic> {
    let sizes = &trace.objects.size;
    let mut requests: Vec<u32> = (0..sizes.len() as u32).collect();
    requests.shuffle(&mut Pcg64Mcg::seed_from_u64(SEED));
    Arc::new(Traffic {
        sites: trace.sites.clone(),
        files: (sizes.iter())
            .map(|&bytes| File { site: 0, bytes })
            .collect(),
        requests,
        times_ns: Vec::new(),
        connections: Vec::new(),
        warm_up: 0,
    })
}
