//! Calls that are under way, and what was counted of those that are answered.

use std::collections::BTreeMap;

use super::wire::Message;
use crate::remote::file_server::Work;

/// Who waits for a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Nobody.
    Nothing,
    /// A transfer to the client's memory, of which it brings some bytes.
    Read { transfer: u32, file: u32 },
    /// A transfer from the client's memory, of which it takes some bytes. They are on the server's disk then, if it is stable.
    Write {
        transfer: u32,
        file: u32,
        bytes: u64,
        is_stable: bool,
    },
    /// Transfers whose bytes the server has, and may not have on its disk.
    Commit { file: u32 },
}

/// When what became of a call, nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::remote) struct Times {
    /// It was begun, sent, and came to the server.
    pub began_ns: u64,
    pub sent_ns: u64,
    pub arrived_ns: u64,
    /// Its answer was sent, and came to the client.
    pub answered_ns: u64,
    pub back_ns: u64,
}

/// A call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    /// The client that makes it.
    pub client: u32,
    pub message: Message,
    pub purpose: Purpose,
    pub work: Work,
    pub times: Times,
}

impl Call {
    /// One of a client that nobody waits for, and that takes no disk.
    pub fn plain(client: u32, message: Message) -> Self {
        Self {
            client,
            message,
            purpose: Purpose::Nothing,
            work: Work::Nothing,
            times: Times::default(),
        }
    }

    /// Bytes of files in the call, and in its answer.
    pub fn payload(&self) -> (u64, u64) {
        match self.work {
            Work::Read { bytes, .. } => (0, bytes),
            Work::Write { bytes, .. } => (bytes, 0),
            Work::Nothing | Work::Commit { .. } => (0, 0),
        }
    }
}

/// Calls of one name.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CallResult {
    /// How many were answered.
    pub count: u64,
    /// Mean time from its beginning until the client was done with its answer, microseconds.
    pub mean_us: f64,
}

/// Where the time of a call goes, in the mean over all, microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CallParts {
    /// The client's processors, and waiting for them and for a slot of the session.
    pub client_us: f64,
    /// Links, both ways.
    pub network_us: f64,
    /// Waiting for a thread of the server.
    pub threads_us: f64,
    /// With a thread: processors and disks.
    pub server_us: f64,
}

/// What was counted of calls.
#[derive(Clone, Debug, Default)]
pub(in crate::remote) struct CallCounts {
    /// How many were answered and how long they took, by name.
    by_name: BTreeMap<&'static str, (u64, u64)>,
    /// How many were begun and answered; those that were under way when counting began are among the former.
    pub begun: u64,
    pub answered: u64,
    client_ns: u64,
    network_ns: u64,
    server_ns: u64,
    /// How many are under way since when, and the sum of the times that each was.
    under_way: u64,
    since_ns: u64,
    area_ns: u128,
}

impl CallCounts {
    /// A call begins.
    #[inline]
    pub fn begin(&mut self, now_ns: u64) {
        self.pass(now_ns);
        self.under_way += 1;
        self.begun += 1;
    }

    /// The client is done with the answer to a call of this name.
    #[inline]
    pub fn end(&mut self, now_ns: u64, name: &'static str, times: Times) {
        self.pass(now_ns);
        self.under_way -= 1;
        self.answered += 1;
        let of_name = self.by_name.entry(name).or_default();
        of_name.0 += 1;
        of_name.1 += now_ns - times.began_ns;
        self.client_ns += times.sent_ns - times.began_ns + (now_ns - times.back_ns);
        self.network_ns += times.arrived_ns - times.sent_ns + (times.back_ns - times.answered_ns);
        self.server_ns += times.answered_ns - times.arrived_ns;
    }

    /// How many calls are under way.
    pub fn under_way(&self) -> u64 {
        self.under_way
    }

    fn pass(&mut self, now_ns: u64) {
        let passed_ns = u128::from(now_ns.saturating_sub(self.since_ns));
        self.area_ns += passed_ns * u128::from(self.under_way);
        self.since_ns = now_ns;
    }

    /// Forgets what was counted, not what is under way.
    pub fn count_anew(&mut self, now_ns: u64) {
        *self = Self {
            begun: self.under_way,
            under_way: self.under_way,
            since_ns: now_ns,
            ..Self::default()
        };
    }

    /// Calls by their names.
    pub fn by_name(&self) -> BTreeMap<&'static str, CallResult> {
        let result = |(&name, &(count, ns)): (&&'static str, &(u64, u64))| {
            let mean_us = ns as f64 / count.max(1) as f64 / 1e3;
            (name, CallResult { count, mean_us })
        };
        self.by_name.iter().map(result).collect()
    }

    /// Where their time went, of which so much was waiting for threads.
    pub fn parts(&self, waited_ns: u64) -> CallParts {
        let mean_us = |ns: u64| ns as f64 / self.answered.max(1) as f64 / 1e3;
        CallParts {
            client_us: mean_us(self.client_ns),
            network_us: mean_us(self.network_ns),
            threads_us: mean_us(waited_ns),
            server_us: mean_us(self.server_ns.saturating_sub(waited_ns)),
        }
    }

    /// Mean number of calls under way up to `now_ns`, in so long a time.
    pub fn mean_under_way(&self, now_ns: u64, length_ns: u64) -> f64 {
        let rest_ns = u128::from(now_ns.saturating_sub(self.since_ns));
        let area_ns = self.area_ns + rest_ns * u128::from(self.under_way);
        area_ns as f64 / length_ns.max(1) as f64
    }
}
