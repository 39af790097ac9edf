//! What the foreground of two sites on a node gains by ways of using the memory, beside the page cache alone.

use hotset_outcome::{GroupKey, GroupKind};
use serde_json::Value;

use crate::Axis;
use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::predictions::PointPrediction;
use crate::reproduce::sources::Sources;

/// What gains are over.
const BASE: &str = "page-cache";
/// The site whose gain the documents have.
const FOREGROUND: &str = "foreground";
/// The documents' way of using the memory.
const DOCUMENTED: &str = "ramfs";
/// Row of the largest gain.
pub(super) const LARGEST: &str = "largest gain";

/// Cells and arms of an experiment of kind shared-node.
pub(super) struct Matrix {
    /// Folder of its results.
    pub results: &'static str,
    /// Foreground x background.
    pub cells: &'static [&'static str],
    /// Ways of using the memory.
    pub arms: &'static [&'static str],
}

impl Matrix {
    /// The largest gain beside the published one, then the gain of each way in each cell, percent.
    pub fn cells(
        &self,
        sources: &Sources,
        published: f64,
        predictions: &[PointPrediction],
    ) -> Vec<ReproducedCell> {
        let mut all = Vec::new();
        for cell in self.cells {
            for arm in self.arms {
                let measured = gain(|arm| self.measured(sources, cell, arm), arm);
                let simulated = gain(|arm| simulated(predictions, cell, arm), arm);
                let own = ReproducedCell::new(*cell, *arm, None);
                let own = own.simulated(simulated).measured(measured);
                all.extend(own.ours().is_some().then_some(own));
            }
        }
        all.insert(0, largest(&all, published));
        all
    }

    /// Requests of the foreground that were answered in a second.
    fn measured(&self, sources: &Sources, cell: &str, arm: &str) -> Option<f64> {
        let file = format!("{}/{cell}/{arm}.json", self.results);
        let outcome = format!("{cell} {arm}, throughput");
        let group = GroupKey::new(GroupKind::Site, FOREGROUND);
        sources.score(&file, &outcome, &group)?.throughput_per_s
    }
}

/// Percent that a way gets done more than the page cache alone.
fn gain(per_s: impl Fn(&str) -> Option<f64>, arm: &str) -> Option<f64> {
    let ratio = per_s(arm)? / per_s(BASE)?;
    Some(100.0 * (ratio - 1.0)).filter(|gain| gain.is_finite())
}

/// Requests of the foreground in a second, as they are simulated.
fn simulated(predictions: &[PointPrediction], cell: &str, arm: &str) -> Option<f64> {
    let mut predictions = predictions.iter();
    let found =
        predictions.find(|it| it.point.on(Axis::Cell) == cell && it.point.on(Axis::Arm) == arm)?;
    let sites = found.prediction.pointer("/closed/sites")?.as_array()?;
    let mut sites = sites.iter();
    let site = sites.find(|it| it.get("site").and_then(Value::as_str) == Some(FOREGROUND))?;
    site.pointer("/rate/simulated")?.as_f64()
}

/// The largest gain of the documents' way.
fn largest(cells: &[ReproducedCell], published: f64) -> ReproducedCell {
    let most = |of: fn(&ReproducedCell) -> Option<f64>| {
        let documented = cells.iter().filter(|cell| cell.column == DOCUMENTED);
        documented.filter_map(of).max_by(f64::total_cmp)
    };
    ReproducedCell::new(LARGEST, DOCUMENTED, Some(published))
        .simulated(most(|cell| cell.simulated))
        .measured(most(|cell| cell.measured))
}
