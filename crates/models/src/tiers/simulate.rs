//! The run: caches warm up, it is measured until the last request is made, and then what is under way ends.

use std::sync::Arc;

use hotset_outcome::Resource;
use hotset_petri::{Choice, Simulation, Time};

use super::counts::Flow;
use super::error::TiersError;
use super::net::{Drawn, draw};
use super::result::{LinkCounts, NodeResult, OtherLink, TiersResult};
use super::system::{Node, Role, Tiers};
use super::traffic::Traffic;

/// Firings between two looks at how many requests were made, where that matters, and between two questions whether to go on.
const FEW_FIRINGS: u64 = 64;
const MANY_FIRINGS: u64 = 1 << 16;
/// Nodes, and classes of clients, that a message can name.
const MOST_NODES: usize = u16::MAX as usize;

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
    check(tiers, traffic)?;
    let drawn = draw(tiers, traffic)?;
    let mut run = Run {
        simulation: drawn.net.simulate(seed, 0, Choice::Fast),
        drawn: &drawn,
        tiers,
        goes_on,
    };
    run.until_asked(traffic.warm_up)?;
    run.measure();
    let started = run.simulation.now();
    run.until_asked(traffic.requests.len())?;
    let mut result = run.result(started);
    run.simulation.object_mut(drawn.counts).stop();
    run.run_to_the_end()?;
    run.add_whole(&mut result);
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
        _ if requests > u32::MAX as usize => too_many("requests", u32::MAX as usize),
        _ => Ok(()),
    }
}

struct Run<'r> {
    simulation: Simulation<'r>,
    drawn: &'r Drawn,
    tiers: &'r Tiers,
    goes_on: &'r dyn Fn() -> bool,
}

impl Run<'_> {
    /// Fires so often; whether anything is left to fire.
    fn fire(&mut self, firings: u64) -> Result<bool, TiersError> {
        let fired = self.simulation.run_firings(firings)?;
        Ok(fired == firings)
    }

    /// Runs until so many requests were made, or a few more.
    fn until_asked(&mut self, requests: usize) -> Result<(), TiersError> {
        let (mut patience, mut goes_on) = (MANY_FIRINGS, true);
        while goes_on {
            let asked = self.simulation.object(self.drawn.counts).asked;
            let left = requests.saturating_sub(asked) as u64;
            if left == 0 {
                break;
            }
            // Each request takes a firing to be made, and others besides.
            let firings = left.clamp(FEW_FIRINGS, MANY_FIRINGS);
            goes_on = self.fire(firings)?;
            patience = patience.saturating_sub(firings);
            if patience == 0 {
                self.ask_whether_to_go_on()?;
                patience = MANY_FIRINGS;
            }
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

    /// Begins to measure.
    fn measure(&mut self) {
        let now = self.simulation.now();
        self.simulation.reset_monitors();
        self.simulation.object_mut(self.drawn.counts).measure(now);
        for &reader in self.drawn.readers.iter().flatten() {
            self.simulation.object_mut(reader).count_anew(now);
        }
        for cache in self.drawn.watched.iter().filter_map(|it| it.proxy_cache) {
            self.simulation.object_mut(cache).count_anew();
        }
        for sharing in self.drawn.watched.iter().filter_map(|it| it.sharing) {
            self.simulation.object_mut(sharing).count_anew(now.nanos());
        }
    }

    /// What was measured since `started`.
    fn result(&mut self, started: Time) -> TiersResult {
        let monitors = self.simulation.monitors();
        let monitors: Vec<f64> = monitors
            .into_iter()
            .map(Option::unwrap_or_default)
            .collect();
        let now = self.simulation.now();
        for sharing in self.drawn.watched.iter().filter_map(|it| it.sharing) {
            self.simulation.object_mut(sharing).count_until(now.nanos());
        }
        let length = now - started;
        // Where all requests come at once, nothing is measured.
        let seconds = length.secs().max(1e-9);
        let nodes = self.tiers.nodes.iter().enumerate();
        let nodes = nodes.map(|(at, node)| self.node(at, node, &monitors, length));
        let nodes = nodes.collect();
        let counts = self.simulation.object(self.drawn.counts);
        let (total, sites) = counts.scores(seconds);
        TiersResult {
            seconds: length.secs(),
            warm_up_seconds: started.secs(),
            total,
            sites,
            nodes,
            other_links: self.other_links(length),
            asked_per_s: counts.asked_since() as f64 / seconds,
            under_way: counts.asked - counts.ended,
            asked: counts.asked,
            ended: counts.ended,
            received_bytes: counts.received_bytes,
            firings: self.simulation.firings(),
        }
    }

    fn node(&self, at: usize, node: &Node, monitors: &[f64], length: Time) -> NodeResult {
        let watched = self.drawn.watched[at];
        let reader = self.drawn.readers[at].map(|it| self.simulation.object(it));
        NodeResult {
            processors: match watched.sharing {
                Some(sharing) => {
                    let sharing = self.simulation.object(sharing);
                    let (busy, present) = sharing.use_since(length.nanos());
                    resource("processors", busy, present)
                }
                None => self.processors(at, node, monitors[watched.busy], length),
            },
            workers: self.workers(at, node, monitors, length),
            disks: reader
                .as_ref()
                .map_or_else(Vec::new, |it| it.disks(length.nanos())),
            link: node.link.map(|_| self.link(at, length)),
            cache: reader.as_ref().map(|it| it.counts()),
            proxy_cache: watched
                .proxy_cache
                .map(|it| self.simulation.object(it).counts()),
            held: reader.map(|it| it.held_counts()).filter(|it| it.files > 0),
        }
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
        let busy = count - monitors[self.drawn.watched[at].free_workers?];
        let counts = self.simulation.object(self.drawn.counts);
        let waiting = share(counts.waited_for_worker_ns(at), length);
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
