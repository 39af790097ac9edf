//! What a kind of experiment is: a grid of points and how each is measured and predicted.
//!
//! To add one: a folder of [`kinds`](crate::kinds) with a type that implements [`Study`], and its place in
//! [`Kind`](crate::experiment::Kind). Resuming, order, selection, building and tearing down, keeping results and comparing them
//! are the harness' and are not written again.

use std::path::Path;

use hotset_machine::{Need, Quietness};
use hotset_outcome::Outcome;
use hotset_scenario::Scenario;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::comparison::{AgainstQuoted, MeanResponse};
use crate::header::Header;
use crate::kept::{Kept, Results};
use crate::quoted::Quoted;
use crate::session::{Session, Tools};
use crate::table::Table;
use crate::{Axis, ExperimentError, Point};

/// A kind of experiment.
pub(crate) trait Study: Sized {
    /// Everything that decides what is measured at a point. A point that was measured under the same settings is not measured
    /// again.
    type Settings: Clone + PartialEq + Serialize + DeserializeOwned;
    /// What is kept of a point beside its outcomes.
    type Detail: Clone + Serialize + DeserializeOwned;
    /// What a prediction says beside its outcome.
    type Predicted: Serialize;
    /// What points are measured on.
    type Bench;
    /// The section of its experiment files.
    type Section;

    /// As experiment files write it.
    const KIND: &'static str;
    /// What points differ in; results are shown grouped by the first.
    const AXES: &'static [Axis];

    /// The experiment that `section` describes; files that it names are in or below `folder`.
    ///
    /// # Errors
    /// What cannot be used of the section, of files that it names, or of the scenario.
    fn new(
        section: Self::Section,
        folder: &Path,
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

    /// Divides points into those that share a bench: each has its own unless an experiment says otherwise.
    fn benches(&self, points: Vec<Point>) -> Vec<Vec<Point>> {
        points.into_iter().map(|point| vec![point]).collect()
    }

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
    ) -> Result<PointResult<Self::Detail>, ExperimentError>;

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
        kept: &[KeptOf<Self>],
        _results: &Results,
    ) -> Result<Vec<Option<Prediction<Self::Predicted>>>, ExperimentError> {
        Ok(kept.iter().map(|_| None).collect())
    }

    /// Names of the measurements that published tables can be laid beside.
    fn phases() -> Vec<&'static str>;

    /// The kept outcome of one of them: the one that is compared where there is only one.
    fn outcome<'k>(&self, kept: &'k KeptOf<Self>, phase: &str) -> Option<&'k Outcome> {
        kept.compared().filter(|_| Self::phases() == [phase])
    }

    /// Tables of the points, and of what is quoted.
    fn tables(&self, points: &[ShownOf<Self>], quoted: &Quoted) -> Vec<Table>;

    /// What is to be said beside the tables.
    fn remarks(&self, _points: &[ShownOf<Self>]) -> Vec<String> {
        Vec::new()
    }
}

/// What measuring a point came to.
#[derive(Clone, Debug)]
pub(crate) struct PointResult<D> {
    /// What is kept beside the outcomes.
    pub detail: D,
    /// Whether the machine was busy with something else; nothing where that does not matter.
    pub quietness: Option<Quietness>,
    /// What a second bench gave for the same requests, asked for in turn with the first outcome's.
    pub base: Option<Outcome>,
    /// The outcomes; the first is the one that is compared.
    pub outcomes: Vec<Outcome>,
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
pub(crate) struct Shown<S, D, P> {
    /// Its kept result.
    pub kept: Kept<S, D>,
    /// Its mean response.
    pub measured: MeanResponse,
    /// What the model says of it.
    pub prediction: Option<Prediction<P>>,
    /// Whether both agree.
    pub agrees: Option<bool>,
    /// Its groups against published ones.
    pub quoted: Vec<AgainstQuoted>,
}

/// The kept result of a point of a kind of experiment.
pub(crate) type KeptOf<S> = Kept<<S as Study>::Settings, <S as Study>::Detail>;

/// A point of a kind of experiment, laid out.
pub(crate) type ShownOf<S> =
    Shown<<S as Study>::Settings, <S as Study>::Detail, <S as Study>::Predicted>;
