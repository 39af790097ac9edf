//! The served-sites experiment: sites of a workload, served from every store through a proxy and web servers.
//!
//! All stores stand at once, each below tiers of its own, so that they are measured in turn, run by run. A command writes its files
//! once, and all points and runs that it measures read them there; those in memory are written for each cell.

mod bench;
mod cell;
mod measure;
mod result;
mod section;
mod spread;
mod tables;
mod workload;

use std::collections::BTreeMap;

use hotset_document::Table;
use hotset_machine::Need;
use hotset_outcome::Outcome;
use hotset_scenario::{Scenario, there_are};

use crate::header::Header;
use crate::kept::Measurement;
use crate::node::{self, RealStore};
use crate::point::values_on;
use crate::quoted::Quotations;
use crate::session::{Session, Tools};
use crate::study::{ComparisonOf, Kind, Study};
use crate::tiers::{Tiers, real_stores};
use crate::{Axis, ExperimentError, Point};
use bench::{Bench, Place};
use cell::Cell;
use measure::PointRun;
use result::{Detail, Settings, SitesResult};
use section::Section;
use spread::Spread;
use workload::{Requests, SiteFiles, Tree};

/// An experiment on sites served from every store.
pub(crate) struct ServedSites {
    section: Section,
    cells: Vec<Cell>,
    /// By name, in the order in which they are measured.
    spreads: Vec<(String, Spread)>,
    stores: Vec<RealStore>,
    tiers: Tiers,
    scale: u64,
    seed: u64,
}

/// What a file system takes beside the files, as a share: inode tables at one inode for 8 KiB, the journal, block maps.
const OVERHEAD: f64 = 1.08;
const OVERHEAD_BYTES: u64 = 256 << 20;
/// A network file system deals files to its servers, large ones unevenly: more of them than a third lies on one.
const SERVER_SHARE: f64 = 0.6;
/// MooseFS keeps a file in blocks of 64 KiB, behind a header of 8 KiB.
const LARGEST_BLOCK: u64 = 72 << 10;
/// What servers and kernel need of a web node beside files that lie in its memory: four workers of nginx take 20 MB.
const SERVER_BYTES: u64 = 40 << 20;

impl ServedSites {
    fn cell(&self, point: &Point) -> Result<&Cell, ExperimentError> {
        let wanted = point.on(Axis::Cell);
        let found = self.cells.iter().find(|cell| cell.name() == wanted);
        found.ok_or_else(|| ExperimentError::Unusable(format!("there is no cell `{wanted}`")))
    }

    fn files(&self, cell: &Cell) -> Result<SiteFiles, ExperimentError> {
        Ok(SiteFiles::of(cell, self.scale, self.seed)?)
    }

