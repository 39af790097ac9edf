//! Tables of what is measured, each above what is published of the same.

use hotset_document::{Cell, Table};
use hotset_outcome::{GroupKey, Outcome, Score};

use super::result::{StoreComparison, StoreResult};
use super::section::Section;
use super::size::{size_group, size_name};
use crate::Axis;
use crate::figure::{self, Figure};
use crate::quoted::Quotations;

/// The measurements, as `[quoted]` writes them, in the order in which they are shown.
pub(super) const NAMES: [&str; 5] = [
    "bare",
    "response-cached",
    "response-uncached",
    "transactions-cached",
    "transactions-uncached",
];

/// A measurement of every file system.
struct Phase {
    title: &'static str,
    /// What of the files is in memory, as outcomes' names write it.
    cache: &'static str,
    shown: Figures,
}

/// What a table shows of a score.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Figures {
    /// Of single accesses: of a hundred, one that waited for something else makes the mean.
    Median,
    /// As the published tables have it.
    Mean,
    /// Of several clients.
    Rate,
}

/// In the order of their names.
const PHASES: [Phase; 5] = [
    Phase {
        title: "Opening and reading on the node, median",
        cache: "bare",
        shown: Figures::Median,
    },
    Phase {
        title: "Response through proxy and web server, mean, cached",
        cache: "cached",
        shown: Figures::Mean,
    },
    Phase {
        title: "Response through proxy and web server, mean, uncached",
        cache: "uncached",
        shown: Figures::Mean,
    },
    Phase {
        title: "Transactions a second with several clients, cached",
        cache: "cached",
        shown: Figures::Rate,
    },
    Phase {
        title: "Transactions a second with several clients, uncached",
        cache: "uncached",
        shown: Figures::Rate,
    },
];

impl Phase {
    /// Name of a store's outcome.
    fn outcome(&self, store: &str, clients: usize) -> String {
        let cache = self.cache;
        match self.shown {
            Figures::Median | Figures::Mean => format!("{store}-{cache}"),
            Figures::Rate => format!("{store}-{cache}-{clients}-clients"),
        }
    }

    /// The groups that it has, with how a column is headed.
    fn groups(&self, section: &Section) -> Vec<(GroupKey, String)> {
        match self.shown {
            Figures::Median => section
                .bare_bytes
                .iter()
                .flat_map(|&bytes| operations(bytes))
                .collect(),
            Figures::Mean | Figures::Rate => section
                .served_bytes
                .iter()
                .map(|&bytes| (size_group(bytes), size_name(bytes)))
                .collect(),
        }
    }
}

fn operations(bytes: u64) -> [(GroupKey, String); 3] {
    [
        ("open and close", "open"),
        ("read cached", "cached"),
        ("read uncached", "uncached"),
    ]
    .map(|(operation, short)| {
        let column = format!("{short} {}", size_name(bytes));
        (size_group(bytes).with_operation(operation), column)
    })
}

/// The kept outcome of one of them.
pub(super) fn outcome<'k>(kept: &'k StoreResult, phase: &str) -> Option<&'k Outcome> {
    let number = NAMES.iter().position(|name| *name == phase)?;
    let name = PHASES[number].outcome(kept.point.on(Axis::Store), kept.settings.clients);
    let mut outcomes = kept.measured.outcomes.iter();
    outcomes.find(|outcome| outcome.name == name)
}

/// One table of each measurement; none where nothing is measured.
pub(super) fn of(
    section: &Section,
    points: &[StoreComparison],
    quoted: &Quotations,
) -> Vec<(String, Table)> {
    if points.is_empty() {
        return Vec::new();
    }
    let table = |(phase, name): (&Phase, &&str)| {
        let measured = points.iter().filter_map(|point| {
            let outcome = outcome(&point.kept, name)?;
            Some((point.kept.point.to_string(), "measured", outcome))
        });
        let published = quoted.beside(name).iter();
        let published = published.map(|outcome| (outcome.name.clone(), "published", outcome));
        let mut table = Table::of(measured.chain(published))
            .text("file system", |(name, ..)| Cell::from(name))
            .text("figures", |(_, source, _)| Cell::from(source));
        for (group, column) in phase.groups(section) {
            table = table.figure(&column, |(.., outcome)| {
                let score = outcome.score_of(&group);
                Figure::cell(score.and_then(|score| figure(score, phase.shown)))
            });
        }
        (phase.title.to_owned(), table.into())
    };
    PHASES.iter().zip(&NAMES).map(table).collect()
}

fn figure(score: &Score, shown: Figures) -> Option<Figure> {
    let median_us = || score.response()?.1.p50_us;
    let time = |us| Figure::new(figure::US, us);
    match shown {
        Figures::Rate => score
            .throughput_per_s
            .map(|rate| Figure::new(figure::PER_S, rate)),
        Figures::Mean => score.mean_us().map(time),
        Figures::Median => median_us().or(score.mean_us()).map(time),
    }
}
