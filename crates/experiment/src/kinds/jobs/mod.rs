//! Jobs on stores of a scenario, of fio or of this program: measured on a node of the lab round after round, and simulated on
//! what is known of the same store. A kind of them says which jobs, and how they are run.
//!
//! | deed | place |
//! | --- | --- |
//! | what a kind of jobs has to say | `job_kind` |
//! | stores that jobs run on, and their benches | `stores`, `bench` |
//! | what the model is told of a store of the lab; of which several experiments share a part | `store_profile`; `kept_profile` |
//! | rounds are measured, and simulated | `measure`, `prediction` |
//! | what is kept of them, and shown | `result`, `tables` |

mod bench;
mod job_kind;
mod kept_profile;
mod measure;
mod prediction;
mod result;
mod section;
mod store_profile;
mod stores;
mod tables;

use hotset_document::Table;
use hotset_machine::Need;
use hotset_scenario::Scenario;

pub(crate) use bench::Bench;
pub(crate) use job_kind::JobKind;
pub(crate) use result::Detail;
pub(crate) use section::{PublishedError, rounds, usual_rounds, whole_pages};
pub(crate) use stores::JobStores;

use crate::header::Header;
use crate::kept::{Measurement, Results};
use crate::quoted::Quotations;
use crate::scores::ScoredFigure;
use crate::session::{Session, Tools};
use crate::study::{ComparisonOf, Kind, Prediction, ResultOf, Study};
use crate::{ExperimentError, Point};
use result::JobPredictions;

/// An experiment with jobs on stores.
pub(crate) struct StoreJobs<K> {
    jobs: K,
    stores: JobStores,
    seed: u64,
}

impl<K: JobKind> Study for StoreJobs<K> {
    type Settings = K::Settings;
    type Detail = Detail;
    type PredictionDetail = JobPredictions;
    type Bench = Bench;
    type Section = K::Section;

    const KIND: Kind = K::KIND;
    const PHASES: &'static [&'static str] = K::PHASES;

    fn new(
        section: K::Section,
        header: &Header,
        scenario: &Scenario,
    ) -> Result<Self, ExperimentError> {
        let (jobs, files_bytes) = K::new(section, header)?;
        let stores = JobStores::of(scenario, header.scale, files_bytes);
        Ok(Self {
            jobs,
            stores: stores.map_err(|problem| header.unusable(&problem))?,
            seed: header.seed,
        })
    }

    fn points(&self) -> Vec<Point> {
        self.stores.points()
    }

    fn settings(&self, point: &Point) -> Result<K::Settings, ExperimentError> {
        self.jobs.settings(&self.stores, point)
    }

    fn needs(&self, points: &[Point], tools: &Tools) -> Result<Vec<Need>, ExperimentError> {
        let programs = K::PROGRAMS.iter();
        let programs = programs.map(|(program, package)| Need::program(program, package));
        let mut needs: Vec<Need> = programs.collect();
        for point in points {
            let scenario = self.stores.scenario(point)?;
            needs.extend(hotset_lab::needs(&scenario, &tools.directories)?);
        }
        Ok(needs)
    }

    fn build(&self, points: &[Point], session: &Session) -> Result<Bench, ExperimentError> {
        let point = session.only(points)?;
        Bench::build(&self.stores, self.jobs.profiles(), point, session)
    }

    fn measure(
        &self,
        bench: &mut Bench,
        point: &Point,
        session: &Session,
    ) -> Result<Measurement<Detail>, ExperimentError> {
        measure::measure(&self.jobs, bench, point, session)
    }

    fn predict(
        &self,
        kept: &[ResultOf<Self>],
        _results: &Results,
    ) -> Result<Vec<Option<Prediction<JobPredictions>>>, ExperimentError> {
        let predict = |kept| prediction::of(&self.jobs, kept, self.seed).map(Some);
        kept.iter().map(predict).collect()
    }

    fn scored_figures(points: &[ComparisonOf<Self>]) -> Vec<ScoredFigure> {
        let cells = points.iter().flat_map(tables::cells);
        let scored = cells.map(|cell| ScoredFigure {
            of: cell.of.clone(),
            is_set_aside: cell.is_set_aside,
        });
        scored.collect()
    }

    fn tables(&self, points: &[ComparisonOf<Self>], _quoted: &Quotations) -> Vec<(String, Table)> {
        tables::of(points)
    }

    fn remarks(&self, points: &[ComparisonOf<Self>]) -> Vec<String> {
        tables::remarks(points, self.jobs.published())
    }
}
