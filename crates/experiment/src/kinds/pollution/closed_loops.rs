//! Closed loops that were measured, in simulated time: the same requests in the same order, on the node with the files that were held, or with
//! those that `hotset run` decides to hold.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use hotset_models::tiers::{
    Arrivals, ByClass, ClientClass, File, FollowSince, Role, Tiers, TiersResult, Traffic, simulate,
};
use hotset_outcome::{Outcome, Provenance, ProvenanceKind};
use hotset_scenario::{Node, Profile, Scenario, Site};
use hotset_topology::{Content, Followed, Following, Held, Nodes, Servers, Stores, add_resources};

use super::arms::{self, Arm, Goal, Means, page_bytes_of};
use super::daemon;
use super::result::CellResult;
use super::workload::{CellWorkload, SITES};
use crate::{Axis, ExperimentError};

/// No server is done with a request sooner, nanoseconds.
const LEAST_REQUEST_NS: u64 = 1_000;

/// The closed loops of a kept result.
pub(super) struct ClosedLoops<'k> {
    pub kept: &'k CellResult,
    pub workload: &'k CellWorkload,
    /// Its node and store, with the memory for file data that was found.
    pub scenario: &'k Scenario,
    /// Whether its processors are those that the node is limited to. Others are what clients left of the machine's: no quota.
    pub has_own_cpus: bool,
}

impl ClosedLoops<'_> {
    /// Simulates them.
    ///
    /// # Errors
    /// A node that cannot be simulated.
    pub fn simulate(&self) -> Result<TiersResult, ExperimentError> {
        let settings = &self.kept.settings;
        let settling_ns = self.settling_ns();
        let measured_ns = settings.throughput_seconds * 1_000_000_000;
        let mut tiers = self.node()?;
        let sites = self.sites()?;
        let most = most(&tiers, settling_ns + measured_ns) + settings.clients;
        let class = ClientClass {
            asks: 0,
            clients: settings.clients as u32,
            think_ns: 0,
            timeout_ns: None,
            node: None,
        };
        let (traffic, requests) = self.traffic(&sites, most);
        tiers.arrivals = Arrivals::ByClass(ByClass {
            classes: vec![class; sites.len()],
            requests,
            settling_ns,
            measured_ns,
        });
        let seed = settings.workload.seed;
        Ok(simulate(&tiers, &Arc::new(traffic), seed, &|| true)?)
    }

    fn arm(&self) -> Result<&'static Arm, ExperimentError> {
        let arm = arms::named(self.kept.point.on(Axis::Arm));
        arm.map_err(ExperimentError::Unusable)
    }

    /// The sites that clients ask, by number.
    fn sites(&self) -> Result<Range<usize>, ExperimentError> {
        Ok(match self.arm()?.traffic {
            arms::Traffic::BothSites => 0..SITES.len(),
            arms::Traffic::Foreground => 0..1,
        })
    }

    /// How long clients ask before they are measured.
    fn settling_ns(&self) -> u64 {
        let is_paced = self.kept.measured.detail.paced.is_some();
        let interval_seconds = self.kept.settings.daemon_interval.filter(|_| !is_paced);
        interval_seconds.map_or(0, |it| daemon::settling(it).as_nanos() as u64)
    }

    fn node(&self) -> Result<Tiers, ExperimentError> {
        let trace = &self.workload.trace;
        let (stores, servers) = (
            Stores::of(self.scenario, trace)?,
            Servers::of(self.scenario),
        );
        let nodes = Nodes::of(self.scenario)?;
        let followed = self.followed(&nodes.nodes)?;
        let held = |node: &Node| Held {
            follow: followed.on(node),
            ..self.held()
        };
        let mut tiers = nodes.tiers(Content {
            stores: &stores,
            held: &held,
            files_bytes: trace.objects.size.iter().sum(),
            servers: &servers,
        })?;
        for node in &mut tiers.nodes {
            node.processors.quota = node.processors.quota.filter(|_| self.has_own_cpus);
        }
        Ok(tiers)
    }

    /// What was held, and what was left to page caches in the groups of sites.
    fn held(&self) -> Held {
        let held = &self.kept.measured.detail.held;
        let files = held.in_memory();
        let groups = held.group_bytes.iter().enumerate();
        let groups = groups.map(|(site, bytes)| {
            let own = files.iter().copied();
            let own: Vec<u32> = own.filter(|it| self.workload.site(*it) == site).collect();
            Some(bytes.saturating_sub(page_bytes_of(self.workload, &own)))
        });
        Held {
            files: files.into(),
            bytes: page_bytes_of(self.workload, files),
            groups: groups.collect(),
            follow: None,
        }
    }

    /// What `hotset run` decides to hold on `nodes`, where it followed the traffic: it is started when the caches are warm.
    fn followed(&self, nodes: &[&Node]) -> Result<Followed, ExperimentError> {
        let seconds = self.kept.settings.daemon_interval;
        let Some(seconds) = seconds.filter(|_| is_followed(self.kept)) else {
            return Ok(Followed::default());
        };
        let weight = match self.arm()?.goal() {
            Some(Goal::Weight) => self.kept.settings.weight.unwrap_or(1.0),
            _ => 1.0,
        };
        let following = Following {
            interval: Duration::from_secs(seconds),
            since: FollowSince::WarmUp,
        };
        let scenario = self.told(weight)?;
        Ok(following.on(&scenario, nodes, &self.workload.trace)?)
    }

    /// The sites and the store as the daemon is told of them.
    fn told(&self, weight: f64) -> Result<Scenario, ExperimentError> {
        let profile = Profile::named_or_file(daemon::PROFILE);
        let profile = profile.map_err(|error| ExperimentError::Unusable(error.to_string()))?;
        let site = |(name, weight): (&&str, f64)| Site {
            name: (*name).to_owned(),
            matches: Vec::new(),
            weight,
            reservation_bytes: 0,
            reservation_at: None,
            targets: Vec::new(),
            store: 0,
            root: None,
            client_share: Site::CLIENT_SHARE,
        };
        let mut told = self.scenario.clone();
        told.sites = SITES.iter().zip([weight, 1.0]).map(site).collect();
        for store in &mut told.stores {
            store.profile.clone_from(&profile);
        }
        Ok(told)
    }

    /// The requests that came before, and so many of each site, which begins again at the end of its held-out requests.
    fn traffic(&self, sites: &Range<usize>, most: usize) -> (Traffic, Vec<Range<usize>>) {
        let workload = self.workload;
        let is_asked = |object: &u32| sites.contains(&workload.site(*object));
        let held_out = workload.held_out().iter().copied().filter(is_asked);
        let held_out: Vec<u32> = held_out.collect();
        // Where the paced phase did not come right before, its requests came with those of the training part.
        let paced = self.kept.measured.detail.paced.as_ref();
        let paced = paced.map_or(usize::MAX, |paced| paced.counts.requests as usize);
        let training = workload.training().iter().copied().filter(is_asked);
        let mut requests: Vec<u32> = training
            .chain(held_out.iter().copied().take(paced))
            .collect();
        let warm_up = requests.len();
        let own = sites.clone().map(|site| {
            let first = requests.len();
            let own = held_out.iter().copied();
            let own = own.filter(|object| workload.site(*object) == site);
            requests.extend(own.cycle().take(most));
            first..requests.len()
        });
        let own = own.collect();
        let objects = &workload.trace.objects;
        let files = objects.site.iter().zip(&objects.size);
        let files = files.map(|(&site, &bytes)| File { site, bytes });
        let traffic = Traffic {
            sites: SITES.map(str::to_owned).to_vec(),
            files: files.collect(),
            requests,
            times_ns: Vec::new(),
            connections: Vec::new(),
            warm_up,
        };
        (traffic, own)
    }
}

