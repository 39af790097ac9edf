//! Measures a point: writes files, warms caches up, has clients ask.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use hotset_lab::{Control, LabError, go_on, happen};
use hotset_outcome::{Link, Outcome, Resource, Score};
use hotset_replay::{
    ClosedLoad, Endpoint, HostHeader, Load, Observer, Options, Pause, Progress, ReplayResult,
    replay,
};
use hotset_scenario::Scenario;
use hotset_trace::Trace;

use super::bench::Bench;
use super::requests::schedule;
use super::result::{ArrivalSettings, Detail, NodeSettings, Settings};
use crate::clients::{PATIENCE, limit_in_words, problem, score};
use crate::kept::Measurement;
use crate::readings::{PhaseCounts, Readings};
use crate::session::{QuietWatch, Session};
use crate::{ExperimentError, Point};

/// Clients that warm caches up.
const WARM_UP_CLIENTS: usize = 8;

/// A point that is measured.
pub(super) struct PointRun<'m> {
    pub session: &'m Session<'m>,
    pub point: &'m Point,
    pub settings: &'m Settings,
    pub scenario: &'m Scenario,
    pub trace: &'m Trace,
}

/// Ends the clients when the run is to end.
struct Interruptions<'c>(&'c dyn Control);

impl Observer for Interruptions<'_> {
    fn progress(&self, _: &Progress) {}

    fn interrupted(&self) -> bool {
        self.0.interrupted()
    }
}

/// Who follows the events, which end with the requests.
struct Until<'c> {
    control: &'c dyn Control,
    is_over: AtomicBool,
}

impl Control for Until<'_> {
    fn step(&self, what: &str) {
        self.control.step(what);
    }

    fn interrupted(&self) -> bool {
        self.is_over.load(Ordering::Relaxed) || self.control.interrupted()
    }
}

