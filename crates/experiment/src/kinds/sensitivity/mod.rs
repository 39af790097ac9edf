//! The sensitivity experiment: which parameter moves the throughput of jobs of fio most, simulated. Parameters leave a base one at
//! a time.

mod case;
mod result;
mod section;
mod tables;

use std::path::{Path, PathBuf};

use hotset_lab::go_on;
use hotset_machine::Need;
use hotset_outcome::{GroupKey, GroupKind, Outcome, Provenance, ProvenanceKind, Score};
use hotset_scenario::{Profile, Scenario};

pub(crate) use section::Section;

use crate::comparison::mean_score;
use crate::header::Header;
use crate::kinds::fio_jobs::template::read;
use crate::node::web_node;
use crate::quoted::Quoted;
use crate::session::{Session, Tools};
use crate::study::{PointResult, ShownOf, Study};
use crate::table::Table;
use crate::{Axis, ExperimentError, Point};
use case::Case;
use result::{Detail, JobFigure, Settings, Varied};

/// An experiment in which parameters leave a base.
pub(crate) struct Sensitivity {
    section: Section,
    /// Where job files and logs are.
    folder: PathBuf,
    job_files: Vec<String>,
    /// Stores of the scenario, by name.
    bases: Vec<(String, Profile)>,
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
    type Predicted = ();
    type Bench = ();
    type Section = Section;

    const KIND: &'static str = "sensitivity";
    const AXES: &'static [Axis] = &[Axis::Store];

    fn new(
        section: Section,
        folder: &Path,
        header: &Header,
        scenario: &Scenario,
    ) -> Result<Self, ExperimentError> {
        let unusable = |problem: String| header.unusable(&problem);
        let node = scenario.nodes.first();
        let node = node.ok_or_else(|| unusable("has no [[node]] whose memory is used".into()))?;
        let (node, memory_bytes) = web_node(node, header.scale).map_err(unusable)?;
        let stores = scenario.stores.iter();
        let bases = stores.map(|store| (store.name.clone(), store.profile.clone()));
        let texts = section.jobs.iter().map(|name| read(&folder.join(name)));
        let study = Self {
            job_files: texts.collect::<Result<_, _>>()?,
            folder: folder.to_owned(),
            bases: bases.collect(),
            file_memory_bytes: memory_bytes - node.server_memory_bytes.unwrap_or(0),
            section,
            seed: header.seed,
        };
        study.check().map(|()| study)
    }

    fn points(&self) -> Vec<Point> {
        let point = |base: &(String, Profile)| Point::default().with(Axis::Store, &base.0);
        self.bases.iter().map(point).collect()
    }

    fn settings(&self, point: &Point) -> Result<Settings, ExperimentError> {
        let name = point.on(Axis::Store);
        let base = self.bases.iter().find(|base| base.0 == name);
        let missing = || ExperimentError::Unusable(format!("there is no store `{name}`"));
        let (_, profile) = base.ok_or_else(missing)?;
        Ok(Settings {
            profile: profile.clone(),
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
    ) -> Result<PointResult<Detail>, ExperimentError> {
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
            varied.push(Varied {
                parameter: parameter.name.clone(),
                value: value.to_owned(),
                jobs: simulate(Some((parameter, value)))?,
            });
        }
        Ok(PointResult {
            quietness: None,
            base: None,
            outcomes: vec![outcome(point.on(Axis::Store), &base, self.seed)],
            detail: Detail {
                at_base: base,
                varied,
            },
        })
    }

    fn phases() -> Vec<&'static str> {
        vec!["base"]
    }

    fn tables(&self, points: &[ShownOf<Self>], _quoted: &Quoted) -> Vec<Table> {
        tables::of(points)
    }

    fn remarks(&self, points: &[ShownOf<Self>]) -> Vec<String> {
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
