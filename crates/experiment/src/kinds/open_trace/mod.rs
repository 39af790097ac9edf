//! The open-trace experiment: a twin of a documents' workload or a log, sent at its times at several scales to nodes that differ in
//! where their files are ("A Study of the Performance of Diskless Web Servers", sections 3.4 and 4).
//!
//! All nodes stand at once, each with stores of its own, so that they are measured in turn, run by run. A command writes
//! its files once, and all points and runs that it measures read them there. Before each point all caches are emptied, those of the
//! file servers too.

mod bench;
mod log_hashes;
mod measure;
mod requests;
mod result;
mod section;
mod tables;

use std::collections::BTreeMap;
use std::path::PathBuf;

use hotset_document::Table;
use hotset_machine::Need;
use hotset_outcome::Outcome;
use hotset_scenario::{Node, Scenario, there_are};
use hotset_trace::Trace;
use hotset_trace::read::CountingRule;

use crate::header::Header;
use crate::kept::Measurement;
use crate::node::{self, RealStore, web_node};
use crate::point::values_on;
use crate::quoted::Quotations;
use crate::session::{Session, Tools};
use crate::study::{ComparisonOf, Kind, Study};
use crate::tiers::real_stores;
use crate::{Axis, ExperimentError, Point};
use bench::Bench;
use log_hashes::LogHashes;
use measure::PointRun;
use requests::Sending;
use result::{Detail, Settings, TraceResult};
use section::{Log, NodeStores, Section};

/// An experiment on traces sent to nodes.
pub(crate) struct OpenTrace {
    section: Section,
    web: Node,
    memory_bytes: u64,
    scenario: Scenario,
    stores: Vec<RealStore>,
    folder: PathBuf,
    log_hashes: LogHashes,
    seed: u64,
}

/// A trace at a scale.
struct Cell<'s> {
    trace: &'s str,
    scale: f64,
}

impl Cell<'_> {
    /// As results and options write it: `proxy-2x`.
    fn name(&self) -> String {
        format!("{}-{}x", self.trace, self.scale)
    }
}

/// A rule as files write it; nothing of the default one.
fn rule_name(rule: CountingRule) -> Option<String> {
    match rule {
        CountingRule::Default => None,
        CountingRule::C1 => Some("c1".to_owned()),
    }
}

/// The server's program with its libraries, and its logs.
const SYSTEM_BYTES: u64 = 128 << 20;
/// What a file system takes beside the files, as a share: inode tables at one inode for 8 KiB, the journal, block maps.
const OVERHEAD: f64 = 1.08;
const OVERHEAD_BYTES: u64 = 256 << 20;
/// A file takes whole blocks; MooseFS keeps it in blocks of 64 KiB, behind a header of 8 KiB.
const BLOCK_BYTES: u64 = 4096;
const LARGEST_BLOCK: u64 = 72 << 10;

