//! What the model says of a store's kept cells.

use hotset_models::fio::System;

use super::cell::Cell;
use super::result::KeptStore;
use crate::ExperimentError;
use crate::kinds::fio_jobs::{Predicted, simulated};
use crate::study::Prediction;

/// Simulates the kept cells on the kept profile, each as a job file of its own.
///
/// # Errors
/// Cells that the model does not take.
pub(super) fn of(kept: &KeptStore, seed: u64) -> Result<Prediction<Predicted>, ExperimentError> {
    let (settings, detail) = (&kept.settings, &kept.detail);
    let system = System {
        profile: &detail.profile,
        memory_bytes: None,
        seed,
    };
    let cells = Cell::all(&settings.block_bytes);
    let jobs = cells.iter().map(|cell| cell.job(settings.file_bytes));
    let jobs: Vec<_> = jobs.collect::<Result<_, _>>()?;
    let files = jobs.iter().map(std::slice::from_ref).zip(&detail.runs);
    simulated(&kept.point, files, &[], &system, &detail.places)
}