    /// The place of this name, with room for the files of these cells.
    fn place(&self, name: &str, cells: &[&Cell]) -> Result<Place<'_>, ExperimentError> {
        let mut spreads = self.spreads.iter();
        let found = spreads.find(|(own, _)| own == name);
        let missing = |name: &str| ExperimentError::Unusable(format!("there is no store `{name}`"));
        let (_, spread) = found.ok_or_else(|| missing(name))?;
        let store = |name: &String| {
            let mut stores = self.stores.iter();
            let found = stores.find(|store| store.spec.name == *name);
            found.ok_or_else(|| missing(name))
        };
        let stores = spread.stores.iter().map(store);
        let stores = stores.collect::<Result<Vec<_>, _>>()?;
        let is_remote = stores.iter().any(|store| store.is_remote());
        Ok(Place {
            tiers: &self.tiers,
            spread,
            disk_bytes: self.disk_bytes(cells, spread, is_remote)?,
            stores,
        })
    }

    /// Room that the files of these cells need on the fullest of the disks.
    fn disk_bytes(
        &self,
        cells: &[&Cell],
        spread: &Spread,
        is_remote: bool,
    ) -> Result<u64, ExperimentError> {
        let padding = if is_remote { LARGEST_BLOCK } else { 0 };
        let mut trees: BTreeMap<(String, u64), Vec<u64>> = BTreeMap::new();
        for cell in cells {
            let bytes = self.files(cell)?.bytes_by_store(spread, self.seed, padding);
            for site in 0..cell.sites {
                trees.insert((cell.tree(spread.by), site), bytes.clone());
            }
        }
        let on_store = |store: usize| trees.values().map(|bytes| bytes[store]).sum::<u64>();
        let fullest = (0..spread.stores.len()).map(on_store).max();
        let bytes = fullest.unwrap_or_default() as f64;
        let share = if is_remote { SERVER_SHARE } else { 1.0 };
        Ok((bytes * OVERHEAD * share) as u64 + OVERHEAD_BYTES)
    }

    /// Whether the files of a cell find room there: those of a store in memory take the memory of the web nodes.
    fn fits(&self, cell: &Cell, spread: &Spread) -> bool {
        let store = |name: &String| self.stores.iter().find(|store| store.spec.name == *name);
        let mut stores = spread.stores.iter().filter_map(store);
        let Ok(files) = self.files(cell) else {
            // Measuring says why.
            return true;
        };
        let bytes = files.bytes() * cell.sites + SERVER_BYTES;
        !stores.any(RealStore::is_in_memory) || bytes <= self.tiers.memory_bytes
    }

    /// The places of some points, each with room for their cells.
    fn places(&self, points: &[Point]) -> Result<Vec<(String, Place<'_>)>, ExperimentError> {
        let names = values_on(Axis::Store, points).into_iter();
        let place = |name: &str| {
            let own = points.iter().filter(|point| point.on(Axis::Store) == name);
            let cells: Vec<&Cell> = own
                .map(|point| self.cell(point))
                .collect::<Result<_, _>>()?;
            Ok((name.to_owned(), self.place(name, &cells)?))
        };
        names.map(place).collect()
    }
}

impl Study for ServedSites {
    type Settings = Settings;
    type Detail = Detail;
    type PredictionDetail = ();
    /// By the store's name.
    type Bench = BTreeMap<String, Bench>;
    type Section = Section;

