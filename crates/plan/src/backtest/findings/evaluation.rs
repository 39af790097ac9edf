//! A given set of held objects on the held-out accesses: what a model says of a placement that was measured.

use super::traffic_shift::{ClosedLoop, asked_in_turn};
use crate::PlanError;
use crate::backtest::candidates::groups::Groups;
use crate::backtest::candidates::layout::Layout;
use crate::backtest::judgement::check_targets;
use crate::backtest::options::PlanOptions;
use crate::backtest::prepare::Backtest;
use crate::backtest::scan::PageCache;
use crate::backtest::scoring::arms;
use crate::backtest::scoring::score::{ArmRun, ArmScore};
use crate::backtest::workload::Workload;
use crate::select::HeldSet;
#[cfg(doc)]
use crate::value::Catalogue;
use crate::value::{ProfileCosts, check_length};

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
    let test = prepared(workload, costs, options)?;
    let set = held_set(&test, held)?;
    let run = arms::held(&test, &set, ArmRun::new(&test));
    Ok(evaluation(&test, &run, options, !held.is_empty()))
}

/// As [`evaluate`], with a memory group of so many bytes for each site, in the order of [`Catalogue::sites`]: its files can
/// take no more, and no other site's files can take any of it.
///
/// # Errors
/// As [`evaluate`]; another number of groups than of sites.
pub fn evaluate_groups(
    workload: &Workload,
    costs: &ProfileCosts,
    options: &PlanOptions,
    held: &[u32],
    group_bytes: &[u64],
) -> Result<Evaluation, PlanError> {
    let sites = workload.files.sites.len();
    check_length("group_bytes", group_bytes.len(), sites, "site")?;
    let test = prepared(workload, costs, options)?;
    let set = held_set(&test, held)?;
    let groups = Groups::of(&test)?;
    let layout = Layout::Groups(&groups, groups.given(&test, set, group_bytes));
    let run = arms::laid_out(&test, &layout, ArmRun::new(&test))?;
    Ok(evaluation(&test, &run, options, true))
}

/// What `run` comes to, beside the page cache alone where it is another way of using the memory.
fn evaluation(
    test: &Backtest,
    run: &ArmRun,
    options: &PlanOptions,
    is_another: bool,
) -> Evaluation {
    let nothing = HeldSet::empty(test.objects());
    let alone = arms::held(test, &nothing, ArmRun::new(test));
    let (base, bootstrap) = (is_another.then_some(&alone), options.bootstrap());
    Evaluation {
        sites: (0..test.workload.files.sites.len())
            .map(|site| run.site_score(site, base, &bootstrap))
            .collect(),
        total: run.total_score(base, &bootstrap),
    }
}

/// Scores the same where clients wait for an answer before they ask again: each site in the order of [`Catalogue::sites`].
///
/// The log says how sites shared the server. Each has as many clients as make its share of the accesses at the responses of
/// the page cache alone. They ask a site more often the faster it becomes, so that another site can be left with a small
/// share, and a plan that was made for the log's shares does worse than [`evaluate`] says.
///
/// # Errors
/// As [`evaluate`].
pub fn evaluate_closed_loop(
    workload: &Workload,
    costs: &ProfileCosts,
    options: &PlanOptions,
    held: &[u32],
) -> Result<Vec<ClosedLoop>, PlanError> {
    let test = prepared(workload, costs, options)?;
    let set = held_set(&test, held)?;
    let nothing = HeldSet::empty(test.objects());
    let alone = arms::held(&test, &nothing, ArmRun::of_means(&test));
    let sites = 0..workload.files.sites.len();
    let alone_us: Vec<f64> = sites.map(|site| alone.site_mean_us(site)).collect();
    let cache = PageCache::beside(&test, set.pages());
    Ok(asked_in_turn(&test, &set, &alone_us, cache))
}

fn prepared<'a>(
    workload: &Workload<'a>,
    costs: &ProfileCosts,
    options: &PlanOptions,
) -> Result<Backtest<'a>, PlanError> {
    let test = Backtest::prepare(workload, costs, options)?;
    check_targets(&test, &options.targets)?;
    Ok(test)
}

/// The objects `held`, if all are known.
fn held_set(test: &Backtest, held: &[u32]) -> Result<HeldSet, PlanError> {
    let objects = test.objects();
    let unknown = held.iter().position(|&object| object as usize >= objects);
    match unknown {
        Some(index) => Err(PlanError::UnknownObject {
            index,
            object: held[index],
            objects,
        }),
        None => Ok(HeldSet::of(&test.values, held)),
    }
}
