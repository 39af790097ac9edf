//! What documents claim, beside what was measured: a verdict is computed from the runs, and written down nowhere.

use hotset_document::{Cell, Table};
use hotset_outcome::{GroupKey, GroupKind, Interval, Outcome, Score};
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use crate::quantile::{median, range};
use crate::{Axis, Point};

/// With so many runs the least and the greatest hold the median at 93.75 % (see [`range`]).
const LEAST_RUNS: usize = 5;

/// `[[claim]]`: what a document says, as a figure and the bounds within which it would have to lie.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct Claim {
    /// In words.
    pub says: String,
    /// Where.
    pub source: String,
    /// Of what.
    pub figure: Measure,
    /// Of which points; of several the one with the largest figure counts.
    pub of: Where,
    /// The figure is divided by that of the same points with these values instead.
    #[serde(default)]
    pub over: Option<Where>,
    /// And then by the same quotient of the points with these values instead.
    #[serde(default)]
    pub than: Option<Where>,
    /// Of this site alone.
    #[serde(default)]
    pub site: Option<String>,
    /// The least that the document would have.
    #[serde(default)]
    pub least: Option<f64>,
    /// The most.
    #[serde(default)]
    pub most: Option<f64>,
}

/// A figure of an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub(crate) enum Measure {
    /// Requests a second.
    Throughput,
    /// Mean response.
    Response,
    /// 95 % of the first bytes have come by then.
    FirstByteP95,
    /// Share of the requests that no disk was asked for.
    Hits,
    /// The other requests.
    Misses,
    /// Seconds after a restart until servers were warm again.
    SecondsToWarm,
}

/// A kept result as claims regard it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run<'r> {
    pub point: &'r Point,
    pub outcomes: &'r [Outcome],
    /// Infinite where it was not warm again; nothing without a restart.
    pub seconds_to_warm: Option<f64>,
}

/// Values on axes.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct Where {
    cell: Option<String>,
    arm: Option<String>,
    store: Option<String>,
}

/// A claim beside what was measured.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ClaimReport {
    /// What the document says.
    pub says: String,
    /// Where.
    pub source: String,
    /// Of what: `throughput`.
    pub figure: &'static str,
    /// The least that the document would have; null where it says none.
    pub least: Option<f64>,
    /// The most; null where it says none.
    pub most: Option<f64>,
    /// At which point; null where nothing is measured.
    pub at: Option<String>,
    /// The figure, or the quotient: the median of the runs; null where nothing is measured, and where it is infinite: servers
    /// were not warm again.
    pub measured: Option<f64>,
    /// From the least to the greatest of the runs; null below two, and where one of both is infinite.
    pub interval: Option<Interval>,
    /// How many runs.
    pub runs: usize,
    /// Whether it holds.
    pub verdict: Verdict,
}

/// Whether a claim holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, IntoStaticStr)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "title_case")]
pub enum Verdict {
    /// All runs lie within the bounds.
    Holds,
    /// All runs lie on one side of the bounds.
    Fails,
    /// Runs lie within them and outside.
    Undecided,
    /// Fewer than five runs.
    TooFewRuns,
    /// There is no result.
    NotMeasured,
}

