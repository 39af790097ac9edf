//! `hotset simulate`: a file for each model.

mod fio;
mod trace;

pub use fio::FioView;
pub use trace::{CacheScanView, SampledPoint, SampledScanView, Samples};
