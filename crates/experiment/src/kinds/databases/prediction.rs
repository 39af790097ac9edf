//! What the model says of kept runs: the same visitors of the same applications, in simulated time.

use hotset_models::dynamic::{DynamicSite, Measured, simulate};
use hotset_models::tiers::TiersResult;
use hotset_outcome::{GroupKey, GroupKind, Outcome, Provenance, ProvenanceKind, Score};
use hotset_scenario::{ApplicationProfile, Client, Node, Scenario, StoreSpec};
use hotset_topology::{Browsers, BrowsersOfTwo, Nodes, Visited, add_resources};
use hotset_workload::sessions::Mix;

use super::result::{DatabasesPrediction, DatabasesResult, Settings};
use super::section::{Background, Section, Size};
use super::server::described;
use super::visitors::{BACKGROUND_MIX, mix};
use crate::clients::at_once;
use crate::study::Prediction;
use crate::{Axis, ExperimentError};

/// The node and the applications of an experiment.
pub(super) struct Model<'m> {
    pub section: &'m Section,
    pub web: &'m Node,
    pub store: &'m StoreSpec,
    pub profile: &'m ApplicationProfile,
    /// What pages of the background take, where that is known.
    pub background_profile: Option<&'m ApplicationProfile>,
}

/// An application of a run, with what its server has.
struct Side {
    mix: Mix,
    /// Names of its types of pages, in the order of the mix.
    names: Vec<String>,
    profile: ApplicationProfile,
    pool_bytes: u64,
    /// Tables that are in memory whatever happens.
    held: Vec<String>,
}

impl Model<'_> {
    /// Predicts the kept runs, but for those beside a background of which no profile is named, and those on a node that has all processors of the
    /// machine: what it is given then is not known.
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
            let is_known = is_alone || self.background_profile.is_some();
            match is_known && self.web.cpus.is_some() && kept.compared().is_some() {
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
        let foreground = self.foreground(kept)?;
        let scenario = self.scenario(settings, foreground.pool_bytes)?;
        let nodes = Nodes::of_pages(&scenario)?;
        let site = site(&nodes, &foreground)?;
        let run: u64 = kept.point.on(Axis::Run).parse().unwrap_or(1);
        let seed = settings.seed.wrapping_add(run);
        let result = match self.background(kept)? {
            None => {
                let mut browsers = Browsers::new(&foreground.mix, seed);
                simulate(&site, &mut browsers, Measured::of(&site), seed, &|| true)?
            }
            Some(background) => {
                let clients = site.browsers;
                let site = self.with_second(settings, site, &background)?;
                let mixes = (&foreground.mix, &background.mix);
                let mut browsers = BrowsersOfTwo::new(mixes.0, clients, mixes.1, seed);
                simulate(&site, &mut browsers, Measured::of(&site), seed, &|| true)?
            }
        };
        let detail = detail(&result, foreground.names.len());
        let name = format!("{}, simulated", kept.point);
        Ok(Prediction {
            outcome: outcome(name, seed, (&nodes, &foreground.names), result),
            ratio: None,
            detail,
        })
    }

    fn foreground(&self, kept: &DatabasesResult) -> Result<Side, ExperimentError> {
        let (settings, section) = (&kept.settings, self.section);
        let planned = kept.measured.detail.planned.first();
        let pinned = planned.map_or(&settings.pinned, |it| &it.pinned);
        let held = pinned.iter().chain(&settings.in_memory);
        let mix = mix(
            section.foreground(),
            section.engine,
            &settings.mix,
            settings.think_ms,
        )?;
        Ok(Side {
            names: names(&mix),
            mix,
            profile: profile_of(self.profile, settings),
            pool_bytes: planned.map_or(settings.pool_bytes, |it| it.pool_bytes),
            held: held.cloned().collect(),
        })
    }

    /// The second application of a run; nothing where it had none.
    fn background(&self, kept: &DatabasesResult) -> Result<Option<Side>, ExperimentError> {
        let settings = &kept.settings;
        let (Some(profile), Some(size)) = (self.background_profile, size_of(settings)?) else {
            return Ok(None);
        };
        let planned = kept.measured.detail.planned.get(1);
        let pool_bytes = planned.map_or(settings.background_pool_bytes, |it| it.pool_bytes);
        let (engine, think_ms) = (self.section.engine, settings.think_ms);
        let mix = mix(size, engine, BACKGROUND_MIX, think_ms)?;
        Ok(Some(Side {
            names: names(&mix),
            mix,
            profile: profile_of(profile, settings),
            pool_bytes,
            held: planned.map_or_else(Vec::new, |it| it.pinned.clone()),
        }))
    }

    /// The site with the background beside it.
    fn with_second(
        &self,
        settings: &Settings,
        first: DynamicSite,
        background: &Side,
    ) -> Result<DynamicSite, ExperimentError> {
        let scenario = self.scenario(settings, background.pool_bytes)?;
        let nodes = Nodes::of_pages(&scenario)?;
        let both = first.with_second(site(&nodes, background)?);
        both.ok_or_else(|| {
            ExperimentError::Unusable(format!(
                "node `{}`: buffer pools and pinned tables of both applications leave no page for files; give it more `memory`, or \
                 the pools less",
                self.web.name
            ))
        })
    }

    /// The node with its browsers and a database.
    fn scenario(&self, settings: &Settings, pool_bytes: u64) -> Result<Scenario, ExperimentError> {
        let database = described(
            ("database", &self.web.name),
            self.section.engine,
            pool_bytes,
            &settings.flush_method,
        );
        // The tables of both are on the disk, which the lab has made large enough.
        let needed = size_of(settings)?.map(|background| {
            let both = [self.section.foreground(), background];
            both.map(Size::copy_bytes).iter().sum::<u64>()
        });
        let store = StoreSpec {
            size_bytes: self.store.size_bytes.max(needed),
            ..self.store.clone()
        };
        let browsers = Client {
            timeout_ns: None,
            name: "browsers".to_owned(),
            asks: self.web.name.clone(),
            clients: settings.clients,
            think_ns: Some(settings.think_ms.saturating_mul(1_000_000)),
            node: None,
            opens_connections: false,
        };
        Ok(Scenario {
            nodes: vec![self.web.clone()],
            stores: vec![store],
            clients: vec![browsers],
            databases: vec![database],
            ..Scenario::default()
        })
    }
}

