//! The tiers experiment: a scenario with some keys set aside, stood up and asked by clients or at random times.
//!
//! Each point has a data-centre of its own, since cells differ in nodes, links and memory. Caches are emptied, which is proven, and
//! warmed up with the first requests.

mod bench;
mod measure;
mod requests;
mod result;
mod section;
mod tables;

use hotset_document::Table;
use hotset_machine::Need;
use hotset_outcome::Outcome;
use hotset_scenario::{LinkEnds, MemorySize, Node, Scenario, ServerSpec};

use crate::header::Header;
use crate::kept::Measurement;
use crate::node::{RealStore, needs_at_once};
use crate::quoted::Quotations;
use crate::session::{Session, Tools};
use crate::study::{ComparisonOf, Kind, Study};
use crate::tiers::real_stores;
use crate::{Axis, ExperimentError, Point};
use bench::Bench;
use measure::PointRun;
use result::{ArrivalSettings, Detail, NodeSettings, Settings, TiersResult};
use section::{Cell, Section};

/// An experiment on data-centres.
pub(crate) struct TiersStudy {
    section: Section,
    centres: Vec<Centre>,
    seed: u64,
}

/// What a cell stands up.
struct Centre {
    scenario: Scenario,
    store: RealStore,
    entry: String,
    arrivals: ArrivalSettings,
}

/// What a file system takes beside the files, as a share: inode tables at one inode for 8 KiB, the journal, block maps.
const OVERHEAD: f64 = 1.08;
const OVERHEAD_BYTES: u64 = 256 << 20;
/// A file takes whole blocks.
const BLOCK_BYTES: u64 = 4096;

impl Centre {
    /// That of a cell.
    fn of(cell: &Cell, header: &Header) -> Result<Self, ExperimentError> {
        let scenario = Scenario::load_with(&header.scenario, &cell.set)
            .map_err(|error| header.unusable(&format!("cannot be cell {}: {error}", cell.name)))?;
        let unusable =
            |problem: &str| header.unusable(&format!("as of cell {} {problem}", cell.name));
        let mut stores = real_stores(&scenario)
            .map_err(|why| unusable(&why))?
            .into_iter();
        let (store, None) = (stores.next(), stores.next()) else {
            return Err(unusable("has several [[store]] with a kind; give it one"));
        };
        let store = store.filter(|store| !store.is_in_memory());
        let store = store.ok_or_else(|| {
            unusable("has its store in memory, whose cache cannot be emptied; give another")
        })?;
        let (entry, arrivals) = asked(&scenario, cell).map_err(|why| unusable(&why))?;
        let scenario = with_room(scenario, cell);
        Ok(Self {
            scenario,
            store,
            entry,
            arrivals,
        })
    }
}

/// The node that is asked, and how.
fn asked(scenario: &Scenario, cell: &Cell) -> Result<(String, ArrivalSettings), String> {
    let (usual, arrivals) = match (cell.rate, scenario.clients.as_slice()) {
        (Some(rate_per_s), _) => {
            let proxy = |node: &&Node| matches!(node.server, ServerSpec::NginxProxy { .. });
            let first = scenario.nodes.iter().find(proxy);
            let first = first.or(scenario.nodes.first()).ok_or("has no [[node]]")?;
            (&first.name, ArrivalSettings::Open { rate_per_s })
        }
        (None, [clients]) => {
            let (clients, think_ns) = (clients.clients, clients.think_ns);
            let arrivals = ArrivalSettings::Closed { clients, think_ns };
            (&scenario.clients[0].asks, arrivals)
        }
        (None, _) => return Err("needs one [[client]], or the cell a `rate`".to_owned()),
    };
    let asks = cell.asks.as_ref().unwrap_or(usual);
    match scenario.nodes.iter().any(|node| node.name == *asks) {
        true => Ok((asks.clone(), arrivals)),
        false => Err(format!("has no [[node]] `{asks}` to be asked")),
    }
}

/// The scenario with room for the cell's files on every disk.
fn with_room(mut scenario: Scenario, cell: &Cell) -> Scenario {
    let bytes = (cell.file_bytes + BLOCK_BYTES) * u64::from(cell.files);
    let least = (bytes as f64 * OVERHEAD) as u64 + OVERHEAD_BYTES;
    for store in &mut scenario.stores {
        store.size_bytes = Some(store.size_bytes.unwrap_or(0).max(least));
    }
    scenario
}

impl TiersStudy {
    fn found(&self, point: &Point) -> Result<(&Cell, &Centre), ExperimentError> {
        let wanted = point.on(Axis::Cell);
        let mut cells = self.section.cells.iter().zip(&self.centres);
        let found = cells.find(|(cell, _)| cell.name == wanted);
        found.ok_or_else(|| ExperimentError::Unusable(format!("there is no cell `{wanted}`")))
    }

    fn warm_up(&self, cell: &Cell) -> u64 {
        cell.warm_up.unwrap_or(self.section.warm_up)
    }

    fn requests(&self, cell: &Cell) -> u64 {
        cell.requests.unwrap_or(self.section.requests)
    }
}

