//! `hotset.plan` and what it gives.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use hotset_actions::plan::{self, Options, PlanResult};
use hotset_plan::Verdict;
use hotset_report::number::counted;
use hotset_report::{PlanFile, PlanFileFormat, PlanView};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use strum::VariantNames;

use crate::argument::{self, Arg};
use crate::errors::{self, SaveError, option};
use crate::reading::{self, Reading, period_of, zone};
use crate::table::Table;
use crate::traffic::{Given, TRACE, Traffic};
use crate::{result, result_tables, work};

/// Which files to hold in memory, and what that buys on traffic that the plan has not seen.
#[pyclass(frozen, module = "hotset")]
pub struct Plan(PlanResult);

impl Plan {
    fn view(&self) -> PlanView<'_> {
        self.0.view()
    }
}

#[pymethods]
impl Plan {
    /// What to do: `unchanged`, `hold`, or `leave` the memory to the page cache.
    #[getter]
    fn verdict(&self) -> &'static str {
        match self.view().verdict() {
            Verdict::Unchanged => "unchanged",
            Verdict::Hold => "hold",
            Verdict::Leave => "leave",
        }
    }

    /// Number of files to hold.
    fn __len__(&self) -> usize {
        self.view().placement.files.len()
    }

    /// The files to hold.
    #[getter]
    fn files(&self) -> PyResult<Table> {
        result_tables::held(self.view().placement)
    }

    /// The keys and values that `hotset plan --json` prints.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        result::to_dict(py, &self.view())
    }

    /// What `hotset plan --json` prints.
    fn to_json(&self) -> PyResult<String> {
        result::to_json(&self.view())
    }

    /// Writes the result as JSON, or as the report's page where `path` ends in `.html`.
    fn save(&self, py: Python<'_>, path: Arg<PathBuf>) -> PyResult<()> {
        py.detach(|| result::save(&path.0, &self.view()))
    }

    /// Writes the plan file, which `hotset apply` and `previous=` take; `format` is `json`, `list` or `vmtouch`.
    ///
    /// A file that a list has by its URL, or lacks, is counted in a `UserWarning`.
    #[pyo3(signature = (path, *, format="json"))]
    fn save_plan(&self, py: Python<'_>, path: Arg<PathBuf>, format: &str) -> PyResult<()> {
        let format: PlanFileFormat = reading::parse("format", format)?;
        if let Some(proposal) = self.view().proposal {
            let why = format!(
                "a plan that is kept is for a size of memory: plan with one, such as memory={}, which is free here",
                proposal.free_bytes
            );
            return Err(option("memory", why));
        }
        let file = py.detach(|| -> PyResult<PlanFile> {
            let file = self.view().plan_file(format);
            let file = file.map_err(|error| SaveError::new_err(errors::said(&error)))?;
            result::write(&path.0, &file.contents)?;
            Ok(file)
        })?;
        let warnings = not_expected(&path.0, &file);
        let mut warnings = warnings.iter();
        warnings.try_for_each(|warning| work::warn(py, warning))
    }

    fn _repr_html_(&self) -> String {
        result::to_frame(&self.view())
    }

    fn __repr__(&self) -> String {
        format!("<hotset.Plan to hold {} files>", self.__len__())
    }
}

/// What the reader of a plan file may not expect, as `hotset plan` says it.
fn not_expected(path: &Path, file: &PlanFile) -> Vec<String> {
    let name = path.display();
    let by_url = (file.by_url > 0).then(|| {
        format!(
            "{name}: {} by URL path, because their sites have no root; roots SITE=DIR names it",
            counted(file.by_url, "file goes", "files go")
        )
    });
    let left_out = (file.left_out > 0).then(|| {
        format!(
            "{name}: {} left out, because their roots do not have them",
            counted(file.left_out, "file is", "files are")
        )
    });
    by_url.into_iter().chain(left_out).collect()
}

