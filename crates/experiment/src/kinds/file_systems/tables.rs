//! Tables of what is measured, each above what is published of the same.

use hotset_outcome::{GroupKey, Outcome, Score};

use super::result::{KeptStore, ShownStore};
use super::section::Section;
use super::size::{size_group, size_name};
use crate::Axis;
use crate::quoted::Quoted;
use crate::table::{Figure, Row, Table, Unit};

/// A measurement of every file system.
pub(super) struct Phase {
    /// As `[quoted]` writes it.
    pub name: &'static str,
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

/// The measurements in the order in which they are shown.
pub(super) const PHASES: [Phase; 5] = [
    Phase {
        name: "bare",
        title: "Opening and reading on the node, median",
        cache: "bare",
        shown: Figures::Median,
    },
    Phase {
        name: "response-cached",
        title: "Response through proxy and web server, mean, cached",
        cache: "cached",
        shown: Figures::Mean,
    },
    Phase {
        name: "response-uncached",
        title: "Response through proxy and web server, mean, uncached",
        cache: "uncached",
        shown: Figures::Mean,
    },
    Phase {
        name: "transactions-cached",
        title: "Transactions a second with several clients, cached",
        cache: "cached",
        shown: Figures::Rate,
    },
    Phase {
        name: "transactions-uncached",
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
pub(super) fn outcome<'k>(kept: &'k KeptStore, phase: &str) -> Option<&'k Outcome> {
    let phase = PHASES.iter().find(|known| known.name == phase)?;
    let name = phase.outcome(kept.point.on(Axis::Store), kept.settings.clients);
    kept.outcomes.iter().find(|outcome| outcome.name == name)
}

/// One table of each measurement; none where nothing is measured.
pub(super) fn of(section: &Section, points: &[ShownStore], quoted: &Quoted) -> Vec<Table> {
    if points.is_empty() {
        return Vec::new();
    }
    let table = |phase: &Phase| table(section, phase, points, quoted.beside(phase.name));
    PHASES.iter().map(table).collect()
}

fn table(section: &Section, phase: &Phase, points: &[ShownStore], quoted: &[Outcome]) -> Table {
    let groups = phase.groups(section);
    let measured = points.iter().filter_map(|point| {
        let outcome = outcome(&point.kept, phase.name)?;
        Some(row(
            &point.kept.point.to_string(),
            "measured",
            outcome,
            &groups,
            phase.shown,
        ))
    });
    let published = quoted
        .iter()
        .map(|outcome| row(&outcome.name, "published", outcome, &groups, phase.shown));
    Table {
        title: phase.title.to_owned(),
        labels: vec!["file system".to_owned(), "figures".to_owned()],
        rows: measured.chain(published).collect(),
        columns: groups.iter().map(|(_, column)| column.clone()).collect(),
    }
}

fn row(
    name: &str,
    source: &str,
    outcome: &Outcome,
    groups: &[(GroupKey, String)],
    shown: Figures,
) -> Row {
    let figures = groups.iter().map(|(group, _)| {
        let score = outcome.score_of(group)?;
        figure(score, shown)
    });
    Row {
        labels: vec![name.to_owned(), source.to_owned()],
        figures: figures.collect(),
    }
}

fn figure(score: &Score, shown: Figures) -> Option<Figure> {
    let median_us = || score.response()?.1.p50_us;
    let time = |us| Figure::new(Unit::Us, us);
    match shown {
        Figures::Rate => score
            .throughput_per_s
            .map(|rate| Figure::new(Unit::PerS, rate)),
        Figures::Mean => score.mean_us().map(time),
        Figures::Median => median_us().or(score.mean_us()).map(time),
    }
}
