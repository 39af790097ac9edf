//! What the model says of kept runs in which nothing shares the node: the same visitors of the same application, in simulated time.

use std::time::Duration;

use hotset_models::dynamic::{Measured, simulate};
use hotset_models::tiers::TiersResult;
use hotset_outcome::{GroupKey, GroupKind, Outcome, Provenance, ProvenanceKind};
use hotset_scenario::{
    ApplicationProfile, Client, Database, Engine, FlushMethod, Node, Place, Scenario, StoreSpec,
};
use hotset_topology::{Browsers, Nodes, Visited, add_resources};
use hotset_workload::applications;
use hotset_workload::sessions::Mix;

use super::result::{DatabasesPrediction, DatabasesResult, Settings};
use super::section::{Background, Section};
use crate::clients::at_once;
use crate::study::Prediction;
use crate::{Axis, ExperimentError};

/// The node and the application of an experiment.
pub(super) struct Model<'m> {
    pub section: &'m Section,
    pub web: &'m Node,
    pub store: &'m StoreSpec,
    pub profile: &'m ApplicationProfile,
}

impl Model<'_> {
    /// Predicts the kept runs, but for those beside a background, and those on a node that has all processors of the machine: what it is given
    /// then is not known.
    ///
    /// # Errors
    /// A run that cannot be simulated.
    pub fn predict(
        &self,
        kept: &[DatabasesResult],
    ) -> Result<Vec<Option<Prediction<DatabasesPrediction>>>, ExperimentError> {
        let alone = Background::None.to_string();
        at_once(kept, "a simulation of a run broke off", |kept| {
            let is_alone = kept.settings.background == alone;
            match is_alone && self.web.cpus.is_some() && kept.compared().is_some() {
                true => self.simulated(kept).map(Some),
                false => Ok(None),
            }
        })
    }

    fn simulated(
        &self,
        kept: &DatabasesResult,
    ) -> Result<Prediction<DatabasesPrediction>, ExperimentError> {
        let settings = &kept.settings;
        let mix = self.mix(settings)?;
        let scenario = self.scenario(settings);
        let nodes = Nodes::of_pages(&scenario)?;
        let names: Vec<String> = mix.pages.iter().map(|page| page.name.clone()).collect();
        let held = settings.pinned.iter().chain(&settings.in_memory);
        let held: Vec<String> = held.cloned().collect();
        let site = nodes.dynamic_site(Visited {
            profile: &self.profile_of(settings),
            pages: &names,
            pinned: &held,
            neighbour: None,
        })?;
        let run: u64 = kept.point.on(Axis::Run).parse().unwrap_or(1);
        let seed = settings.seed.wrapping_add(run);
        let mut browsers = Browsers::new(&mix, seed);
        let result = simulate(&site, &mut browsers, Measured::of(&site), seed, &|| true)?;
        let detail = detail(&result);
        let name = format!("{}, simulated", kept.point);
        Ok(Prediction {
            outcome: outcome(name, seed, (&nodes, &names), result),
            ratio: None,
            detail,
        })
    }

    fn mix(&self, settings: &Settings) -> Result<Mix, ExperimentError> {
        let mixes = self
            .section
            .foreground()
            .application(self.section.engine)
            .mixes();
        let mix = mixes.into_iter().find(|mix| mix.name == settings.mix);
        let missing = || ExperimentError::Unusable(format!("there is no mix `{}`", settings.mix));
        let mix = mix.ok_or_else(missing)?;
        let mean = Duration::from_millis(settings.think_ms);
        Ok(Mix {
            think: mix.think.with_mean(mean),
            ..mix
        })
    }

    /// What pages take. Where commits do not wait for the disk, no page does.
    fn profile_of(&self, settings: &Settings) -> ApplicationProfile {
        let mut profile = self.profile.clone();
        if settings.durability != 1 {
            let pages = profile.pages.iter_mut();
            pages.for_each(|page| page.log_flushes = 0.0);
        }
        profile
    }

    /// The node with its browsers and its database.
    fn scenario(&self, settings: &Settings) -> Scenario {
        let method = settings.flush_method.to_ascii_uppercase();
        let database = Database {
            name: "foreground".to_owned(),
            node: self.web.name.clone(),
            store: 0,
            engine: match self.section.engine {
                applications::Engine::Innodb => Engine::InnoDb,
                applications::Engine::Myisam => Engine::MyIsam,
                applications::Engine::Aria => Engine::Aria,
            },
            said_pool_bytes: Some(settings.pool_bytes),
            said_flush_method: Some(match method.starts_with("O_DIRECT") {
                true => FlushMethod::Direct,
                false => FlushMethod::Fsync,
            }),
            probes: Vec::new(),
            sites: Vec::new(),
            socket: None,
            configuration: None,
            at: Place { line: 1, column: 1 },
        };
        let browsers = Client {
            timeout_ns: None,
            name: "browsers".to_owned(),
            asks: self.web.name.clone(),
            clients: settings.clients,
            think_ns: settings.think_ms.saturating_mul(1_000_000),
            node: None,
        };
        Scenario {
            nodes: vec![self.web.clone()],
            stores: vec![self.store.clone()],
            clients: vec![browsers],
            databases: vec![database],
            ..Scenario::default()
        }
    }
}

fn detail(result: &TiersResult) -> DatabasesPrediction {
    let response = result.total.latencies.response.as_ref();
    let mut pools = result.nodes.iter().filter_map(|node| node.pool);
    DatabasesPrediction {
        pages_per_s: result.total.throughput_per_s,
        mean_us: response.and_then(|it| it.mean_us),
        p95_us: response.and_then(|it| it.p95_us),
        pool_hit_ratio: pools.next().and_then(|it| it.hit_ratio()),
    }
}

fn outcome(
    name: String,
    seed: u64,
    (nodes, names): (&Nodes<'_>, &[String]),
    result: TiersResult,
) -> Outcome {
    let provenance = Provenance {
        seed: Some(seed),
        ..Provenance::new(ProvenanceKind::Simulated)
    };
    let mut outcome = Outcome::new(name, provenance, result.total);
    for (page, score) in names.iter().zip(result.sites) {
        if score.requests > Some(0) {
            outcome = outcome.with_group(GroupKey::new(GroupKind::Page, page), score);
        }
    }
    for (node, result) in nodes.nodes.iter().zip(result.nodes) {
        add_resources(&mut outcome, &node.name, result);
    }
    outcome
}
