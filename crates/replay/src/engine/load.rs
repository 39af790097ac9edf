//! When connections start and which request comes next on them.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::clock::ns;
use super::plan::{Plan, Row, Shared};
use crate::{Clients, Closed, Load, WarmUp};

/// Pause of a closed loop's client whose request failed without a response: a server that is gone
/// answers at once, and asking it again at once would be a busy loop.
const FAILURE_PAUSE: Duration = Duration::from_millis(10);

/// What a connection (open loop) or a client (closed loop) is to send.
#[derive(Clone, Copy, Debug)]
pub enum Script {
    /// Rows from `next` to before `end`.
    Rows { next: Row, end: Row },
    /// Rows of the cursor with this number, or of all, see [`Load`].
    Cursor(usize),
}

/// A connection or client that starts.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    pub script: Script,
    pub intended_ns: u64,
}

/// A request that is to be sent now.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    pub row: Row,
    /// Whether it is recorded, or warms up.
    pub recorded: bool,
}

/// One thread's share of the load.
pub enum Feed<'a> {
    Open(OpenFeed<'a>),
    Closed(ClosedFeed<'a>),
}

impl<'a> Feed<'a> {
    /// The share of the `index`-th of `threads`.
    pub fn new(plan: &'a Plan<'a>, shared: &'a Shared, index: usize, threads: usize) -> Self {
        match &plan.options.load {
            Load::Open => Feed::Open(OpenFeed {
                plan,
                next: index,
                step: threads,
            }),
            Load::Closed(closed) => {
                Feed::Closed(ClosedFeed::new(plan, shared, closed, index, threads))
            }
        }
    }

    /// When the next connection is to start; `None`: no more will.
    pub fn next_start_ns(&self) -> Option<u64> {
        match self {
            Feed::Open(open) => (open.next < open.plan.schedule.start_us.len())
                .then(|| open.plan.start_ns(open.next)),
            Feed::Closed(closed) => closed.starts.last().map(|_| 0),
        }
    }

    /// The connection that [`Feed::next_start_ns`] announced.
    pub fn start(&mut self) -> Option<Start> {
        let intended_ns = self.next_start_ns()?;
        let script = match self {
            Feed::Open(open) => open.start(),
            Feed::Closed(closed) => Script::Cursor(closed.starts.pop()?),
        };
        Some(Start {
            script,
            intended_ns,
        })
    }

    /// When the script's next request is due, its last one having ended at `ended_ns`; `None`: there is
    /// none.
    pub fn due_ns(&self, script: &Script, ended_ns: u64, lost: bool) -> Option<u64> {
        match (self, script) {
            (Feed::Open(open), Script::Rows { next, end }) => {
                (next < end).then(|| open.plan.due_ns(*next))
            }
            (Feed::Closed(closed), Script::Cursor(_)) => closed.due_ns(ended_ns, lost),
            _ => None,
        }
    }

    /// Takes the script's next request, sent at `now_ns`.
    pub fn take(&mut self, script: &mut Script, now_ns: u64) -> Option<Request> {
        match (self, script) {
            (Feed::Open(open), Script::Rows { next, end }) if *next < *end => {
                let row = *next;
                *next += 1;
                Some(open.request(row))
            }
            (Feed::Closed(closed), Script::Cursor(cursor)) => closed.take(*cursor, now_ns),
            _ => None,
        }
    }
}

/// Connections at their times.
pub struct OpenFeed<'a> {
    plan: &'a Plan<'a>,
    /// Next connection of this thread.
    next: usize,
    step: usize,
}

impl OpenFeed<'_> {
    fn start(&mut self) -> Script {
        let connection = self.next;
        self.next += self.step;
        Script::Rows {
            next: self.plan.first_row[connection],
            end: self.plan.first_row[connection + 1],
        }
    }

    fn request(&self, row: Row) -> Request {
        Request {
            row,
            recorded: is_recorded(self.plan, row),
        }
    }
}

