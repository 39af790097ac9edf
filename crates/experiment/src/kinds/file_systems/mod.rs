//! The file-systems experiment: what each file system of a scenario costs, read by plain calls on its node, and
//! through a proxy and a web server.
//!
//! Every phase has files of its own, so that one drop of all caches, proven, stands before all uncached accesses:
//! each file is asked for once, then all of them again.

mod bench;
mod measure;
mod requests;
mod result;
mod section;
mod size;
mod tables;

use hotset_document::Table;
use hotset_machine::Need;
use hotset_outcome::Outcome;
use hotset_scenario::Scenario;

use crate::header::Header;
use crate::kept::Measurement;
use crate::node::RealStore;
use crate::quoted::Quotations;
use crate::session::{Session, Tools};
use crate::study::{ComparisonOf, Kind, ResultOf, Study};
use crate::tiers::{Tiers, real_stores};
use crate::{ExperimentError, Point};
use bench::Bench;
use measure::StoreRun;
use result::{Detail, Settings};
use section::Section;

/// An experiment on what every store of a scenario costs.
pub(crate) struct FileSystems {
    section: Section,
    tiers: Tiers,
    stores: Vec<RealStore>,
}

impl Study for FileSystems {
    type Settings = Settings;
    type Detail = Detail;
    type PredictionDetail = ();
    type Bench = Bench;
    type Section = Section;

    const KIND: Kind = Kind::FileSystems;
    const PHASES: &'static [&'static str] = &tables::NAMES;

    fn new(
        section: Section,
        header: &Header,
        scenario: &Scenario,
    ) -> Result<Self, ExperimentError> {
        let unusable = |problem: String| header.unusable(&problem);
        Ok(Self {
            section,
            stores: real_stores(scenario).map_err(unusable)?,
            tiers: Tiers::of(scenario, header.scale).map_err(unusable)?,
        })
    }

    fn points(&self) -> Vec<Point> {
        Point::of_stores(&self.stores)
    }

    fn settings(&self, point: &Point) -> Result<Settings, ExperimentError> {
        Ok(Settings {
            store: point.store_among(&self.stores)?.settings(),
            memory_bytes: self.tiers.memory_bytes,
            cpus: self.tiers.webs[0].whole_cpus(),
            link_bits_per_s: self.tiers.link_bits_per_s,
            bare_bytes: self.section.bare_bytes.clone(),
            served_bytes: self.section.served_bytes.clone(),
            files: self.section.files as usize,
            clients: self.section.clients as usize,
            throughput_seconds: self.section.throughput_seconds,
        })
    }

    fn needs(&self, points: &[Point], tools: &Tools) -> Result<Vec<Need>, ExperimentError> {
        let mut needs = Vec::new();
        for point in points {
            let store = point.store_among(&self.stores)?;
            let scenario = bench::scenario(&self.tiers, &self.section, store);
            needs.extend(hotset_lab::needs(&scenario, &tools.directories)?);
        }
        Ok(needs)
    }

    fn build(&self, points: &[Point], session: &Session) -> Result<Bench, ExperimentError> {
        let store = session.only(points)?.store_among(&self.stores)?;
        Bench::create(&self.tiers, &self.section, store, session)
    }

    fn measure(
        &self,
        bench: &mut Bench,
        point: &Point,
        session: &Session,
    ) -> Result<Measurement<Detail>, ExperimentError> {
        let run = StoreRun {
            section: &self.section,
            store: point.store_among(&self.stores)?,
            point,
            session,
        };
        run.measure(bench)
    }

    fn outcome<'k>(&self, kept: &'k ResultOf<Self>, phase: &str) -> Option<&'k Outcome> {
        tables::outcome(kept, phase)
    }

    fn tables(&self, points: &[ComparisonOf<Self>], quoted: &Quotations) -> Vec<(String, Table)> {
        tables::of(&self.section, points, quoted)
    }
}
