//! A given set of held objects on the held-out accesses: what a model says of a placement that was measured.

use super::arms;
use super::options::PlanOptions;
use super::prepare::Backtest;
use super::score::{ArmRun, ArmScore};
use super::workload::Workload;
use crate::PlanError;
use crate::select::HeldSet;
#[cfg(doc)]
use crate::value::Catalogue;
use crate::value::ProfileCosts;

/// How a held set does on the held-out accesses.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// Site by site, in the order of [`Catalogue::sites`].
    pub sites: Vec<ArmScore>,
    /// All sites together.
    pub total: ArmScore,
}

/// Scores holding the objects `held`, whoever chose them, beside the page cache that they leave; gains are over the
/// page cache alone. The page cache is warm from the training part, as in [`crate::plan`].
///
/// Against a node that is measured, ask for [`crate::PageCacheModel::Linux`] and give the memory that its server and its
/// kernel leave to files as [`PlanOptions::memory_bytes`].
///
/// # Errors
/// As [`crate::plan`], and ids in `held` that are no object's.
pub fn evaluate(
    workload: &Workload,
    costs: &ProfileCosts,
    options: &PlanOptions,
    held: &[u32],
) -> Result<Evaluation, PlanError> {
    let test = Backtest::prepare(workload, costs, options)?;
    let objects = test.objects();
    let unknown = held.iter().position(|&object| object as usize >= objects);
    if let Some(index) = unknown {
        return Err(PlanError::UnknownObject {
            index,
            object: held[index],
            objects,
        });
    }
    let set = HeldSet::of(&test.values, held);
    let run = arms::held(&test, &set, ArmRun::new(&test));
    let alone = arms::held(&test, &HeldSet::empty(objects), ArmRun::new(&test));
    let (base, bootstrap) = ((!held.is_empty()).then_some(&alone), options.bootstrap());
    Ok(Evaluation {
        sites: (0..workload.files.sites.len())
            .map(|site| run.site_score(site, base, &bootstrap))
            .collect(),
        total: run.total_score(base, &bootstrap),
    })
}
