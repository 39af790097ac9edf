//! The run: caches warm up, it is measured until the last request is made or for a time, and then what is under way ends.

use std::collections::BTreeMap;
use std::sync::Arc;

use hotset_outcome::Resource;
use hotset_petri::{Choice, Simulation, Time};

use super::busy::{Busy, BusyOverTime};
use super::counts::Counts;
use super::error::TiersError;
use super::link_queue::Flow;
use super::net::{Drawn, draw};
use super::result::{LinkCounts, NodeResult, OtherLink, TiersResult};
use super::system::{Arrivals, Node, Role, Tiers};
use super::traffic::Traffic;
use crate::remote::nfs::CallResult;

/// Firings between two questions whether to go on.
const MANY_FIRINGS: u64 = 1 << 16;
/// Parts of a time that is simulated, after each of which it is asked whether to go on.
const PARTS: u64 = 100;
/// Nodes, and classes of clients, that a message can name.
const MOST_NODES: usize = u16::MAX as usize;

/// How many times as fast as usual disks are that take next to no time.
const NO_DELAYS: f64 = 1000.0;

/// How the first requests warm the caches up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WarmUp {
    /// Disks take their time.
    Timed,
    /// Disks take next to no time, as those of the lab do while experiments warm caches up.
    WithoutDelays,
}

/// Simulates `traffic` on `tiers`. `seed` is for what scatters; `goes_on` is asked now and then.
///
/// # Errors
/// Too little traffic, files that cannot be followed, and an interrupt.
pub fn simulate(
    tiers: &Tiers,
    traffic: &Arc<Traffic>,
    seed: u64,
    goes_on: &dyn Fn() -> bool,
) -> Result<TiersResult, TiersError> {
    simulate_warmed(tiers, traffic, seed, WarmUp::Timed, goes_on)
}

/// The same, with caches that are warmed up so.
///
/// # Errors
/// As [`simulate`].
pub fn simulate_warmed(
    tiers: &Tiers,
    traffic: &Arc<Traffic>,
    seed: u64,
    warm_up: WarmUp,
    goes_on: &dyn Fn() -> bool,
) -> Result<TiersResult, TiersError> {
    check(tiers, traffic)?;
    let drawn = draw(tiers, traffic)?;
    let mut run = Run {
        simulation: drawn.net.simulate(seed, 0, Choice::Fast),
        drawn: &drawn,
        tiers,
        goes_on,
        over_time: None,
    };
    let by_class = match &tiers.arrivals {
        Arrivals::ByClass(it) => Some(it),
        Arrivals::Closed(_) | Arrivals::Open(_) => None,
    };
    run.set_speed_of_disks(match warm_up {
        WarmUp::Timed => 1.0,
        WarmUp::WithoutDelays => NO_DELAYS,
    });
    match by_class {
        Some(_) => run.until_ended(traffic.warm_up)?,
        None => run.until_asked(traffic.warm_up)?,
    }
    let has_warmed_up = run.has_asked(traffic.warm_up);
    run.set_speed_of_disks(1.0);
    run.begin_to_follow();
    run.run_for(by_class.map_or(0, |it| it.settling_ns))?;
    run.measure();
    let started = run.simulation.now();
    match by_class {
        Some(it) => run.run_for(it.measured_ns)?,
        None => run.until_asked(traffic.requests.len())?,
    }
    let mut result = run.result(started);
    run.simulation.object_mut(drawn.counts).stop();
    // Clients of whom each class has requests of its own would go on making them.
    if by_class.is_none() {
        run.run_to_the_end()?;
    }
    run.count_until_now();
    run.add_whole(&mut result);
    result.has_warmed_up = has_warmed_up;
    if by_class.is_none() {
        result.stuck = result.asked.saturating_sub(result.ended);
    }
    Ok(result)
}