impl OpenTrace {
    fn cells(&self) -> Vec<Cell<'_>> {
        let twins = self.section.twins.iter();
        let logs = self
            .section
            .logs
            .iter()
            .map(|(name, log)| (name, &log.scales));
        let all = twins.chain(logs);
        let cells =
            all.flat_map(|(name, scales)| scales.iter().map(|&scale| Cell { trace: name, scale }));
        cells.collect()
    }

    fn cell(&self, point: &Point) -> Result<Cell<'_>, ExperimentError> {
        let wanted = point.on(Axis::Cell);
        let found = self.cells().into_iter().find(|cell| cell.name() == wanted);
        found.ok_or_else(|| ExperimentError::Unusable(format!("there is no cell `{wanted}`")))
    }

    fn node(&self, name: &str) -> Result<&NodeStores, ExperimentError> {
        let missing = || ExperimentError::Unusable(format!("there is no node `{name}`"));
        self.section.nodes.get(name).ok_or_else(missing)
    }

    fn store(&self, name: &str) -> Result<&RealStore, ExperimentError> {
        let found = self.stores.iter().find(|store| store.spec.name == name);
        found.ok_or_else(|| ExperimentError::Unusable(format!("there is no store `{name}`")))
    }

    fn trace(&self, cell: &Cell) -> Result<Trace, ExperimentError> {
        requests::trace(
            cell.trace,
            cell.scale,
            &self.section,
            &self.folder,
            self.seed,
        )
    }

    /// The log that a cell sends; none of a twin.
    fn log(&self, cell: &Cell) -> Option<&Log> {
        self.section.logs.get(cell.trace)
    }

    /// How a cell is sent in a run.
    fn sending(&self, cell: &Cell, run: u64) -> Sending {
        Sending {
            scale: cell.scale,
            counting: self.log(cell).map(|log| log.rule).unwrap_or_default(),
            lasting_s: self.lasting_s(cell),
            seed: self.seed.wrapping_add(run),
        }
    }

    /// For how long a cell's trace is sent, seconds, where that is given, and so decides how much of it there is.
    fn lasting_s(&self, cell: &Cell) -> Option<f64> {
        let is_twin = self.section.twins.contains_key(cell.trace);
        let lasting_s = self.section.lasting_s(cell.scale);
        lasting_s.filter(|_| is_twin)
    }

    /// Name of the folder of a cell's files: one for all scales of a trace that is the same at each.
    fn folder(&self, cell: &Cell) -> String {
        match self.lasting_s(cell) {
            Some(_) => cell.name(),
            None => cell.trace.to_owned(),
        }
    }

    /// A node with its stores alone, with room for the files of these points' traces.
    fn scenario(&self, name: &str, points: &[Point]) -> Result<Scenario, ExperimentError> {
        let mut bytes = SYSTEM_BYTES;
        let mut traces: BTreeMap<String, Cell> = BTreeMap::new();
        for point in points {
            let cell = self.cell(point)?;
            traces.insert(self.folder(&cell), cell);
        }
        let node = self.node(name)?;
        let block = match self.store(&node.content)?.is_remote() {
            true => LARGEST_BLOCK,
            false => BLOCK_BYTES,
        };
        for (name, cell) in &traces {
            let tree = requests::files(&self.trace(cell)?)
                .map_err(|error| requests::unusable_files(name, &error))?;
            let files = tree.files.iter();
            bytes += files.map(|(_, size)| size + block).sum::<u64>();
        }
        let least = (bytes as f64 * OVERHEAD) as u64 + OVERHEAD_BYTES;
        let names = node.names().into_iter();
        let stores = names.map(|name| Ok(&self.store(name)?.spec));
        let stores = stores.collect::<Result<Vec<_>, ExperimentError>>()?;
        Ok(node::alone(
            &[&self.web],
            &stores,
            least,
            &self.scenario.links,
        ))
    }

    /// The nodes of some points, each with room for their files.
    fn scenarios(&self, points: &[Point]) -> Result<Vec<(String, Scenario)>, ExperimentError> {
        let names = values_on(Axis::Store, points).into_iter();
        let scenarios = names.map(|name| Ok((name.to_owned(), self.scenario(name, points)?)));
        scenarios.collect()
    }
}

impl Study for OpenTrace {
    type Settings = Settings;
    type Detail = Detail;
    type PredictionDetail = ();
    /// By the node's name.
    type Bench = BTreeMap<String, Bench>;
    type Section = Section;

