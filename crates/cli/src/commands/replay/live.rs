//! The replay while it runs.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use hotset_replay::{Load, Observer, Options, Progress, Schedule};
use hotset_report::number;

use crate::interrupt;
use crate::progress::Status;

/// Rates are those of so long a time.
const WINDOW: Duration = Duration::from_secs(2);

/// A line on the terminal that follows the replay, and the ear for Ctrl-C.
pub struct Live {
    /// When requests are due, microseconds, rising; empty in a closed loop.
    due_us: Vec<i64>,
    requests: u64,
    state: Mutex<State>,
}

struct State {
    status: Status,
    /// Moments of the last [`WINDOW`].
    seen: VecDeque<Progress>,
}

impl Live {
    pub fn new(schedule: &Schedule, options: &Options) -> Live {
        let open = matches!(options.load, Load::Open);
        let due_us = if open { due(schedule) } else { Vec::new() };
        Live::of(due_us, schedule.target.len() as u64)
    }

    /// Of sessions, which have no end of their own.
    pub fn of_sessions() -> Live {
        Live::of(Vec::new(), 0)
    }

    fn of(due_us: Vec<i64>, requests: u64) -> Live {
        Live {
            due_us,
            requests,
            state: Mutex::new(State {
                status: Status::new("replaying"),
                seen: VecDeque::new(),
            }),
        }
    }

    /// What the line says.
    fn line(&self, first: &Progress, now: &Progress) -> String {
        let seconds = (now.elapsed - first.elapsed).as_secs_f64();
        let mut line = number::per_second((now.finished - first.finished) as f64 / seconds);
        if !self.due_us.is_empty() {
            let due = self.due_by(now.elapsed) - self.due_by(first.elapsed);
            line += &format!(" of {} due", number::per_second(due as f64 / seconds));
        }
        if let Some(p99_us) = now.first_byte_p99_us {
            line += &format!(", first byte p99 ≈ {}", number::duration(p99_us));
        }
        let errors = number::counted(now.errors, "error", "errors");
        let connections = number::counted(now.connections, "connection", "connections");
        line += &format!(", {errors}, {connections} open");
        line
    }

    fn due_by(&self, elapsed: Duration) -> usize {
        self.due_us
            .partition_point(|&due| due <= elapsed.as_micros() as i64)
    }
}

/// When each request is due, rising.
fn due(schedule: &Schedule) -> Vec<i64> {
    let start = |connection: &u32| schedule.start_us[*connection as usize];
    let rows = schedule.connection.iter().zip(&schedule.offset_us);
    let mut due: Vec<i64> = rows
        .map(|(connection, offset)| start(connection) + offset)
        .collect();
    due.sort_unstable();
    due
}

impl Observer for Live {
    fn progress(&self, now: &Progress) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while state
            .seen
            .front()
            .is_some_and(|first| first.elapsed + WINDOW < now.elapsed)
        {
            state.seen.pop_front();
        }
        if let Some(first) = state
            .seen
            .front()
            .filter(|first| first.elapsed < now.elapsed)
        {
            let line = self.line(first, now);
            state
                .status
                .set(now.finished, now.requests.unwrap_or(self.requests), line);
        }
        state.seen.push_back(*now);
    }

    fn interrupted(&self) -> bool {
        interrupt::pending()
    }
}
