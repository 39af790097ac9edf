//! What is done with every kind of experiment: listing, running, showing.

use std::fs;

use hotset_lab::{Control, go_on};
use hotset_machine::{OnFile, Requirements, file};
use hotset_scenario::{ApplicationProfile, ServerProfile};
use serde::Serialize;

use crate::claims::{ClaimReport, Run};
use crate::header::Header;
use crate::kept::{PointResult, Results};
use crate::quoted::Quotations;
use crate::scores::ScoredFigure;
use crate::session::{Session, Tools};
use crate::show::{self, Report};
use crate::study::{ResultOf, Study};
use crate::{ExperimentError, Point, Selection};

/// A point of an experiment, and whether it has been measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Item {
    /// The point.
    #[serde(flatten)]
    pub point: Point,
    /// Whether a result is kept that was measured under the experiment's settings.
    pub measured: bool,
}

/// Any kind of experiment.
pub(crate) trait Harness {
    /// The selected points in the order in which they are measured.
    ///
    /// # Errors
    /// A selection of what there is not; a result that cannot be read.
    fn list(&self, header: &Header, selection: &Selection) -> Result<Vec<Item>, ExperimentError>;

    /// Measures the selected points that have not been measured under the experiment's settings; every result is written as
    /// soon as it is there. Returns how many were measured.
    ///
    /// # Errors
    /// As for [`Harness::list`]; what the machine lacks, what fails on the way, [`hotset_lab::LabError::Interrupted`]. Nothing is
    /// left behind then but results.
    fn run(
        &self,
        header: &Header,
        selection: &Selection,
        tools: &Tools,
        date: &str,
        control: &dyn Control,
    ) -> Result<usize, ExperimentError>;

    /// What the kept results say of the costs of servers.
    ///
    /// # Errors
    /// A result that cannot be read; results that do not tell.
    fn server_profile(&self, header: &Header) -> Result<ServerProfile, ExperimentError>;

    /// What the kept results say of the pages of an application.
    ///
    /// # Errors
    /// A result that cannot be read; results that do not tell.
    fn application_profile(&self, header: &Header) -> Result<ApplicationProfile, ExperimentError>;

    /// What documents claim, as the kept results of all points decide it.
    ///
    /// # Errors
    /// A result that cannot be read.
    fn claims(&self, header: &Header) -> Result<Vec<ClaimReport>, ExperimentError>;

    /// Figures of jobs at all points that results are kept of; none in kinds without jobs.
    ///
    /// # Errors
    /// A result that cannot be read; a prediction that cannot be made.
    fn figures(&self, header: &Header) -> Result<Vec<ScoredFigure>, ExperimentError>;

    /// Lays the kept results of the selected points beside what is predicted and quoted.
    ///
    /// # Errors
    /// As for [`Harness::list`]; a prediction that cannot be made.
    fn show(
        &self,
        header: &Header,
        selection: &Selection,
        quoted: Quotations,
    ) -> Result<Report, ExperimentError>;
}

impl<S: Study> Harness for S {
    fn list(&self, header: &Header, selection: &Selection) -> Result<Vec<Item>, ExperimentError> {
        let item = |point: Point| {
            let measured = header.results.has(&point, &self.settings(&point)?)?;
            Ok(Item { point, measured })
        };
        selected(self, selection)?.into_iter().map(item).collect()
    }

    fn run(
        &self,
        header: &Header,
        selection: &Selection,
        tools: &Tools,
        date: &str,
        control: &dyn Control,
    ) -> Result<usize, ExperimentError> {
        let mut items = self.list(header, selection)?;
        items.retain(|item| !item.measured);
        let points: Vec<Point> = items.into_iter().map(|item| item.point).collect();
        let count = points.len();
        let benches = match S::SHARES_BENCH && count > 0 {
            true => vec![points],
            false => points.into_iter().map(|point| vec![point]).collect(),
        };
        check(self, &benches, tools, &header.results)?;
        let mut number = 0;
        for points in benches {
            let session = Session::new(header, tools, date, control);
            measure_all(self, &points, &session, &mut |point| {
                number += 1;
                format!("{point} ({number} of {count})")
            })?;
        }
        Ok(count)
    }

    fn server_profile(&self, header: &Header) -> Result<ServerProfile, ExperimentError> {
        let kept = kept(self, header)?;
        let profile = self.server_costs(&kept);
        match profile.is_empty() {
            false => Ok(profile),
            true => Err(ExperimentError::Unusable(format!(
                "experiment {}: its results do not tell what a server costs; measure cells of kind tiers that ask a server for files of \
                 two sizes which are in memory, as experiments/server-costs does, or run one of kind nfs-timed",
                header.name
            ))),
        }
    }

