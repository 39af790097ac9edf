//! What the model says of kept runs in which nothing shares the node: the same visitors of the same application, in simulated time.

use hotset_models::dynamic::{Measured, simulate};
use hotset_models::tiers::TiersResult;
use hotset_outcome::{GroupKey, GroupKind, Outcome, Provenance, ProvenanceKind};
use hotset_scenario::{ApplicationProfile, Client, Node, Scenario, StoreSpec};
use hotset_topology::{Browsers, Nodes, Visited, add_resources};
use hotset_workload::sessions::Mix;

use super::result::{DatabasesPrediction, DatabasesResult, Settings};
use super::section::{Background, Section};
use super::server::described;
use super::visitors::mix;
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
        let planned = kept.measured.detail.planned.first();
        let pool_bytes = planned.map_or(settings.pool_bytes, |it| it.pool_bytes);
        let scenario = self.scenario(settings, pool_bytes);
        let nodes = Nodes::of_pages(&scenario)?;
        let names: Vec<String> = mix.pages.iter().map(|page| page.name.clone()).collect();
        let pinned = planned.map_or(&settings.pinned, |it| &it.pinned);
        let held = pinned.iter().chain(&settings.in_memory);
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
        let foreground = self.section.foreground();
        let (engine, think_ms) = (self.section.engine, settings.think_ms);
        mix(foreground, engine, &settings.mix, think_ms)
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
    fn scenario(&self, settings: &Settings, pool_bytes: u64) -> Scenario {
        let database = described(
            ("foreground", &self.web.name),
            self.section.engine,
            pool_bytes,
            &settings.flush_method,
        );
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
