//! Figures of all held-out accesses, estimated from those of a sample of them.
//!
//! The sample consists of stretches ([`super::super::stretches`]). Each estimate is made again without each of the stretches in turn: how
//! far these are apart says how far it may be off (the jackknife: B. Efron, C. Stein, "The jackknife estimate of variance", The Annals
//! of Statistics 9, 1981).
//!
//! What all accesses come to with the memory that was asked for is known. So a figure with another memory can be estimated from how many
//! times as large it is there, in the same stretches (a ratio estimate: W. Cochran, "Sampling techniques", 1977, chapter 6).

use hotset_outcome::Interval;
use serde::Serialize;

use crate::backtest::sampling::STRETCHES;
use crate::backtest::scoring::score::{ArmScore, Tally};

/// Nominal coverage of intervals.
const LEVEL: f64 = 0.95;

/// The 97.5 % quantile of Student's distribution with [`STRETCHES`] - 1 = 7 degrees of freedom (NIST/SEMATECH e-Handbook of
/// Statistical Methods, section 1.3.6.7.2).
const STUDENT_T: f64 = 2.365;

/// Where the figures of a point lie that were estimated from a sample of the held-out accesses. Intervals are null where the sample has
/// too few accesses to tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SampledPoint {
    /// Share of the held-out accesses that were scored, 0 to 1.
    pub access_share: f64,
    /// The page cache alone.
    pub page_cache: SampledArm,
    /// The plan.
    pub plan: SampledArm,
    /// The plan's gain in the weighted mean response.
    pub weighted_gain: Option<Interval>,
}

/// Where the figures of an arm lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SampledArm {
    /// Share of accesses served from memory.
    pub hit_ratio: Option<Interval>,
    /// Mean response in microseconds.
    pub mean_us: Option<Interval>,
    /// Mean response by weight of the sites, microseconds.
    pub weighted_mean_us: Option<Interval>,
}

/// A figure, and its standard error.
#[derive(Clone, Copy, Debug)]
pub(super) struct Estimate {
    pub value: f64,
    error: f64,
}

impl Estimate {
    /// What `of` makes of all stretches; of those without one if it is told which.
    pub fn of(of: impl Fn(Option<usize>) -> f64) -> Self {
        let count = STRETCHES as f64;
        let without: Vec<f64> = (0..STRETCHES).map(|left_out| of(Some(left_out))).collect();
        let mean = without.iter().sum::<f64>() / count;
        let squares: f64 = without.iter().map(|value| (value - mean).powi(2)).sum();
        Self {
            value: of(None),
            error: (squares * (count - 1.0) / count).sqrt(),
        }
    }

    /// Its interval within what is possible; nothing where stretches have too little to tell.
    pub fn interval(self, least: f64, most: f64) -> Option<Interval> {
        let reach = STUDENT_T * self.error;
        reach.is_finite().then(|| Interval {
            low: (self.value - reach).max(least),
            high: (self.value + reach).min(most),
            level: LEVEL,
        })
    }
}

/// Sums over the stretches, without one.
pub(super) fn total(stretches: &[Tally], left_out: Option<usize>) -> Tally {
    let stretches = stretches.iter().enumerate();
    let others = stretches.filter(|(number, _)| Some(*number) != left_out);
    others.map(|(_, tally)| *tally).collect()
}

/// What an arm comes to with the memory that was asked for.
pub(super) struct KnownArm {
    /// On each stretch.
    pub stretches: Vec<Tally>,
    /// On all held-out accesses.
    pub score: ArmScore,
}

/// What both arms come to with the memory that was asked for.
pub(super) struct KnownPoint {
    pub page_cache: KnownArm,
    pub plan: KnownArm,
}

