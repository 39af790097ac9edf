//! The table of what was measured: a row for each trace, scale and node, over all runs; and the knees of its curves.

use hotset_document::{Cell, Table};
use hotset_outcome::{Distribution, FIRST_BYTE_LINE_US, Outcome};

use super::result::{Detail, TraceComparison};
use crate::Axis;
use crate::figure::{self, Figure};
use crate::quantile::{median, range};

/// A curve has its knee where the 95th percentile is so many times that of its lowest scale. In table 2 of the document that is where
/// its text sees the knees: Olympics near 1000 requests a second, the diskless Proxy above 30.
const KNEE: f64 = 3.0;

/// The runs of a trace at a scale on a node.
struct Runs<'p> {
    cell: &'p str,
    node: &'p str,
    trace: &'p str,
    scale: f64,
    points: Vec<&'p TraceComparison>,
}

impl Runs<'_> {
    /// A figure of the runs that have it.
    fn values(&self, of: impl Fn(&Outcome) -> Option<f64>) -> Vec<f64> {
        let outcomes = self.points.iter().filter_map(|point| point.kept.compared());
        outcomes.filter_map(of).collect()
    }

    /// What is kept beside the outcomes, of the runs that have it.
    fn details(&self, of: impl Fn(&Detail) -> Option<f64>) -> Vec<f64> {
        let details = self.points.iter().map(|point| &point.kept.measured.detail);
        details.filter_map(of).collect()
    }

    /// Its median, with the least and the greatest.
    fn cell(&self, unit: figure::Unit, of: impl Fn(&Outcome) -> Option<f64>) -> Cell {
        let values = self.values(of);
        let interval = range(&values);
        Figure::cell(median(values).map(|value| Figure::new(unit, value).within(interval)))
    }

    fn p95_us(&self) -> Option<f64> {
        median(self.values(|outcome| first_byte(outcome)?.p95_us))
    }
}

fn first_byte(outcome: &Outcome) -> Option<&Distribution> {
    outcome.total.latencies.first_byte.as_ref()
}

fn all(points: &[TraceComparison]) -> Vec<Runs<'_>> {
    let mut all: Vec<Runs> = Vec::new();
    for point in points {
        let (of, settings) = (&point.kept.point, &point.kept.settings);
        let (cell, node) = (of.on(Axis::Cell), of.on(Axis::Store));
        match all
            .iter_mut()
            .find(|runs| (runs.cell, runs.node) == (cell, node))
        {
            Some(runs) => runs.points.push(point),
            None => all.push(Runs {
                cell,
                node,
                trace: &settings.trace,
                scale: settings.scale,
                points: vec![point],
            }),
        }
    }
    all
}

/// The table, with published figures beside those of the same trace, scale and node; none where nothing is measured.
pub(super) fn of(points: &[TraceComparison], quoted: &[Outcome]) -> Vec<(String, Table)> {
    let all = all(points);
    if all.is_empty() {
        return Vec::new();
    }
    let published = |runs: &Runs| {
        let name = format!("{} {}", runs.cell, runs.node);
        let outcome = quoted.iter().find(|outcome| outcome.name == name)?;
        Some(Figure::new(figure::US, first_byte(outcome)?.p95_us?))
    };
    let table = Table::of(&all)
        .text("trace", |runs| runs.cell)
        .text("node", |runs| runs.node)
        .figure("runs", |runs| {
            let sent = runs.values(|outcome| outcome.total.throughput_per_s);
            Figure::cell(Some(Figure::new(figure::COUNT, sent.len() as f64)))
        })
        .figure("due/s", |runs| {
            let due = runs.details(|detail| detail.requested_per_s);
            let interval = range(&due);
            let due = median(due).map(|due| Figure::new(figure::PER_S, due));
            Figure::cell(due.map(|due| due.within(interval)))
        })
        .figure("requests/s", |runs| {
            runs.cell(figure::PER_S, |outcome| outcome.total.throughput_per_s)
        })
        .figure("first byte", |runs| {
            runs.cell(figure::US, |outcome| first_byte(outcome)?.mean_us)
        })
        .figure("median", |runs| {
            runs.cell(figure::US, |outcome| first_byte(outcome)?.p50_us)
        })
        .figure("95 %", |runs| {
            runs.cell(figure::US, |outcome| first_byte(outcome)?.p95_us)
        })
        .figure("published", |runs| Figure::cell(published(runs)))
        .figure("99 %", |runs| {
            runs.cell(figure::US, |outcome| first_byte(outcome)?.p99_us)
        })
        .text("within 0.5 s", |runs| match runs.p95_us() {
            Some(us) if us <= FIRST_BYTE_LINE_US => "yes",
            Some(_) => "no",
            None => "refused",
        })
        .text("busiest", |runs| busiest(runs));
    let title = "Time to the first byte: medians of the runs, from the least to the greatest";
    vec![(title.to_owned(), table.into())]
}

