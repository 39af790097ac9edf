//! The databases experiment: an application with a database on a node with too little memory, alone or beside a shop, under several
//! ways of using the memory.
//!
//! A command makes the data of each application once. Each point begins with a copy that is like it, and with servers of its own. Caches are
//! empty before they start.
//! They are warmed up by visitors while the disk has no delays.

mod bench;
mod learning;
mod measure;
mod mixes;
mod page_costs;
mod planning;
mod plans;
mod prediction;
mod restart_tables;
mod restarting;
mod result;
mod section;
mod server;
mod tables;
mod visitors;
mod warming;
mod warmth;
mod ways;

use std::collections::BTreeSet;

use hotset_document::Table;
use hotset_lab::server::application_needs;
use hotset_machine::Need;
use hotset_outcome::Outcome;
use hotset_scenario::{ApplicationProfile, Node, Scenario, StoreSpec, there_are};

use crate::header::Header;
use crate::kept::{Measurement, Results};
use crate::node::{self, RealStore, web_node};
use crate::quoted::Quotations;
use crate::session::{Session, Tools};
use crate::study::{ComparisonOf, Kind, Prediction, Study};
use crate::{Axis, ExperimentError, Point};
use bench::Bench;
use measure::PointRun;
use prediction::Model;
use result::{DatabasesPrediction, DatabasesResult, Detail, RestartSettings, Settings};
use section::{Arm, Background, Section, Size};
use ways::{Restart, Way};

pub use warming::reads_are_steady;
pub use warmth::seconds_until_warm;

/// An experiment on databases that share a node.
pub(crate) struct Databases {
    section: Section,
    web: Node,
    memory_bytes: u64,
    scenario: Scenario,
    store: RealStore,
    /// The store in memory, where there is one.
    memory: Option<RealStore>,
    /// What pages of the application take, where the experiment says it.
    profile: Option<ApplicationProfile>,
    /// What those of the background take, likewise.
    background_profile: Option<ApplicationProfile>,
    seed: u64,
}

/// Visitors and what is beside them.
struct Cell<'s> {
    mix: &'s str,
    background: Background,
}

impl Cell<'_> {
    /// As results and options write it: `browsing-beside-tpcw-3`.
    fn name(&self) -> String {
        format!("{}-beside-{}", self.mix, self.background)
    }
}

impl Databases {
    fn cells(&self) -> Vec<Cell<'_>> {
        let section = &self.section;
        let backgrounds = section.backgrounds.iter();
        let cells = backgrounds.flat_map(|&background| {
            let mixes = section.mixes.iter();
            mixes.map(move |mix| Cell { mix, background })
        });
        cells.collect()
    }

    fn cell(&self, point: &Point) -> Result<Cell<'_>, ExperimentError> {
        let wanted = point.on(Axis::Cell);
        let found = self.cells().into_iter().find(|cell| cell.name() == wanted);
        found.ok_or_else(|| ExperimentError::Unusable(format!("there is no cell `{wanted}`")))
    }

    /// What uses the memory at a point: an arm, or what comes before and after a restart.
    fn arm(&self, point: &Point) -> Result<Arm, ExperimentError> {
        if let Some((way, _)) = self.restart(point)? {
            return Ok(match way {
                Way::Cold | Way::Dump25 | Way::Dump100 => Arm::Pool,
                Way::Pin => Arm::Pin,
            });
        }
        let arm = point.on(Axis::Arm).parse::<Arm>();
        arm.map_err(ExperimentError::Unusable)
    }

    /// The way of restarting servers at a point; nothing where they are not restarted.
    fn restart(&self, point: &Point) -> Result<Option<(Way, &Restart)>, ExperimentError> {
        let Some(restart) = &self.section.restart else {
            return Ok(None);
        };
        let way = point.on(Axis::Arm).parse::<Way>();
        Ok(Some((way.map_err(ExperimentError::Unusable)?, restart)))
    }

    /// What the data of all applications of these points takes beside the store: rows as text, and what servers make of them.
    fn image_bytes(&self, points: &[Point]) -> Result<u64, ExperimentError> {
        let mut sizes = BTreeSet::from([self.section.foreground()]);
        for point in points {
            sizes.extend(self.cell(point)?.background.size());
        }
        let bytes = sizes.into_iter().map(|size| 2 * size.copy_bytes());
        Ok(bytes.sum())
    }

    /// The node and its store, with room for the largest of these points.
    fn scenario(&self, points: &[Point]) -> Result<Scenario, ExperimentError> {
        let mut most: u64 = 0;
        for point in points {
            let background = self.cell(point)?.background.size();
            let sizes = [Some(self.section.foreground()), background]
                .into_iter()
                .flatten();
            most = most.max(sizes.map(Size::copy_bytes).sum::<u64>());
        }
        let stores = [Some(&self.store), self.memory.as_ref()].into_iter();
        let stores: Vec<&StoreSpec> = stores.flatten().map(|store| &store.spec).collect();
        let links = &self.scenario.links;
        Ok(node::alone(&[&self.web], &stores, most, links))
    }
}

