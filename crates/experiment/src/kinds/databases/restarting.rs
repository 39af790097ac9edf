//! Measures a point whose servers are restarted: warm, then ended in order, then started again with empty caches.

use hotset_machine::Quietness;
use hotset_outcome::Outcome;
use hotset_replay::SessionsResult;

use super::bench::{Bench, Order};
use super::measure::{AFTER_RESTART, MEASURED, Phase, PointRun, tiers};
use super::result::{Detail, Restarted};
use super::warmth::{WARM_SHARE, WINDOW_SECONDS, seconds_until_warm};
use super::ways::Way;
use crate::ExperimentError;
use crate::kept::Measurement;

/// Measures it. Visitors come for `seconds` after the restart.
///
/// # Errors
/// What fails on the way, and servers that answered no page while they were warm.
pub(super) fn measure(
    run: &PointRun<'_>,
    bench: &mut Bench,
    (way, seconds): (Way, u64),
) -> Result<Measurement<Detail>, ExperimentError> {
    let orders = run.orders(&[], way.options_before());
    let warm = run.warm(bench, &orders)?;
    run.session.step("measuring before the restart")?;
    let before = run.visited(bench, &warm.visitors, run.settings.seconds, MEASURED)?;
    run.session.step("restarting, and measuring after it")?;
    let start = bench.restart(&run.orders(&[], way.options_after()))?;
    let started_seconds = start.elapsed().as_secs_f64();
    let after = run.visited(bench, &warm.visitors, seconds, AFTER_RESTART)?;
    let pinned_bytes = bench.pinned_bytes;
    bench.stop()?;
    let order = orders.first().ok_or_else(nothing)?;
    let dumped_pages = match way.dumps() {
        true => Some(bench.dumped_pages(order.name)?),
        false => None,
    };
    let restart = Restarted {
        dumped_pages,
        ..restarted(&before, (&after, seconds), started_seconds)?
    };
    let outcomes = outcomes(run, order, (&before, &after), started_seconds)?;
    let detail = Detail {
        tiers: tiers(&after.used_us, &after.visits),
        disk_reads: after.counted.disk_reads,
        disk_read_bytes: after.counted.disk_read_bytes,
        pinned_bytes,
        planned: Vec::new(),
        tables: Vec::new(),
        warm_up: warm.warm_up,
        restart: Some(restart),
    };
    Ok(Measurement {
        detail,
        quietness: Some(less_quiet(before.quietness, after.quietness)),
        base: None,
        outcomes,
    })
}

/// When servers that took connections after `started_seconds` were warm.
fn restarted(
    before: &Phase,
    (after, seconds): (&Phase, u64),
    started_seconds: f64,
) -> Result<Restarted, ExperimentError> {
    let warm_pages_per_s = visits(before)?.pages_per_s;
    if warm_pages_per_s <= 0.0 {
        let message = "no page was answered before the restart; look at the servers' logs";
        return Err(ExperimentError::Unusable(message.to_owned()));
    }
    let own = visits(after)?.timeline.iter().take(seconds as usize);
    let pages: Vec<u64> = own.map(|second| second.answered).collect();
    let until_warm = seconds_until_warm(&pages, warm_pages_per_s);
    Ok(Restarted {
        warm_pages_per_s,
        started_seconds,
        seconds_to_warm: until_warm.map(|until| started_seconds + until as f64),
        warm_share: WARM_SHARE,
        window_seconds: WINDOW_SECONDS as u64,
        dumped_pages: None,
    })
}

/// The outcome after the restart, whose timeline begins when the database was started, and that before it.
fn outcomes(
    run: &PointRun<'_>,
    order: &Order<'_>,
    (before, after): (&Phase, &Phase),
    started_seconds: f64,
) -> Result<Vec<Outcome>, ExperimentError> {
    let outcome = |phase: &Phase, what: &str| {
        let outcome = run.outcome(visits(phase)?, what, order);
        Ok::<_, ExperimentError>(phase.counted.clone().on(outcome))
    };
    let mut first = outcome(after, "after the restart")?;
    if let Some(timeline) = &mut first.total.timeline {
        for second in &mut timeline.seconds {
            *second += started_seconds;
        }
    }
    Ok(vec![first, outcome(before, "before the restart")?])
}

/// Visits of the foreground.
fn visits(phase: &Phase) -> Result<&SessionsResult, ExperimentError> {
    phase.visits.first().ok_or_else(nothing)
}

fn nothing() -> ExperimentError {
    ExperimentError::Unusable("no application was restarted".to_owned())
}

/// The one of both in which others used more of the processors.
fn less_quiet(one: Quietness, other: Quietness) -> Quietness {
    match one.others_cpu_share > other.others_cpu_share {
        true => one,
        false => other,
    }
}