fn check(tiers: &Tiers, traffic: &Traffic) -> Result<(), TiersError> {
    let (requests, warm_up) = (traffic.requests.len(), traffic.warm_up);
    if requests <= warm_up {
        return Err(TiersError::TooFewRequests { requests, warm_up });
    }
    let too_many = |what, most| Err(TiersError::TooMany { what, most });
    match tiers.nodes_count() {
        nodes if nodes > MOST_NODES => too_many("nodes", MOST_NODES),
        _ if tiers.arrivals.classes().len() > MOST_NODES => {
            too_many("classes of clients", MOST_NODES)
        }
        _ if requests > u32::MAX as usize => too_many("requests", u32::MAX as usize),
        _ => Ok(()),
    }
}

struct Run<'r> {
    simulation: Simulation<'r>,
    drawn: &'r Drawn,
    tiers: &'r Tiers,
    goes_on: &'r dyn Fn() -> bool,
    /// While it is measured.
    over_time: Option<BusyOverTime>,
}

impl Run<'_> {
    /// Fires so often; whether anything is left to fire.
    fn fire(&mut self, firings: u64) -> Result<bool, TiersError> {
        let mut left = firings;
        while let Some(next) = self.over_time.as_ref().map(BusyOverTime::next_look) {
            left -= self.simulation.run_firings_until(next, left)?;
            if left == 0 {
                return Ok(true);
            }
            if self.simulation.now() < next {
                return Ok(false);
            }
            self.look();
        }
        let fired = self.simulation.run_firings(left)?;
        Ok(fired == left)
    }

    /// Notes how busy everything was until now.
    fn look(&mut self) {
        let Some(mut over_time) = self.over_time.take() else {
            return;
        };
        over_time.add(self.busy(over_time.started()));
        self.over_time = Some(over_time);
    }

    /// Runs until so many requests were made, or a few more.
    fn until_asked(&mut self, requests: usize) -> Result<(), TiersError> {
        self.until(requests, |counts| counts.asked)
    }

    /// Runs until so many requests have ended.
    fn until_ended(&mut self, requests: usize) -> Result<(), TiersError> {
        self.until(requests, |counts| counts.ended)
    }

    fn until(&mut self, requests: usize, of: fn(&Counts) -> usize) -> Result<(), TiersError> {
        let (mut patience, mut goes_on) = (MANY_FIRINGS, true);
        while goes_on {
            let done = of(&self.simulation.object(self.drawn.counts));
            let left = requests.saturating_sub(done) as u64;
            if left == 0 {
                break;
            }
            // Each request takes a firing to be made and one to end, and others besides. One firing too many may be an event an hour later.
            let firings = left.min(MANY_FIRINGS);
            goes_on = self.fire(firings)?;
            patience = patience.saturating_sub(firings);
            if patience == 0 {
                self.ask_whether_to_go_on()?;
                patience = MANY_FIRINGS;
            }
        }
        Ok(())
    }

    /// Whether so many requests were made.
    fn has_asked(&self, requests: usize) -> bool {
        self.simulation.object(self.drawn.counts).asked >= requests
    }

    /// Runs for so long.
    fn run_for(&mut self, ns: u64) -> Result<(), TiersError> {
        let start = self.simulation.now();
        let mut passed_ns = 0;
        while passed_ns < ns {
            passed_ns = (passed_ns + ns.div_ceil(PARTS)).min(ns);
            let end = start + Time::from_nanos(passed_ns);
            self.simulation.run_until(end)?;
            self.ask_whether_to_go_on()?;
        }
        Ok(())
    }

    fn run_to_the_end(&mut self) -> Result<(), TiersError> {
        while self.fire(MANY_FIRINGS)? {
            self.ask_whether_to_go_on()?;
        }
        Ok(())
    }

    fn ask_whether_to_go_on(&self) -> Result<(), TiersError> {
        match (self.goes_on)() {
            true => Ok(()),
            false => Err(TiersError::Interrupted),
        }
    }

    /// From now on all disks are so many times as fast as they are.
    fn set_speed_of_disks(&mut self, speed: f64) {
        let now = self.simulation.now();
        for &reader in self.drawn.readers.iter().flatten() {
            self.simulation
                .object_mut(reader)
                .set_speed_of_all(now, speed);
        }
        for files in self.drawn.watched.iter().filter_map(|it| it.files) {
            self.simulation.object_mut(files).set_speed(now, speed);
        }
    }

    /// The caches are warm: what follows the traffic from now on begins.
    fn begin_to_follow(&mut self) {
        let now = self.simulation.now();
        for &reader in self.drawn.readers.iter().flatten() {
            self.simulation.object_mut(reader).begin_to_follow(now);
        }
    }

    /// Begins to measure.
    fn measure(&mut self) {
        let now = self.simulation.now();
        self.simulation.reset_monitors();
        self.simulation.object_mut(self.drawn.counts).measure(now);
        for &reader in self.drawn.readers.iter().flatten() {
            self.simulation.object_mut(reader).count_anew(now);
        }
        for files in self.drawn.watched.iter().filter_map(|it| it.files) {
            self.simulation.object_mut(files).count_anew(now);
        }
        if let Some(calls) = self.drawn.calls {
            self.simulation.object_mut(calls).count_anew();
        }
        for cache in self.drawn.watched.iter().filter_map(|it| it.proxy_cache) {
            self.simulation.object_mut(cache).count_anew();
        }
        for servers in self.drawn.watched.iter().filter_map(|it| it.servers) {
            self.simulation.object_mut(servers).count_anew(now);
        }
        for sharing in self.drawn.watched.iter().filter_map(|it| it.sharing) {
            self.simulation.object_mut(sharing).count_anew(now.nanos());
        }
        for connections in self.drawn.watched.iter().filter_map(|it| it.connections) {
            self.simulation.object_mut(connections).count_anew(now);
        }
        self.over_time = Some(BusyOverTime::new(now, self.busy(now)));
    }

    fn monitors(&mut self) -> Vec<f64> {
        let monitors = self.simulation.monitors();
        monitors
            .into_iter()
            .map(Option::unwrap_or_default)
            .collect()
    }

    /// How busy everything was since `started`, when measuring began.
    fn busy(&mut self, started: Time) -> Vec<Busy> {
        self.count_until_now();
        let monitors = self.monitors();
        let length = self.simulation.now() - started;
        let nodes = self.tiers.nodes.iter().enumerate();
        let busy = nodes.flat_map(|(at, node)| self.busy_of(at, node, &monitors, length));
        let mut busy: Vec<Busy> = busy.collect();
        for (number, _) in self.tiers.other_links() {
            busy.extend(self.busy_ways(number, length));
        }
        busy
    }

    /// The same of a node's resources, in the order of [`NodeResult`].
    fn busy_of(&self, at: usize, node: &Node, monitors: &[f64], length: Time) -> Vec<Busy> {
        let (now, watched) = (self.simulation.now(), self.drawn.watched[at]);
        let time_ns = length.nanos() as f64;
        let of_time = |busy_ns: f64| Busy { busy_ns, time_ns };
        if let Role::Files(_) = &node.role {
            let mut busy = self.busy_files(at, length);
            if node.link.is_some() {
                busy.extend(self.busy_ways(at, length));
            }
            return busy;
        }
        let processors_ns = match (watched.sharing, watched.servers) {
            (Some(sharing), _) => self.simulation.object(sharing).busy_ns(now.nanos()),
            (None, Some(servers)) => self.simulation.object(servers).busy_since(length) * time_ns,
            (None, None) => monitors[watched.busy] * time_ns,
        };
        let mut busy = vec![of_time(processors_ns)];
        let workers = self.workers(at, node, monitors, length);
        let workers = workers.and_then(|it| it.utilisation);
        busy.extend(workers.map(|share| of_time(share * time_ns)));
        if let Some(reader) = self.drawn.readers[at] {
            let reader = self.simulation.object(reader);
            busy.extend(reader.busy_disks(length.nanos()));
        }
        if node.link.is_some() {
            busy.extend(self.busy_ways(at, length));
        }
        busy
    }

    /// The same of a file server, without its link.
    fn busy_files(&self, at: usize, length: Time) -> Vec<Busy> {
        let files = self.drawn.watched[at].files;
        let files = files.map(|it| self.simulation.object(it));
        files.map_or_else(Vec::new, |it| it.busy(length.nanos()))
    }

    /// The same of a link, each way.
    fn busy_ways(&self, number: usize, length: Time) -> [Busy; 2] {
        let now = self.simulation.now();
        let flows = self.simulation.object(self.drawn.counts).flows(number);
        flows.map(|flow| Busy {
            busy_ns: flow.busy_ns(now) as f64,
            time_ns: length.nanos() as f64,
        })
    }

    /// Has all that counts by itself count until now.
    fn count_until_now(&mut self) {
        let now = self.simulation.now();
        self.simulation
            .object_mut(self.drawn.counts)
            .count_until(now);
        for servers in self.drawn.watched.iter().filter_map(|it| it.servers) {
            self.simulation.object_mut(servers).count_until(now);
        }
        for sharing in self.drawn.watched.iter().filter_map(|it| it.sharing) {
            self.simulation.object_mut(sharing).count_until(now.nanos());
        }
        for connections in self.drawn.watched.iter().filter_map(|it| it.connections) {
            self.simulation.object_mut(connections).count_until(now);
        }
    }

    /// What was measured since `started`.
    fn result(&mut self, started: Time) -> TiersResult {
        let (now, busy) = (self.simulation.now(), self.busy(started));
        let (monitors, length) = (self.monitors(), now - started);
        // Where all requests come at once, nothing is measured.
        let seconds = length.secs().max(1e-9);
        let nodes = self.tiers.nodes.iter().enumerate();
        let nodes = nodes.map(|(at, node)| self.node(at, node, &monitors, length));
        let mut nodes: Vec<NodeResult> = nodes.collect();
        let mut other_links = self.other_links(length);
        if let Some(over_time) = self.over_time.take() {
            over_time.end(now, busy, (&mut nodes, &mut other_links));
        }
        let counts = self.simulation.object(self.drawn.counts);
        let (total, sites) = counts.scores(seconds);
        TiersResult {
            seconds: length.secs(),
            warm_up_seconds: started.secs(),
            total,
            sites,
            nodes,
            other_links,
            asked_per_s: counts.asked_since() as f64 / seconds,
            under_way: counts.asked - counts.ended,
            asked: counts.asked,
            ended: counts.ended,
            has_warmed_up: true,
            stuck: 0,
            received_bytes: counts.received_bytes,
            firings: self.simulation.firings(),
            batches: match &self.tiers.arrivals {
                Arrivals::Closed(_) if self.tiers.events.is_empty() => counts.batches(),
                _ => Vec::new(),
            },
        }
    }

    fn node(&self, at: usize, node: &Node, monitors: &[f64], length: Time) -> NodeResult {
        let watched = self.drawn.watched[at];
        if let Some(files) = watched.files {
            let files = self.simulation.object(files);
            return NodeResult {
                processors: files.processors(length.nanos()),
                workers: Some(files.threads(length.nanos())),
                disks: files.disks(length.nanos()),
                link: node.link.map(|_| self.link(at, length)),
                cache: Some(files.counts()),
                proxy_cache: None,
                held: None,
                memory: None,
                calls: BTreeMap::new(),
                pool: None,
                tiers: Vec::new(),
            };
        }
        let reader = self.drawn.readers[at].map(|it| self.simulation.object(it));
        NodeResult {
            processors: match (watched.sharing, watched.servers) {
                (Some(sharing), _) => {
                    let sharing = self.simulation.object(sharing);
                    let (busy, present) = sharing.use_since(length.nanos());
                    resource("processors", busy, present)
                }
                (None, Some(servers)) => {
                    let busy = self.simulation.object(servers).busy_since(length);
                    self.processors(at, node, busy, length)
                }
                (None, None) => self.processors(at, node, monitors[watched.busy], length),
            },
            workers: self.workers(at, node, monitors, length),
            disks: reader
                .as_ref()
                .map_or_else(Vec::new, |it| it.disks(length.nanos())),
            link: node.link.map(|_| self.link(at, length)),
            cache: reader.as_ref().map(|it| it.counts()),
            memory: reader.as_ref().and_then(|it| it.memory()),
            proxy_cache: watched
                .proxy_cache
                .map(|it| self.simulation.object(it).counts()),
            held: reader.map(|it| it.held_counts()).filter(|it| it.files > 0),
            calls: self.calls(at),
            pool: None,
            tiers: Vec::new(),
        }
    }

    /// Calls of a node to file servers.
    fn calls(&self, at: usize) -> BTreeMap<&'static str, CallResult> {
        let calls = self.drawn.calls.map(|it| self.simulation.object(it));
        calls.map_or_else(BTreeMap::new, |it| it.of_node(at))
    }

    fn processors(&self, at: usize, node: &Node, busy: f64, length: Time) -> Resource {
        let counts = self.simulation.object(self.drawn.counts);
        let served = busy * f64::from(node.processors.processes);
        resource(
            "processors",
            busy,
            served + share(counts.waited_ns(at), length),
        )
    }

    fn workers(&self, at: usize, node: &Node, monitors: &[f64], length: Time) -> Option<Resource> {
        let Role::Web(web) = &node.role else {
            return None;
        };
        let count = f64::from(web.workers?);
        let watched = self.drawn.watched[at];
        let (busy, waited_ns) = match watched.connections {
            Some(connections) => {
                let connections = self.simulation.object(connections);
                let busy = connections.busy_since(length) * count;
                (busy, connections.waited_ns())
            }
            None => {
                let counts = self.simulation.object(self.drawn.counts);
                let busy = count - monitors[watched.free_workers?];
                (busy, counts.waited_for_worker_ns(at))
            }
        };
        let waiting = share(waited_ns, length);
        Some(resource("workers", busy / count, busy + waiting))
    }

    fn link(&self, at: usize, length: Time) -> LinkCounts {
        let now = self.simulation.now();
        let flows = self.simulation.object(self.drawn.counts).flows(at);
        let way = |number: usize, name: &str| {
            let busy = share(flows[number].busy_ns(now), length).min(1.0);
            resource(name, busy, busy + share(flows[number].waited_ns, length))
        };
        let [received, sent] = flows;
        LinkCounts {
            received_bytes: received.bytes,
            sent_bytes: sent.bytes,
            received_packets: received.packets + sent.acks,
            sent_packets: sent.packets + received.acks,
            ways: [way(0, "in"), way(1, "out")],
            all_bytes: all_bytes(flows),
        }
    }

    fn other_links(&self, length: Time) -> Vec<OtherLink> {
        let links = self.tiers.other_links().into_iter();
        let links = links.map(|(number, name)| OtherLink {
            name,
            counts: self.link(number, length),
        });
        links.collect()
    }

    /// Adds what is known only when all has ended.
    fn add_whole(&self, result: &mut TiersResult) {
        let counts = self.simulation.object(self.drawn.counts);
        (result.asked, result.ended) = (counts.asked, counts.ended);
        result.received_bytes = counts.received_bytes;
        result.firings = self.simulation.firings();
        for (at, node) in result.nodes.iter_mut().enumerate() {
            if let Some(link) = &mut node.link {
                link.all_bytes = all_bytes(counts.flows(at));
            }
        }
        let numbers = self.tiers.other_links().into_iter();
        for (link, (number, _)) in result.other_links.iter_mut().zip(numbers) {
            link.counts.all_bytes = all_bytes(counts.flows(number));
        }
    }
}

fn all_bytes(flows: [Flow; 2]) -> [u64; 2] {
    flows.map(|flow| flow.all_bytes)
}

/// A time as a share of the whole: of waiting, by Little's law, the mean number of those who wait.
fn share(ns: u64, length: Time) -> f64 {
    ns as f64 / length.nanos().max(1) as f64
}

fn resource(name: &str, utilisation: f64, queue_length: f64) -> Resource {
    Resource {
        name: name.to_owned(),
        utilisation: Some(utilisation),
        mean_queue_length: Some(queue_length),
        timeline: None,
    }
}
