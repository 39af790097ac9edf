//! `hotset.simulate` and what it gives.

use std::path::PathBuf;

use hotset_actions::Logs;
use hotset_actions::simulate::trace::{self, Options, ScanResult};
use hotset_report::{Style, View};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::argument::{self, Arg};
use crate::plan::{part, size_text};
use crate::reading::{self, Reading, period_of, zone};
use crate::table::Table;
use crate::traffic::{Given, TRACE, Traffic};
use crate::{errors, result, result_tables, work};

/// Hit ratios and mean response of a cache.
#[pyclass(frozen, module = "hotset")]
pub struct Simulation(ScanResult);

#[pymethods]
impl Simulation {
    /// Share of the file reads that the cache answers; estimated where samples were asked for.
    #[getter]
    fn hit_ratio(&self) -> f64 {
        match &self.0 {
            ScanResult::Whole(view) => view.hit_ratio,
            ScanResult::Sampled(view) => view.hit_ratio,
            ScanResult::Estimated(view) => view.hit_ratio,
        }
    }

    /// The ends of the interval of an estimated mean response, microseconds; none where it was not estimated.
    #[getter]
    fn mean_us_interval(&self) -> Option<(f64, f64)> {
        match &self.0 {
            ScanResult::Estimated(view) => {
                let interval = view.mean_us_interval;
                Some((interval.low, interval.high))
            }
            ScanResult::Whole(_) | ScanResult::Sampled(_) => None,
        }
    }

    /// Mean response, microseconds; none where it was not simulated.
    #[getter]
    fn mean_us(&self) -> Option<f64> {
        match &self.0 {
            ScanResult::Whole(view) => Some(view.mean_us),
            ScanResult::Sampled(_) => None,
            ScanResult::Estimated(view) => Some(view.mean_us),
        }
    }

    /// What the cache hits, in one row; estimated from samples, a row for each memory.
    #[getter]
    fn outcomes(&self) -> PyResult<Table> {
        match &self.0 {
            ScanResult::Whole(view) => result_tables::scanned(view),
            ScanResult::Sampled(view) => result_tables::sampled(view),
            ScanResult::Estimated(view) => result_tables::estimated(view),
        }
    }

    /// The keys and values that `hotset simulate trace --json` prints.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        result::to_dict(py, &self.0)
    }

    /// What `hotset simulate trace --json` prints.
    fn to_json(&self) -> PyResult<String> {
        result::to_json(&self.0)
    }

    /// Writes JSON, which `compare` reads.
    fn save(&self, py: Python<'_>, path: Arg<PathBuf>) -> PyResult<()> {
        let json = result::to_json(&self.0)?;
        py.detach(|| result::write(&path.0, json.as_bytes()))
    }

    fn _repr_html_(&self) -> String {
        match &self.0 {
            ScanResult::Whole(view) => result::to_frame(view),
            ScanResult::Sampled(_) | ScanResult::Estimated(_) => {
                result::to_text_frame(&self.0.terminal(Style {
                    colour: false,
                    width: None,
                }))
            }
        }
    }

    fn __repr__(&self) -> String {
        format!("<hotset.Simulation, hit ratio {:.4}>", self.hit_ratio())
    }
}

/// Runs the file reads through a cache, as `hotset simulate trace` does.
///
/// What can be noted of it that is no error becomes a `UserWarning`.
///
/// Arguments:
///     traffic: a log, a list of logs, patterns of them, one trace folder, or a `Trace`.
///     memory: the size of the cache: bytes, a text such as "512MiB", or "10%" of all files.
///     policy: which files are evicted, such as "lru", "sieve" or "two-list".
///     unit: what the cache holds: whole files by "bytes", or their "pages".
///     backing: the store of the files, by the name of a profile such as "nvme", or a TOML file.
///     sampled: estimate from this share of the files, above 0 and below 1.
///     seed: of the sample.
///     start, end: requests from this time on and before that one: a text, a date, or a datetime.
///     time_zone: zone in which times are shown and given, such as "Europe/Berlin"; UTC by default.
///     progress: called with the bytes that were read and those of all logs, where that is known.
///
/// Returns:
///     A `Simulation`.
#[doc = include_str!("reading.txt")]
#[pyfunction]
#[pyo3(signature = (traffic, *, memory, policy=None, unit=None, backing=None, sampled=None, seed=0, start=None, end=None,
    time_zone=None, progress=None, **reading))]
#[allow(clippy::too_many_arguments, reason = "they are keywords in Python")]
fn simulate(
    py: Python<'_>,
    traffic: Given,
    memory: Bound<'_, PyAny>,
    policy: Option<Arg<String>>,
    unit: Option<Arg<String>>,
    backing: Option<Arg<String>>,
    sampled: Option<Arg<f64>>,
    #[pyo3(from_py_with = argument::number)] seed: u64,
    start: Option<Bound<'_, PyAny>>,
    end: Option<Bound<'_, PyAny>>,
    time_zone: Option<Arg<String>>,
    progress: Option<Py<PyAny>>,
    reading: Option<&Bound<'_, PyDict>>,
) -> PyResult<Simulation> {
    let zone = zone(time_zone)?;
    let policy = policy.map(|name| reading::parse("policy", &name.0));
    let unit = unit.map(|name| reading::parse("unit", &name.0));
    let mut options = Options {
        logs: Logs::default(),
        time_zone: zone.clone(),
        policy: policy.transpose()?,
        memory: reading::parse("memory", &size_text("memory", &memory)?)?,
        unit: unit.transpose()?,
        backing: backing.map(|name| name.0),
        sampled: sampled.map(|share| part("sampled", share.0)).transpose()?,
        seed,
        is_compared: true,
    };
    options.check().map_err(errors::job)?;
    let mut reading = Reading::of(reading)?;
    reading.options.period = period_of(start.as_ref(), end.as_ref(), &zone)?;
    let traffic = Traffic::of(traffic, reading)?;
    work::run(py, progress.as_ref(), move |watch| {
        let simulated = match traffic {
            Traffic::Trace(read) => trace::of_input(&options, read.into_input(), TRACE, watch),
            Traffic::Source(source) => {
                options.logs = source.0;
                trace::run(&options, watch)
            }
        };
        simulated.map(Simulation).map_err(errors::job)
    })
}

pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Simulation>()?;
    module.add_function(wrap_pyfunction!(simulate, module)?)
}
