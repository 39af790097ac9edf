//! `hotset.simulate_scenario` and what it gives.

use std::path::PathBuf;

use hotset_actions::Logs;
use hotset_actions::simulate::scenario::{self, Options, ScenarioResult};
use hotset_report::{Style, View};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};

use crate::argument::{self, Arg};
use crate::errors::option;
use crate::reading::{self, Reading};
use crate::traffic::{Given, TRACE, Traffic};
use crate::{errors, result, work};

/// What a data-centre would do with the traffic.
#[pyclass(frozen, module = "hotset")]
pub struct ScenarioSimulation(ScenarioResult);

#[pymethods]
impl ScenarioSimulation {
    /// The keys and values that `hotset simulate scenario --json` prints.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        result::to_dict(py, &self.0)
    }

    /// What `hotset simulate scenario --json` prints.
    fn to_json(&self) -> PyResult<String> {
        result::to_json(&self.0)
    }

    /// Writes JSON, which `compare` reads.
    fn save(&self, py: Python<'_>, path: Arg<PathBuf>) -> PyResult<()> {
        let json = result::to_json(&self.0)?;
        py.detach(|| result::write(&path.0, json.as_bytes()))
    }

    fn _repr_html_(&self) -> String {
        result::to_text_frame(&self.0.terminal(Style {
            colour: false,
            width: None,
        }))
    }

    fn __repr__(&self) -> String {
        format!("<hotset.ScenarioSimulation of {}>", self.0.scenario)
    }
}

/// Runs requests through the nodes of a scenario, as `hotset simulate scenario` does.
///
/// What can be noted of it that is no error becomes a `UserWarning`.
///
/// Arguments:
///     scenario: the scenario file.
///     logs: a log, a list of logs, patterns of them, one trace folder, or a `Trace`; those that the scenario names by default.
///     set: keys of the scenario and their values, by their ways, such as {"node.web1.memory": "1GiB"}.
///     seed: of every random choice.
///     progress: called with the bytes that were read and those of all logs, where that is known.
///
/// Returns:
///     A `ScenarioSimulation`.
#[doc = include_str!("reading.txt")]
#[pyfunction]
#[pyo3(signature = (scenario, logs=None, *, set=None, seed=0, progress=None, **reading))]
fn simulate_scenario(
    py: Python<'_>,
    scenario: Arg<PathBuf>,
    logs: Option<Given>,
    set: Option<Bound<'_, PyAny>>,
    #[pyo3(from_py_with = argument::number)] seed: u64,
    progress: Option<Py<PyAny>>,
    reading: Option<&Bound<'_, PyDict>>,
) -> PyResult<ScenarioSimulation> {
    let settings = set.map_or_else(|| Ok(Vec::new()), |set| pairs("set", &set))?;
    let settings = settings.into_iter().map(|(path, value)| {
        let text = format!("{path}={}", value_text(&value)?);
        reading::parse("set", &text)
    });
    let mut options = Options {
        scenario: scenario.0,
        set: settings.collect::<PyResult<_>>()?,
        seed,
        ..Options::default()
    };
    let traffic = traffic(logs, Reading::of(reading)?)?;
    work::run(py, progress.as_ref(), move |watch| {
        let simulated = match traffic {
            Traffic::Trace(read) => scenario::of_input(&options, read.into_input(), TRACE, watch),
            Traffic::Source(source) => {
                options.logs = source.0;
                scenario::run(&options, watch)
            }
        };
        simulated.map(ScenarioSimulation).map_err(errors::job)
    })
}

/// What is to be read; the scenario's logs where none are given.
pub fn traffic(logs: Option<Given>, reading: Reading) -> PyResult<Traffic> {
    match logs {
        Some(given) => Traffic::of(given, reading),
        None => Ok(Traffic::Source(crate::source::Source(Logs {
            paths: Vec::new(),
            has_reading: reading.is_given,
            reading: reading.options,
        }))),
    }
}

/// The names and values of the mapping that is called `name`.
pub fn pairs<'py>(
    name: &str,
    mapping: &Bound<'py, PyAny>,
) -> PyResult<Vec<(String, Bound<'py, PyAny>)>> {
    let wrong = || option(name, "give a mapping from keys of the scenario to values");
    let items = mapping.call_method0("items").map_err(|_| wrong())?;
    let items = items.try_iter().map_err(|_| wrong())?;
    items
        .map(|item| item?.extract().map_err(|_| wrong()))
        .collect()
}

/// A value as a scenario file has it.
pub fn value_text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(truth) = value.cast::<PyBool>() {
        return Ok(truth.is_true().to_string());
    }
    // A text may be one that is not Unicode.
    let text = value.str()?;
    Ok(text.extract::<Arg<String>>()?.0)
}

pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<ScenarioSimulation>()?;
    module.add_function(wrap_pyfunction!(simulate_scenario, module)?)
}
