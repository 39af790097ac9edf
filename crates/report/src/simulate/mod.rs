//! `hotset simulate`: a file for each model.

#[cfg(feature = "beyond-logs")]
mod fio;
mod trace;

#[cfg(feature = "beyond-logs")]
pub use fio::FioView;
pub use trace::{
    CacheScanView, DrawnBy, EstimatedScanView, SampledPoint, SampledScanView, Samples, ScanView,
};
