//! What is counted while requests are made and answered.

use std::collections::{HashMap, VecDeque};

use hotset_outcome::{Latencies, Recorder, Score, Times};
use hotset_petri::Time;

use super::faults::Faults;
use super::message::{Message, Wire};
use super::over_time::OverTime;
use super::system::Event;
use super::traffic::Traffic;

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
    /// Requests made before measuring began, and when that was.
    asked_before: usize,
    measured_since: Time,
    /// Whether times are kept.
    is_measuring: bool,
    total: SiteCounts,
    sites: Vec<SiteCounts>,
    /// By link: what its node receives, or what comes to the first of its two nodes; what is sent the other way.
    links: Vec<[Flow; 2]>,
    /// The same: what is still to pass it, as far as that is known before its time.
    to_pass: Vec<[ToPass; 2]>,
    /// By node: how long messages have waited for its processors, all together.
    waited_ns: Vec<u64>,
    /// The same for its workers, where they are limited.
    waited_for_worker_ns: Vec<u64>,
    /// Answers of several pieces of which some have come.
    in_parts: HashMap<u32, Part>,
}

/// A way of a link.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    In,
    Out,
}

/// What passed one way of a link.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Flow {
    /// Bytes since counting began anew, and from the very beginning.
    pub bytes: u64,
    pub all_bytes: u64,
    /// Packets since counting began anew, and those the other way that acknowledge them.
    pub packets: u64,
    pub acks: u64,
    busy_ns: u64,
    /// How long messages have waited until they passed, all together.
    pub waited_ns: u64,
    /// When what passes now has passed.
    free_at_ns: u64,
}

impl Flow {
    /// What has been there `since` begins to pass, and takes so long.
    pub fn pass(&mut self, now: Time, since: Time, wire: Wire, passing_ns: u64) {
        self.waited_ns += (now - since).nanos();
        self.bytes += wire.bytes;
        self.all_bytes += wire.bytes;
        self.packets += wire.packets;
        self.acks += wire.acks;
        self.busy_ns += passing_ns;
        self.free_at_ns = now.nanos() + passing_ns;
    }

    /// How long it was busy, until now.
    pub fn busy_ns(&self, now: Time) -> u64 {
        self.busy_ns - self.ahead_ns(now)
    }

    /// What of the passing that has begun is still to come.
    fn ahead_ns(&self, now: Time) -> u64 {
        self.free_at_ns.saturating_sub(now.nanos())
    }

    fn count_anew(&mut self, now: Time) {
        (self.bytes, self.waited_ns) = (0, 0);
        (self.packets, self.acks) = (0, 0);
        self.busy_ns = self.ahead_ns(now);
    }
}

/// A message that comes to a link.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Passing {
    /// When it comes, no sooner than those before it, and since when it waits.
    pub comes: Time,
    pub since: Time,
    pub wire: Wire,
    pub passing_ns: u64,
}

/// What passes a link whose rate never changes: when each message passes is known as soon as it is known when it comes.
#[derive(Clone, Debug, Default)]
struct ToPass {
    /// When all that is known of has passed.
    free_at: Time,
    /// What does not pass yet, with when it begins to.
    waiting: VecDeque<(Time, Passing)>,
}

impl ToPass {
    /// A message comes; when it begins to pass.
    fn come(&mut self, now: Time, passing: Passing, flow: &mut Flow) -> Time {
        self.count_until(now, flow);
        let start = self.free_at.max(passing.comes);
        self.free_at = start + Time::from_nanos(passing.passing_ns);
        match start > now {
            true => self.waiting.push_back((start, passing)),
            false => passing.pass(start, flow),
        }
        start
    }

    /// Counts what has begun to pass.
    fn count_until(&mut self, now: Time, flow: &mut Flow) {
        while let Some(&(start, passing)) = self.waiting.front()
            && start <= now
        {
            self.waiting.pop_front();
            passing.pass(start, flow);
        }
    }
}

impl Passing {
    fn pass(self, start: Time, flow: &mut Flow) {
        flow.pass(start, self.since, self.wire, self.passing_ns);
    }
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
    /// Of so many links; there are no more nodes than that.
    pub fn new(traffic: &Traffic, links: usize, events: &[Event]) -> Self {
        let sites = traffic.sites.iter().map(|_| SiteCounts::default());
        Self {
            asked: 0,
            ended: 0,
            made: Vec::new(),
            received_bytes: 0,
            faults: Faults::new(events, links),
            asked_before: 0,
            measured_since: Time::ZERO,
            is_measuring: false,
            total: SiteCounts::default(),
            sites: sites.collect(),
            links: vec![[Flow::default(); 2]; links],
            to_pass: vec![<[ToPass; 2]>::default(); links],
            waited_ns: vec![0; links],
            waited_for_worker_ns: vec![0; links],
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
    pub fn flow(&mut self, link: usize, way: Way) -> &mut Flow {
        &mut self.links[link][way as usize]
    }

    /// A message comes to one way of a link, whose rate never changes, after all others that were made known; when it begins to pass.
    pub fn come(&mut self, link: usize, way: Way, now: Time, passing: Passing) -> Time {
        let flow = &mut self.links[link][way as usize];
        self.to_pass[link][way as usize].come(now, passing, flow)
    }

    /// Counting goes as far as this.
    pub fn count_until(&mut self, now: Time) {
        let flows = self.links.iter_mut().flatten();
        for (flow, to_pass) in flows.zip(self.to_pass.iter_mut().flatten()) {
            to_pass.count_until(now, flow);
        }
    }

    /// A message that has been there `since` begins to be served by a node's processors.
    pub fn wait(&mut self, node: usize, now: Time, since: Time) {
        self.waited_ns[node] += (now - since).nanos();
    }

    /// A request that has been there `since` gets a worker of a node.
    pub fn wait_for_worker(&mut self, node: usize, now: Time, since: Time) {
        self.waited_for_worker_ns[node] += (now - since).nanos();
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
        self.links[link]
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
        self.count_until(now);
        self.is_measuring = true;
        self.asked_before = self.asked;
        self.measured_since = now;
        self.waited_ns.fill(0);
        self.waited_for_worker_ns.fill(0);
        self.links
            .iter_mut()
            .flatten()
            .for_each(|flow| flow.count_anew(now));
    }

    /// Requests made since measuring began.
    pub fn asked_since(&self) -> usize {
        self.asked - self.asked_before
    }

    /// Measuring ends.
    pub fn stop(&mut self) {
        self.is_measuring = false;
    }

    /// All requests together, then those of each site, in so long a time.
    pub fn scores(&self, seconds: f64) -> (Score, Vec<Score>) {
        let may_fail = self.faults.are_possible();
        let sites = self.sites.iter().map(|it| it.score(seconds, may_fail));
        (self.total.score(seconds, may_fail), sites.collect())
    }
}
