//! What every command shows of its result: in the terminal, on one self-contained HTML page, and as JSON.
//!
//! A command's folder holds its view, that is what its exporters are given, and a file for each exporter:
//! `terminal.rs`, `page.rs`, `json.rs`, `csv.rs`. They share the folder's `tables.rs`. Small results are one file.
//! What exporters have in common stands beside the folders: [`Table`], [`plot`], [`number`], and the frame of a page.
//!
//! Text from logs is attacker-controlled: terminal and page escape it.
//!
//! Without the feature `beyond-logs` there are only the results of logs alone, and few crates to build.

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
#[cfg(feature = "beyond-logs")]
mod daemon;
#[cfg(feature = "beyond-logs")]
mod data_centre;
#[cfg(feature = "beyond-logs")]
mod demo;
mod describe;
#[cfg(feature = "beyond-logs")]
mod experiment;
mod generate;
mod import;
mod json;
#[cfg(feature = "beyond-logs")]
mod net;
pub mod number;
mod page;
mod plan;
pub mod plot;
mod printable;
#[cfg(feature = "beyond-logs")]
mod probe;
mod provenance;
mod reading;
#[cfg(feature = "beyond-logs")]
mod release;
#[cfg(feature = "beyond-logs")]
pub mod replay;
mod simulate;
#[cfg(feature = "beyond-logs")]
mod status;
mod style;
mod table;
mod terminal;
#[cfg(feature = "beyond-logs")]
mod validate;

#[cfg(feature = "beyond-logs")]
pub use apply::{AppliedView, PreviewView};
pub use compare::ComparisonView;
#[cfg(feature = "beyond-logs")]
pub use daemon::DaemonView;
#[cfg(feature = "beyond-logs")]
pub use data_centre::{DataCentreView, TeardownView};
#[cfg(feature = "beyond-logs")]
pub use demo::DemonstrationView;
pub use describe::DescriptionView;
#[cfg(feature = "beyond-logs")]
pub use experiment::{ExperimentView, PointsView};
pub use generate::WorkloadView;
pub use import::ImportView;
#[cfg(feature = "beyond-logs")]
pub use net::{Growth, NetCheckView, NetRunView, NetTraceView, NetsView, TracedFiring};
pub use plan::{OnDisk, PlanFile, PlanFileError, PlanFileFormat, PlanView};
pub use printable::{display_width, printable, shorten_middle};
#[cfg(feature = "beyond-logs")]
pub use probe::ProbeView;
pub use provenance::{Provenance, ResourceUsage};
#[cfg(feature = "beyond-logs")]
pub use release::ReleasedView;
#[cfg(feature = "beyond-logs")]
pub use simulate::FioView;
pub use simulate::{
    CacheScanView, DrawnBy, EstimatedScanView, SampledPoint, SampledScanView, Samples,
};
#[cfg(feature = "beyond-logs")]
pub use status::StatusView;
pub use style::Style;
pub use table::{Cell, Column, Table};
#[cfg(feature = "beyond-logs")]
pub use validate::ValidationView;

/// A result as people read it in a terminal and as programs read it.
pub trait View {
    /// The most important line first, then tables.
    fn terminal(&self, style: Style) -> String;

    /// What `--json` prints; its keys are those of the command's schema in `schemas/`.
    ///
    /// # Errors
    /// A figure that JSON has no way to write; none of today's views holds one.
    fn json(&self) -> serde_json::Result<String>;
}

/// A result whose tables spreadsheets and programs read.
pub trait Sheets: View {
    /// Every table under the name of its file, without the ending `.csv`. The names are the same for every result of a
    /// command. Tables have all their rows, which may be more than people are shown.
    fn sheets(&self) -> Vec<(&'static str, Table)>;
}

/// A result that has a page of its own.
pub trait Page: View {
    /// One HTML page that opens offline: nothing fetched, plots inside, no script but the one that sorts lists.
    fn page(&self, provenance: &Provenance) -> String;
}
