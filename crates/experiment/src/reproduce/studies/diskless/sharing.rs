//! Several web servers whose content is on one file server: how many it carries.

use std::path::Path;

use hotset_lab::Control;
use hotset_scenario::Scenario;
use hotset_trace::Trace;
use hotset_workload::{Generator as _, SpecWeb99, directories};
use serde::{Deserialize, Serialize};

use super::machines::{busiest, results, scenario, simulated, with_servers};
use super::settings::{SEED, settings, share, twin};
use super::traffic::of_servers;
use crate::ExperimentError;
use crate::clients::at_once;

/// Numbers of web servers that are tried, until the 95th percentile is beyond the bound.
const SERVERS: [u32; 10] = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32];
/// The document's bound: what files over NFS cost SPECweb99 (section 5.2).
pub(crate) const RISE: f64 = 1.16;
/// The scenario with content on a file server.
const SCENARIO: &str = "nfs.toml";

/// SPECweb99 as it is simulated: so many connections and requests of each web server. Memory is as much less than a gigabyte as the files are fewer than
/// those of the connections that a gigabyte holds (section 5.2). The first half of the requests warms caches up, as the benchmark does.
const CONNECTIONS: u32 = 40;
const CONNECTIONS_OF_1_GB: u32 = 320;
const REQUESTS: u64 = 40_000;
const SPEC_WARM_UP: f64 = 0.5;

/// What came of a workload with so many web servers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Shared {
    pub workload: String,
    pub servers: u32,
    /// Time to the first byte, 95th percentile, milliseconds.
    pub p95_ms: Option<f64>,
    /// What of the file server is busiest, and for which share of the time.
    pub busiest: String,
    pub busy: f64,
}

/// A workload, and the machines that it is on.
struct Case {
    workload: String,
    trace: Trace,
    scenario: Scenario,
    warm_up: f64,
}

/// What comes of each workload with more and more web servers.
///
/// # Errors
/// Files that cannot be used, and an interruption.
pub(crate) fn shared(path: &Path, control: &dyn Control) -> Result<Vec<Shared>, ExperimentError> {
    let mut cases = vec![spec(path)?];
    for (workload, of) in settings(path)? {
        let minutes = of.shared_minutes;
        cases.push(Case {
            trace: twin(&workload, minutes)?,
            scenario: scenario(path, SCENARIO, share(minutes))?,
            workload,
            warm_up: 0.0,
        });
    }
    let broken = "a simulation of web servers behind a file server broke off";
    let all = at_once(&cases, broken, |case| until_too_many(case, control))?;
    Ok(all.into_iter().flatten().collect())
}

fn spec(path: &Path) -> Result<Case, ExperimentError> {
    let files = [CONNECTIONS, CONNECTIONS_OF_1_GB].map(|it| f64::from(directories(it)));
    let workload = SpecWeb99 {
        connections: CONNECTIONS,
        requests: REQUESTS,
    };
    Ok(Case {
        workload: "specweb99".to_owned(),
        trace: workload.generate(SEED)?,
        scenario: scenario(path, SCENARIO, files[0] / files[1])?,
        warm_up: SPEC_WARM_UP,
    })
}

/// With more and more web servers, until there are too many.
fn until_too_many(case: &Case, control: &dyn Control) -> Result<Vec<Shared>, ExperimentError> {
    let mut all: Vec<Shared> = Vec::new();
    for servers in SERVERS {
        let of = with_so_many(case, servers, control)?;
        let alone_ms = all.first().and_then(|first| first.p95_ms);
        let is_beyond = alone_ms
            .zip(of.p95_ms)
            .is_some_and(|(alone, of)| of > RISE * alone);
        all.push(of);
        if is_beyond {
            break;
        }
    }
    Ok(all)
}

fn with_so_many(
    case: &Case,
    servers: u32,
    control: &dyn Control,
) -> Result<Shared, ExperimentError> {
    let scenario = with_servers(&case.scenario, servers);
    let traffic = of_servers(&case.trace, servers, SEED, case.warm_up);
    let result = simulated(&scenario, &case.trace, &traffic, control)?;
    let servers_of_files = results(&scenario, &result, false)?;
    let busiest = servers_of_files.first().and_then(|(_, node)| busiest(node));
    let (busiest, busy) = busiest.unwrap_or_default();
    let first_byte = result.total.latencies.first_byte.as_ref();
    Ok(Shared {
        workload: case.workload.clone(),
        servers,
        p95_ms: first_byte.and_then(|it| it.p95_us).map(|us| us / 1e3),
        busiest,
        busy,
    })
}
