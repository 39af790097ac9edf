//! Data-centres of the documents, simulated: a scenario of the folder of experiments, and what its clients ask for.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use hotset_lab::{Control, LabError, go_on};
use hotset_models::tiers::{
    Arrivals, ByClass, ClientClass, NodeResult, Tiers, TiersError, TiersResult, WarmUp,
    simulate_warmed,
};
use hotset_outcome::Score;
use hotset_scenario::{Node, Scenario, ScenarioSetting};
use hotset_topology::{Content, Held, Nodes, Servers, Stores};
use serde::{Deserialize, Serialize};

use super::asked::{Asked, Requests};
use super::kept_file::{hash_beside, kept_or_made};
use crate::ExperimentError;

const SEED: u64 = 1;

/// A data-centre, and what is asked of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Centre {
    /// Its name, one of its own: of the file in which its figures are kept.
    pub name: String,
    /// File of the scenario, below the folder of experiments.
    pub scenario: &'static str,
    /// Keys that are set aside from the file, such as `node.web.memory=1GiB`.
    pub set: Vec<String>,
    /// What its clients ask for.
    pub asked: Asked,
}

/// What came of a simulated data-centre.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct CentreFigures {
    /// Requests answered in a second.
    pub throughput_per_s: Option<f64>,
    /// Mean response, microseconds.
    pub mean_us: Option<f64>,
    /// Hits among the requests.
    pub hit_ratio: Option<f64>,
    /// The same of each site that was asked for.
    pub sites: BTreeMap<String, SiteFigures>,
    /// Packets that web nodes sent and received, for each request.
    pub web_packets_per_request: Option<f64>,
    /// Bytes that web nodes sent and received, for each request, with the headers of packets.
    pub web_bytes_per_request: Option<f64>,
    /// Bytes that web nodes had from their disks in a second, or from the store that stands for file servers.
    pub read_bytes_per_s: f64,
}

/// What clients got of a site.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct SiteFigures {
    pub throughput_per_s: Option<f64>,
    pub mean_us: Option<f64>,
    pub hit_ratio: Option<f64>,
}

/// Figures as they are kept.
#[derive(Serialize, Deserialize)]
struct Simulated {
    figures: CentreFigures,
}

impl Centre {
    /// Its figures, which are kept in the folder `kept`, and what is to be said of that. The scenario is below `experiments`.
    ///
    /// # Errors
    /// A scenario that cannot be simulated; an interruption.
    pub fn figures(
        &self,
        experiments: &Path,
        kept: &Path,
        control: &dyn Control,
    ) -> Result<(CentreFigures, Vec<String>), ExperimentError> {
        go_on(control)?;
        let scenario = experiments.join(self.scenario);
        let made_from = hash_beside(&scenario, &format!("{self:?}"))?;
        let path = kept.join(format!("{}.json", self.name));
        let (made, remarks) = kept_or_made(&path, made_from, || {
            control.step(&format!("simulating {}", self.name));
            let figures = self.simulate(&scenario, control)?;
            Ok(Simulated { figures })
        })?;
        Ok((made.figures, remarks))
    }

    fn simulate(
        &self,
        path: &Path,
        control: &dyn Control,
    ) -> Result<CentreFigures, ExperimentError> {
        let scenario = self.scenario(path)?;
        let Requests {
            traffic,
            files,
            own,
        } = self.asked.requests()?;
        let nodes = Nodes::of(&scenario)?;
        let held = |_: &Node| Held::default();
        let mut tiers = nodes.tiers(Content {
            stores: &Stores::of(&scenario, &files)?,
            held: &held,
            files_bytes: files.objects.size.iter().sum(),
            servers: &Servers::of(&scenario),
        })?;
        if let Asked::TwoSites { seconds, .. } = self.asked {
            tiers.arrivals = by_site(&tiers, own, seconds);
        }
        let traffic = Arc::new(traffic);
        let goes_on = || !control.interrupted();
        let warm_up = WarmUp::WithoutDelays;
        let result = simulate_warmed(&tiers, &traffic, SEED, warm_up, &goes_on);
        let result = result.map_err(|error| match error {
            TiersError::Interrupted => ExperimentError::Lab(LabError::Interrupted),
            error => error.into(),
        })?;
        Ok(figures(&scenario, &traffic.sites, (&tiers, &result)))
    }

