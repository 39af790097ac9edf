//! The tiers experiment: a scenario with some keys set aside, stood up and asked by clients or at random times.
//!
//! Each point has a data-centre of its own, since cells differ in nodes, links and memory. Caches are emptied, which is proven, and
//! warmed up with the first requests.

mod accuracy;
mod bench;
mod centre;
mod measure;
mod prediction;
mod requests;
mod result;
mod section;
mod server_costs;
mod tables;

use std::path::PathBuf;

use hotset_document::Table;
use hotset_machine::Need;
use hotset_outcome::Outcome;
use hotset_scenario::{LinkEnds, MemorySize, Node, Offload, Scenario, ServerProfile};

use crate::header::Header;
use crate::kept::{Measurement, Results};
use crate::node::needs_at_once;
use crate::quoted::Quotations;
use crate::session::{Session, Tools};
use crate::study::{ComparisonOf, Kind, Prediction, Study};
use crate::{Axis, ExperimentError, Point};
use accuracy::TiersPrediction;
use bench::Bench;
use centre::Centre;
use measure::PointRun;
use prediction::Model;
use result::{Detail, NodeSettings, Settings, TiersResult};
use section::{Cell, Section};
use server_costs::AskedServer;

/// An experiment on data-centres.
pub(crate) struct TiersStudy {
    section: Section,
    centres: Vec<Centre>,
    seed: u64,
    /// Where what servers cost is read from; it may be measured later than the cells.
    server_profile: Option<PathBuf>,
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

    /// What the simulation takes servers to cost.
    fn costs_in_words(&self) -> String {
        let mut scenarios = self.centres.iter().map(|centre| &centre.scenario);
        match &self.server_profile {
            Some(path) => format!("What servers cost was measured ({}).", path.display()),
            None if scenarios.all(|scenario| scenario.server_profile.is_some()) => {
                "What servers cost was measured: the scenario has a server profile.".to_owned()
            }
            None => "What servers cost is assumed, not measured: the experiment has no `server_profile`."
                .to_owned(),
        }
    }

    /// What servers cost, as far as it was measured.
    fn profile(&self, scenario: &Scenario) -> Result<ServerProfile, ExperimentError> {
        match &self.server_profile {
            Some(path) => Ok(ServerProfile::load(path)?),
            None => Ok(scenario.server_profile.clone().unwrap_or_default()),
        }
    }
}

impl Study for TiersStudy {
    type Settings = Settings;
    type Detail = Detail;
    type PredictionDetail = TiersPrediction;
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
            server_profile: (section.server_profile.as_ref()).map(|path| header.folder.join(path)),
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
            asks_from: centre.asks_from.clone(),
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
        Bench::create(centre, session)
    }

    fn measure(
        &self,
        bench: &mut Bench,
        point: &Point,
        session: &Session,
    ) -> Result<Measurement<Detail>, ExperimentError> {
        let settings = self.settings(point)?;
        let (cell, centre) = self.found(point)?;
        let all = settings.warm_up + settings.requests;
        let run = PointRun {
            session,
            point,
            settings: &settings,
            scenario: &centre.scenario,
            trace: &requests::trace(cell, all, requests::seed(self.seed, point))?,
        };
        run.measure(bench)
    }

    fn predict(
        &self,
        kept: &[TiersResult],
        _results: &Results,
    ) -> Result<Vec<Option<Prediction<TiersPrediction>>>, ExperimentError> {
        let Some(first) = kept.first() else {
            return Ok(Vec::new());
        };
        let (cell, centre) = self.found(&first.point)?;
        let model = Model {
            cell,
            centre,
            profile: self.profile(&centre.scenario)?,
            settings: self.settings(&first.point)?,
        };
        model.predict(kept)
    }

    fn server_costs(&self, kept: &[TiersResult]) -> ServerProfile {
        let asked = kept.iter().filter_map(|kept| {
            let (_, centre) = self.found(&kept.point).ok()?;
            AskedServer::of(kept, centre.asked_server()?)
        });
        server_costs::profile(&asked.collect::<Vec<_>>())
    }

    fn outcome<'k>(&self, kept: &'k TiersResult, _phase: &str) -> Option<&'k Outcome> {
        kept.compared()
    }

    fn tables(&self, points: &[ComparisonOf<Self>], _quoted: &Quotations) -> Vec<(String, Table)> {
        tables::of(points)
    }

    fn remarks(&self, points: &[ComparisonOf<Self>]) -> Vec<String> {
        let said = tables::refused(points).into_iter();
        let said = said.chain(tables::accuracy(points));
        let is_predicted = points.iter().any(|point| point.prediction.is_some());
        said.chain(is_predicted.then(|| self.costs_in_words()))
            .collect()
    }
}

/// Bytes of the largest packet of a link, unless the scenario says otherwise: those of Ethernet.
const USUAL_MTU: u64 = 1500;

/// What of links is more than a node's rate, in words.
fn links(scenario: &Scenario) -> Vec<String> {
    let links = scenario.links.iter().filter(|link| {
        let is_between = matches!(link.ends, LinkEnds::Nodes(_));
        is_between
            || link.mtu_bytes != USUAL_MTU
            || link.offload != Offload::default()
            || link.stack.is_some()
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
