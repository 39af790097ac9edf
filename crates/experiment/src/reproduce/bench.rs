//! Jobs of fio on a document's machine or on its parallel file system, simulated.

use std::collections::BTreeMap;
use std::path::Path;

use hotset_lab::{Control, LabError, go_on};
use hotset_models::fio::{
    Job, JobFile, JobResult, SimulationError, System, simulate, simulate_parallel,
};
use hotset_models::remote::pvfs::{Protocol, Pvfs1, PvfsServer, PvfsSystem, ReceiveCost, Striping};
use hotset_models::remote::{CallCosts, Line, NamedLine, ServerMachine};
use hotset_scenario::{Profile, Writing};
use serde::{Deserialize, Serialize};

use super::kept_file::{hash_beside, kept_or_made};
use crate::ExperimentError;

const SEED: u64 = 1;
const GIB: u64 = 1 << 30;

/// Jobs, and what they run on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bench {
    /// Its name, one of its own: of the file in which its figures are kept.
    pub name: String,
    /// File of the profile of the machine's store, or of the store of each server, below the folder of experiments.
    pub profile: &'static str,
    /// Memory for pages of files, bytes: of the machine, or of each server.
    pub memory_bytes: u64,
    /// Bytes that may be dirty before programs wait; what the profile says, where that is nothing.
    pub dirty_limit_bytes: Option<u64>,
    /// As a job file of fio.
    pub jobs: String,
    /// Where the files are.
    pub on: Store,
}

/// Where files of jobs are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Store {
    /// On the machine's own store.
    Local,
    /// On PVFS 1, in strips of 64 KiB.
    Pvfs(Pvfs),
}

/// PVFS 1 of a document.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pvfs {
    pub clients: usize,
    pub servers: usize,
    /// Bits in a second of each node's link.
    pub bits_per_s: u64,
    /// From node to node, nanoseconds.
    pub delay_ns: u64,
    pub mtu_bytes: u64,
    /// What calls cost processors of clients and servers.
    pub costs: CallCosts,
    /// Whether a packet costs a server the more the more its client's buffer holds.
    pub has_linear_buffers: bool,
}

/// What walking a receive buffer takes for each packet in it, nanoseconds; as `hotset simulate fio` assumes it.
const WALK_NS: u64 = 10;

/// Bytes a second of jobs, by their names. It is of all clients together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct BenchFigures {
    pub bytes_per_s: BTreeMap<String, f64>,
}

impl Bench {
    /// Its figures, which are kept in the folder `kept`, and what is to be said of that. The profile is below `experiments`.
    ///
    /// # Errors
    /// Jobs or a profile that cannot be simulated; an interruption.
    pub fn figures(
        &self,
        experiments: &Path,
        kept: &Path,
        control: &dyn Control,
    ) -> Result<(BenchFigures, Vec<String>), ExperimentError> {
        go_on(control)?;
        let profile = experiments.join(self.profile);
        let made_from = hash_beside(&profile, &format!("{self:?}"))?;
        let path = kept.join(format!("{}.json", self.name));
        kept_or_made(&path, made_from, || {
            control.step(&format!("simulating {}", self.name));
            self.simulate(&profile, control)
        })
    }

    fn simulate(
        &self,
        path: &Path,
        control: &dyn Control,
    ) -> Result<BenchFigures, ExperimentError> {
        let profile = self.with_dirty_limit(Profile::load(path)?);
        let unusable = |why: String| ExperimentError::Unusable(format!("{}: {why}", self.name));
        let file = JobFile::parse(&self.jobs, Path::new(&self.name));
        let jobs = file.map_err(|error| unusable(error.to_string()))?.jobs;
        let goes_on = || !control.interrupted();
        let results = match self.on {
            Store::Local => {
                let system = self.system(&profile);
                simulate(&jobs, &system, &goes_on)
            }
            Store::Pvfs(pvfs) => self.on_pvfs(&jobs, (pvfs, &profile), &goes_on),
        };
        let results = results.map_err(|error| match error {
            SimulationError::Interrupted => ExperimentError::Lab(LabError::Interrupted),
            error => error.into(),
        })?;
        let figure = |(job, result): (&Job, &JobResult)| (job.name.clone(), result.bytes_per_s);
        Ok(BenchFigures {
            bytes_per_s: jobs.iter().zip(&results).map(figure).collect(),
        })
    }

    /// The profile with as much as may be dirty.
    fn with_dirty_limit(&self, profile: Profile) -> Profile {
        let Some(limit_bytes) = self.dirty_limit_bytes else {
            return profile;
        };
        let writing = Writing {
            dirty_limit_bytes: Some(limit_bytes),
            ..profile.writing.unwrap_or_default()
        };
        Profile {
            writing: Some(writing),
            ..profile
        }
    }

    fn system<'p>(&self, profile: &'p Profile) -> System<'p> {
        System {
            profile,
            memory_bytes: Some(self.memory_bytes),
            seed: SEED,
        }
    }

    fn on_pvfs(
        &self,
        jobs: &[Job],
        (pvfs, profile): (Pvfs, &Profile),
        goes_on: &dyn Fn() -> bool,
    ) -> Result<Vec<JobResult>, SimulationError> {
        let link = |name: String| NamedLine {
            name,
            line: Line {
                rdma_lanes: None,
                bits_per_s: Some(pvfs.bits_per_s),
                // Two links are between two nodes.
                delay_ns: pvfs.delay_ns / 2,
                mtu_bytes: pvfs.mtu_bytes,
            },
        };
        let server = |number: usize| PvfsServer {
            machine: ServerMachine {
                name: format!("io{number}"),
                profile,
                memory_bytes: Some(self.memory_bytes),
                processors: 2,
                // The daemon of PVFS 1 does one thing at a time.
                threads: 1,
                is_async: true,
                costs: pvfs.costs,
            },
            link: Some(link(format!("io{number}"))),
            is_joined: false,
        };
        let receive = match pvfs.has_linear_buffers {
            true => ReceiveCost::Linear(WALK_NS),
            false => Pvfs1::default().receive,
        };
        let parallel = PvfsSystem {
            switched: None,
            protocol: Protocol::Pvfs1(Pvfs1 { receive }),
            striping: Striping::usual(pvfs.servers as u32),
            clients: pvfs.clients,
            client_costs: pvfs.costs,
            client_link: Some(link("client".to_owned())),
            servers: (0..pvfs.servers).map(server).collect(),
            data_servers: pvfs.servers,
            metadata: 0,
            one_machine: None,
        };
        // Clients cache nothing of PVFS.
        let system = System {
            memory_bytes: Some(GIB),
            ..self.system(profile)
        };
        simulate_parallel(jobs, &system, &parallel, goes_on)
    }
}
