//! What the model says of a store's kept cells.

use hotset_models::fio::{System, simulate_placed};
use hotset_outcome::{GroupKey, GroupKind, Outcome, Provenance, ProvenanceKind, Score};

use super::cell::Cell;
use super::result::KeptStore;
use crate::kinds::fio_jobs::{Predicted, scored};
use crate::study::Prediction;
use crate::{Axis, ExperimentError};

/// Simulates the kept cells on the kept profile.
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
    let name = kept.point.on(Axis::Store);
    let mut provenance = Provenance::new(ProvenanceKind::Simulated);
    provenance.seed = Some(seed);
    let mut outcome = Outcome::new(format!("{name} simulated"), provenance, Score::default());
    let mut cells = Vec::new();
    for (cell, runs) in Cell::all(&settings.block_bytes).iter().zip(&detail.runs) {
        let job = cell.job(settings.file_bytes)?;
        let results = simulate_placed(&[job], &system, &detail.places, &|| true)
            .map_err(|error| ExperimentError::Unusable(error.to_string()))?;
        for result in &results {
            let key = GroupKey::new(GroupKind::Job, cell.name());
            outcome = outcome.with_group(key, result.outcome.total.clone());
        }
        cells.extend(scored(runs, &results, &[]));
    }
    Ok(Prediction {
        outcome,
        ratio: None,
        detail: Predicted { cells },
    })
}
