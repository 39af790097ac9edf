//! What is counted while requests are made and answered.

use std::collections::HashMap;

use hotset_outcome::{Latencies, Recorder, Score, Times};
use hotset_petri::Time;

use super::batches::{BatchFigures, Batches};
use super::faults::Faults;
use super::link_queue::{Flow, Held, LinkQueue, Way};
use super::message::Message;
use super::over_time::OverTime;
use super::patience::Patience;
use super::system::Link;
use super::traffic::Traffic;

/// How often a link is looked at while something is held back for it that may come to change, nanoseconds.
const LOOK_NS: u64 = 1_000_000;

/// What is counted of all requests, and of each node's link.
pub(crate) struct Counts {
    /// Requests made and requests ended, from the very beginning.
    pub asked: usize,
    pub ended: usize,
    /// Requests of its own that each class of clients has made, by number, where classes have some.
    made: Vec<usize>,
    /// Bytes of files that clients have received, from the very beginning.
    pub received_bytes: u64,
    /// What has failed.
    pub faults: Faults,
    /// What clients wait for who do not wait for ever.
    pub patience: Patience,
    /// Requests made before measuring began, and when that was.
    asked_before: usize,
    measured_since: Time,
    /// Whether times are kept, and whether that is over.
    is_measuring: bool,
    has_ended: bool,
    total: SiteCounts,
    sites: Vec<SiteCounts>,
    /// By link: what its node receives, or what comes to the first of its two nodes; what is sent the other way.
    links: Vec<[LinkQueue; 2]>,
    /// By node: how long messages have waited for its processors, all together.
    waited_ns: Vec<u64>,
    /// The same for its workers, where they are limited.
    waited_for_worker_ns: Vec<u64>,
    /// By node: workers that have a request or a connection, where they are limited.
    workers: Vec<u32>,
    /// All requests that were answered, in batches.
    batches: Batches,
    /// Connections that clients have opened, from the very beginning.
    connections: u32,
    /// Answers of several pieces of which some have come.
    in_parts: HashMap<u32, Part>,
}

#[derive(Default)]
struct Part {
    bytes: u64,
    has_waited: bool,
}

#[derive(Default)]
struct SiteCounts {
    answers: Recorder,
    first_byte: Times,
    errors: u64,
    over_time: OverTime,
}

impl SiteCounts {
    /// In so many seconds; errors where there may be some.
    fn score(&self, seconds: f64, may_fail: bool) -> Score {
        let score = self.answers.score();
        Score {
            errors: may_fail.then_some(self.errors),
            timeline: self.over_time.timeline(seconds, may_fail),
            throughput_per_s: score.requests.map(|it| it as f64 / seconds),
            latencies: Latencies {
                first_byte: Some(self.first_byte.distribution()),
                ..score.latencies
            },
            ..score
        }
    }
}

impl Counts {
    /// Of so many links; there are no more nodes than that. Requests may fail, and what links hold back may change: by events, or as nobody
    /// waits for it any more.
    pub fn new(traffic: &Traffic, links: usize, (may_fail, may_change): (bool, bool)) -> Self {
        let sites = traffic.sites.iter().map(|_| SiteCounts::default());
        let look_ns = if may_change { LOOK_NS } else { u64::MAX };
        let link = |_: usize| [(); 2].map(|()| LinkQueue::new(look_ns));
        Self {
            asked: 0,
            ended: 0,
            made: Vec::new(),
            received_bytes: 0,
            faults: Faults::new(may_fail, links),
            patience: Patience::default(),
            asked_before: 0,
            measured_since: Time::ZERO,
            is_measuring: false,
            has_ended: false,
            total: SiteCounts::default(),
            sites: sites.collect(),
            links: (0..links).map(link).collect(),
            waited_ns: vec![0; links],
            waited_for_worker_ns: vec![0; links],
            workers: vec![0; links],
            batches: Batches::default(),
            connections: 0,
            in_parts: HashMap::new(),
        }
    }

    /// A class of clients makes a request of its own; how many it has made before.
    pub fn make(&mut self, class: usize) -> usize {
        if self.made.len() <= class {
            self.made.resize(class + 1, 0);
        }
        self.made[class] += 1;
        self.made[class] - 1
    }

    /// All clients have gone. Others come in their place, who begin with the first requests of their classes.
    pub fn begin_anew(&mut self, now: Time) {
        self.faults.give_up(now);
        self.in_parts.clear();
        self.made.clear();
        self.ended = self.asked;
    }

    /// One way of a link.
    #[inline]
    pub fn queue(&mut self, link: usize, way: Way) -> &mut LinkQueue {
        &mut self.links[link][way as usize]
    }

    /// Of what is held back for one way of a link, which is like this now, something may be all in line: see [`LinkQueue::end`].
    pub fn end(
        &mut self,
        (number, way): (usize, Way),
        now: Time,
        link: Link,
    ) -> (Option<Held>, Option<u64>) {
        let (queue, faults) = (&mut self.links[number][way as usize], &self.faults);
        let is_stale = |message: &Message| faults.is_stale(message);
        queue.end(now, link, (faults.changes(), is_stale))
    }

