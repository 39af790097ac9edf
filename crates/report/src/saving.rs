//! What holding has saved, beside the page cache alone: in words, as a table, as JSON.

use hotset_live::{Figures, Payoff, ReadCounts, Saving, Savings};
use hotset_outcome::Interval;
use hotset_plan::{Estimate, LEVEL};
use serde::Serialize;

use crate::{Table, number};

const MS_US: f64 = 1e3;

/// What holding has saved, in reads and time. Predicted by the model of the page cache that plans use; each interval is by the spread of
/// samples, and is a point where every file is followed.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct SavingValue {
    /// Share of the reads that found their file in memory, held or in the page cache beside; null without reads.
    memory_hit_ratio: Option<f64>,
    /// Where it may lie.
    memory_hit_ratio_interval: Option<Interval>,
    /// Share of the same reads that the page cache alone would have had in memory; null without reads.
    page_cache_hit_ratio: Option<f64>,
    /// Where it may lie.
    page_cache_hit_ratio_interval: Option<Interval>,
    /// Reads that found their file in memory because files are held; below 0 where the page cache alone would have had more.
    saved_reads: f64,
    /// Where that may lie.
    saved_reads_interval: Interval,
    /// Milliseconds that these reads would have waited for their store, by its profile.
    saved_ms: f64,
    /// Where that may lie.
    saved_ms_interval: Interval,
}

impl SavingValue {
    pub fn of(saving: &Saving, counts: &ReadCounts) -> Self {
        let (with_held, alone) = hit_ratios(saving, counts);
        let ms = Estimate {
            value: saving.us.value / MS_US,
            error: saving.us.error / MS_US,
        };
        Self {
            memory_hit_ratio: with_held.map(|it| it.value),
            memory_hit_ratio_interval: with_held.map(share_interval),
            page_cache_hit_ratio: alone.map(|it| it.value),
            page_cache_hit_ratio_interval: alone.map(share_interval),
            saved_reads: saving.reads.value,
            saved_reads_interval: interval(saving.reads),
            saved_ms: ms.value,
            saved_ms_interval: interval(ms),
        }
    }
}

fn hit_ratios(saving: &Saving, counts: &ReadCounts) -> (Option<Estimate>, Option<Estimate>) {
    let reads = counts.reads;
    (saving.hit_ratio(reads), saving.hit_ratio_alone(reads))
}

fn interval(it: Estimate) -> Interval {
    Interval {
        low: it.value - it.error,
        high: it.value + it.error,
        level: LEVEL,
    }
}

fn share_interval(it: Estimate) -> Interval {
    let Interval { low, high, level } = interval(it);
    Interval {
        low: low.max(0.0),
        high: high.min(1.0),
        level,
    }
}

/// What a daemon says of what it has saved.
pub(crate) struct SavingWords<'a> {
    pub figures: &'a Figures,
    pub savings: &'a Savings,
}

impl<'a> SavingWords<'a> {
    /// Nothing before the first interval with reads.
    pub fn of(figures: &'a Figures) -> Option<Self> {
        let savings = figures.savings.as_ref()?;
        Some(Self { figures, savings })
    }

    /// What was saved, and how that is known.
    pub fn saved(&self) -> String {
        let (last, all) = (&self.savings.total.last, &self.savings.total.all);
        let (with_held, alone) = hit_ratios(last, &self.figures.last());
        let unknown = || number::NONE.to_owned();
        let (verb, sign) = if all.reads.value < 0.0 {
            ("cost", -1.0)
        } else {
            ("saved", 1.0)
        };
        let signed = |it: Estimate| Estimate {
            value: sign * it.value,
            ..it
        };
        format!(
            "Of these reads {} found their file in memory, held or in the page cache; the page cache alone would have had {}. Holding has \
             {verb} {} and {} since the start. {}",
            with_held.map_or_else(unknown, share),
            alone.map_or_else(unknown, share),
            reads(signed(all.reads), "read of a store", "reads of a store"),
            time(signed(all.us)),
            self.source(),
        )
    }

    /// How that is known.
    pub fn source(&self) -> String {
        let followed = match self.savings.followed_share {
            1.0.. => "every file".to_owned(),
            share => format!(
                "{} of the files, whose spread gives the errors",
                number::percent(share)
            ),
        };
        format!(
            "That is predicted, by the planner's model of the page cache for {followed}, and by the profiles of the stores."
        )
    }

    /// That holding does not pay; nothing while it does, or as long as that is not known.
    pub fn warning(&self) -> Option<String> {
        let payoff = &self.savings.payoff;
        (payoff.pays == Some(false))
            .then(|| format!("Holding does not pay: {}.", payoff_reason(payoff)))
    }

    /// Site by site, and all together.
    pub fn table(&self) -> Table {
        type Row<'r> = (&'r str, ReadCounts, Saving, Saving);
        let sites = self.figures.sites.iter();
        let site = |it: &'a hotset_live::SiteFigures| -> Option<Row<'a>> {
            let saving = it.saving?;
            Some((&it.site, it.last, saving.last, saving.all))
        };
        let rows: Vec<Row> = sites.filter_map(site).collect();
        let all = &self.savings.total;
        let total = ("all sites", self.figures.last(), all.last, all.all);
        let total = (rows.len() > 1).then_some(total);
        let ratio = |it: Option<Estimate>| it.map(share).unwrap_or_default();
        Table::of(rows)
            .total(total)
            .text("site", |it| it.0)
            .figure("in memory", move |it| ratio(hit_ratios(&it.2, &it.1).0))
            .figure("page cache alone", move |it| {
                ratio(hit_ratios(&it.2, &it.1).1)
            })
            .figure("reads saved", |it| count(it.2.reads))
            .figure("time saved", |it| time(it.2.us))
            .figure("reads saved since start", |it| count(it.3.reads))
            .figure("time saved since start", |it| time(it.3.us))
            .into()
    }
}

/// Why holding pays, or does not.
#[must_use]
pub fn payoff_reason(payoff: &Payoff) -> String {
    let saved = payoff.saving.reads.value.round();
    let have = match saved {
        0.0 => "as many reads".to_owned(),
        ..0.0 => number::counted(-saved as u64, "read more", "reads more"),
        _ => format!("all but {} of the reads", number::count(saved as u64)),
    };
    format!(
        "over the last {} with reads, the page cache alone would have had {have} in memory ({} of {})",
        number::counted(u64::from(payoff.intervals), "interval", "intervals"),
        (payoff.saving.hit_ratio_alone(payoff.reads)).map_or_else(String::new, share),
        number::count(payoff.reads),
    )
}

fn share(it: Estimate) -> String {
    let Interval { low, high, .. } = share_interval(it);
    match it.error > 0.0 {
        true => number::percent_with_interval(it.value, low, high),
        false => number::percent(it.value),
    }
}

fn time(it: Estimate) -> String {
    with_error(it, number::duration)
}

fn count(it: Estimate) -> String {
    with_error(it, |value| number::count(value.round() as u64))
}

fn reads(it: Estimate, singular: &str, plural: &str) -> String {
    let noun = match it.value.round() as i64 {
        1 => singular,
        _ => plural,
    };
    format!("{} {noun}", count(it))
}

/// A figure that may be negative, and its error where it has one.
fn with_error(it: Estimate, words: impl Fn(f64) -> String) -> String {
    let sign = if it.value < 0.0 { "-" } else { "" };
    let value = words(it.value.abs());
    match it.error > 0.0 {
        true => format!("{sign}{value} ± {}", words(it.error)),
        false => format!("{sign}{value}"),
    }
}
