//! What can go wrong with an experiment.

use hotset_lab::LabError;
use hotset_machine::MachineError;
use hotset_models::fio::SimulationError;
use hotset_models::tiers::TiersError;
use hotset_outcome::DocumentError;
use hotset_probe::ProbeError;
use hotset_replay::RequestError;
use hotset_scenario::FileError;
use hotset_topology::TopologyError;
use hotset_workload::GenerateError;

use crate::fio::FioError;

/// An error of an experiment; its message names the input, the place and the fix.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExperimentError {
    /// The experiment file or its scenario cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
    /// A selection of what the experiment does not have.
    #[error("{0}")]
    Selection(String),
    /// A published table cannot be read.
    #[error(transparent)]
    Quoted(#[from] DocumentError),
    /// The lab fails, or the run is interrupted ([`LabError::Interrupted`]).
    #[error(transparent)]
    Lab(#[from] LabError),
    /// The machine lacks or refuses something, or a kept result cannot be read.
    #[error(transparent)]
    Machine(#[from] MachineError),
    /// A request has no usable answer.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// fio fails.
    #[error(transparent)]
    Fio(#[from] FioError),
    /// A store cannot be probed.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// A job cannot be simulated.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// A data-centre cannot be simulated.
    #[error(transparent)]
    Tiers(#[from] TiersError),
    /// A scenario cannot be simulated.
    #[error(transparent)]
    Topology(#[from] TopologyError),
    /// Requests cannot be made.
    #[error(transparent)]
    Workload(#[from] GenerateError),
    /// What is asked for makes no sense, or what was measured is of no use.
    #[error("{0}")]
    Unusable(String),
}
