//! Kept results beside what a model predicts now and what is published.

use std::collections::BTreeMap;

use hotset_document::Table;
use hotset_outcome::Outcome;
use serde::Serialize;
use serde_json::Value;

use crate::claims::{self, ClaimReport, Run};
use crate::comparison::{GroupComparison, MeanResponse, against_quoted};
use crate::header::Header;
use crate::kept::Measurement;
#[cfg(feature = "schemas")]
use crate::kinds::{
    databases::Databases, file_sending::FileSending, file_systems::FileSystems, fio_jobs::FioJobs,
    jobs::StoreJobs, nfs_timed::NfsTimed, open_trace::OpenTrace, pollution::Pollution,
    sensitivity::Sensitivity, served_sites::ServedSites, tiers::TiersStudy,
};
use crate::point::values_on;
use crate::quoted::Quotations;
use crate::scores::ScoredFigure;
use crate::study::{Comparison, ComparisonOf, Prediction, ResultOf, Study};
use crate::{ExperimentError, Point};

/// The results of an experiment, laid beside what is predicted and quoted.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Report {
    /// Name of the experiment.
    pub experiment: String,
    /// Its kind.
    pub kind: &'static str,
    /// What memory and file sizes are divided by.
    pub scale: u64,
    /// Seed of every random choice.
    pub seed: u64,
    /// The points that a result is kept of.
    pub points: Vec<PointReport>,
    /// Published outcomes by the measurement that they are laid beside.
    pub quoted: BTreeMap<String, Vec<Outcome>>,
    /// What is not measured, and why.
    pub not_measured: BTreeMap<String, String>,
    /// What documents claim, and whether it holds.
    pub claims: Vec<ClaimReport>,
    /// What is to be said beside the figures.
    pub remarks: Vec<String>,
    /// Measured and predicted outcomes of all points.
    pub outcomes: Vec<Outcome>,
    /// The figures as tables, each below its title.
    #[serde(skip)]
    pub tables: Vec<(String, Table)>,
}

/// A point that a result is kept of.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct PointReport {
    /// The kept result without its outcomes, which are given once, for all points.
    #[cfg_attr(feature = "schemas", schemars(with = "AnyResult"))]
    pub result: Value,
    /// Its mean response.
    #[serde(flatten)]
    pub measured: MeanResponse,
    /// What the model predicts now for what was measured; null where it has no prediction.
    #[cfg_attr(feature = "schemas", schemars(with = "Option<AnyPrediction>"))]
    pub prediction: Option<Value>,
    /// The ratio that it says.
    pub predicted_ratio: Option<f64>,
    /// Whether the measured and the predicted ratio are within 0.05 of each other.
    pub agrees: Option<bool>,
    /// Its groups against published ones.
    pub quoted: Vec<GroupComparison>,
}

/// The kept result of a point of any kind of experiment.
#[cfg(feature = "schemas")]
#[derive(schemars::JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "says what the results of all kinds look like")]
enum AnyResult {
    #[schemars(extend("required" = ["cell", "arm"]))]
    SharedNode(Box<ResultOf<Pollution>>),
    #[schemars(extend("required" = ["store"]))]
    FileSystems(ResultOf<FileSystems>),
    #[schemars(extend("required" = ["store", "fio"]))]
    FioJobs(ResultOf<StoreJobs<FioJobs>>),
    #[schemars(extend("required" = ["store"]))]
    Sensitivity(ResultOf<Sensitivity>),
    #[schemars(extend("required" = ["store"]))]
    FileSending(ResultOf<StoreJobs<FileSending>>),
    #[schemars(extend("required" = ["cell", "store", "run"]))]
    ServedSites(ResultOf<ServedSites>),
    #[schemars(extend("required" = ["cell", "store", "run"]))]
    OpenTrace(ResultOf<OpenTrace>),
    #[schemars(extend("required" = ["cell", "run"]))]
    Tiers(ResultOf<TiersStudy>),
    #[schemars(extend("required" = ["cell", "arm", "run", "tiers"]))]
    Databases(Box<ResultOf<Databases>>),
    #[schemars(extend("required" = ["cell", "calls"]))]
    NfsTimed(ResultOf<NfsTimed>),
}