/// Whether `hotset run` followed the closed loops of a kept result from when the caches were warm, and nothing else.
pub(super) fn is_followed(kept: &CellResult) -> bool {
    let detail = &kept.measured.detail;
    let is_run = detail.held.means == Means::Run;
    is_run && detail.paced.is_none() && kept.settings.daemon_interval.is_some()
}

/// The outcome of simulated closed loops of a kept result, on the node of this name.
pub(super) fn outcome(kept: &CellResult, node: &str, result: TiersResult) -> Outcome {
    let settings = kept.point.values();
    let settings = settings.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let provenance = Provenance {
        seed: Some(kept.settings.workload.seed),
        settings: settings.collect(),
        ..Provenance::new(ProvenanceKind::Simulated)
    };
    let name = format!("{}, throughput, simulated", kept.point);
    let outcome = Outcome::new(name, provenance, result.total);
    let sites = SITES.iter().zip(result.sites);
    let mut outcome = sites.fold(outcome, |outcome, (site, score)| {
        outcome.with_site(*site, score)
    });
    for result in result.nodes {
        add_resources(&mut outcome, node, result);
    }
    outcome
}

/// More requests than the processors can work on in so long a time.
fn most(tiers: &Tiers, ns: u64) -> usize {
    let of_node = |node: &hotset_models::tiers::Node| {
        let request_ns = match &node.role {
            Role::Web(web) => web.stores.iter().map(|store| store.request_ns).min(),
            Role::Proxy(_) | Role::Files(_) => None,
        };
        let request_ns = request_ns.unwrap_or(0).max(LEAST_REQUEST_NS);
        let work_ns = ns as f64 * node.processors.count * node.processors.speed;
        (work_ns / request_ns as f64) as usize + 1
    };
    tiers.nodes.iter().map(of_node).sum()
}
