//! Sites with a priority are not to be starved where clients wait for answers before they ask again.
//!
//! Clients that wait shift the traffic to the sites that are fast, and clients that ask for the same files over and over teach
//! a page cache all of them. Held files stay what they are. What does best on the traffic as logged can therefore leave a site
//! with a weight or a target far behind what another use of the memory would give it.

use rayon::prelude::*;
use serde::Serialize;

use super::candidate::{Candidate, Candidates};
use super::groups::Favour;
use super::memory_use::{HeldAmount, Lever};
use super::queueing_clients::{Answers, QueueingClients, is_much};
use crate::PlanError;
use crate::backtest::nodes::Node;
use crate::backtest::prepare::Backtest;
use crate::backtest::scan::{FileCache, PageCache, Scan};
use crate::backtest::stretches::judge_validating;
use crate::select::HeldSet;

/// A site with a priority is starved below this part of the answers a second that another use of the memory would give its
/// clients.
const LEAST_RATE: f64 = 0.95;

/// Twentieths of memory in which the files of the plan may be held instead.
const STEPS: [u32; 4] = [4, 8, 12, 16];

/// How many times as many accesses are served as the clients ask for in a row: enough for page caches to follow them.
const ROUNDS: usize = 4;

/// A use of the memory that does better by what the plan is made for, and would starve a site.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct RejectedCandidate {
    /// What it would use the memory for.
    pub lever: Lever,
    /// What it would hold.
    pub held: HeldAmount,
    /// The site that it would starve if clients wait.
    pub site: String,
    /// The part of the answers a second that another use of the memory gives the clients of that site.
    pub rate: f64,
}

/// The best way by what the plan is made for.
pub(crate) fn by_objective<'a>(
    _node: &'a Node<'a>,
    candidates: &Candidates<'a>,
) -> Result<(Candidate<'a>, Option<RejectedCandidate>), PlanError> {
    Ok((best_by_objective(candidates), None))
}

/// The best way by what the plan is made for unless it starves a site with a priority; else the best of what starves none, and
/// what was rejected for it.
pub(crate) fn unstarved<'a>(
    node: &'a Node<'a>,
    candidates: &Candidates<'a>,
) -> Result<(Candidate<'a>, Option<RejectedCandidate>), PlanError> {
    let best = best_by_objective(candidates);
    let sites = sites_with_priority(&node.test);
    if sites.is_empty() {
        return Ok((best, None));
    }
    let mut trials = Trials::new(&node.test, sites);
    trials.add(vec![best])?;
    if trials.trials[0].shifts {
        trials.add(trials.others(candidates)?)?;
    }
    trials.chosen()
}

fn best_by_objective<'a>(candidates: &Candidates<'a>) -> Candidate<'a> {
    let in_groups = [false, true].map(|filled| candidates.in_groups(|_| filled));
    let better =
        |best: Candidate<'a>, new: Candidate<'a>| match new.judgement.is_better(&best.judgement) {
            Some(true) => new,
            _ => best,
        };
    in_groups
        .into_iter()
        .flatten()
        .fold(candidates.files(), better)
}

/// Sites of more than the least weight, and with targets that come first, that are asked for files.
fn sites_with_priority(test: &Backtest) -> Vec<usize> {
    let weights = test.values.weights();
    let least = weights.iter().copied().fold(f64::INFINITY, f64::min);
    let has_targets = |site: usize| test.targets.get(site).is_some_and(|of| !of.is_empty());
    let sites = 0..weights.len();
    sites
        .filter(|&site| weights[site] > least || has_targets(site))
        .collect()
}

/// Uses of the memory, as sites with a priority fare under them if clients wait.
struct Trials<'a> {
    test: &'a Backtest<'a>,
    sites: Vec<usize>,
    /// Training accesses before those that the clients ask for.
    known: usize,
    waiting: QueueingClients<'a>,
    trials: Vec<Trial<'a>>,
}

struct Trial<'a> {
    candidate: Candidate<'a>,
    /// Mean response of each site, in microseconds.
    us: Vec<f64>,
    /// Whether some site's share of the traffic changes by much.
    shifts: bool,
}

impl<'a> Trials<'a> {
    /// Clients ask for the last of the training accesses: for as many as are held out, at most half of them.
    fn new(test: &'a Backtest<'a>, sites: Vec<usize>) -> Self {
        let training = test.training_accesses();
        let asked = test.held_out_accesses().len().min(training.len() / 2);
        let known = training.len() - asked;
        let (before, asked) = training.split_at(known);
        Self {
            waiting: QueueingClients::new(test, asked, &alone_us(test, before, asked)),
            trials: Vec::new(),
            test,
            sites,
            known,
        }
    }

    /// Adds uses of the memory.
    fn add(&mut self, candidates: Vec<Candidate<'a>>) -> Result<(), PlanError> {
        let trials = candidates
            .into_par_iter()
            .map(|candidate| self.trial(candidate));
        let trials = trials.collect::<Result<Vec<_>, PlanError>>()?;
        self.trials.extend(trials);
        Ok(())
    }