    const KIND: Kind = Kind::OpenTrace;
    const AXES: &'static [Axis] = &[Axis::Cell, Axis::Store, Axis::Run];
    const PHASES: &'static [&'static str] = &["sent"];
    // A command writes its files once, and all points and runs that it measures read them there; nodes take turns.
    const SHARES_BENCH: bool = true;

    fn check(section: &Section) -> Result<(), String> {
        section.check()
    }

    fn new(
        section: Section,
        header: &Header,
        scenario: &Scenario,
    ) -> Result<Self, ExperimentError> {
        let unusable = |problem: String| header.unusable(&problem);
        let web = scenario.nodes.first();
        let web = web.ok_or_else(|| unusable("has no [[node]]".to_owned()))?;
        let (web, memory_bytes) = web_node(web, header.scale).map_err(unusable)?;
        let stores = real_stores(scenario).map_err(unusable)?;
        for (name, node) in &section.nodes {
            for store in node.names() {
                let Some(found) = stores.iter().find(|it| it.spec.name == store) else {
                    let names: Vec<&str> = stores.iter().map(|it| &*it.spec.name).collect();
                    let known = there_are(store, &names);
                    return Err(unusable(format!(
                        "has no store `{store}`, which [open-trace.nodes] `{name}` names; {known}"
                    )));
                };
                if found.is_in_memory() {
                    let problem = format!(
                        "has store `{store}` in memory, whose cache cannot be emptied; give [open-trace.nodes] `{name}` another"
                    );
                    return Err(unusable(problem));
                }
            }
        }
        Ok(Self {
            section,
            web,
            memory_bytes,
            scenario: scenario.clone(),
            stores,
            folder: header.folder.clone(),
            log_hashes: LogHashes::default(),
            seed: header.seed,
        })
    }

    /// Run by run, every run beginning with another node.
    fn points(&self) -> Vec<Point> {
        let names: Vec<&String> = self.section.nodes.keys().collect();
        let mut points = Vec::new();
        for run in 1..=self.section.runs {
            let first = (run - 1) as usize % names.len().max(1);
            let (later, sooner) = names.split_at(first);
            for cell in self.cells() {
                let point = |name: &&String| {
                    let point = Point::default().with(Axis::Cell, cell.name());
                    point
                        .with(Axis::Store, *name)
                        .with(Axis::Run, run.to_string())
                };
                points.extend(sooner.iter().chain(later).map(point));
            }
        }
        points
    }

    fn settings(&self, point: &Point) -> Result<Settings, ExperimentError> {
        let cell = self.cell(point)?;
        let node = self.node(point.on(Axis::Store))?;
        let (content, system) = (self.store(&node.content)?, self.store(&node.system)?);
        let link = self.scenario.link_of(&self.web.name);
        let is_twin = self.section.twins.contains_key(cell.trace);
        let log = self.log(&cell);
        let path = log.map(|log| self.folder.join(&log.file));
        let hash = path.map(|path| self.log_hashes.of(&path)).transpose()?;
        Ok(Settings {
            trace: cell.trace.to_owned(),
            twin_minutes: is_twin.then_some(self.section.twin_minutes),
            seconds: self.section.seconds.filter(|_| is_twin),
            log: log.map(|log| log.file.clone()),
            log_sha256: hash,
            rule: log.and_then(|log| rule_name(log.rule)),
            scale: cell.scale,
            content: content.settings(),
            system: system.settings(),
            is_diskless: content.is_remote() && system.is_remote(),
            memory_bytes: self.memory_bytes,
            cpus: self.web.whole_cpus(),
            link_bits_per_s: link.map(|link| link.bits_per_s),
            seed: self.seed,
        })
    }

    fn needs(&self, points: &[Point], tools: &Tools) -> Result<Vec<Need>, ExperimentError> {
        let scenarios = self.scenarios(points)?;
        let scenarios = scenarios.iter().map(|(_, scenario)| scenario);
        let mut needs = node::needs_at_once(scenarios, &tools.directories)?;
        needs.push(Need::program("ldd", "libc-bin"));
        Ok(needs)
    }

    fn build(&self, points: &[Point], session: &Session) -> Result<Self::Bench, ExperimentError> {
        let mut benches = BTreeMap::new();
        for (name, scenario) in self.scenarios(points)? {
            session.begin(name.clone());
            session.step("building it")?;
            let bench = Bench::create(&scenario, self.node(&name)?, session)?;
            benches.insert(name, bench);
        }
        Ok(benches)
    }

    fn measure(
        &self,
        benches: &mut Self::Bench,
        point: &Point,
        session: &Session,
    ) -> Result<Measurement<Detail>, ExperimentError> {
        let settings = self.settings(point)?;
        let name = point.on(Axis::Store);
        let missing = || ExperimentError::Unusable(format!("node `{name}` has not been built"));
        let bench = benches.get_mut(name).ok_or_else(missing)?;
        let cell = self.cell(point)?;
        let number: u64 = point.on(Axis::Run).parse().unwrap_or(1);
        let run = PointRun {
            session,
            point,
            settings: &settings,
            trace: &self.trace(&cell)?,
            folder: &self.folder(&cell),
            sending: self.sending(&cell, number),
        };
        run.measure(bench)
    }

    fn outcome<'k>(&self, kept: &'k TraceResult, _phase: &str) -> Option<&'k Outcome> {
        kept.compared()
    }

    fn tables(&self, points: &[ComparisonOf<Self>], quoted: &Quotations) -> Vec<(String, Table)> {
        tables::of(points, quoted.beside("sent"))
    }

    fn remarks(&self, points: &[ComparisonOf<Self>]) -> Vec<String> {
        tables::knees(points)
            .into_iter()
            .chain(tables::short(points))
            .chain(tables::failed(points))
            .chain(tables::refused(points))
            .collect()
    }
}
