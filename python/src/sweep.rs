//! `hotset.sweep`, what it gives, and what distributes it.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hotset_actions::plan::SiteTarget;
use hotset_actions::sweep::{self, Options, Parts, SweepBy};
use hotset_actions::{Results, sweep::SweepResult};
use hotset_report::SweepView;
use hotset_scenario::Variation;
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use serde::Serialize;

use crate::argument::{self, Arg};
use crate::errors::{self, option};
use crate::plan::named;
use crate::reading::{self, Reading};
use crate::scenario::{pairs, traffic, value_text};
use crate::table::Table;
use crate::traffic::{Given, TRACE, Traffic};
use crate::{result, result_tables, work};

/// What a scenario gets at the points of a grid.
#[pyclass(frozen, module = "hotset")]
pub struct Sweep(SweepView);

#[pymethods]
impl Sweep {
    /// Number of points.
    fn __len__(&self) -> usize {
        self.0.all.len()
    }

    /// A row for each site at each point.
    #[getter]
    fn table(&self) -> PyResult<Table> {
        result_tables::swept(&self.0)
    }

    /// The best point: its keys' values in `set`, and what was got there. None where no point meets the targets.
    #[getter]
    fn best<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.0.best)
    }

    /// Where the mean response bends along the key to minimise. None where it does not.
    #[getter]
    fn knee<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.0.knee)
    }

    /// The keys and values that `hotset sweep --json` prints.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        result::to_dict(py, &self.0)
    }

    /// What `hotset sweep --json` prints.
    fn to_json(&self) -> PyResult<String> {
        result::to_json(&self.0)
    }

    /// Writes the result as JSON, or as the report's page where `path` ends in `.html`.
    fn save(&self, py: Python<'_>, path: Arg<PathBuf>) -> PyResult<()> {
        py.detach(|| result::save(&path.0, &self.0))
    }

    fn _repr_html_(&self) -> String {
        result::to_frame(&self.0)
    }

    fn __repr__(&self) -> String {
        format!("<hotset.Sweep of {} points>", self.__len__())
    }
}

fn to_python<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let json = serde_json::to_string(value).map_err(errors::internal)?;
    py.import("json")?.call_method1("loads", (json,))
}

/// What was found; whether targets are met is in it.
fn found(result: SweepResult) -> Sweep {
    Sweep(result.view)
}

/// Simulates or calculates a scenario at every combination of values of some of its keys, as `hotset sweep` does.
///
/// What can be noted of it that is no error becomes a `UserWarning`.
///
/// Arguments:
///     scenario: the scenario file.
///     logs: a log, a list of logs, patterns of them, one trace folder, or a `Trace`; those that the scenario names by default.
///     vary: keys of the scenario and their values, by their ways: {"node.web1.memory": "256MiB..4GiB:x2"} multiplies,
///         {"link.web1.rate": "100Mbit..1Gbit:+300Mbit"} adds, {"store.disk.kind": ["ext4", "xfs"]} is a list.
///     by: how what each point gets is had: "simulate" (the default), or "model" for formulas, which give means alone of times.
///     targets: what responses of sites should come to, such as ["shop=p99 < 20ms"].
///     minimise: the key of which the best point has the least; by default the first one that is varied.
///     seed: of every random choice, the same at all points.
///     output: the Parquet file for the table. Finished points are kept beside it until it is written, and the same call goes on
///         from them.
///     progress: called with the bytes that were read and those of all logs, where that is known.
///
/// Returns:
///     A `Sweep`.
#[doc = include_str!("reading.txt")]
#[pyfunction(name = "sweep")]
#[pyo3(signature = (scenario, logs=None, *, vary, by=None, targets=None, minimise=None, seed=0, output=None, progress=None, **reading))]
#[allow(clippy::too_many_arguments, reason = "they are keywords in Python")]
fn sweep_of(
    py: Python<'_>,
    scenario: Arg<PathBuf>,
    logs: Option<Given>,
    vary: Bound<'_, PyAny>,
    by: Option<Arg<String>>,
    targets: Option<Arg<Vec<String>>>,
    minimise: Option<Arg<String>>,
    #[pyo3(from_py_with = argument::number)] seed: u64,
    output: Option<Arg<PathBuf>>,
    progress: Option<Py<PyAny>>,
    reading: Option<&Bound<'_, PyDict>>,
) -> PyResult<Sweep> {
    let by = by.map(|given| given.0);
    let mut options = options(
        scenario,
        (&vary, by.as_deref()),
        targets,
        minimise,
        seed,
        output,
    )?;
    let traffic = traffic(logs, Reading::of(reading)?)?;
    work::run(py, progress.as_ref(), move |watch| {
        let swept = match traffic {
            Traffic::Trace(read) => sweep::of_input(&options, read.into_input(), TRACE, watch),
            Traffic::Source(source) => {
                options.logs = source.0;
                sweep::run(&options, watch)
            }
        };
        swept.map(found).map_err(errors::job)
    })
}

