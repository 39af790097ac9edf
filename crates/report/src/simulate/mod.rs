//! `hotset simulate`: a file for each model.

#[cfg(feature = "beyond-logs")]
mod file_server;
#[cfg(feature = "beyond-logs")]
mod files;
#[cfg(feature = "beyond-logs")]
mod fio;
#[cfg(any(feature = "beyond-logs", feature = "scenarios"))]
mod not_modelled;
#[cfg(feature = "scenarios")]
mod scenario;
mod trace;

#[cfg(feature = "beyond-logs")]
pub use file_server::{ClusterView, FileServerView, StripingView};
#[cfg(feature = "beyond-logs")]
pub use files::FilesView;
#[cfg(feature = "beyond-logs")]
pub use fio::FioView;
#[cfg(feature = "scenarios")]
pub use scenario::{
    CacheFigures, CallFigures, Limit, LimitKind, ScenarioView, SimulatedTarget, VisitedPage,
};
pub use trace::{
    CacheScanView, DrawnBy, EstimatedScanView, SampledPoint, SampledScanView, Samples, ScanView,
};
