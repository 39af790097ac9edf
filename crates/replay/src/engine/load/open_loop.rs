//! Connections that start at their times, whether earlier responses have arrived or not.

use super::script::{Request, Script};
use crate::WarmUp;
use crate::engine::clock::ns;
use crate::engine::requests::{Requests, Row};

/// One thread's connections.
pub struct OpenLoop<'a> {
    requests: &'a Requests<'a>,
    /// The next one of this thread.
    next: usize,
    step: usize,
}

impl<'a> OpenLoop<'a> {
    /// The share of the `index`-th of `threads`.
    pub fn new(requests: &'a Requests<'a>, index: usize, threads: usize) -> Self {
        Self {
            requests,
            next: index,
            step: threads,
        }
    }

    /// When the next connection is to start; `None`: no more will.
    pub fn next_start_ns(&self) -> Option<u64> {
        let more = self.next < self.requests.schedule.start_us.len();
        more.then(|| self.requests.start_ns(self.next))
    }

    /// Starts the next connection.
    pub fn start(&mut self) -> Script {
        let connection = self.next;
        self.next += self.step;
        Script::Rows {
            next: self.requests.first_row[connection],
            end: self.requests.first_row[connection + 1],
        }
    }

    pub fn due_ns(&self, row: Row) -> u64 {
        self.requests.due_ns(row)
    }

    pub fn request(&self, row: Row) -> Request {
        Request {
            row,
            recorded: is_recorded(self.requests, row),
        }
    }
}

/// Whether the row is recorded, or belongs to the ramp or the warm-up.
pub fn is_recorded(requests: &Requests<'_>, row: Row) -> bool {
    let due_ns = requests.due_ns(row);
    let warm = match requests.options.warm_up {
        WarmUp::None => true,
        WarmUp::Duration(time) => due_ns >= ns(time),
        WarmUp::Requests(count) => u64::from(row) >= count,
    };
    warm && due_ns >= ns(requests.options.ramp)
}