/// What a model says of a point of any kind of experiment.
#[cfg(feature = "schemas")]
#[derive(schemars::JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "says what the predictions of all kinds look like")]
enum AnyPrediction {
    SharedNode(<Pollution as Study>::PredictionDetail),
    FioJobs(<StoreJobs<FioJobs> as Study>::PredictionDetail),
    Tiers(<TiersStudy as Study>::PredictionDetail),
    Databases(<Databases as Study>::PredictionDetail),
    NfsTimed(<NfsTimed as Study>::PredictionDetail),
}

/// The report on `points`.
pub(crate) fn report<S: Study>(
    study: &S,
    header: &Header,
    points: Vec<Point>,
    quoted: Quotations,
) -> Result<Report, ExperimentError> {
    let shown = all_beside(study, header, points, &quoted)?;
    let remarks = study.remarks(&shown).into_iter();
    let remarks = remarks
        .chain(disturbances::<S>(&shown))
        .chain(of_other_settings(study, &shown))
        .collect();
    let mut tables = study.tables(&shown, &quoted);
    let claims = claims::<S>(header, &shown);
    if !claims.is_empty() {
        let title = "What the documents say: figures as quotients, medians of the runs";
        tables.push((title.to_owned(), claims::table(&claims)));
    }
    Ok(Report {
        experiment: header.name.clone(),
        kind: S::KIND.name(),
        scale: header.scale,
        seed: header.seed,
        outcomes: shown.iter().flat_map(outcomes::<S>).cloned().collect(),
        points: shown
            .into_iter()
            .map(point::<S>)
            .collect::<Result<_, _>>()?,
        quoted: quoted.0,
        not_measured: header.not_measured.clone(),
        claims,
        remarks,
        tables,
    })
}

/// Figures of jobs at all points that results are kept of.
pub(crate) fn figures<S: Study>(
    study: &S,
    header: &Header,
) -> Result<Vec<ScoredFigure>, ExperimentError> {
    let shown = all_beside(study, header, study.points(), &Quotations::default())?;
    Ok(S::scored_figures(&shown))
}

/// Points that have results, beside what is predicted and quoted.
fn all_beside<S: Study>(
    study: &S,
    header: &Header,
    points: Vec<Point>,
    quoted: &Quotations,
) -> Result<Vec<ComparisonOf<S>>, ExperimentError> {
    let mut shown = Vec::new();
    for points in by_first_axis::<S>(points) {
        shown.extend(beside(study, header, &points, quoted)?);
    }
    Ok(shown)
}

/// What documents claim of the points.
fn claims<S: Study>(header: &Header, shown: &[ComparisonOf<S>]) -> Vec<ClaimReport> {
    let runs = shown.iter().map(|point| Run {
        point: &point.kept.point,
        outcomes: &point.kept.measured.outcomes,
        seconds_to_warm: S::seconds_to_warm(&point.kept),
    });
    let runs: Vec<Run> = runs.collect();
    header
        .claims
        .iter()
        .map(|claim| claim.report(&runs))
        .collect()
}

/// The points divided by their value on the first axis.
fn by_first_axis<S: Study>(points: Vec<Point>) -> Vec<Vec<Point>> {
    let Some(&first) = S::AXES.first() else {
        return vec![points];
    };
    let of = |value: &str| {
        let own = points.iter().filter(|point| point.on(first) == value);
        own.cloned().collect()
    };
    values_on(first, &points).into_iter().map(of).collect()
}

/// Points that agree on the first axis and have results, beside what is predicted and quoted.
fn beside<S: Study>(
    study: &S,
    header: &Header,
    points: &[Point],
    quoted: &Quotations,
) -> Result<Vec<ComparisonOf<S>>, ExperimentError> {
    let kept = points.iter().map(|point| header.results.of(point));
    let kept = kept
        .filter_map(Result::transpose)
        .collect::<Result<Vec<_>, _>>()?;
    let predictions = study.predict(&kept, &header.results)?;
    let shown = |(kept, prediction): (ResultOf<S>, Option<Prediction<_>>)| {
        let measured = mean_response(study, header, &kept)?;
        let predicted = prediction.as_ref().and_then(|prediction| prediction.ratio);
        Ok(Comparison {
            quoted: quoted_groups(study, &kept, quoted, header.seed),
            agrees: predicted.and_then(|predicted| measured.agrees(predicted)),
            measured,
            prediction,
            kept,
        })
    };
    kept.into_iter().zip(predictions).map(shown).collect()
}

