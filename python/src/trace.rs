//! `hotset.read_logs` and what it gives.

use std::path::PathBuf;
use std::sync::Arc;

use hotset_actions::Input;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::argument::Arg;
use crate::description::Description;
use crate::errors;
use crate::frame;
use crate::reading::{Paths, Reading, period_of, zone};
use crate::source::Source;
use crate::table::Table;
use crate::work;

/// Requests in log order with the sites, clients and files they name.
#[pyclass(frozen, from_py_object, module = "hotset")]
#[derive(Clone)]
pub struct Trace(Arc<Input>);

impl Trace {
    pub fn new(input: Input) -> Trace {
        Trace(Arc::new(input))
    }

    pub fn input(&self) -> &Input {
        &self.0
    }

    /// What was read; a copy where Python holds it too.
    pub fn into_input(self) -> Input {
        Arc::unwrap_or_clone(self.0)
    }
}

#[pymethods]
impl Trace {
    /// Number of requests.
    fn __len__(&self) -> usize {
        self.0.trace.requests.len()
    }

    /// A trace of three data frames with the columns of `requests`, `objects` and `clients`.
    #[staticmethod]
    #[pyo3(signature = (requests, *, objects, clients, sites))]
    fn from_arrow(
        requests: &Bound<'_, PyAny>,
        objects: &Bound<'_, PyAny>,
        clients: &Bound<'_, PyAny>,
        sites: Arg<Vec<String>>,
    ) -> PyResult<Trace> {
        let trace = frame::trace(requests, objects, clients, sites.0)?;
        Ok(Trace::new(Input::of_trace(trace)))
    }

    /// The requests in log order, as a table that goes out without a copy.
    #[getter]
    fn requests(&self) -> PyResult<Table> {
        Table::of_requests(&self.0)
    }

    /// The files; a request's `object` is a row of them.
    #[getter]
    fn objects(&self) -> PyResult<Table> {
        Table::of_objects(&self.0)
    }

    /// The clients; a request's `client` is a row of them.
    #[getter]
    fn clients(&self) -> PyResult<Table> {
        Table::of_clients(&self.0)
    }

    /// Names of the sites; a request's site is an index of them.
    #[getter]
    fn sites(&self) -> Vec<String> {
        self.0.trace.sites.clone()
    }

    /// Describes the requests, with hours on the clocks of `time_zone`.
    #[pyo3(signature = (*, time_zone=None))]
    fn describe(&self, py: Python<'_>, time_zone: Option<Arg<String>>) -> PyResult<Description> {
        let (trace, zone) = (self.clone(), zone(time_zone)?);
        work::run(py, None, move |watch| {
            Description::of(trace.input(), &zone, watch)
        })
    }

    fn __repr__(&self) -> String {
        format!(
            "<hotset.Trace of {} requests for {} files>",
            self.0.trace.requests.len(),
            self.0.trace.objects.len()
        )
    }
}

/// Reads logs, or one trace folder, into a trace that serves many calls.
///
/// What can be noted of it that is no error becomes a `UserWarning`.
///
/// Arguments:
///     logs: a log, a list of logs, or patterns of them; or one trace folder.
///     start, end: requests from this time on and before that one: a text, a date, or a datetime.
///     time_zone: zone in which times are shown and given, such as "Europe/Berlin"; UTC by default.
///     keep_clients: keep clients as they were logged, in place of pseudonyms.
///     client_key: the key of the pseudonyms, 32 hexadecimal digits or 16 bytes; drawn and forgotten by default.
///     progress: called with the bytes that were read and those of all logs, where that is known.
///
/// Returns:
///     A `Trace`.
#[doc = include_str!("reading.txt")]
#[pyfunction]
#[pyo3(signature = (logs, *, start=None, end=None, time_zone=None, keep_clients=false, client_key=None, progress=None, **reading))]
#[allow(clippy::too_many_arguments, reason = "they are keywords in Python")]
fn read_logs(
    py: Python<'_>,
    logs: Paths,
    start: Option<Bound<'_, PyAny>>,
    end: Option<Bound<'_, PyAny>>,
    time_zone: Option<Arg<String>>,
    keep_clients: bool,
    client_key: Option<Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
    reading: Option<&Bound<'_, PyDict>>,
) -> PyResult<Trace> {
    let mut reading = Reading::of(reading)?;
    reading.options.period = period_of(start.as_ref(), end.as_ref(), &zone(time_zone)?)?;
    reading.name_clients(keep_clients, client_key.as_ref())?;
    let source = Source::of(logs, reading)?;
    work::run(py, progress.as_ref(), move |watch| {
        source.read(watch).map(Trace::new)
    })
}

/// The files that paths and patterns stand for, those of one log together.
#[pyfunction]
fn files_by_log(logs: Paths) -> PyResult<Vec<Vec<PathBuf>>> {
    hotset_trace::read::files_by_log(&logs.all("logs")?).map_err(errors::read)
}

pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Trace>()?;
    module.add_function(wrap_pyfunction!(files_by_log, module)?)?;
    module.add_function(wrap_pyfunction!(read_logs, module)?)
}