impl Study for TiersStudy {
    type Settings = Settings;
    type Detail = Detail;
    type PredictionDetail = ();
    type Bench = Bench;
    type Section = Section;

    const KIND: Kind = Kind::Tiers;
    const AXES: &'static [Axis] = &[Axis::Cell, Axis::Run];
    const PHASES: &'static [&'static str] = &["asked"];

    fn new(
        section: Section,
        header: &Header,
        _scenario: &Scenario,
    ) -> Result<Self, ExperimentError> {
        let centres = section.cells.iter().map(|cell| Centre::of(cell, header));
        Ok(Self {
            centres: centres.collect::<Result<_, _>>()?,
            seed: header.seed,
            section,
        })
    }

    /// Run by run.
    fn points(&self) -> Vec<Point> {
        let runs = 1..=self.section.runs;
        let points = runs.flat_map(|run| {
            let cells = self.section.cells.iter();
            cells.map(move |cell| {
                let point = Point::default().with(Axis::Cell, &cell.name);
                point.with(Axis::Run, run.to_string())
            })
        });
        points.collect()
    }

    fn settings(&self, point: &Point) -> Result<Settings, ExperimentError> {
        let (cell, centre) = self.found(point)?;
        let nodes = centre.scenario.nodes.iter();
        Ok(Settings {
            nodes: nodes.map(|node| of_node(node, &centre.scenario)).collect(),
            store: centre.store.settings(),
            asks: centre.entry.clone(),
            asks_from: asks_from(cell, &centre.scenario),
            links: links(&centre.scenario),
            events: events(&centre.scenario),
            arrivals: centre.arrivals.clone(),
            files: cell.files,
            file_bytes: cell.file_bytes,
            alpha: cell.alpha,
            warm_up: self.warm_up(cell),
            requests: self.requests(cell),
            seed: self.seed,
        })
    }

    fn needs(&self, points: &[Point], tools: &Tools) -> Result<Vec<Need>, ExperimentError> {
        let scenarios = points
            .iter()
            .map(|point| Ok(&self.found(point)?.1.scenario));
        let scenarios = scenarios.collect::<Result<Vec<_>, ExperimentError>>()?;
        Ok(needs_at_once(scenarios, &tools.directories)?)
    }

    fn build(&self, points: &[Point], session: &Session) -> Result<Bench, ExperimentError> {
        let point = session.only(points)?;
        let (_, centre) = self.found(point)?;
        let store = &centre.store.spec.name;
        Bench::create(&centre.scenario, &centre.entry, store, session)
    }

    fn measure(
        &self,
        bench: &mut Bench,
        point: &Point,
        session: &Session,
    ) -> Result<Measurement<Detail>, ExperimentError> {
        let settings = self.settings(point)?;
        let (cell, _) = self.found(point)?;
        let run: u64 = point.on(Axis::Run).parse().unwrap_or(1);
        let all = settings.warm_up + settings.requests;
        let run = PointRun {
            session,
            point,
            settings: &settings,
            scenario: &self.found(point)?.1.scenario,
            trace: &requests::trace(cell, all, self.seed.wrapping_add(run))?,
        };
        run.measure(bench)
    }

    fn outcome<'k>(&self, kept: &'k TiersResult, _phase: &str) -> Option<&'k Outcome> {
        kept.compared()
    }

    fn tables(&self, points: &[ComparisonOf<Self>], _quoted: &Quotations) -> Vec<(String, Table)> {
        tables::of(points)
    }

    fn remarks(&self, points: &[ComparisonOf<Self>]) -> Vec<String> {
        tables::refused(points)
    }
}

/// The node that clients are on; none where they are on the machine itself, as they are who come at random times.
fn asks_from(cell: &Cell, scenario: &Scenario) -> Option<String> {
    let clients = scenario.clients.first().filter(|_| cell.rate.is_none());
    clients?.node.clone()
}

/// What of links is more than a node's rate, in words.
fn links(scenario: &Scenario) -> Vec<String> {
    let links = scenario.links.iter().filter(|link| {
        let is_between = matches!(link.ends, LinkEnds::Nodes(_));
        is_between || link.mtu.is_some() || !link.offload
    });
    let words = links.map(|link| format!("{link:?}"));
    words.collect()
}

/// What happens while clients ask, in words.
fn events(scenario: &Scenario) -> Vec<String> {
    let events = scenario.events.iter();
    events.map(|event| format!("{event:?}")).collect()
}

fn of_node(node: &Node, scenario: &Scenario) -> NodeSettings {
    let link = scenario.link_of(&node.name);
    NodeSettings {
        name: node.name.clone(),
        server: format!("{:?}", node.server),
        memory_bytes: match node.memory {
            MemorySize::Bytes(bytes) => bytes,
            // The lab refuses a share.
            MemorySize::PercentOfObjects(_) => 0,
        },
        cpus: node.cpus,
        workers: node.workers,
        link_bits_per_s: link.map(|link| link.bits_per_s),
    }
}