impl PointRun<'_> {
    /// Measures it.
    ///
    /// # Errors
    /// What fails on the way.
    pub fn measure(&self, bench: &mut Bench) -> Result<Measurement<Detail>, ExperimentError> {
        self.session.step("writing files")?;
        bench.fill(self.trace, self.session.control)?;
        let site = self.trace.sites.first().map_or("", String::as_str);
        let server = bench.start(site)?;
        self.session.step("warming up")?;
        self.warm_up(server, bench)?;
        self.session.step("asking")?;
        bench.set_delays(true)?;
        let before_us = bench.cpu_us()?;
        let quiet = QuietWatch::begin(self.session.labs_cpu_us()?)?;
        let before = Readings::take(bench.watched())?;
        let replayed = self.ask_through(server, bench)?;
        let counted = before.counted()?;
        let after_us = bench.cpu_us()?;
        let quietness = quiet.end(self.session.labs_cpu_us()?)?;
        let server_memory_bytes = bench.server_memory_bytes()?;
        bench.stop()?;
        let requests = replayed.total.answered().max(1) as f64;
        let used = before_us.iter().zip(&after_us);
        let server_us = used.map(|((name, before), (_, after))| {
            (
                name.clone(),
                after.saturating_sub(*before) as f64 / requests,
            )
        });
        let refused = replayed.client_limit.as_ref().map(limit_in_words);
        let mut outcome = self.outcome(score(&replayed));
        outcome.resources = self.resources(&counted, &before_us, &after_us);
        outcome.links.clone_from(&counted.links);
        Ok(Measurement {
            detail: Detail {
                files_bytes: self.trace.objects.size.iter().sum(),
                server_us: server_us.collect(),
                server_memory_bytes,
                disk_read_bytes: Some(counted.disk_read_bytes),
                refused: refused.clone(),
            },
            quietness: Some(quietness),
            base: None,
            outcomes: refused.map_or_else(|| vec![outcome], |_| Vec::new()),
        })
    }

    /// With the disks' delays off: what is in memory afterwards depends on the requests, not on their times.
    fn warm_up(&self, server: SocketAddr, bench: &Bench) -> Result<(), ExperimentError> {
        let warm_up = self.settings.warm_up as usize;
        if warm_up == 0 {
            return Ok(());
        }
        let load = Load::Closed(ClosedLoad {
            clients: WARM_UP_CLIENTS,
            pause: Pause::NONE,
            duration: None,
        });
        let replayed = self.send((server, bench), load, 0, warm_up)?;
        self.check(&replayed)
    }

    /// The requests that count, while all happens that the scenario has happen. Some of them fail thereby.
    fn ask_through(
        &self,
        server: SocketAddr,
        bench: &Bench,
    ) -> Result<ReplayResult, ExperimentError> {
        let due = bench.due(self.scenario)?;
        if due.is_empty() {
            let replayed = self.ask(server, bench)?;
            self.check(&replayed)?;
            return Ok(replayed);
        }
        let until = Until {
            control: self.session.control,
            is_over: AtomicBool::new(false),
        };
        thread::scope(|scope| {
            let events = scope.spawn(|| happen(&due, &until));
            let replayed = self.ask(server, bench);
            until.is_over.store(true, Ordering::Relaxed);
            let broke = |_| {
                Err(LabError::Unusable(
                    "the thread of the events broke".to_owned(),
                ))
            };
            events.join().unwrap_or_else(broke)?;
            replayed
        })
    }

    /// The requests that count, each once.
    fn ask(&self, server: SocketAddr, bench: &Bench) -> Result<ReplayResult, ExperimentError> {
        let load = match self.settings.arrivals {
            ArrivalSettings::Open { .. } => Load::Open,
            ArrivalSettings::Closed { clients, think_ns } => Load::Closed(ClosedLoad {
                clients: clients as usize,
                pause: Pause::Think(Duration::from_nanos(think_ns)),
                duration: None,
            }),
        };
        let from = self.settings.warm_up as usize;
        self.send((server, bench), load, from, self.trace.requests.len())
    }

    fn send(
        &self,
        (server, bench): (SocketAddr, &Bench),
        load: Load,
        from: usize,
        to: usize,
    ) -> Result<ReplayResult, ExperimentError> {
        let control = self.session.control;
        let failed = |why: String| ExperimentError::Unusable(format!("{}: {why}", self.point));
        let endpoint = Endpoint::resolve(&format!("http://{server}"));
        let options = Options {
            host: HostHeader::Site,
            load,
            response_timeout: PATIENCE,
            ..Options::new(endpoint.map_err(|error| failed(error.to_string()))?)
        };
        let schedule = schedule(self.trace, from, to);
        let observer = Interruptions(control);
        let send = || replay(&schedule, &options, &observer);
        let replayed = match &self.settings.asks_from {
            None => send(),
            Some(node) => {
                let network = bench.network(node)?;
                // What a thread starts is on the network that it has entered.
                let inside = || network.enter().map(|()| send());
                let done = thread::scope(|scope| scope.spawn(inside).join());
                done.map_err(|_| failed("the thread of the clients broke".to_owned()))??
            }
        };
        let replayed = replayed.map_err(|error| failed(error.to_string()))?;
        go_on(control)?;
        Ok(replayed)
    }

    /// Refuses answers that cannot be used.
    fn check(&self, replayed: &ReplayResult) -> Result<(), ExperimentError> {
        match problem(replayed) {
            Some(why) => Err(ExperimentError::Unusable(format!("{}: {why}", self.point))),
            None => Ok(()),
        }
    }

    /// Processors, disks and links, by the names that simulated outcomes give them.
    fn resources(
        &self,
        counted: &PhaseCounts,
        before_us: &[(String, u64)],
        after_us: &[(String, u64)],
    ) -> Vec<Resource> {
        let processors = before_us
            .iter()
            .zip(after_us)
            .map(|((name, before), (_, after))| {
                let node = self.settings.nodes.iter().find(|node| node.name == *name);
                let cpus = node.and_then(|node| node.cpus).unwrap_or_else(processors);
                let used = after.saturating_sub(*before) as f64 / 1e6 / counted.seconds;
                busy(format!("{name} processors"), used / cpus)
            });
        let links = counted.links.iter().flat_map(|link| {
            let mut nodes = self.settings.nodes.iter();
            let node = nodes.find(|node| node.name == link.name);
            node.map_or_else(Vec::new, |node| ways(node, link, counted.seconds))
        });
        let disks = counted.resources.iter().cloned();
        processors.chain(disks).chain(links).collect()
    }

    fn outcome(&self, total: Score) -> Outcome {
        let settings = [
            ("file_bytes", self.settings.file_bytes.to_string()),
            ("files", self.settings.files.to_string()),
        ];
        let provenance = self.session.provenance(self.point, &settings);
        Outcome::new(format!("{}, asked", self.point), provenance, total)
    }
}

/// Processors of the machine.
fn processors() -> f64 {
    std::thread::available_parallelism().map_or(1.0, |count| count.get() as f64)
}

fn busy(name: String, share: f64) -> Resource {
    Resource {
        name,
        utilisation: Some(share.min(1.0)),
        mean_queue_length: None,
        timeline: None,
    }
}

/// Both ways of a node's link; nothing of one without a rate.
fn ways(node: &NodeSettings, link: &Link, seconds: f64) -> Vec<Resource> {
    let Some(rate) = node.link_bits_per_s else {
        return Vec::new();
    };
    let share = |bytes: Option<u64>| bytes.unwrap_or_default() as f64 * 8.0 / rate as f64 / seconds;
    vec![
        busy(format!("{} link in", node.name), share(link.received_bytes)),
        busy(format!("{} link out", node.name), share(link.sent_bytes)),
    ]
}
