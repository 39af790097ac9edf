//! Learning from accesses as they come.

use serde::{Deserialize, Serialize};

use super::clock::{Clock, Period};
use super::experts::Experts;
use super::numbers::Numbers;
use super::recent::Recent;
use super::steady::{Leading, Steady};
use crate::PlanError;
use crate::select::{Budget, Ranking};
use crate::value::Values;

/// What accesses until now say of which files will be worth holding.
///
/// Files go by their ids in a [`crate::Catalogue`], which may grow.
#[derive(Clone, Debug)]
pub struct Online {
    pub(super) numbers: Numbers,
    pub(super) learnt: Knowledge,
}

/// What was learnt, by the numbers of files.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Knowledge {
    clock: Clock,
    recent: Recent,
    experts: Experts,
}

impl Knowledge {
    /// Whether it can go on with so many `files`.
    pub fn is_sound(&self, files: usize) -> bool {
        self.clock.is_sound() && self.recent.is_sound(files) && self.experts.is_sound(files)
    }
}

impl Online {
    /// Knows nothing yet, and renews after every `period`.
    ///
    /// # Errors
    /// A period of no length.
    pub fn new(period: Period) -> Result<Self, PlanError> {
        let clock = Clock::new(period);
        if !clock.is_sound() {
            return Err(PlanError::Option {
                option: "period",
                value: 0.0,
                range: "positive",
            });
        }
        Ok(Self {
            numbers: Numbers::default(),
            learnt: Knowledge {
                clock,
                recent: Recent::default(),
                experts: Experts::new(),
            },
        })
    }

    /// Makes the file with this id known before its first access. Of files that are worth the same, the one known first is
    /// preferred.
    pub fn introduce(&mut self, object: u32) {
        self.numbers.number(object);
    }

    /// Whether a renewal is due before an access at `time_us`, microseconds since 1970; of no meaning for
    /// [`Period::Accesses`].
    #[inline]
    pub fn is_due(&self, time_us: i64) -> bool {
        self.learnt.clock.due(time_us).is_some()
    }

    /// What is worth holding from now on, if a renewal is due before an access at `time_us`. Competing ways of counting are
    /// scored by what each would have held in `budget`. What has no value is never held.
    pub fn renew(&mut self, time_us: i64, values: &Values, budget: Budget) -> Option<Ranking> {
        let Knowledge {
            clock,
            recent,
            experts,
        } = &mut self.learnt;
        let now = clock.due(time_us)?;
        clock.renew(now);
        experts.learn(&recent.take(), now, &self.numbers, values, budget);
        Some(experts.ranking(&self.numbers, values, budget.pages))
    }

    /// As [`Online::renew`] where no site reserves anything, and values and budget are the same at each renewal, which `steady` has
    /// followed from the first one on.
    pub(crate) fn renew_steadily<'s>(
        &'s mut self,
        steady: &'s mut Steady,
        time_us: i64,
        values: &Values,
        budget: Budget,
    ) -> Option<Leading<'s>> {
        let Knowledge {
            clock,
            recent,
            experts,
        } = &mut self.learnt;
        let now = clock.due(time_us)?;
        clock.renew(now);
        let stretch = recent.take();
        Some(steady.learn(experts, (&stretch, now), &self.numbers, values, budget))
    }

    /// The accesses of each file by its id, as the most patient of the counts that fade remembers them, and those since the last
    /// renewal. Whoever has to forget files forgets those of the least.
    #[must_use]
    pub fn warmth(&self) -> Vec<f64> {
        let mut warmth = vec![0.0; self.numbers.ids().max().map_or(0, |id| id as usize + 1)];
        for (number, heat) in self.learnt.experts.patient() {
            warmth[self.numbers.id(number) as usize] = heat;
        }
        for (number, accesses) in self.learnt.recent.iter() {
            warmth[self.numbers.id(number) as usize] += f64::from(accesses);
        }
        warmth
    }

    /// Forgets all files but those with these ids, which from now on go by their places in `kept`.
    pub fn keep(&mut self, kept: &[u32]) {
        let numbers: Vec<u32> = kept.iter().map(|&id| self.numbers.number(id)).collect();
        self.learnt.recent.keep(&numbers);
        self.learnt.experts.keep(&numbers);
        self.numbers = Numbers::default();
        (0..kept.len() as u32).for_each(|id| {
            self.numbers.number(id);
        });
    }

    /// Counts an access to the file with this id at `time_us`.
    #[inline]
    pub fn observe(&mut self, object: u32, time_us: i64) {
        self.learnt.recent.add(self.numbers.number(object), 1);
        self.learnt.clock.tick(time_us);
    }
}
