//! Connections of a server whose workers stay with them, as processes of Apache 1.3 do, and those of its module `prefork` since (`KeepAlive`,
//! `KeepAliveTimeout` and `MaxKeepAliveRequests`).
//!
//! A worker answers the requests of its connection one after the other. It has no other connection until this one is closed: by the client with the
//! last request that it makes, by an error, or by the server. The server closes it when no request has come for long enough, and after so many of
//! them. Connections without a worker stand in line, first come, first served.
//!
//! What a client has sent on a connection that the server closes is asked for again on another one, at the end of the line. That a connection is
//! closed takes no time.

use std::collections::{BTreeMap, VecDeque};

use hotset_petri::Time;
use hotset_scenario::KeepAlive;

use super::message::Message;
use super::servers::Servers;

/// Connections of a node, and its workers.
pub(crate) struct Connections {
    keep_alive: KeepAlive,
    /// Those that have a connection, and connections in line for one.
    workers: Servers<u32>,
    /// Those that have a worker or stand in line, by number.
    open: BTreeMap<u32, Connection>,
    /// Connections without a request, in the order in which the server would close them. Some have had requests since.
    idle: VecDeque<Idle>,
    /// How often a connection came to have no request.
    turns: u64,
    /// Whether somebody will look at those without a request.
    is_looked_at: bool,
    /// How often the node had lost all its connections when that was last looked at.
    losses: u32,
    /// How long requests have waited for a worker, all together, nanoseconds.
    waited_ns: u64,
}

/// A connection.
struct Connection {
    state: State,
    /// Requests that its worker has begun with since it has one.
    begun: u32,
    /// Requests behind those.
    waiting: VecDeque<Message>,
}

/// What becomes of a connection.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// It waits for a worker.
    InLine,
    /// Its worker answers a request.
    Busy,
    /// Its worker waits for a request, since this turn.
    Idle(u64),
}

/// A connection that had no request, in which turn, and when the server closes it.
#[derive(Clone, Copy)]
struct Idle {
    connection: u32,
    turn: u64,
    until: Time,
}

impl Connections {
    /// Of so many workers.
    pub fn new(workers: u32, keep_alive: KeepAlive) -> Self {
        Self {
            keep_alive,
            workers: Servers::new(workers),
            open: BTreeMap::new(),
            idle: VecDeque::new(),
            turns: 0,
            is_looked_at: false,
            losses: 0,
            waited_ns: 0,
        }
    }

    /// A request comes. It is given back where a worker begins with it at once; else it waits.
    pub fn come(&mut self, now: Time, request: Message) -> Option<Message> {
        let number = request.connection;
        let Some(connection) = self.open.get_mut(&number) else {
            let connection = Connection {
                state: State::InLine,
                begun: 0,
                waiting: VecDeque::from([request]),
            };
            self.open.insert(number, connection);
            let number = self.workers.come(now, number)?;
            return self.take_up(now, number);
        };
        connection.waiting.push_back(request);
        match connection.state {
            State::Idle(_) => connection.begin(now),
            State::InLine | State::Busy => None,
        }
    }

    /// A worker has sent the last byte of an answer, and whether its client closes the connection then. The request that a worker begins with now.
    pub fn done(&mut self, now: Time, number: u32, is_closed: bool) -> Option<Message> {
        let most = self.keep_alive.requests;
        let connection = self.open.get_mut(&number)?;
        let is_full = most.is_some_and(|most| connection.begun >= most);
        if is_closed || is_full {
            return self.close(now, number);
        }
        if let Some(next) = connection.begin(now) {
            return Some(next);
        }
        self.turns += 1;
        connection.state = State::Idle(self.turns);
        self.idle.push_back(Idle {
            connection: number,
            turn: self.turns,
            until: now + Time::from_nanos(self.keep_alive.idle_ns),
        });
        None
    }

    /// The time has come to look at connections without a request. The server closes those that had none for long enough. Requests that workers
    /// begin with now.
    pub fn close_idle(&mut self, now: Time) -> Vec<Message> {
        self.is_looked_at = false;
        let mut begun = Vec::new();
        while let Some(first) = self.idle.front().copied() {
            let is_idle = self.is_idle(first);
            if is_idle && first.until > now {
                break;
            }
            self.idle.pop_front();
            if is_idle {
                begun.extend(self.close(now, first.connection));
            }
        }
        begun
    }

    /// In how long a time somebody is to look at them, where nobody will yet.
    pub fn next_look(&mut self, now: Time) -> Option<Time> {
        if self.is_looked_at {
            return None;
        }
        let first = self.idle.front()?;
        self.is_looked_at = true;
        Some(first.until - now)
    }

    /// The node has lost all its connections so often. Those without a request are gone where that was since; others go with their requests.
    /// Requests that workers begin with now.
    pub fn lose(&mut self, now: Time, losses: u32) -> Vec<Message> {
        let mut begun = Vec::new();
        if std::mem::replace(&mut self.losses, losses) == losses {
            return begun;
        }
        for idle in std::mem::take(&mut self.idle) {
            if self.is_idle(idle) {
                begun.extend(self.close(now, idle.connection));
            }
        }
        begun
    }

    /// Whether a connection has had no request since.
    fn is_idle(&self, idle: Idle) -> bool {
        let connection = self.open.get(&idle.connection);
        connection.is_some_and(|it| it.state == State::Idle(idle.turn))
    }

    /// A connection is closed. What has come on it stands in line as another one; the request that its worker begins with.
    fn close(&mut self, now: Time, number: u32) -> Option<Message> {
        let connection = self.open.get_mut(&number)?;
        connection.state = State::InLine;
        connection.begun = 0;
        // They have waited for their worker, not for a free one.
        connection.waiting.iter_mut().for_each(|it| it.tail = now);
        let has_more = !connection.waiting.is_empty();
        if !has_more {
            self.open.remove(&number);
        }
        let next = self.workers.done(now, has_more.then_some(number))?;
        self.take_up(now, next)
    }

    /// A worker takes a connection: the request that it begins with.
    fn take_up(&mut self, now: Time, number: u32) -> Option<Message> {
        let connection = self.open.get_mut(&number)?;
        let waited = connection.waiting.iter().map(|it| now - it.tail);
        self.waited_ns += waited.map(Time::nanos).sum::<u64>();
        connection.begin(now)
    }

    /// Workers that have a connection.
    pub fn busy(&self) -> u32 {
        self.workers.busy()
    }

    /// How long requests have waited for a worker, all together, nanoseconds.
    pub fn waited_ns(&self) -> u64 {
        self.waited_ns
    }

    /// The share of workers that had a connection, in so long a time since counting began anew.
    pub fn busy_since(&self, length: Time) -> f64 {
        self.workers.busy_since(length)
    }

    /// Counting goes as far as this.
    pub fn count_until(&mut self, now: Time) {
        self.workers.count_until(now);
    }

    /// Forgets what was counted, not what is under way.
    pub fn count_anew(&mut self, now: Time) {
        self.workers.count_anew(now);
        self.waited_ns = 0;
    }
}

impl Connection {
    /// Its worker begins with the next request, where there is one.
    fn begin(&mut self, now: Time) -> Option<Message> {
        let next = self.waiting.pop_front()?;
        self.state = State::Busy;
        self.begun += 1;
        Some(Message { tail: now, ..next })
    }
}