/// Whether an open loop records the row, or warms up with it.
pub fn is_recorded(plan: &Plan<'_>, row: Row) -> bool {
    match plan.options.warm_up {
        WarmUp::None => true,
        WarmUp::Duration(time) => plan.due_ns(row) >= ns(time),
        WarmUp::Requests(requests) => u64::from(row) >= requests,
    }
}

/// Clients that take rows from cursors.
pub struct ClosedFeed<'a> {
    plan: &'a Plan<'a>,
    shared: &'a Shared,
    closed: &'a Closed,
    /// Cursors of the clients that have not started.
    starts: Vec<usize>,
    /// Rows of each cursor; empty for the one that goes over all rows.
    rows: Vec<Vec<Row>>,
}

impl<'a> ClosedFeed<'a> {
    fn new(
        plan: &'a Plan<'a>,
        shared: &'a Shared,
        closed: &'a Closed,
        index: usize,
        threads: usize,
    ) -> Self {
        let clients: Vec<usize> = match &closed.clients {
            Clients::Shared(clients) => vec![0; *clients],
            Clients::PerSite(clients) => one_of_each_in_turn(clients),
        };
        Self {
            plan,
            shared,
            closed,
            starts: clients
                .into_iter()
                .skip(index)
                .step_by(threads)
                .rev()
                .collect(),
            rows: match &closed.clients {
                Clients::Shared(_) => vec![Vec::new()],
                Clients::PerSite(_) => rows_by_site(plan),
            },
        }
    }

    fn due_ns(&self, ended_ns: u64, lost: bool) -> Option<u64> {
        let pause = if lost {
            self.closed.think.max(FAILURE_PAUSE)
        } else {
            self.closed.think
        };
        let due = ended_ns.saturating_add(ns(pause));
        self.may_send(due).then_some(due)
    }

    fn may_send(&self, at_ns: u64) -> bool {
        self.closed
            .duration
            .is_none_or(|duration| at_ns < ns(duration))
    }

    fn take(&self, cursor: usize, now_ns: u64) -> Option<Request> {
        if !self.may_send(now_ns) {
            return None;
        }
        let row = self.next_row(cursor)?;
        let sent_before = self.shared.taken.fetch_add(1, Ordering::Relaxed);
        let recorded = match self.plan.options.warm_up {
            WarmUp::None => true,
            WarmUp::Duration(time) => now_ns >= ns(time),
            WarmUp::Requests(requests) => sent_before >= requests,
        };
        Some(Request { row, recorded })
    }

    /// The cursor's next row; with a duration they begin anew after the last.
    fn next_row(&self, cursor: usize) -> Option<Row> {
        let rows = &self.rows[cursor];
        let count = match &self.closed.clients {
            Clients::Shared(_) => self.plan.schedule.site.len(),
            Clients::PerSite(_) => rows.len(),
        } as u64;
        let position = self.shared.cursors[cursor].fetch_add(1, Ordering::Relaxed);
        if count == 0 || (self.closed.duration.is_none() && position >= count) {
            return None;
        }
        let row = (position % count) as Row;
        Some(rows.get(row as usize).copied().unwrap_or(row))
    }
}

/// The site of each client, sites alternating, so that threads get some of each.
fn one_of_each_in_turn(clients: &[usize]) -> Vec<usize> {
    let most = clients.iter().copied().max().unwrap_or(0);
    let round = |round: usize| (0..clients.len()).filter(move |&site| clients[site] > round);
    (0..most).flat_map(round).collect()
}

fn rows_by_site(plan: &Plan<'_>) -> Vec<Vec<Row>> {
    let mut rows = vec![Vec::new(); plan.schedule.sites.len()];
    for (row, &site) in plan.schedule.site.iter().enumerate() {
        rows[usize::from(site)].push(row as Row);
    }
    rows
}