/// The resource that was busy for the largest share of the time, and that share. File servers, mounts and clients have no processors of their
/// own: with the web server they share those of the machine.
fn busiest(runs: &Runs) -> String {
    let outcomes = runs.points.iter().filter_map(|point| point.kept.compared());
    let resources = outcomes.flat_map(|outcome| &outcome.resources);
    let used = resources.filter_map(|resource| Some((&*resource.name, resource.utilisation?)));
    let machine = runs.points.iter().filter_map(|point| {
        let quietness = point.kept.measured.quietness.as_ref()?;
        Some(("the machine's processors", quietness.own_cpu_share))
    });
    let most = used
        .chain(machine)
        .max_by(|(_, one), (_, other)| one.total_cmp(other));
    most.map_or_else(String::new, |(name, share)| {
        format!("{name}, {:.0} %", share * 100.0)
    })
}

/// Where each curve has its knee.
pub(super) fn knees(points: &[TraceComparison]) -> Vec<String> {
    let all = all(points);
    let mut curves: Vec<(&str, &str)> = all.iter().map(|runs| (runs.trace, runs.node)).collect();
    curves.sort_unstable();
    curves.dedup();
    let knee = |(trace, node): (&str, &str)| {
        let own = all
            .iter()
            .filter(|runs| (runs.trace, runs.node) == (trace, node));
        let mut known: Vec<(f64, f64)> = own
            .filter_map(|runs| Some((runs.scale, runs.p95_us()?)))
            .collect();
        known.sort_by(|one, other| one.0.total_cmp(&other.0));
        let &(lowest, base_us) = known.first()?;
        let &(highest, _) = known.last()?;
        let knee = known.iter().find(|(_, us)| *us > KNEE * base_us);
        Some(match knee {
            Some((scale, us)) => format!(
                "{trace}, {node}: the knee is at {scale} times the rate, where 95 % of the first bytes take {:.1} times what they take at {lowest}.",
                us / base_us
            ),
            None => format!("{trace}, {node}: no knee up to {highest} times the rate."),
        })
    };
    curves.into_iter().filter_map(knee).collect()
}

/// Which scales ask for more than is due.
pub(super) fn short(points: &[TraceComparison]) -> Vec<String> {
    let mut known: Vec<(&str, f64, f64)> = Vec::new();
    for runs in all(points) {
        let asked = median(runs.details(|detail| detail.asked_per_s));
        let due = median(runs.details(|detail| detail.requested_per_s));
        if let Some((asked, due)) = asked.zip(due)
            && known.iter().all(|it| it.0 != runs.cell)
        {
            known.push((runs.cell, asked, due));
        }
    }
    let sentence = |(cell, asked, due): (&str, f64, f64)| {
        format!(
            "{cell}: the scale asks for {asked:.0} requests/s and {due:.0} are due. It starts connections sooner; the pauses within each stay."
        )
    };
    known.into_iter().map(sentence).collect()
}

/// Whose requests failed, which have no times.
pub(super) fn failed(points: &[TraceComparison]) -> Vec<String> {
    let sentence = |runs: &Runs| {
        let failed = runs.values(|outcome| {
            let (failed, answered) = (outcome.total.errors?, outcome.total.requests?);
            Some(failed as f64 / (failed + answered).max(1) as f64)
        });
        let share = median(failed).filter(|share| *share > 0.0)?;
        Some(format!(
            "{}, {}: {:.1} % of the requests failed. Times to the first byte are those of the others.",
            runs.cell,
            runs.node,
            share * 100.0
        ))
    };
    all(points).iter().filter_map(sentence).collect()
}

/// What the client could not send.
pub(super) fn refused(points: &[TraceComparison]) -> Vec<String> {
    let refused = points.iter().filter_map(|point| {
        let why = point.kept.measured.detail.refused.as_ref()?;
        Some(format!(
            "{} is refused: {why}. What was measured would be the client's.",
            point.kept.point
        ))
    });
    refused.collect()
}