    fn trial(&self, candidate: Candidate<'a>) -> Result<Trial<'a>, PlanError> {
        let (test, accesses) = (self.test, self.test.training_accesses());
        let layout = candidate.strategy.layout_of(test, self.known)?;
        let mut caches = layout.caches(test)?;
        caches.warm(Scan::of(&test.values, accesses, layout.set()).at(0));
        let served = ROUNDS * (accesses.len() - self.known);
        let answers = self.waiting.serve(layout.set(), &mut caches, served);
        Ok(Trial {
            candidate,
            us: answers.iter().map(|site| site.mean_us()).collect(),
            shifts: self.shifts(&answers),
        })
    }

    fn shifts(&self, answers: &[Answers]) -> bool {
        let all: u64 = answers.iter().map(|site| site.count).sum();
        let mut sites = answers.iter().enumerate();
        sites.any(|(site, answers)| {
            let share = answers.count as f64 / all as f64;
            is_much(share - self.waiting.logged_share(site))
        })
    }

    /// The page cache alone, files in other parts of the memory, and groups.
    fn others(&self, candidates: &Candidates<'a>) -> Result<Vec<Candidate<'a>>, PlanError> {
        let ranking = &self.test.training_accesses()[..self.test.inner()];
        let files = STEPS.into_par_iter().map(|step| {
            let files = candidates.files.strategy.in_part(step);
            let set = files.set_of(self.test, ranking);
            Candidate::files(files, judge_validating(self.test, &set))
        });
        let mut others: Vec<Candidate> = files.collect();
        others.extend([candidates.files(), candidates.nothing()]);
        others.extend(candidates.in_groups(|_| true));
        for quarters in 0..=4 {
            others.extend(self.own_groups(candidates, quarters)?);
        }
        Ok(others)
    }

    /// Groups in which only sites without a priority hold files. Before the memory is split by what it saves, the others get so
    /// many quarters of that in which the plan would hold files.
    fn own_groups(
        &self,
        candidates: &Candidates<'a>,
        quarters: u64,
    ) -> Result<Option<Candidate<'a>>, PlanError> {
        let Some((groups, _)) = candidates.groups else {
            return Ok(None);
        };
        let favour = Favour {
            sites: self.sites.clone(),
            pages: self.test.budget(candidates.files.strategy.step).pages * quarters / 4,
        };
        let own = groups.candidates(self.test, favour)?;
        Ok(Some(Candidate::groups(
            groups,
            own.strategy(|site| !self.has_priority(site)),
        )))
    }

    fn has_priority(&self, site: usize) -> bool {
        self.sites.contains(&site)
    }

    /// The site with a priority that a use of the memory serves worst, and the part of the answers a second that another use
    /// gives it. Clients that wait get answers at the pace of their mean response.
    fn rate(&self, trial: usize) -> (usize, f64) {
        let fastest_us = |site: usize| {
            let us = self.trials.iter().map(|trial| trial.us[site]);
            us.fold(f64::INFINITY, f64::min)
        };
        let us = &self.trials[trial].us;
        let rates = self
            .sites
            .iter()
            .map(|&site| (site, fastest_us(site) / us[site]));
        let known = rates.filter(|(_, rate)| rate.is_finite());
        known.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0, 1.0))
    }

    /// The first unless it starves a site; else the best that starves none, or where there is none what starves least.
    fn chosen(mut self) -> Result<(Candidate<'a>, Option<RejectedCandidate>), PlanError> {
        let rates: Vec<f64> = (0..self.trials.len())
            .map(|trial| self.rate(trial).1)
            .collect();
        let most = rates.iter().copied().fold(0.0, f64::max).min(LEAST_RATE);
        let fed = (0..rates.len()).filter(|&trial| rates[trial] >= most);
        let better = |best: usize, new: usize| {
            let judgement = |trial: usize| &self.trials[trial].candidate.judgement;
            match best > 0 && judgement(new).is_better(judgement(best)) == Some(true) {
                true => new,
                false => best,
            }
        };
        let chosen = fed.reduce(better).unwrap_or(0);
        let rejected = (chosen > 0).then(|| self.rejected()).transpose()?;
        Ok((self.trials.swap_remove(chosen).candidate, rejected))
    }

    /// What is said of the first.
    fn rejected(&self) -> Result<RejectedCandidate, PlanError> {
        let (strategy, (site, rate)) = (&self.trials[0].candidate.strategy, self.rate(0));
        let layout = strategy.layout(self.test)?;
        Ok(RejectedCandidate {
            lever: strategy.lever(),
            held: HeldAmount::of(&self.test.values, layout.set()),
            site: self.test.workload.files.sites[site].clone(),
            rate,
        })
    }
}

/// The mean response of each site's accesses in `scored` with all memory as page cache, which is warm from `warming`.
fn alone_us(test: &Backtest, warming: &[u32], scored: &[u32]) -> Vec<f64> {
    let (values, nothing) = (&test.values, HeldSet::empty(test.objects()));
    let mut cache = PageCache::beside(test, 0);
    cache.warm(Scan::of(values, warming, &nothing).at(0));
    let mut sites = vec![(0.0, 0.0); test.workload.files.sites.len()];
    let scan = Scan::of(values, scored, &nothing).at(warming.len());
    cache.serve(scan, |index, served| {
        let (accesses, us) = &mut sites[values.site(scored[index])];
        *accesses += 1.0;
        *us += values.response_us(scored[index], served);
    });
    sites.iter().map(|(accesses, us)| us / accesses).collect()
}
