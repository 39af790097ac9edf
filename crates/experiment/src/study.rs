//! What a kind of experiment is: a grid of points and how each is measured and predicted.
//!
//! To add one: a folder of [`kinds`](crate::kinds) with a type that implements [`Study`], and its place in
//! [`Kind`]. Resuming, order, selection, building and tearing down, keeping results and comparing them
//! are the harness' and are not written again.

use hotset_document::Table;
use hotset_machine::Need;
use hotset_outcome::Outcome;
use hotset_scenario::{ApplicationProfile, Scenario, ServerProfile};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use crate::comparison::{GroupComparison, MeanResponse};
use crate::header::Header;
use crate::kept::{Measurement, PointResult, Results};
use crate::quoted::Quotations;
use crate::scores::ScoredFigure;
use crate::session::{Session, Tools};
use crate::{Axis, ExperimentError, Point};

/// The kinds of experiments, as files write them, and their sections.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, IntoStaticStr, VariantArray)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub(crate) enum Kind {
    /// Two sites on one node with too little memory, under several ways of using the memory.
    SharedNode,
    /// What each file system costs, bare and through a server.
    FileSystems,
    /// Jobs of fio on every store, measured and simulated.
    FioJobs,
    /// Jobs of fio, simulated as parameters leave a base.
    Sensitivity,
    /// A file of every store handed to a socket in several ways, measured and simulated.
    FileSending,
    /// Sites of a workload, served from every store through a proxy and web servers.
    ServedSites,
    /// A twin or a log, sent at its times to nodes that differ in where their files are.
    OpenTrace,
    /// A scenario with some keys set aside, stood up and asked.
    Tiers,
    /// Applications with databases on one node with too little memory, under several ways of using the memory.
    Databases,
    /// Records on a server of NFS, asked for by clients in user space, measured and simulated.
    NfsTimed,
}

impl Kind {
    /// As files write it.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A kind of experiment.
pub(crate) trait Study: Sized {
    /// Everything that decides what is measured at a point. A point that was measured under the same settings is not measured
    /// again.
    type Settings: Clone + PartialEq + Serialize + DeserializeOwned;
    /// What is kept of a point beside its outcomes.
    type Detail: Clone + Serialize + DeserializeOwned;
    /// What a prediction says beside its outcome.
    type PredictionDetail: Serialize;
    /// What points are measured on.
    type Bench;
    /// The section of its experiment files.
    type Section: DeserializeOwned;

    /// Which one it is.
    const KIND: Kind;
    /// What points differ in; results are shown grouped by the first.
    const AXES: &'static [Axis] = &[Axis::Store];
    /// Names of the measurements that published tables can be laid beside.
    const PHASES: &'static [&'static str];
    /// Whether all points share a bench; each has its own unless an experiment says otherwise.
    const SHARES_BENCH: bool = false;

    /// Refuses keys of a section that do not fit each other.
    ///
    /// # Errors
    /// What does not fit, and how to put it right.
    fn check(_section: &Self::Section) -> Result<(), String> {
        Ok(())
    }

    /// Whether servers are restarted, so that claims may be of how long they take to be warm again.
    fn restarts(_section: &Self::Section) -> bool {
        false
    }

    /// The experiment that `section` describes.
    ///
    /// # Errors
    /// What cannot be used of the section, of files that it names, or of the scenario.
    fn new(
        section: Self::Section,
        header: &Header,
        scenario: &Scenario,
    ) -> Result<Self, ExperimentError>;

    /// All points in the order in which they are measured.
    fn points(&self) -> Vec<Point>;

    /// What decides the measurement of a point.
    ///
    /// # Errors
    /// A point that is not of this experiment.
    fn settings(&self, point: &Point) -> Result<Self::Settings, ExperimentError>;

    /// All that a bench for these points needs; checked before anything is made.
    ///
    /// # Errors
    /// What no machine could run.
    fn needs(&self, points: &[Point], tools: &Tools) -> Result<Vec<Need>, ExperimentError>;

    /// Builds the bench for these points.
    ///
    /// # Errors
    /// What fails on the way.
    fn build(&self, points: &[Point], session: &Session) -> Result<Self::Bench, ExperimentError>;

    /// Measures a point.
    ///
    /// # Errors
    /// What fails on the way; [`hotset_lab::LabError::Interrupted`].
    fn measure(
        &self,
        bench: &mut Self::Bench,
        point: &Point,
        session: &Session,
    ) -> Result<Measurement<Self::Detail>, ExperimentError>;

    /// The point whose mean response that of a point is divided by; none where nothing is compared.
    fn base(&self, _point: &Point) -> Option<Point> {
        None
    }

    /// What the model says now of kept results that agree on the first axis; nothing for those that it is not of, and
    /// without a model.
    ///
    /// # Errors
    /// Results that the model cannot be asked about.
    fn predict(
        &self,
        kept: &[ResultOf<Self>],
        _results: &Results,
    ) -> Result<Vec<Option<Prediction<Self::PredictionDetail>>>, ExperimentError> {
        Ok(kept.iter().map(|_| None).collect())
    }

    /// What kept results say of the costs of servers; nothing of any of them where they do not tell.
    fn server_costs(&self, _kept: &[ResultOf<Self>]) -> ServerProfile {
        ServerProfile::default()
    }

    /// What kept results say of the pages of an application; nothing where they do not tell.
    fn page_costs(&self, _kept: &[ResultOf<Self>]) -> Option<ApplicationProfile> {
        None
    }

    /// After how many seconds what a kept result restarted was warm again, infinite where that did not come; nothing without a restart.
    fn seconds_to_warm(_kept: &ResultOf<Self>) -> Option<f64> {
        None
    }

    /// The kept outcome of one of them: the one that is compared where there is only one.
    fn outcome<'k>(&self, kept: &'k ResultOf<Self>, phase: &str) -> Option<&'k Outcome> {
        kept.compared().filter(|_| Self::PHASES == [phase])
    }

    /// Tables of the points, and of what is quoted, each below its title.
    fn tables(&self, points: &[ComparisonOf<Self>], quoted: &Quotations) -> Vec<(String, Table)>;

    /// Figures of jobs, measured and simulated; none in kinds without jobs.
    fn scored_figures(_points: &[ComparisonOf<Self>]) -> Vec<ScoredFigure> {
        Vec::new()
    }

    /// What is to be said beside the tables.
    fn remarks(&self, _points: &[ComparisonOf<Self>]) -> Vec<String> {
        Vec::new()
    }
}

/// What a model says of a point.
#[derive(Clone, Debug)]
pub(crate) struct Prediction<P> {
    /// Its outcome.
    pub outcome: Outcome,
    /// Mean response over that of the base; nothing where there is none.
    pub ratio: Option<f64>,
    /// What else it says.
    pub detail: P,
}

/// A point as a study lays it out.
pub(crate) struct Comparison<S, D, P> {
    /// Its kept result.
    pub kept: PointResult<S, D>,
    /// Its mean response.
    pub measured: MeanResponse,
    /// What the model says of it.
    pub prediction: Option<Prediction<P>>,
    /// Whether both agree.
    pub agrees: Option<bool>,
    /// Its groups against published ones.
    pub quoted: Vec<GroupComparison>,
}

/// The kept result of a point of a kind of experiment.
pub(crate) type ResultOf<S> = PointResult<<S as Study>::Settings, <S as Study>::Detail>;

/// A point of a kind of experiment, laid out.
pub(crate) type ComparisonOf<S> =
    Comparison<<S as Study>::Settings, <S as Study>::Detail, <S as Study>::PredictionDetail>;