/// Plans what to hold in memory, as `hotset plan` does.
///
/// What can be noted of it that is no error becomes a `UserWarning`.
///
/// Without `memory` the plan is for what is free on this machine. `to_dict()["proposal"]` then has sizes to choose from, and says
/// whether holding is worth it; `save_plan` takes a plan for a size that was named.
///
/// Arguments:
///     traffic: a log, a list of logs, patterns of them, one trace folder, or a `Trace`.
///     memory: what the node has: bytes, a text such as "512MiB", or "10%" of all files. A scenario may give it.
///     server_memory: the part of it that server and kernel need.
///     page_cache: the model of the page cache: "linux", or "whole-files".
///     backing: the store of the files, by the name of a profile such as "nvme", or a TOML file.
///     scenario: a scenario file with sites, stores and nodes.
///     objective: what the plan is for: the least "mean" response, or the sites' "targets" first.
///     targets: what responses of sites should come to, such as ["shop=p99 < 20ms"].
///     groups: whether the memory may be split into one group for each site.
///     previous: the plan file in force, to be told what changes.
///     for_gain: also tell how much memory this gain takes, as a share above 0 and below 1.
///     candidates: stores to consider for each site, by the names of their profiles.
///     seed: of the confidence intervals.
///     start, end: requests from this time on and before that one: a text, a date, or a datetime.
///     time_zone: zone in which times are shown and given, such as "Europe/Berlin"; UTC by default.
///     progress: called with the bytes that were read and those of all logs, where that is known.
///
/// Returns:
///     A `Plan`.
#[doc = include_str!("reading.txt")]
#[pyfunction(name = "plan")]
#[pyo3(signature = (traffic, *, memory=None, server_memory=None, page_cache=None, backing=None, scenario=None, objective=None,
    targets=None, groups=false, previous=None, for_gain=None, candidates=None, seed=0, start=None, end=None, time_zone=None,
    progress=None, **reading))]
#[allow(clippy::too_many_arguments, reason = "they are keywords in Python")]
fn plan_for(
    py: Python<'_>,
    traffic: Given,
    memory: Option<Bound<'_, PyAny>>,
    server_memory: Option<Bound<'_, PyAny>>,
    page_cache: Option<Arg<String>>,
    backing: Option<Arg<String>>,
    scenario: Option<Arg<PathBuf>>,
    objective: Option<Arg<String>>,
    targets: Option<Arg<Vec<String>>>,
    groups: bool,
    previous: Option<Arg<PathBuf>>,
    for_gain: Option<Arg<f64>>,
    candidates: Option<Arg<Vec<String>>>,
    #[pyo3(from_py_with = argument::number)] seed: u64,
    start: Option<Bound<'_, PyAny>>,
    end: Option<Bound<'_, PyAny>>,
    time_zone: Option<Arg<String>>,
    progress: Option<Py<PyAny>>,
    reading: Option<&Bound<'_, PyDict>>,
) -> PyResult<Plan> {
    let zone = zone(time_zone)?;
    let targets = targets.map(|given| given.0).unwrap_or_default();
    let targets = targets.iter().map(|text| reading::parse("targets", text));
    let server_memory = server_memory.map(|size| size_text("server_memory", &size));
    let server_memory = server_memory.transpose()?;
    let mut options = Options {
        time_zone: zone.clone(),
        memory: memory
            .map(|size| reading::parse("memory", &size_text("memory", &size)?))
            .transpose()?,
        server_memory: server_memory
            .map(|text| hotset_scenario::parse_bytes(&text))
            .transpose()
            .map_err(|error| option("server_memory", error))?,
        page_cache: page_cache
            .map(|name| named("page_cache", &name.0))
            .transpose()?
            .unwrap_or_default(),
        backing: backing.map(|given| given.0),
        scenario: scenario.map(|given| given.0),
        objective: objective
            .map(|given| named("objective", &given.0))
            .transpose()?,
        targets: targets.collect::<PyResult<_>>()?,
        groups,
        previous: previous.map(|given| given.0),
        for_gain: for_gain
            .map(|share| part("for_gain", share.0))
            .transpose()?,
        candidates: candidates.map(|given| given.0).unwrap_or_default(),
        seed,
        ..Options::default()
    };
    let mut reading = Reading::of(reading)?;
    reading.options.period = period_of(start.as_ref(), end.as_ref(), &zone)?;
    let traffic = Traffic::of(traffic, reading)?;
    work::run(py, progress.as_ref(), move |watch| {
        let planned = match traffic {
            Traffic::Trace(trace) => plan::of_input(&options, trace.into_input(), TRACE, watch),
            Traffic::Source(source) => {
                options.logs = source.0;
                plan::run(&options, watch)
            }
        };
        planned.map(Plan).map_err(errors::job)
    })
}

/// The choice that an option names.
pub fn named<T: FromStr + VariantNames>(option_name: &str, name: &str) -> PyResult<T> {
    let known = || format!("write {}", T::VARIANTS.join(" or "));
    name.parse().map_err(|_| option(option_name, known()))
}

/// A share above 0 and below 1.
pub fn part(name: &str, share: f64) -> PyResult<f64> {
    match share > 0.0 && share < 1.0 {
        true => Ok(share),
        false => Err(option(name, "write a share above 0 and below 1")),
    }
}

/// The size that an option called `name` has, as its text: a number is bytes.
pub fn size_text(name: &str, size: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = size.cast::<PyString>() {
        return Ok(text.to_string());
    }
    let bytes: PyResult<u64> = size.extract();
    bytes
        .map(|bytes| bytes.to_string())
        .map_err(|_| option(name, "give bytes, or a text such as \"512MiB\""))
}

pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Plan>()?;
    module.add_function(wrap_pyfunction!(plan_for, module)?)
}