impl Claim {
    /// Beside kept results.
    pub fn report(&self, kept: &[Run<'_>]) -> ClaimReport {
        let mut best: Option<(String, Vec<f64>)> = None;
        for at in self.places(kept) {
            let values = self.values(&at, kept);
            let middle = |values: &[f64]| median(values.iter().copied());
            let is_better = |(_, best): &(String, Vec<f64>)| middle(&values) > middle(best);
            if !values.is_empty() && best.as_ref().is_none_or(is_better) {
                best = Some((at.to_string(), values));
            }
        }
        let (at, values) = best.unzip();
        let values = values.unwrap_or_default();
        let is_finite = |ends: &[f64; 2]| ends.iter().all(|end| end.is_finite());
        let ends = range(&values).filter(is_finite);
        let middle = median(values.iter().copied());
        ClaimReport {
            says: self.says.clone(),
            source: self.source.clone(),
            figure: self.figure.into(),
            least: self.least,
            most: self.most,
            at,
            measured: middle.filter(|value| value.is_finite()),
            interval: ends.map(|[low, high]| Interval {
                low,
                high,
                level: level(values.len()),
            }),
            runs: values.len(),
            verdict: self.verdict(&values),
        }
    }

    /// The points that it is of, without their runs.
    fn places(&self, kept: &[Run<'_>]) -> Vec<Point> {
        let mut places = Vec::new();
        for run in kept {
            let place = run.point.clone().without(Axis::Run);
            if self.of.is_of(&place) && !places.contains(&place) {
                places.push(place);
            }
        }
        places
    }

    /// The figure of each run in which all points that it takes were measured.
    fn values(&self, at: &Point, kept: &[Run<'_>]) -> Vec<f64> {
        let own = kept
            .iter()
            .filter(|run| run.point.clone().without(Axis::Run) == *at);
        let quotient = |at: &Point| {
            let figure = self.figure_at(at, kept)?;
            match &self.over {
                None => Some(figure),
                Some(over) => Some(figure / self.figure_at(&over.instead(at), kept)?),
            }
        };
        let value = |point: &Point| match &self.than {
            None => quotient(point),
            Some(than) => Some(quotient(point)? / quotient(&than.instead(point))?),
        };
        // Neither of two that were not warm again was sooner.
        let values = own.filter_map(|run| value(run.point));
        values.filter(|value| !value.is_nan()).collect()
    }

    fn figure_at(&self, at: &Point, kept: &[Run<'_>]) -> Option<f64> {
        let run = kept.iter().find(|run| run.point == at)?;
        if self.figure == Measure::SecondsToWarm {
            return run.seconds_to_warm;
        }
        let mut scores = run.outcomes.iter().filter_map(|it| self.score(it));
        scores.find_map(|score| self.figure.of(score))
    }

    fn score<'o>(&self, outcome: &'o Outcome) -> Option<&'o Score> {
        match &self.site {
            None => Some(&outcome.total),
            Some(site) => outcome.score_of(&GroupKey::new(GroupKind::Site, site)),
        }
    }

    fn verdict(&self, values: &[f64]) -> Verdict {
        let is_low = |value: &f64| self.least.is_some_and(|least| *value < least);
        let is_high = |value: &f64| self.most.is_some_and(|most| *value > most);
        match values.len() {
            0 => Verdict::NotMeasured,
            runs if runs < LEAST_RUNS => Verdict::TooFewRuns,
            _ if values.iter().all(is_low) || values.iter().all(is_high) => Verdict::Fails,
            _ if values.iter().any(|value| is_low(value) || is_high(value)) => Verdict::Undecided,
            _ => Verdict::Holds,
        }
    }
}

impl Where {
    fn values(&self) -> impl Iterator<Item = (Axis, &str)> {
        let all = [
            (Axis::Cell, &self.cell),
            (Axis::Arm, &self.arm),
            (Axis::Store, &self.store),
        ];
        all.into_iter()
            .filter_map(|(axis, value)| Some((axis, value.as_deref()?)))
    }

    fn is_of(&self, point: &Point) -> bool {
        self.values().all(|(axis, value)| point.on(axis) == value)
    }

    /// The same point with these values.
    fn instead(&self, point: &Point) -> Point {
        let values = self.values();
        values.fold(point.clone(), |point, (axis, value)| {
            point.with(axis, value)
        })
    }
}

impl Measure {
    fn of(self, score: &Score) -> Option<f64> {
        match self {
            Self::Throughput => score.throughput_per_s,
            Self::Response => score.mean_us(),
            Self::FirstByteP95 => score.latencies.first_byte.as_ref()?.p95_us,
            Self::Hits => score.hit_ratio(),
            Self::Misses => Some(1.0 - score.hit_ratio()?),
            // No score has it.
            Self::SecondsToWarm => None,
        }
    }
}

/// Nominal coverage of the least and the greatest of so many runs (W. R. Thompson; see [`range`]).
fn level(runs: usize) -> f64 {
    1.0 - 0.5_f64.powi(runs as i32 - 1)
}

/// A row for each claim.
pub(crate) fn table(claims: &[ClaimReport]) -> Table {
    let bound = |claim: &&ClaimReport| match (claim.least, claim.most) {
        (Some(least), Some(most)) => format!("{least} to {most}"),
        (Some(least), None) => format!("at least {least}"),
        (None, Some(most)) => format!("at most {most}"),
        (None, None) => String::new(),
    };
    Table::of(claims)
        .flexible("claim", |claim| claim.says.clone())
        .text("from", |claim| claim.source.clone())
        .text("would be", bound)
        .text("at", |claim| claim.at.clone().unwrap_or_default())
        .figure("measured", |claim| measured(claim))
        .text("", |claim| <&str>::from(claim.verdict).to_lowercase())
        .into()
}

fn measured(claim: &ClaimReport) -> Cell {
    let Some(value) = claim.measured else {
        return match claim.runs {
            0 => Cell::default(),
            _ => "infinite".into(),
        };
    };
    let interval = claim
        .interval
        .map_or_else(String::new, |it| format!(" [{:.3} {:.3}]", it.low, it.high));
    Cell::plain(value).shown_as(format!("{value:.3}{interval}"))
}