/// The model of one application on the nodes.
fn site(nodes: &Nodes<'_>, side: &Side) -> Result<DynamicSite, ExperimentError> {
    let visited = Visited {
        profile: &side.profile,
        pages: &side.names,
        pinned: &side.held,
        neighbour: None,
    };
    Ok(nodes.dynamic_site(visited)?)
}

fn names(mix: &Mix) -> Vec<String> {
    mix.pages.iter().map(|page| page.name.clone()).collect()
}

/// How large the background of a run is.
fn size_of(settings: &Settings) -> Result<Option<Size>, ExperimentError> {
    let background = settings.background.parse::<Background>();
    let background = background.map_err(ExperimentError::Unusable)?;
    Ok(background.size())
}

/// What pages take. Where commits do not wait for the disk, no page does.
fn profile_of(profile: &ApplicationProfile, settings: &Settings) -> ApplicationProfile {
    let mut profile = profile.clone();
    if settings.durability != 1 {
        let pages = profile.pages.iter_mut();
        pages.for_each(|page| page.log_flushes = 0.0);
    }
    profile
}

/// What is said of a run, where the first types of pages, so many, are the foreground's.
fn detail(result: &TiersResult, pages: usize) -> DatabasesPrediction {
    let response = result.total.latencies.response.as_ref();
    let mut pools = result.nodes.iter().filter_map(|node| node.pool);
    DatabasesPrediction {
        pages_per_s: result.total.throughput_per_s,
        mean_us: response.and_then(|it| it.mean_us),
        p95_us: response.and_then(|it| it.p95_us),
        pool_hit_ratio: pools.next().and_then(|it| it.hit_ratio()),
        background_pages_per_s: background_per_s(&result.sites[pages.min(result.sites.len())..]),
    }
}

/// Pages of all these types in a second; nothing without any.
fn background_per_s(pages: &[Score]) -> Option<f64> {
    let rates = pages.iter().filter_map(|it| it.throughput_per_s);
    (!pages.is_empty()).then(|| rates.sum())
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
