//! `hotset.describe` and what it gives.

use std::path::PathBuf;

use hotset_actions::Input;
use hotset_actions::describe::{self, DescribeResult};
use hotset_report::DescriptionView;
use hotset_trace::Zone;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::argument::Arg;
use crate::reading::{Paths, Reading, period_of, zone};
use crate::source::Source;
use crate::table::Table;
use crate::work::{self, Watch};
use crate::{errors, pickled, result, result_tables};

/// What traffic looks like, site by site and in total.
#[pyclass(frozen, module = "hotset")]
pub struct Description(DescribeResult);

impl Description {
    pub fn new(described: DescribeResult) -> Self {
        Self(described)
    }

    /// Describes `input`, with hours on the clocks of `zone`.
    pub fn of(input: &Input, zone: &Zone, watch: &Watch) -> PyResult<Self> {
        let described = describe::of_input(input, zone, watch);
        described.map(Self).map_err(errors::job)
    }

    fn view(&self) -> DescriptionView<'_> {
        self.0.view()
    }
}

#[pymethods]
impl Description {
    /// Requests that were described.
    #[getter]
    fn requests(&self) -> u64 {
        self.0.description.total.requests
    }

    /// File reads among them.
    #[getter]
    fn accesses(&self) -> u64 {
        self.0.description.total.accesses
    }

    /// Names of the sites, in the order of the report.
    #[getter]
    fn sites(&self) -> Vec<String> {
        let sites = self.0.description.sites.iter();
        sites.map(|site| site.site.clone()).collect()
    }

    /// Figures of each site, one a row.
    #[getter]
    fn by_site(&self) -> PyResult<Table> {
        result_tables::sites(&self.0.description)
    }

    /// The hottest files of all sites, at most a thousand.
    #[getter]
    fn hottest(&self) -> PyResult<Table> {
        result_tables::hottest(&self.0.description)
    }

    /// Requests of each site in each minute that has some; empty for traffic without times.
    #[getter]
    fn minutes(&self) -> PyResult<Table> {
        result_tables::minutes(&self.0.description)
    }

    /// The keys and values that `hotset describe --json` prints.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        result::to_dict(py, &self.view())
    }

    /// What `hotset describe --json` prints.
    fn to_json(&self) -> PyResult<String> {
        result::to_json(&self.view())
    }

    /// Writes JSON, or the page where `path` ends in `.html`.
    fn save(&self, py: Python<'_>, path: Arg<PathBuf>) -> PyResult<()> {
        py.detach(|| result::save(&path.0, &self.view()))
    }

    #[staticmethod]
    fn _of_bytes(data: &[u8]) -> PyResult<Description> {
        pickled::of_bytes(data).map(Description)
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let of_bytes = py.get_type::<Description>().getattr("_of_bytes")?;
        let bytes = py.detach(|| pickled::to_bytes(&self.0))?;
        Ok((of_bytes, (PyBytes::new(py, &bytes),)))
    }

    fn _repr_html_(&self) -> String {
        result::to_frame(&self.view())
    }

    fn __repr__(&self) -> String {
        let total = &self.0.description.total;
        format!(
            "<hotset.Description of {} requests for {} files>",
            total.requests, total.objects
        )
    }
}

/// Describes logs, or one trace folder, as `hotset describe` does.
///
/// What can be noted of it that is no error becomes a `UserWarning`.
///
/// Arguments:
///     logs: a log, a list of logs, or patterns of them; or one trace folder.
///     start, end: requests from this time on and before that one: a text, a date, or a datetime.
///     time_zone: zone in which times are shown and given, such as "Europe/Berlin"; UTC by default.
///     keep_clients: show clients as they were logged, in place of pseudonyms.
///     progress: called with the bytes that were read and those of all logs, where that is known.
///
/// Returns:
///     A `Description`.
#[doc = include_str!("reading.txt")]
#[pyfunction(name = "describe")]
#[pyo3(signature = (logs, *, start=None, end=None, time_zone=None, keep_clients=false, progress=None, **reading))]
#[allow(clippy::too_many_arguments, reason = "they are keywords in Python")]
fn describe_logs(
    py: Python<'_>,
    logs: Paths,
    start: Option<Bound<'_, PyAny>>,
    end: Option<Bound<'_, PyAny>>,
    time_zone: Option<Arg<String>>,
    keep_clients: bool,
    progress: Option<Py<PyAny>>,
    reading: Option<&Bound<'_, PyDict>>,
) -> PyResult<Description> {
    let zone = zone(time_zone)?;
    let mut reading = Reading::of(reading)?;
    reading.options.period = period_of(start.as_ref(), end.as_ref(), &zone)?;
    reading.name_clients(keep_clients, None)?;
    let source = Source::of(logs, reading)?;
    work::run(py, progress.as_ref(), move |watch| {
        Description::of(&source.read(watch)?, &zone, watch)
    })
}

pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Description>()?;
    module.add_function(wrap_pyfunction!(describe_logs, module)?)
}
