//! The sensitivity experiment: which parameter moves the throughput of jobs of fio most, simulated. Parameters leave a base one at
//! a time.

mod case;
mod result;
mod section;
mod tables;

use std::path::PathBuf;

use hotset_document::Table;
use hotset_lab::go_on;
use hotset_machine::Need;
use hotset_outcome::{GroupKey, GroupKind, Outcome, Provenance, ProvenanceKind, Score};
use hotset_scenario::{Scenario, StoreSpec};

use crate::comparison::mean_score;
use crate::header::Header;
use crate::kept::Measurement;
use crate::kinds::fio_jobs::template::read;
use crate::node::web_node;
use crate::quoted::Quotations;
use crate::session::{Session, Tools};
use crate::study::{ComparisonOf, Kind, Study};
use crate::{Axis, ExperimentError, Point};
use case::Case;
use result::{Detail, JobFigure, Settings, Variation};
use section::Section;

/// An experiment in which parameters leave a base.
pub(crate) struct Sensitivity {
    section: Section,
    /// Where job files and logs are.
    folder: PathBuf,
    job_files: Vec<String>,
    /// Those of the scenario, each a base.
    stores: Vec<StoreSpec>,
    file_memory_bytes: u64,
    seed: u64,
}

impl Sensitivity {
    /// Everything that could be refused later is refused now.
    fn check(&self) -> Result<(), ExperimentError> {
        for point in self.points() {
            let settings = self.settings(&point)?;
            Case::of(&settings, None, &self.folder)?;
            for (parameter, value) in self.varied() {
                Case::of(&settings, Some((parameter, value)), &self.folder)?;
            }
        }
        Ok(())
    }

    fn varied(&self) -> impl Iterator<Item = (&section::Parameter, &str)> {
        let parameters = self.section.parameters.iter();
        parameters.flat_map(|it| it.values.iter().map(move |value| (it, value.as_str())))
    }
}

impl Study for Sensitivity {
    type Settings = Settings;
    type Detail = Detail;
    type PredictionDetail = ();
    type Bench = ();
    type Section = Section;

    const KIND: Kind = Kind::Sensitivity;
    const PHASES: &'static [&'static str] = &["base"];

    fn new(
        section: Section,
        header: &Header,
        scenario: &Scenario,
    ) -> Result<Self, ExperimentError> {
        let unusable = |problem: String| header.unusable(&problem);
        let node = scenario.nodes.first();
        let node = node.ok_or_else(|| unusable("has no [[node]] whose memory is used".into()))?;
        let (node, memory_bytes) = web_node(node, header.scale).map_err(unusable)?;
        let texts = section
            .jobs
            .iter()
            .map(|name| read(&header.folder.join(name)));
        let study = Self {
            job_files: texts.collect::<Result<_, _>>()?,
            folder: header.folder.clone(),
            stores: scenario.stores.clone(),
            file_memory_bytes: memory_bytes - node.server_memory_bytes.unwrap_or(0),
            section,
            seed: header.seed,
        };
        study.check().map(|()| study)
    }

    fn points(&self) -> Vec<Point> {
        Point::of_stores(&self.stores)
    }

    fn settings(&self, point: &Point) -> Result<Settings, ExperimentError> {
        Ok(Settings {
            profile: point.store_among(&self.stores)?.profile.clone(),
            file_memory_bytes: self.file_memory_bytes,
            job_files: self.job_files.clone(),
            values: self.section.values.clone(),
            preparing: self.section.preparing.clone(),
            parameters: self.section.parameters.clone(),
        })
    }

    /// Nothing is made on the machine.
    fn needs(&self, _points: &[Point], _tools: &Tools) -> Result<Vec<Need>, ExperimentError> {
        Ok(Vec::new())
    }

    fn build(&self, _points: &[Point], _session: &Session) -> Result<(), ExperimentError> {
        Ok(())
    }

    fn measure(
        &self,
        (): &mut (),
        point: &Point,
        session: &Session,
    ) -> Result<Measurement<Detail>, ExperimentError> {
        let settings = self.settings(point)?;
        let simulate = |varied| {
            let goes_on = || go_on(session.control).is_ok();
            let case = Case::of(&settings, varied, &self.folder)?;
            case.simulate(&settings.preparing, self.seed, &goes_on)
        };
        session.step("the base")?;
        let base = simulate(None)?;
        let mut varied = Vec::new();
        for (parameter, value) in self.varied() {
            session.step(&format!("{} = {value}", parameter.name))?;
            varied.push(Variation {
                parameter: parameter.name.clone(),
                value: value.to_owned(),
                jobs: simulate(Some((parameter, value)))?,
            });
        }
        Ok(Measurement {
            quietness: None,
            base: None,
            outcomes: vec![outcome(point.on(Axis::Store), &base, self.seed)],
            detail: Detail {
                at_base: base,
                varied,
            },
        })
    }

    fn tables(&self, points: &[ComparisonOf<Self>], _quoted: &Quotations) -> Vec<(String, Table)> {
        points.iter().flat_map(tables::of).collect()
    }

    fn remarks(&self, points: &[ComparisonOf<Self>]) -> Vec<String> {
        points.iter().map(tables::remark).collect()
    }
}

/// The base, a group for each job.
fn outcome(name: &str, base: &[JobFigure], seed: u64) -> Outcome {
    let mut provenance = Provenance::new(ProvenanceKind::Simulated);
    provenance.seed = Some(seed);
    let outcome = Outcome::new(name, provenance, Score::default());
    base.iter().fold(outcome, |outcome, job| {
        let score = mean_score(Some(job.mean_us));
        outcome.with_group(GroupKey::new(GroupKind::Job, job.job.clone()), score)
    })
}