/// The mean response of a point over that of its base, as it was measured in turn with it or else by itself.
fn mean_response<S: Study>(
    study: &S,
    header: &Header,
    kept: &ResultOf<S>,
) -> Result<MeanResponse, ExperimentError> {
    let base = match (&kept.measured.base, study.base(&kept.point)) {
        (None, Some(base)) => header.results.under(&base, &kept.settings)?,
        _ => None,
    };
    let own = kept.measured.base.as_ref();
    let base = own.or(base.as_ref().and_then(ResultOf::<S>::compared));
    Ok(MeanResponse::of(kept.compared(), base, header.seed))
}

fn quoted_groups<S: Study>(
    study: &S,
    kept: &ResultOf<S>,
    quoted: &Quotations,
    seed: u64,
) -> Vec<GroupComparison> {
    let mut groups = Vec::new();
    for &phase in S::PHASES {
        let Some(measured) = study.outcome(kept, phase) else {
            continue;
        };
        let same = |quoted: &&Outcome| quoted.name == kept.point.to_string();
        if let Some(quoted) = quoted.beside(phase).iter().find(same) {
            groups.extend(against_quoted(phase, measured, quoted, seed));
        }
    }
    groups
}

/// What was in the way of measuring, each kind once.
fn disturbances<S: Study>(shown: &[ComparisonOf<S>]) -> Vec<String> {
    let all = shown.len();
    let quietness = shown
        .iter()
        .filter_map(|point| point.kept.measured.quietness.as_ref());
    let busy = quietness.clone().filter(|quietness| !quietness.is_quiet());
    let shares: Vec<f64> = busy.map(|of| of.others_cpu_share).collect();
    let most = shares.iter().copied().fold(0.0, f64::max) * 100.0;
    let busy = (!shares.is_empty()).then(|| {
        format!(
            "The machine was busy while {} of {all} points were measured: others used up to {most:.0} % of its \
             processors. Times are longer than on a quiet machine.",
            shares.len()
        )
    });
    let paged_out = quietness
        .filter(|quietness| quietness.pages_out_idle_memory)
        .count();
    let paged_out = (paged_out > 0).then(|| {
        format!(
            "The kernel paged out idle memory (DAMON) while {paged_out} of {all} points were measured. More requests ask \
             the disk than the memory would make."
        )
    });
    busy.into_iter().chain(paged_out).collect()
}

/// How many of the points were measured under other settings than the experiment has now.
fn of_other_settings<S: Study>(study: &S, shown: &[ComparisonOf<S>]) -> Option<String> {
    // Where the settings are not to be had, as of a log that is not here, nobody can tell.
    let is_other = |point: &&ComparisonOf<S>| {
        let settings = study.settings(&point.kept.point);
        settings.is_ok_and(|settings| settings != point.kept.settings)
    };
    let count = shown.iter().filter(is_other).count();
    (count > 0).then(|| {
        format!(
            "{count} of {} points were measured under other settings than the experiment has now. Tables and claims have them all the \
             same; run the experiment to measure them again.",
            shown.len()
        )
    })
}

fn outcomes<S: Study>(of: &ComparisonOf<S>) -> impl Iterator<Item = &Outcome> {
    let predicted = of.prediction.iter().map(|prediction| &prediction.outcome);
    of.kept.measured.outcomes.iter().chain(predicted)
}

fn point<S: Study>(of: ComparisonOf<S>) -> Result<PointReport, ExperimentError> {
    let written = |result: serde_json::Result<Value>| {
        result.map_err(|error| ExperimentError::Unusable(format!("a result as JSON: {error}")))
    };
    let bare = ResultOf::<S> {
        measured: Measurement {
            base: None,
            outcomes: Vec::new(),
            ..of.kept.measured
        },
        ..of.kept
    };
    let prediction = of.prediction.as_ref();
    Ok(PointReport {
        result: written(serde_json::to_value(&bare))?,
        measured: of.measured,
        predicted_ratio: prediction.and_then(|prediction| prediction.ratio),
        prediction: prediction
            .map(|prediction| written(serde_json::to_value(&prediction.detail)))
            .transpose()?,
        agrees: of.agrees,
        quoted: of.quoted,
    })
}
