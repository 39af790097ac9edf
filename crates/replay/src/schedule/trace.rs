//! Making the schedule of a trace.

use hotset_trace::sessions::Sessions;
use hotset_trace::{Trace, TraceOrigin};

use super::columns::Schedule;
use super::error::ScheduleError;
use super::options::{Pace, ScheduleOptions};
use super::paths;
use super::select::Selection;
use super::summary::ScheduleSummary;
use super::timescale::Timescale;

/// Makes the schedule of `trace`, whose connections and arrivals are `sessions`, and says what it took.
///
/// # Errors
/// [`ScheduleError`]: nothing that can be sent is left, or its times cannot be kept.
pub fn schedule(
    trace: &Trace,
    sessions: &Sessions,
    options: &ScheduleOptions,
) -> Result<(Schedule, ScheduleSummary), ScheduleError> {
    let clock = Timescale::of(options)?;
    check_times(trace, options.pace)?;
    let selection = Selection::of(trace, sessions, options)?;
    let rows = by_connection(trace, sessions, &selection.rows);
    let mut summary = ScheduleSummary {
        trace_requests: trace.requests.len() as u64,
        skipped: selection.skipped,
        steps_back: selection.steps_back,
        first_us: sessions.time_us[selection.rows[0] as usize],
        ..ScheduleSummary::default()
    };
    let schedule = columns(trace, sessions, &rows, &clock, options, &mut summary);
    Ok((schedule, summary))
}

/// Whether the trace has times that can be kept.
fn check_times(trace: &Trace, pace: Pace) -> Result<(), ScheduleError> {
    if matches!(pace, Pace::AsAnswered) {
        return Ok(());
    }
    if trace.origin == TraceOrigin::Untimed {
        return Err(ScheduleError::NoTimes);
    }
    match trace.requests.time_us.as_slice() {
        [first, rest @ ..] if !rest.is_empty() && rest.iter().all(|time| time == first) => {
            Err(ScheduleError::EqualTimes {
                requests: rest.len() as u64 + 1,
                time_us: *first,
            })
        }
        _ => Ok(()),
    }
}

/// Rows of a trace grouped by connection, connections in the order in which they start.
struct ByConnection {
    rows: Vec<u32>,
    /// Number of each row's connection, dense and rising.
    connection: Vec<u32>,
}

/// Groups `rows`, which are in order of time.
fn by_connection(trace: &Trace, sessions: &Sessions, rows: &[u32]) -> ByConnection {
    if trace.clients.is_empty() {
        return ByConnection {
            rows: rows.to_vec(),
            connection: (0..rows.len() as u32).collect(),
        };
    }
    let numbers = numbered(sessions, rows);
    let mut order: Vec<u32> = (0..rows.len() as u32).collect();
    // Stable: requests of one connection keep the order of their times.
    order.sort_by_key(|&index| numbers[index as usize]);
    ByConnection {
        rows: order.iter().map(|&index| rows[index as usize]).collect(),
        connection: order.iter().map(|&index| numbers[index as usize]).collect(),
    }
}

/// Connections renumbered in the order of their first rows.
fn numbered(sessions: &Sessions, rows: &[u32]) -> Vec<u32> {
    let mut numbers = vec![u32::MAX; sessions.connections as usize];
    let mut next = 0;
    let mut number = |row: &u32| {
        let number = &mut numbers[sessions.connection[*row as usize] as usize];
        if *number == u32::MAX {
            *number = next;
            next += 1;
        }
        *number
    };
    rows.iter().map(&mut number).collect()
}

/// The columns of the schedule.
fn columns(
    trace: &Trace,
    sessions: &Sessions,
    grouped: &ByConnection,
    clock: &Timescale,
    options: &ScheduleOptions,
    summary: &mut ScheduleSummary,
) -> Schedule {
    let time_us = |row: &u32| sessions.time_us[*row as usize];
    let starts: Vec<i64> = starts(grouped)
        .map(|index| time_us(&grouped.rows[index]))
        .collect();
    let offset =
        |(row, connection): (&u32, &u32)| time_us(row).saturating_sub(starts[*connection as usize]);
    let mut schedule = Schedule {
        offset_us: grouped
            .rows
            .iter()
            .zip(&grouped.connection)
            .map(offset)
            .collect(),
        connection: grouped.connection.clone(),
        ..Schedule::default()
    };
    let (elapsed, cut) = clock.elapsed(&starts);
    summary.cut = cut;
    summary.asked_span_us = clock.due(schedule.end(&elapsed));
    schedule.start_us = elapsed.iter().map(|us| clock.due(*us)).collect();
    paths::fill(trace, &grouped.rows, options, &mut schedule);
    summary.fill(trace, options, &grouped.rows, &schedule);
    schedule
}

/// Where each connection begins.
fn starts(grouped: &ByConnection) -> impl Iterator<Item = usize> {
    let connection = &grouped.connection;
    (0..connection.len()).filter(|&index| index == 0 || connection[index] != connection[index - 1])
}