    fn application_profile(&self, header: &Header) -> Result<ApplicationProfile, ExperimentError> {
        let profile = self.page_costs(&kept(self, header)?);
        profile.ok_or_else(|| {
            ExperimentError::Unusable(format!(
                "experiment {}: its results do not tell what pages take; measure mixes of kind databases with clients = 1, think_ms = 0, \
                 flush_method = \"O_DIRECT\" and the arms pool and page-cache, as experiments/page-costs does",
                header.name
            ))
        })
    }

    fn claims(&self, header: &Header) -> Result<Vec<ClaimReport>, ExperimentError> {
        if header.claims.is_empty() {
            return Ok(Vec::new());
        }
        let points = self.points();
        let kept = points.iter().map(|point| header.results.of(point));
        let kept = kept.filter_map(Result::transpose);
        let kept: Vec<ResultOf<S>> = kept.collect::<Result<_, _>>()?;
        let runs = kept.iter().map(|kept| Run {
            point: &kept.point,
            outcomes: &kept.measured.outcomes,
            seconds_to_warm: Self::seconds_to_warm(kept),
        });
        let runs: Vec<Run> = runs.collect();
        let claims = header.claims.iter();
        Ok(claims.map(|claim| claim.report(&runs)).collect())
    }

    fn figures(&self, header: &Header) -> Result<Vec<ScoredFigure>, ExperimentError> {
        show::figures(self, header)
    }

    fn show(
        &self,
        header: &Header,
        selection: &Selection,
        quoted: Quotations,
    ) -> Result<Report, ExperimentError> {
        show::report(self, header, selected(self, selection)?, quoted)
    }
}

/// The results of all points that were measured under the experiment's settings.
fn kept<S: Study>(study: &S, header: &Header) -> Result<Vec<ResultOf<S>>, ExperimentError> {
    let kept = study.points().into_iter().map(|point| {
        let settings = study.settings(&point)?;
        header.results.under(&point, &settings)
    });
    let kept: Vec<Option<ResultOf<S>>> = kept.collect::<Result<_, _>>()?;
    Ok(kept.into_iter().flatten().collect())
}

/// The points of the selection.
fn selected<S: Study>(study: &S, selection: &Selection) -> Result<Vec<Point>, ExperimentError> {
    let mut points = study.points();
    selection.check(S::KIND.name(), S::AXES, &points)?;
    points.retain(|point| selection.wants(point));
    Ok(points)
}

/// Refuses a machine that lacks something for any of the benches, before the first is built.
fn check<S: Study>(
    study: &S,
    benches: &[Vec<Point>],
    tools: &Tools,
    results: &Results,
) -> Result<(), ExperimentError> {
    if benches.is_empty() {
        return Ok(());
    }
    let mut needs = Vec::new();
    for points in benches {
        for need in study.needs(points, tools)? {
            if !needs.contains(&need) {
                needs.push(need);
            }
        }
    }
    Requirements::check(&needs)?;
    // What cannot be kept is not worth measuring.
    fs::create_dir_all(&results.0).on("make", &results.0)?;
    Ok(())
}

/// Builds a bench, measures its points and takes everything down again.
fn measure_all<S: Study>(
    study: &S,
    points: &[Point],
    session: &Session,
    subject: &mut dyn FnMut(&Point) -> String,
) -> Result<(), ExperimentError> {
    let measured = study.build(points, session).and_then(|mut bench| {
        let measured = points.iter().try_for_each(|point| {
            session.begin(subject(point));
            measure(study, &mut bench, point, session)
        });
        measured.map_err(|error| session.explain(error))
    });
    // An interruption reaches the lab's processes too, whose end is then no error of theirs.
    let measured =
        measured.or_else(|error| go_on(session.control).map_err(Into::into).and(Err(error)));
    let torn_down = session.tear_down();
    measured.and(torn_down)
}

/// Measures a point and keeps what it came to.
fn measure<S: Study>(
    study: &S,
    bench: &mut S::Bench,
    point: &Point,
    session: &Session,
) -> Result<(), ExperimentError> {
    let measured = study.measure(bench, point, session)?;
    let result = PointResult {
        experiment: session.header.name.clone(),
        point: point.clone(),
        settings: study.settings(point)?,
        date: session.date.to_owned(),
        measured,
    };
    let path = session.results().file(point);
    Ok(file::write_json(&path, &result)?)
}