    const KIND: Kind = Kind::ServedSites;
    const AXES: &'static [Axis] = &[Axis::Cell, Axis::Store, Axis::Run];
    const PHASES: &'static [&'static str] = &["paced", "throughput"];
    // A command writes its files once, and all points and runs that it measures read them there; stores take turns.
    const SHARES_BENCH: bool = true;

    fn check(section: &Section) -> Result<(), String> {
        section.check()?;
        Cell::check_names(section)
    }

    fn new(
        section: Section,
        header: &Header,
        scenario: &Scenario,
    ) -> Result<Self, ExperimentError> {
        let unusable = |problem: String| header.unusable(&problem);
        let stores = real_stores(scenario).map_err(unusable)?;
        let spreads = match section.spread.is_empty() {
            true => stores
                .iter()
                .map(|store| (store.spec.name.clone(), Spread::of_store(&store.spec.name)))
                .collect(),
            false => section.spread.clone().into_iter().collect(),
        };
        let study = Self {
            cells: Cell::all(&section),
            spreads,
            stores,
            tiers: Tiers::of(scenario, header.scale).map_err(unusable)?,
            scale: header.scale,
            seed: header.seed,
            section,
        };
        for (name, spread) in &study.spreads {
            let known = |store: &&String| !study.stores.iter().any(|it| it.spec.name == **store);
            if let Some(unknown) = spread.stores.iter().find(known) {
                let names: Vec<&str> = study.stores.iter().map(|it| &*it.spec.name).collect();
                let known = there_are(unknown, &names);
                return Err(header.unusable(&format!(
                    "has no store `{unknown}`, which [served-sites.spread.{name}] names; {known}"
                )));
            }
        }
        Ok(study)
    }

    /// Run by run, every run beginning with another store. Files that find no room in memory are left out.
    fn points(&self) -> Vec<Point> {
        let mut points = Vec::new();
        for run in 1..=self.section.runs {
            let first = (run - 1) as usize % self.spreads.len().max(1);
            let (later, sooner) = self.spreads.split_at(first);
            for cell in &self.cells {
                let places = sooner.iter().chain(later);
                let fitting = places.filter(|(_, spread)| self.fits(cell, spread));
                points.extend(fitting.map(|(name, _)| {
                    let point = Point::default().with(Axis::Cell, cell.name());
                    point
                        .with(Axis::Store, name)
                        .with(Axis::Run, run.to_string())
                }));
            }
        }
        points
    }

    fn settings(&self, point: &Point) -> Result<Settings, ExperimentError> {
        let place = self.place(point.on(Axis::Store), &[])?;
        Ok(Settings {
            cell: self.cell(point)?.clone(),
            stores: place.stores.iter().map(|store| store.settings()).collect(),
            by: place.spread.by,
            servers: place.servers(),
            memory_bytes: self.tiers.memory_bytes,
            cpus: self.tiers.webs[0].whole_cpus(),
            link_bits_per_s: self.tiers.link_bits_per_s,
            paced_requests: self.section.paced_requests,
            paced_seconds: self.section.paced_seconds,
            clients: self.section.clients,
            throughput_seconds: self.section.throughput_seconds,
            scale: self.scale,
            seed: self.seed,
        })
    }

    fn needs(&self, points: &[Point], tools: &Tools) -> Result<Vec<Need>, ExperimentError> {
        let places = self.places(points)?;
        let scenarios: Vec<Scenario> = places.iter().map(|(_, place)| place.scenario()).collect();
        Ok(node::needs_at_once(&scenarios, &tools.directories)?)
    }

    fn build(&self, points: &[Point], session: &Session) -> Result<Self::Bench, ExperimentError> {
        let mut benches = BTreeMap::new();
        for (name, place) in self.places(points)? {
            session.begin(name.clone());
            session.step("building it")?;
            benches.insert(name, Bench::create(&place, session)?);
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
        let cell = &settings.cell;
        let name = point.on(Axis::Store);
        let missing = || ExperimentError::Unusable(format!("store `{name}` has not been built"));
        let bench = benches.get_mut(name).ok_or_else(missing)?;
        let files = self.files(cell)?;
        let place = self.place(name, &[])?;
        let run: u64 = point.on(Axis::Run).parse().unwrap_or(1);
        let (paced, seed) = (settings.paced_requests, self.seed.wrapping_add(run));
        let run = PointRun {
            session,
            point,
            settings: &settings,
            tree: &Tree::new(cell, &files, place.spread, self.seed),
            requests: &Requests::of(cell, &files, paced, self.scale, seed)?,
            files: &files,
        };
        run.measure(bench)
    }

    fn outcome<'k>(&self, kept: &'k SitesResult, phase: &str) -> Option<&'k Outcome> {
        let name = format!("{}, {phase}", kept.point);
        let mut outcomes = kept.measured.outcomes.iter();
        outcomes.find(|outcome| outcome.name == name)
    }

    fn tables(&self, points: &[ComparisonOf<Self>], _quoted: &Quotations) -> Vec<(String, Table)> {
        tables::of(points)
    }

    fn remarks(&self, points: &[ComparisonOf<Self>]) -> Vec<String> {
        let spreads = self.spreads.iter();
        let missing = spreads.filter_map(|(name, spread)| {
            let cells = self.cells.iter().filter(|cell| !self.fits(cell, spread));
            let cells: Vec<String> = cells.map(Cell::name).collect();
            let what = cells.join(", ");
            (!cells.is_empty())
                .then(|| format!("{name} has no room in memory for the files of {what}."))
        });
        tables::sizes(points).into_iter().chain(missing).collect()
    }
}
