//! What measuring and predicting cells behind links of one rate comes to.

use serde::{Deserialize, Serialize};

use super::cell::Cell;
use super::costs::Costs;
use super::figures::CallFigures;
use crate::Deviation;
use crate::kept::PointResult;
use crate::study::Comparison;

/// Everything that decides what is measured. A result with the same settings is not measured again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Settings {
    /// Who asks: user-space for clients of this program, each with one call under way and no cache.
    pub client: String,
    /// Rate of the links of all nodes, bits in a second.
    pub link_bits_per_s: u64,
    /// The file system that is exported, which is in memory.
    pub export: String,
    /// Memory of the server, bytes.
    pub server_memory_bytes: u64,
    /// Bytes of each client's file.
    pub file_bytes: u64,
    /// Sizes of records, bytes.
    pub record_bytes: Vec<u64>,
    /// Numbers of clients.
    pub clients: Vec<u64>,
    /// Sizes of records that costs are measured with, bytes.
    pub cost_bytes: [u64; 2],
    /// How long calls of a cell are timed in each round.
    pub seconds: u64,
    /// Rounds over all cells.
    pub rounds: usize,
}

impl Settings {
    /// The cells, in the order in which they were measured.
    pub(super) fn cells(&self) -> Vec<Cell> {
        Cell::all(&self.record_bytes, &self.clients)
    }
}

/// What is kept of a point beside its outcome.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Detail {
    /// Processors of the machine, which all nodes share.
    pub processors: usize,
    /// What calls cost, medians of the rounds.
    pub costs: Costs,
    /// What was measured of each cell.
    pub calls: Vec<CellRounds>,
}

/// All rounds of a cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct CellRounds {
    /// The cell: what is done, size of a record, number of clients.
    pub cell: String,
    /// What was measured, round by round.
    pub rounds: Vec<CallFigures>,
}

/// What the model says of cells behind links of one rate.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct NfsPredictions {
    /// Throughput and times of cells, and how far they are off.
    pub figures: Vec<NfsDeviation>,
}

/// A figure of a cell, measured and simulated.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct NfsDeviation {
    #[serde(flatten)]
    pub of: Deviation,
    /// How far the model is above the median, below it with a minus: percent of it.
    pub error_percent: f64,
    /// How far it is beyond the rounds, percent.
    pub beyond_percent: f64,
}

impl From<Deviation> for NfsDeviation {
    fn from(of: Deviation) -> Self {
        Self {
            error_percent: of.error_percent(),
            beyond_percent: of.beyond_percent(),
            of,
        }
    }
}

/// The kept result of a point.
pub(crate) type NfsResult = PointResult<Settings, Detail>;

/// A point as its tables show it.
pub(crate) type NfsComparison = Comparison<Settings, Detail, NfsPredictions>;
