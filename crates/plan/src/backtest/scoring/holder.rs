//! A node whose held files change as time goes on.

use std::ops::Range;

use hotset_cache::TwoList;

use super::reversals::whole_files;
use super::score::ArmRun;
use crate::backtest::fills::decisive;
use crate::backtest::judgement::{Judge, Judgement};
use crate::backtest::prepare::Backtest;
#[cfg(doc)]
use crate::backtest::scan::judge_quickly;
use crate::backtest::scan::{FileCache, PageCache, Scan, WholeFiles, last_turnovers};
use crate::select::HeldSet;

/// A node that holds files in a share of its memory.
pub(super) struct Holder {
    /// The share, in twentieths.
    pub step: u32,
    pub held: HeldSet,
    cache: PageCache,
    /// What was held when, where the page cache is warmed by the last accesses alone before those that validate.
    changes: Option<Vec<Change>>,
    /// In the held-out part alone: it serves to tell an order. Beside every share that was tried it took half of the time.
    beside: Option<BesideWholeFiles>,
    /// Weighted response time of the last part of the training part.
    pub validated_us: f64,
    /// Bytes of each site moved from the first scored access on.
    pub moved_bytes: Vec<u64>,
}

/// What changes in the held files before an access.
struct Change {
    access: usize,
    new: Vec<u32>,
    gone: Vec<u32>,
}

/// The first access that warms the page cache before those that validate, where the held files change so.
fn warming_from(test: &Backtest, changes: &[Change]) -> usize {
    let (inner, mut held) = (test.inner(), HeldSet::empty(test.objects()));
    let before = changes.iter().take_while(|change| change.access <= inner);
    before.for_each(|change| held.change(&test.values, &change.new, &change.gone));
    inner - decisive(test, &test.workload.accesses[..inner], &held).len()
}

/// A page cache of whole files beside the same held files.
struct BesideWholeFiles {
    cache: WholeFiles<TwoList>,
    held_out: Judge,
}

impl BesideWholeFiles {
    /// Warm from the last of the training part; nothing where the page cache is one of whole files anyway.
    fn warm(test: &Backtest, held: &HeldSet) -> Option<Self> {
        if !test.compares_whole_files() {
            return None;
        }
        let mut cache = whole_files(test, held.pages());
        let warming = last_turnovers(test, test.training_accesses(), held);
        cache.warm(Scan::of(&test.values, warming, held));
        Some(Self {
            cache,
            held_out: Judge::of(&[]),
        })
    }
}

impl Holder {
    /// One for each step. Where splits are searched for, a page cache that the last accesses before those that validate have warmed
    /// tells them apart, as in [`judge_quickly`]. The best is then [`Holder::validated_in_full`].
    pub fn of_steps(test: &Backtest, steps: &[u32]) -> Vec<Self> {
        let is_quick = steps.len() > 1 && !test.tries_all_splits() && !test.values.has_metadata();
        let holder = |&step| Self {
            changes: is_quick.then(Vec::new),
            ..Self::new(test, step)
        };
        steps.iter().map(holder).collect()
    }

    fn new(test: &Backtest, step: u32) -> Self {
        Self {
            step,
            held: HeldSet::empty(test.objects()),
            cache: PageCache::beside(test, 0),
            changes: None,
            beside: None,
            validated_us: 0.0,
            moved_bytes: vec![0; test.workload.files.sites.len()],
        }
    }

    /// As it is once it has served all of the training part that validates. Before that it serves as much as decides what the page cache
    /// has.
    pub fn validated_in_full(self, test: &Backtest) -> Self {
        let Some(changes) = self.changes else {
            return self;
        };
        let (mut full, mut from) = (Self::new(test, self.step), 0);
        let warming_from = warming_from(test, &changes);
        let served = |from: usize, to: usize| from.max(warming_from).min(to)..to;
        for Change { access, new, gone } in changes {
            full.serve_training(test, served(from, access));
            full.held.change(&test.values, &new, &gone);
            full.cache.resize_beside(test, full.held.pages());
            from = access;
        }
        full.serve_training(test, served(from, test.training));
        debug_assert_eq!(full.held.pages(), self.held.pages());
        Self {
            held: self.held,
            moved_bytes: self.moved_bytes,
            ..full
        }
    }

    /// With a page cache of whole files beside it, if its own is none.
    pub fn warm_beside(mut self, test: &Backtest) -> Self {
        self.beside = BesideWholeFiles::warm(test, &self.held);
        self
    }

    /// How the held-out part does beside a page cache of whole files, where there is one.
    pub fn beside_whole_files(&self) -> Option<Judgement> {
        let beside = self.beside.as_ref();
        beside.map(|beside| beside.held_out.judgement())
    }

    /// Serves accesses of the training part, of which the last validate.
    pub fn validate(&mut self, test: &Backtest, stretch: Range<usize>) {
        let inner = test.inner();
        match self.changes {
            Some(_) if stretch.end <= inner => {}
            Some(_) if stretch.start <= inner => {
                let before = &test.workload.accesses[..inner];
                let warming = last_turnovers(test, before, &self.held);
                let scan = Scan::of(&test.values, warming, &self.held);
                self.cache.warm(scan.at(inner - warming.len()));
                self.serve_training(test, inner..stretch.end);
            }
            _ => self.serve_training(test, stretch),
        }
    }

    fn serve_training(&mut self, test: &Backtest, stretch: Range<usize>) {
        let (accesses, values) = (&test.workload.accesses[stretch.clone()], &*test.values);
        let first_scored = test.inner().clamp(stretch.start, stretch.end);
        let (unscored, scored) = accesses.split_at(first_scored - stretch.start);
        let (us, cache) = (&mut self.validated_us, &mut self.cache);
        cache.warm(Scan::of(values, unscored, &self.held).at(stretch.start));
        let scan = Scan::of(values, scored, &self.held).at(first_scored);
        cache.serve(scan, |index, served| {
            let object = scored[index];
            *us += values.response_us(object, served) * values.weight(object);
        });
    }

    /// Serves accesses that are held out.
    pub fn score(&mut self, test: &Backtest, stretch: Range<usize>, run: &mut ArmRun) {
        let accesses = &test.workload.accesses[stretch.clone()];
        let cache = &mut self.cache;
        let scan = Scan::of(&test.values, accesses, &self.held);
        cache.serve(scan.at(stretch.start), |index, served| {
            run.add(test, accesses[index], served);
        });
        if let Some(BesideWholeFiles { cache, held_out }) = &mut self.beside {
            cache.serve(scan, |index, served| {
                held_out.add(&test.values, accesses[index], served);
            });
        }
    }

    /// Holds `next` from `access` on.
    pub fn hold(&mut self, test: &Backtest, next: HeldSet, access: usize) {
        if access >= test.training {
            self.add_moved(test, &next);
        }
        if let Some(changes) = &mut self.changes {
            changes.push(Change {
                access,
                new: next.new_beside(&self.held).collect(),
                gone: self.held.new_beside(&next).collect(),
            });
        }
        self.cache.resize_beside(test, next.pages());
        if let Some(beside) = &mut self.beside {
            let pages = test.memory_pages.saturating_sub(next.pages());
            beside.cache.0.resize(pages);
        }
        self.held = next;
    }

    /// Adds to each site what has to be read of it to hold `next`.
    fn add_moved(&mut self, test: &Backtest, next: &HeldSet) {
        for object in next.new_beside(&self.held) {
            let moved = &mut self.moved_bytes[test.values.site(object)];
            *moved = moved.saturating_add(test.size(object));
        }
    }
}