    /// Counting goes as far as this.
    pub fn count_until(&mut self, now: Time) {
        let queues = self.links.iter_mut().flatten();
        queues.for_each(|queue| queue.count_until(now));
    }

    /// A message that has been there `since` begins to be served by a node's processors.
    pub fn wait(&mut self, node: usize, now: Time, since: Time) {
        self.waited_ns[node] += (now - since).nanos();
    }

    /// A request that has been there `since` gets a worker of a node.
    pub fn begin_worker(&mut self, node: usize, now: Time, since: Time) {
        self.waited_for_worker_ns[node] += (now - since).nanos();
        self.workers[node] += 1;
    }

    /// A worker of a node is done with its request.
    pub fn end_worker(&mut self, node: usize) {
        self.workers[node] = self.workers[node].saturating_sub(1);
    }

    /// So many workers of a node have a connection, where they stay with those.
    pub fn set_workers(&mut self, node: usize, workers: u32) {
        self.workers[node] = workers;
    }

    /// A client opens a connection; a number that no other has.
    pub fn connect(&mut self) -> u32 {
        self.connections = self.connections.wrapping_add(1);
        self.connections
    }

    /// Workers of a node that have a request, or a connection.
    pub fn workers(&self, node: usize) -> u32 {
        self.workers[node]
    }

    /// How long requests have waited for a node's workers, all together.
    pub fn waited_for_worker_ns(&self, node: usize) -> u64 {
        self.waited_for_worker_ns[node]
    }

    /// How long messages have waited for a node's processors, all together.
    pub fn waited_ns(&self, node: usize) -> u64 {
        self.waited_ns[node]
    }

    /// What passed a link: in, out.
    pub fn flows(&self, link: usize) -> [Flow; 2] {
        self.links[link].each_ref().map(|queue| queue.flow)
    }

    /// A request fails. Nobody waits for it any more.
    pub fn fail(&mut self, now: Time, request: &Message, traffic: &Traffic) {
        let (_, file) = traffic.file_of(request.row as usize);
        self.in_parts.remove(&request.row);
        self.faults.end(request.row);
        self.ended += 1;
        if self.is_measuring {
            let since = now - self.measured_since;
            for counts in [&mut self.total, &mut self.sites[usize::from(file.site)]] {
                counts.errors += 1;
                counts.over_time.fail(since);
            }
        }
    }

    /// A piece of an answer has come to its client; whether the request ends thereby. Processors may have pieces overtake each other,
    /// so all are waited for.
    pub fn receive(&mut self, now: Time, piece: &Message, traffic: &Traffic) -> bool {
        if self.faults.is_stale(piece) {
            return false;
        }
        if piece.is_error {
            self.fail(now, piece, traffic);
            return true;
        }
        let (_, file) = traffic.file_of(piece.row as usize);
        self.received_bytes += u64::from(piece.bytes);
        if piece.is_first {
            self.record_first_byte(piece, usize::from(file.site));
        }
        let mut has_waited = piece.has_waited;
        if !(piece.is_first && piece.is_last) {
            let part = self.in_parts.entry(piece.row).or_default();
            part.bytes += u64::from(piece.bytes);
            part.has_waited |= piece.has_waited;
            if part.bytes < file.bytes {
                return false;
            }
            has_waited = part.has_waited;
            self.in_parts.remove(&piece.row);
        }
        self.ended += 1;
        if self.faults.are_possible() {
            self.faults.end(piece.row);
        }
        if self.is_measuring {
            let since = now - self.measured_since;
            let us = (now - piece.since).nanos() as f64 / 1e3;
            self.batches.answer(since, us);
            for counts in [&mut self.total, &mut self.sites[usize::from(file.site)]] {
                counts.answers.record(!has_waited, file.bytes, us);
                counts.over_time.answer(since, file.bytes);
            }
        }
        true
    }

    fn record_first_byte(&mut self, piece: &Message, site: usize) {
        if self.is_measuring {
            let us = (piece.head - piece.since).nanos() as f64 / 1e3;
            for counts in [&mut self.total, &mut self.sites[site]] {
                counts.first_byte.record(us);
            }
        }
    }

    /// Measuring begins.
    pub fn measure(&mut self, now: Time) {
        self.is_measuring = true;
        self.asked_before = self.asked;
        self.measured_since = now;
        self.waited_ns.fill(0);
        self.waited_for_worker_ns.fill(0);
        self.links
            .iter_mut()
            .flatten()
            .for_each(|queue| queue.count_anew(now));
    }

    /// Requests made since measuring began.
    pub fn asked_since(&self) -> usize {
        self.asked - self.asked_before
    }

    /// Measuring ends.
    pub fn stop(&mut self) {
        self.is_measuring = false;
        self.has_ended = true;
    }

    /// Whether it was measured: what is under way ends, and nothing else begins.
    pub fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// All requests together, in batches.
    pub fn batches(&self) -> Vec<BatchFigures> {
        self.batches.figures()
    }

    /// All requests together, then those of each site, in so long a time.
    pub fn scores(&self, seconds: f64) -> (Score, Vec<Score>) {
        let may_fail = self.faults.are_possible();
        let sites = self.sites.iter().map(|it| it.score(seconds, may_fail));
        (self.total.score(seconds, may_fail), sites.collect())
    }
}
