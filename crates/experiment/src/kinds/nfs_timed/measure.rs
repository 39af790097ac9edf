//! All cells in turn, round after round; before them, what calls cost at that moment.

use std::num::NonZero;
use std::thread;

use hotset_outcome::{GroupKey, GroupKind, Outcome, Provenance, Score};
use hotset_probe::nfs::NfsOperation;

use super::bench::{Asked, Bench};
use super::cell::Cell;
use super::costs::Costs;
use super::result::{CellRounds, Detail};
use super::section::Section;
use crate::comparison::mean_score;
use crate::kept::Measurement;
use crate::quantile::median;
use crate::session::{QuietWatch, Session};
use crate::{Axis, ExperimentError, Point};

/// How long calls are timed that costs are taken from, milliseconds.
const COSTS_MS: u64 = 2000;

/// Measures behind links of one rate. What drifts on the machine drifts for all cells.
pub(super) fn measure(
    section: &Section,
    bench: &Bench,
    point: &Point,
    session: &Session,
) -> Result<Measurement<Detail>, ExperimentError> {
    let quiet = QuietWatch::begin(session.labs_cpu_us()?)?;
    let cells = Cell::all(&section.records, &section.clients);
    let no_rounds = |cell: &Cell| CellRounds {
        cell: cell.name(),
        rounds: Vec::new(),
    };
    let mut calls: Vec<CellRounds> = cells.iter().map(no_rounds).collect();
    let mut costs = Vec::new();
    for round in 1..=section.rounds {
        let of_all = format!("round {round} of {}", section.rounds);
        session.step(&format!("{of_all}, what calls cost"))?;
        costs.push(measure_costs(section.costs, bench)?);
        for (cell, calls) in cells.iter().zip(&mut calls) {
            session.step(&format!("{of_all}, {}", calls.cell))?;
            let asked = Asked {
                operation: cell.asks(),
                record_bytes: cell.record_bytes,
                timed_ms: 1000 * section.seconds,
            };
            calls.rounds.push(bench.run(cell.clients, asked)?.figures);
        }
    }
    // There is at least one round.
    let missing = || ExperimentError::Unusable("nothing was measured".to_owned());
    let detail = Detail {
        processors: thread::available_parallelism().map_or(1, NonZero::get),
        costs: Costs::median(&costs).ok_or_else(missing)?,
        calls,
    };
    let provenance = session.provenance(point, &[("rounds", section.rounds.to_string())]);
    Ok(Measurement {
        quietness: Some(quiet.end(session.labs_cpu_us()?)?),
        base: None,
        outcomes: vec![outcome(point.on(Axis::Cell), provenance, &detail.calls)],
        detail,
    })
}

/// What calls of one client cost, by records of these sizes.
fn measure_costs(sizes: [u64; 2], bench: &Bench) -> Result<Costs, ExperimentError> {
    let calls = |operation: NfsOperation, record_bytes: u64| {
        let asked = Asked {
            operation,
            record_bytes,
            timed_ms: COSTS_MS,
        };
        bench.run(1, asked)
    };
    let [small, large] = sizes;
    let both = |operation: NfsOperation| -> Result<_, ExperimentError> {
        Ok([calls(operation, small)?, calls(operation, large)?])
    };
    Ok(Costs::of(
        sizes,
        calls(NfsOperation::Null, small)?,
        both(NfsOperation::Read)?,
        both(NfsOperation::Write)?,
    ))
}

/// Medians of the rounds, a group for each cell.
fn outcome(name: &str, provenance: Provenance, calls: &[CellRounds]) -> Outcome {
    let bare = Outcome::new(name, provenance, Score::default());
    calls.iter().fold(bare, |outcome, cell| {
        let mean_us = median(cell.rounds.iter().map(|it| it.mean_us));
        let score = Score {
            throughput_per_s: median(cell.rounds.iter().map(|it| it.calls_per_s)),
            ..mean_score(mean_us)
        };
        outcome.with_group(GroupKey::new(GroupKind::Job, cell.cell.clone()), score)
    })
}