fn options(
    scenario: Arg<PathBuf>,
    (vary, by): (&Bound<'_, PyAny>, Option<&str>),
    targets: Option<Arg<Vec<String>>>,
    minimise: Option<Arg<String>>,
    seed: u64,
    output: Option<Arg<PathBuf>>,
) -> PyResult<Options> {
    let targets = targets.map(|given| given.0).unwrap_or_default();
    let targets = targets.iter().map(|text| reading::parse("targets", text));
    Ok(Options {
        scenario: scenario.0,
        vary: variations(vary)?,
        by: by.map_or_else(|| Ok(SweepBy::default()), |by| named("by", by))?,
        targets: targets.collect::<PyResult<Vec<SiteTarget>>>()?,
        minimise: minimise.map(|given| given.0),
        seed,
        results: Results {
            output: output.map(|given| given.0),
            ..Results::default()
        },
        ..Options::default()
    })
}

fn variations(vary: &Bound<'_, PyAny>) -> PyResult<Vec<Variation>> {
    let variation = |(path, values): (String, Bound<'_, PyAny>)| {
        let text = match values.cast::<PyString>() {
            Ok(_) => value_text(&values)?,
            Err(_) => listed(&values)?,
        };
        reading::parse("vary", &format!("{path}={text}"))
    };
    pairs("vary", vary)?.into_iter().map(variation).collect()
}

/// The values of a list, or the one that is no list.
fn listed(values: &Bound<'_, PyAny>) -> PyResult<String> {
    let Ok(several) = values.try_iter() else {
        return value_text(values);
    };
    let texts: PyResult<Vec<String>> = several.map(|value| value_text(&value?)).collect();
    let texts = texts?;
    match texts.iter().find(|text| text.contains(',')) {
        None => Ok(texts.join(",")),
        Some(text) => Err(option(
            "vary",
            format!("a value cannot have a comma: {text}"),
        )),
    }
}

/// A scenario and its traffic, read once, and the points of a sweep: for those who simulate some of them elsewhere.
#[pyclass(frozen, module = "hotset")]
pub struct SweepPoints {
    sweep: Arc<sweep::Sweep>,
    options: Options,
    /// What has come of the points, since `begin` and until `end`.
    parts: Mutex<Option<Parts>>,
}

impl SweepPoints {
    fn parts(&self) -> MutexGuard<'_, Option<Parts>> {
        self.parts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn not_begun() -> PyErr {
    PyRuntimeError::new_err("begin() comes first")
}

#[pymethods]
impl SweepPoints {
    /// Number of points.
    fn __len__(&self) -> usize {
        self.sweep.points()
    }

    /// Opens the file in which finished points are kept beside the table; numbers of the points that are not in it. Points that
    /// cannot be simulated are refused.
    fn begin(&self, py: Python<'_>) -> PyResult<Vec<usize>> {
        let (sweep, options) = (Arc::clone(&self.sweep), self.options.clone());
        let parts = work::run(py, None, move |watch| {
            sweep.parts(&options, watch).map_err(errors::job)
        })?;
        let left = parts.left();
        *self.parts() = Some(parts);
        Ok(left)
    }

    /// What the points of these numbers come to, as bytes.
    fn part<'py>(&self, py: Python<'py>, points: Arg<Vec<usize>>) -> PyResult<Bound<'py, PyBytes>> {
        let sweep = Arc::clone(&self.sweep);
        let part = work::run(py, None, move |watch| {
            sweep.part(&points.0, watch).map_err(errors::job)
        })?;
        Ok(PyBytes::new(py, &part))
    }

    /// Adds what some points came to, and keeps it beside the table. What has come before changes nothing.
    fn add(&self, part: &Bound<'_, PyBytes>) -> PyResult<()> {
        let mut parts = self.parts();
        let parts = parts.as_mut().ok_or_else(not_begun)?;
        parts.add(part.as_bytes()).map_err(errors::job)
    }

    /// The result of all points.
    fn finish(&self, py: Python<'_>) -> PyResult<Sweep> {
        let parts = self.parts().take().ok_or_else(not_begun)?;
        let (sweep, options) = (Arc::clone(&self.sweep), self.options.clone());
        work::run(py, None, move |_| {
            let swept = sweep.of_parts(&options, parts);
            swept.map(found).map_err(errors::job)
        })
    }

    /// Closes the file of finished points, which stays where it is unless `finish` has removed it.
    fn end(&self) {
        drop(self.parts().take());
    }
}

/// Reads the scenario and the logs of a sweep. Arguments are those of `sweep`.
#[pyfunction]
#[pyo3(signature = (scenario, logs=None, *, vary, by=None, targets=None, minimise=None, seed=0, output=None, **reading))]
#[allow(clippy::too_many_arguments, reason = "they are keywords in Python")]
fn sweep_points(
    py: Python<'_>,
    scenario: Arg<PathBuf>,
    logs: Option<Given>,
    vary: Bound<'_, PyAny>,
    by: Option<Arg<String>>,
    targets: Option<Arg<Vec<String>>>,
    minimise: Option<Arg<String>>,
    #[pyo3(from_py_with = argument::number)] seed: u64,
    output: Option<Arg<PathBuf>>,
    reading: Option<&Bound<'_, PyDict>>,
) -> PyResult<SweepPoints> {
    let by = by.map(|given| given.0);
    let mut options = options(
        scenario,
        (&vary, by.as_deref()),
        targets,
        minimise,
        seed,
        output,
    )?;
    sweep::check(&options).map_err(errors::job)?;
    let Traffic::Source(source) = traffic(logs, Reading::of(reading)?)? else {
        return Err(PyTypeError::new_err(
            "logs are to be paths, which others read as well",
        ));
    };
    options.logs = source.0;
    work::run(py, None, move |watch| {
        let sweep = sweep::Sweep::read(&options, watch).map_err(errors::job)?;
        Ok(SweepPoints {
            sweep: Arc::new(sweep),
            options,
            parts: Mutex::new(None),
        })
    })
}

pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Sweep>()?;
    module.add_class::<SweepPoints>()?;
    module.add_function(wrap_pyfunction!(sweep_of, module)?)?;
    module.add_function(wrap_pyfunction!(sweep_points, module)?)
}
