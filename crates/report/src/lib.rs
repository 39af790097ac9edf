//! A view for each result: which blocks people are shown, and which value programs are told.
//!
//! A view's [`View::document`] names the blocks in their order, and [`View::value`] is what `--json` prints. How they are set is
//! known to [`hotset_document`]. The view of a large result is a folder, whose `mod.rs` says which blocks there are; small ones
//! are one file.
//!
//! Without the feature `beyond-logs` there are only the results of logs, and of scenarios with the feature `scenarios`, and few crates to
//! build.

#![cfg_attr(
    not(feature = "beyond-logs"),
    allow(
        dead_code,
        reason = "what all results share has parts that only some use"
    )
)]

#[cfg(feature = "beyond-logs")]
mod apply;
mod compare;
mod database;
#[cfg(feature = "beyond-logs")]
mod demo;
mod describe;
#[cfg(feature = "beyond-logs")]
mod experiment;
#[cfg(feature = "beyond-logs")]
mod experiment_scores;
mod file_tree;
mod first_byte;
mod generate;
mod import;
#[cfg(feature = "beyond-logs")]
mod lab;
#[cfg(feature = "scenarios")]
mod model;
#[cfg(feature = "beyond-logs")]
mod net;
mod plan;
#[cfg(feature = "beyond-logs")]
mod probe;
#[cfg(feature = "beyond-logs")]
mod probed_database;
mod provenance;
mod reading;
#[cfg(feature = "beyond-logs")]
mod release;
#[cfg(feature = "beyond-logs")]
pub mod replay;
#[cfg(feature = "beyond-logs")]
mod reproduction;
#[cfg(feature = "beyond-logs")]
mod run;
#[cfg(feature = "beyond-logs")]
mod saving;
mod simulate;
#[cfg(feature = "beyond-logs")]
mod status;
#[cfg(feature = "scenarios")]
mod sweep;
#[cfg(feature = "beyond-logs")]
mod validate;

#[cfg(feature = "beyond-logs")]
pub use apply::{AppliedView, Lookup, PreviewView};
pub use compare::ComparisonView;
pub use database::{DatabaseTable, DatabaseView};
#[cfg(feature = "beyond-logs")]
pub use demo::DemonstrationView;
pub use describe::DescriptionView;
#[cfg(feature = "beyond-logs")]
pub use experiment::{
    ApplicationProfileView, ExperimentView, ExperimentsView, PageCostFigures, PointsView,
    ServerFigures, ServerProfileView,
};
#[cfg(feature = "beyond-logs")]
pub use experiment_scores::ExperimentScoresView;
pub use file_tree::FileTreeView;
pub use generate::WorkloadView;
pub use hotset_document::{
    Bar, Bars, Cell, Column, Document, Json, Page, Provenance, Rows, Sheets, Style, Table, Tone,
    View, display_width, json, number, plot, printable, shorten_middle,
};
pub use import::ImportView;
#[cfg(feature = "beyond-logs")]
pub use lab::{LabView, LabsView, PlayedView, StandingLab, TeardownView};
#[cfg(feature = "scenarios")]
pub use model::{
    BoundFigures, DemandFigures, ModelView, SpecWeb99Disk, SpecWeb99Split, SpecWeb99View,
    ThroughputRange,
};
#[cfg(feature = "beyond-logs")]
pub use net::{Growth, NetCheckView, NetRunView, NetTraceView, NetsView, TracedFiring};
pub use plan::{OnDisk, PlanFile, PlanFileError, PlanFileFormat, PlanView, StoreBasis};
#[cfg(feature = "beyond-logs")]
pub use probe::ProbeView;
#[cfg(feature = "beyond-logs")]
pub use probed_database::ProbedDatabaseView;
pub use provenance::ResourceUsage;
#[cfg(feature = "beyond-logs")]
pub use release::ReleasedView;
#[cfg(feature = "beyond-logs")]
pub use reproduction::ReproductionView;
#[cfg(feature = "beyond-logs")]
pub use run::RunView;
#[cfg(feature = "beyond-logs")]
pub use saving::payoff_reason;
#[cfg(feature = "scenarios")]
pub use simulate::{
    CacheFigures, CallFigures, Limit, LimitKind, ScenarioView, SimulatedTarget, VisitedPage,
};
pub use simulate::{
    CacheScanView, DrawnBy, EstimatedScanView, SampledPoint, SampledScanView, Samples, ScanView,
};
#[cfg(feature = "beyond-logs")]
pub use simulate::{ClusterView, FileServerView, FilesView, FioView, StripingView};
#[cfg(feature = "beyond-logs")]
pub use status::{BEYOND_NAMES, BEYOND_SHARE, OF_OTHER_SITES, StatusView};
#[cfg(feature = "scenarios")]
pub use sweep::{
    ChosenPoint, PointFigures, SiteFigures, SweepBy, SweepPoint, SweepView, VariedKey,
};
#[cfg(feature = "beyond-logs")]
pub use validate::ValidationView;