    fn scenario(&self, path: &Path) -> Result<Scenario, ExperimentError> {
        let unusable = |why: String| ExperimentError::Unusable(format!("{}: {why}", self.name));
        let settings = self.set.iter().map(|text| text.parse());
        let settings: Vec<ScenarioSetting> =
            settings.collect::<Result<_, _>>().map_err(unusable)?;
        Scenario::load_with(path, &settings).map_err(|error| unusable(error.to_string()))
    }
}

/// As many clients ask for each site as the scenario has, with requests of their own.
fn by_site(tiers: &Tiers, own: Vec<Range<usize>>, seconds: u32) -> Arrivals {
    let classes: Vec<ClientClass> = match &tiers.arrivals {
        Arrivals::Closed(classes) => classes.clone(),
        Arrivals::ByClass(it) => it.classes.clone(),
        Arrivals::Open(_) => Vec::new(),
    };
    let of_sites = own.iter().flat_map(|site| {
        // Proxies share a site's requests evenly.
        let parts = classes.len().max(1);
        let share = site.len() / parts;
        (0..parts).map(move |part| site.start + part * share..site.start + (part + 1) * share)
    });
    Arrivals::ByClass(ByClass {
        requests: of_sites.collect(),
        classes: own.iter().flat_map(|_| classes.iter().copied()).collect(),
        settling_ns: 0,
        measured_ns: u64::from(seconds) * 1_000_000_000,
    })
}

fn figures(
    scenario: &Scenario,
    sites: &[String],
    (tiers, result): (&Tiers, &TiersResult),
) -> CentreFigures {
    let pairs = tiers.nodes.iter().zip(&result.nodes);
    let is_web = |name: &str| {
        let mut nodes = scenario.nodes.iter();
        nodes.any(|node| node.name == name && node.reads_store())
    };
    let webs: Vec<&NodeResult> = pairs
        .filter(|(node, _)| is_web(&node.name))
        .map(|(_, result)| result)
        .collect();
    let links = webs.iter().filter_map(|web| web.link.as_ref());
    let packets: u64 = links
        .clone()
        .map(|link| link.received_packets + link.sent_packets)
        .sum();
    let bytes: u64 = links
        .map(|link| link.received_bytes + link.sent_bytes)
        .sum();
    let caches = webs.iter().filter_map(|web| web.cache);
    let read_bytes: u64 = caches.map(|cache| cache.device_bytes).sum();
    let requests = result.total.requests.filter(|requests| *requests > 0);
    let named = sites.iter().zip(&result.sites);
    let asked = named.filter(|(_, score)| score.requests.is_some_and(|requests| requests > 0));
    CentreFigures {
        throughput_per_s: result.total.throughput_per_s,
        mean_us: result.total.mean_us(),
        hit_ratio: result.total.hit_ratio(),
        sites: asked
            .map(|(name, score)| (name.clone(), SiteFigures::of(score)))
            .collect(),
        web_packets_per_request: requests.map(|requests| packets as f64 / requests as f64),
        web_bytes_per_request: requests.map(|requests| bytes as f64 / requests as f64),
        read_bytes_per_s: read_bytes as f64 / result.seconds.max(1e-9),
    }
}

impl CentreFigures {
    /// Requests for the first site, wherever its files lie, that were answered in a second.
    pub fn first_per_s(&self) -> Option<f64> {
        let own = self
            .sites
            .iter()
            .filter(|(name, _)| name.starts_with("first"));
        let parts: Vec<f64> = own.filter_map(|(_, site)| site.throughput_per_s).collect();
        (!parts.is_empty()).then(|| parts.iter().sum())
    }
}

impl SiteFigures {
    fn of(score: &Score) -> Self {
        Self {
            throughput_per_s: score.throughput_per_s,
            mean_us: score.mean_us(),
            hit_ratio: score.hit_ratio(),
        }
    }
}
