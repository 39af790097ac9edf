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
mod demo;
mod describe;
#[cfg(feature = "beyond-logs")]
mod experiment;
mod first_byte;
mod generate;
mod import;
#[cfg(feature = "beyond-logs")]
mod lab;
#[cfg(feature = "beyond-logs")]
mod net;
mod page;
mod plan;
#[cfg(feature = "beyond-logs")]
mod probe;
mod provenance;
mod reading;
#[cfg(feature = "beyond-logs")]
mod release;
#[cfg(feature = "beyond-logs")]
pub mod replay;
#[cfg(feature = "beyond-logs")]
mod run;
mod simulate;
#[cfg(feature = "beyond-logs")]
mod status;
mod terminal;
#[cfg(feature = "beyond-logs")]
mod validate;

#[cfg(feature = "beyond-logs")]
pub use apply::{AppliedView, PreviewView};
pub use compare::ComparisonView;
#[cfg(feature = "beyond-logs")]
pub use demo::DemonstrationView;
pub use describe::DescriptionView;
#[cfg(feature = "beyond-logs")]
pub use experiment::{ExperimentView, PointsView};
pub use generate::WorkloadView;
pub use hotset_document::{
    Cell, Column, Document, Page, Provenance, Sheets, Style, Table, View, display_width, json,
    number, plot, printable, shorten_middle,
};
pub use import::ImportView;
#[cfg(feature = "beyond-logs")]
pub use lab::{LabView, TeardownView};
#[cfg(feature = "beyond-logs")]
pub use net::{Growth, NetCheckView, NetRunView, NetTraceView, NetsView, TracedFiring};
pub use plan::{OnDisk, PlanFile, PlanFileError, PlanFileFormat, PlanView};
#[cfg(feature = "beyond-logs")]
pub use probe::ProbeView;
pub use provenance::ResourceUsage;
#[cfg(feature = "beyond-logs")]
pub use release::ReleasedView;
#[cfg(feature = "beyond-logs")]
pub use run::RunView;
#[cfg(feature = "beyond-logs")]
pub use simulate::FioView;
pub use simulate::{
    CacheScanView, DrawnBy, EstimatedScanView, SampledPoint, SampledScanView, Samples,
};
#[cfg(feature = "beyond-logs")]
pub use status::StatusView;
#[cfg(feature = "beyond-logs")]
pub use validate::ValidationView;

/// What views that are written by hand have of [`View`].
macro_rules! by_hand {
    () => {
        fn document(&self) -> hotset_document::Document<'_> {
            hotset_document::Document::default()
        }
        fn value(&self) -> impl serde::Serialize {}
    };
}
pub(crate) use by_hand;
mod table {
    pub use hotset_document::table::optional;
    pub const SITES_SHOWN: usize = 200;
}