impl KnownPoint {
    /// The scores of page cache and plan with another memory on all held-out accesses, from what they do there on each stretch; and
    /// where these lie.
    pub fn estimate(
        &self,
        page_cache: &[Tally],
        plan: &[Tally],
    ) -> (ArmScore, ArmScore, SampledPoint) {
        let alone = Figures::of(&self.page_cache, page_cache);
        let planned = Figures::of(&self.plan, plan);
        let mean_gain = gain(&planned.mean_us, &alone.mean_us);
        let weighted_gain = gain(&planned.weighted_mean_us, &alone.weighted_mean_us);
        let known = |gain: Estimate| Some(gain.value).filter(|gain| gain.is_finite());
        let plan_score = ArmScore {
            gain: known(mean_gain),
            weighted_gain: known(weighted_gain),
            ..planned.score()
        };
        let all = self.page_cache.score.traffic.accesses() as f64;
        let sampled = SampledPoint {
            access_share: total(page_cache, None).accesses / all,
            page_cache: alone.intervals(),
            plan: planned.intervals(),
            weighted_gain: weighted_gain.interval(f64::NEG_INFINITY, 1.0),
        };
        (alone.score(), plan_score, sampled)
    }
}

/// The gain in a mean.
fn gain(plan: &Figure, alone: &Figure) -> Estimate {
    Estimate::of(|left_out| 1.0 - plan.without(left_out) / alone.without(left_out))
}

/// Figures of an arm.
struct Figures<'f> {
    miss_ratio: Figure<'f>,
    mean_us: Figure<'f>,
    weighted_mean_us: Figure<'f>,
}

impl<'f> Figures<'f> {
    /// On all held-out accesses, of an arm that comes to `here` on each stretch.
    fn of(known: &'f KnownArm, here: &'f [Tally]) -> Self {
        let score = &known.score;
        let figure = |of: fn(&Tally) -> f64, all| Figure::of(here, &known.stretches, of, all);
        Self {
            miss_ratio: figure(Tally::miss_ratio, 1.0 - score.hit_ratio),
            mean_us: figure(Tally::mean_us, score.mean_us),
            weighted_mean_us: figure(Tally::weighted_mean_us, score.weighted_mean_us),
        }
    }

    fn score(&self) -> ArmScore {
        ArmScore {
            hit_ratio: (1.0 - self.miss_ratio.without(None)).max(0.0),
            mean_us: self.mean_us.without(None),
            weighted_mean_us: self.weighted_mean_us.without(None),
            ..ArmScore::of_no_access()
        }
    }

    fn intervals(&self) -> SampledArm {
        let hit_ratio = Estimate::of(|left_out| 1.0 - self.miss_ratio.without(left_out));
        let mean = |figure: &Figure| figure.estimate().interval(0.0, f64::INFINITY);
        SampledArm {
            hit_ratio: hit_ratio.interval(0.0, 1.0),
            mean_us: mean(&self.mean_us),
            weighted_mean_us: mean(&self.weighted_mean_us),
        }
    }
}

/// A figure of all held-out accesses.
#[derive(Clone, Copy)]
struct Figure<'f> {
    of: fn(&Tally) -> f64,
    here: &'f [Tally],
    /// The same stretches with the memory that was asked for, and the figure of all held-out accesses there; nothing where it is
    /// estimated without.
    known: Option<(&'f [Tally], f64)>,
}

impl<'f> Figure<'f> {
    /// In that of both ways which is the surer one.
    fn of(here: &'f [Tally], there: &'f [Tally], of: fn(&Tally) -> f64, all: f64) -> Self {
        let known = |known| Self { of, here, known };
        let (by_itself, relative) = (known(None), known(Some((there, all))));
        match relative.estimate().error < by_itself.estimate().error {
            true => relative,
            false => by_itself,
        }
    }

    /// By all stretches, or without one.
    fn without(&self, left_out: Option<usize>) -> f64 {
        let here = (self.of)(&total(self.here, left_out));
        match self.known {
            Some((there, all)) => all * here / (self.of)(&total(there, left_out)),
            None => here,
        }
    }

    fn estimate(&self) -> Estimate {
        Estimate::of(|left_out| self.without(left_out))
    }
}