/// The store of a scenario that is called so.
fn named(scenario: &Scenario, name: &str) -> Result<RealStore, String> {
    let found = scenario.stores.iter().find(|store| store.name == name);
    let found = found.and_then(|store| {
        Some(RealStore {
            kind: store.kind?,
            spec: store.clone(),
        })
    });
    let names: Vec<&str> = scenario.stores.iter().map(|store| &*store.name).collect();
    let known = there_are(name, &names);
    found.ok_or_else(|| {
        format!("has no store `{name}` with a kind, which [databases] names; {known}")
    })
}

impl Study for Databases {
    type Settings = Settings;
    type Detail = Detail;
    type PredictionDetail = DatabasesPrediction;
    type Bench = Bench;
    type Section = Section;

    const KIND: Kind = Kind::Databases;
    const AXES: &'static [Axis] = &[Axis::Cell, Axis::Arm, Axis::Run];
    const PHASES: &'static [&'static str] = &["visited"];
    // A command makes the data of each application once.
    const SHARES_BENCH: bool = true;

    fn check(section: &Section) -> Result<(), String> {
        section.check()
    }

    fn restarts(section: &Section) -> bool {
        section.restart.is_some()
    }

    fn new(
        section: Section,
        header: &Header,
        scenario: &Scenario,
    ) -> Result<Self, ExperimentError> {
        let unusable = |problem: String| header.unusable(&problem);
        if header.scale != 1 {
            return Err(ExperimentError::Unusable(format!(
                "experiment {}: databases are not divided by `scale`; leave it out",
                header.name
            )));
        }
        let web = scenario.nodes.first();
        let web = web.ok_or_else(|| unusable("has no [[node]]".to_owned()))?;
        let (web, memory_bytes) = web_node(web, header.scale).map_err(unusable)?;
        let store = named(scenario, &section.store).map_err(unusable)?;
        if store.is_in_memory() || store.is_remote() {
            let name = &store.spec.name;
            return Err(unusable(format!(
                "has store `{name}` of kind {}; the data of [databases] is to lie on a local disk",
                store.kind.name()
            )));
        }
        let memory = section.memory_store.as_deref();
        let memory = memory.map(|name| named(scenario, name)).transpose();
        let memory = memory.map_err(unusable)?;
        if let Some(other) = memory.as_ref().filter(|store| !store.is_in_memory()) {
            let name = &other.spec.name;
            return Err(unusable(format!(
                "has store `{name}` on a disk; `memory_store` of [databases] is to be of kind ramfs"
            )));
        }
        let profile = |path: &Option<String>| {
            let path = path.as_ref().map(|path| header.folder.join(path));
            let profile = path.map(|path| ApplicationProfile::load(&path));
            match profile.transpose()? {
                Some(it) if it.images.is_some() => Err(ExperimentError::Unusable(format!(
                    "experiment {}: a profile that it names has [images], which its browsers do not ask for; take them out",
                    header.name
                ))),
                profile => Ok(profile),
            }
        };
        Ok(Self {
            profile: profile(&section.application_profile)?,
            background_profile: profile(&section.background_profile)?,
            section,
            web,
            memory_bytes,
            scenario: scenario.clone(),
            store,
            memory,
            seed: header.seed,
        })
    }

    /// Run by run, and in each the arms of a cell one after the other.
    fn points(&self) -> Vec<Point> {
        let mut points = Vec::new();
        for run in 1..=self.section.runs {
            for cell in self.cells() {
                let point = |arm: &'static str| {
                    let point = Point::default().with(Axis::Cell, cell.name());
                    point.with(Axis::Arm, arm).with(Axis::Run, run.to_string())
                };
                points.extend(self.section.arm_names().into_iter().map(point));
            }
        }
        points
    }

    fn settings(&self, point: &Point) -> Result<Settings, ExperimentError> {
        let (cell, arm, section) = (self.cell(point)?, self.arm(point)?, &self.section);
        Ok(Settings {
            mix: cell.mix.to_owned(),
            background: cell.background.to_string(),
            application: section.application.name().to_owned(),
            class: section.class,
            items: section.foreground().known_items(),
            engine: section.engine.name().to_owned(),
            pool_bytes: match arm {
                Arm::Pool => section.large_pool,
                Arm::PageCache | Arm::Pin | Arm::Ramfs | Arm::Plan => section.pool,
            },
            background_pool_bytes: section.pool,
            pinned: match arm {
                Arm::Pin => section.pinned.clone(),
                Arm::PageCache | Arm::Pool | Arm::Ramfs | Arm::Plan => Vec::new(),
            },
            in_memory: match arm {
                Arm::Ramfs => section.copied.clone(),
                Arm::PageCache | Arm::Pool | Arm::Pin | Arm::Plan => Vec::new(),
            },
            flush_method: section.flush_method.clone(),
            durability: section.durability,
            clients: section.clients,
            think_ms: section.think_ms,
            warm_up_seconds: section.warm_up_seconds,
            steady_warm_up: section.steady_warm_up,
            seconds: section.seconds,
            restart: self.restart(point)?.map(|(way, restart)| RestartSettings {
                way: way.name().to_owned(),
                seconds: restart.seconds,
            }),
            data: self.store.settings(),
            memory_bytes: self.memory_bytes,
            cpus: self.web.whole_cpus(),
            seed: self.seed,
        })
    }

    fn needs(&self, points: &[Point], tools: &Tools) -> Result<Vec<Need>, ExperimentError> {
        let scenario = self.scenario(points)?;
        let mut needs = hotset_lab::needs(&scenario, &tools.directories)?;
        let images = self.image_bytes(points)?;
        for need in &mut needs {
            if let Need::DiskSpace { bytes, .. } = need {
                *bytes += images;
            }
        }
        needs.extend(application_needs());
        needs.push(Need::program("vmtouch", "vmtouch"));
        needs.push(Need::program("rsync", "rsync"));
        Ok(needs)
    }

    fn build(&self, points: &[Point], session: &Session) -> Result<Bench, ExperimentError> {
        session.begin("databases".to_owned());
        session.step("building the node")?;
        let scenario = self.scenario(points)?;
        Bench::create(
            &scenario,
            &self.store.spec.name,
            self.section.memory_store.as_deref(),
            self.section.engine,
            session,
        )
    }

    fn measure(
        &self,
        bench: &mut Bench,
        point: &Point,
        session: &Session,
    ) -> Result<Measurement<Detail>, ExperimentError> {
        let run = PointRun {
            session,
            point,
            settings: &self.settings(point)?,
            foreground: self.section.foreground(),
            background: self.cell(point)?.background.size(),
            engine: self.section.engine,
            arm: self.arm(point)?,
            web: &self.web,
            store: &self.store.spec,
            run: point.on(Axis::Run).parse().unwrap_or(1),
        };
        match self.restart(point)? {
            Some((way, restart)) => restarting::measure(&run, bench, (way, restart.seconds)),
            None => run.measure(bench),
        }
    }

    fn predict(
        &self,
        kept: &[DatabasesResult],
        _results: &Results,
    ) -> Result<Vec<Option<Prediction<DatabasesPrediction>>>, ExperimentError> {
        let Some(profile) = &self.profile else {
            return Ok(kept.iter().map(|_| None).collect());
        };
        let model = Model {
            section: &self.section,
            web: &self.web,
            store: &self.store.spec,
            profile,
            background_profile: self.background_profile.as_ref(),
        };
        model.predict(kept)
    }

    fn page_costs(&self, kept: &[DatabasesResult]) -> Option<ApplicationProfile> {
        page_costs::profile(kept)
    }

    fn outcome<'k>(&self, kept: &'k DatabasesResult, _phase: &str) -> Option<&'k Outcome> {
        kept.compared()
    }

    fn tables(&self, points: &[ComparisonOf<Self>], _quoted: &Quotations) -> Vec<(String, Table)> {
        match &self.section.restart {
            Some(_) => restart_tables::of(points),
            None => tables::of(points),
        }
    }

    fn seconds_to_warm(kept: &DatabasesResult) -> Option<f64> {
        let restarted = kept.measured.detail.restart.as_ref();
        restarted.map(restart_tables::seconds_to_warm)
    }

    fn remarks(&self, points: &[ComparisonOf<Self>]) -> Vec<String> {
        if self.section.restart.is_some() {
            let restarts = restart_tables::remarks(points).into_iter();
            return restarts.chain(warming::remarks(points)).collect();
        }
        let is_bounded = self.web.cpus.is_some() || self.profile.is_none();
        let unbounded = (!is_bounded).then(|| {
            "Nothing is simulated: the node has no `cpus`, so the machine may be what limits it."
                .to_owned()
        });
        unbounded
            .into_iter()
            .chain(plans::remarks(points))
            .chain(mixes::remarks(points))
            .chain(tables::accuracy(points))
            .chain(warming::remarks(points))
            .collect()
    }
}
