//! `hotset.describe` and what it gives.

use std::path::PathBuf;

use hotset_report::DescriptionView;
use hotset_trace::Zone;
use hotset_trace::read::ReadSummary;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::reading::{Paths, Reading, period_of, zone};
use crate::trace::{self, Trace};
use crate::{result, work};

/// What traffic looks like, site by site and in total.
#[pyclass(frozen, module = "hotset")]
pub struct Description {
    description: hotset_describe::Description,
    reading: ReadSummary,
}

impl Description {
    pub fn new(description: hotset_describe::Description, reading: ReadSummary) -> Self {
        Self {
            description,
            reading,
        }
    }

    /// Describes `trace`, with hours on the clocks of `zone`.
    pub fn of(trace: &Trace, zone: &Zone) -> Self {
        let input = trace.input();
        Self {
            description: hotset_describe::describe(&input.trace, &input.describe_options(zone)),
            reading: input.summary.clone(),
        }
    }

    fn view(&self) -> DescriptionView<'_> {
        DescriptionView {
            description: &self.description,
            reading: &self.reading,
        }
    }
}

#[pymethods]
impl Description {
    /// Requests that were described.
    #[getter]
    fn requests(&self) -> u64 {
        self.description.total.requests
    }

    /// File reads among them.
    #[getter]
    fn accesses(&self) -> u64 {
        self.description.total.accesses
    }

    /// Names of the sites, in the order of the report.
    #[getter]
    fn sites(&self) -> Vec<String> {
        let sites = self.description.sites.iter();
        sites.map(|site| site.site.clone()).collect()
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
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| result::save(&path, &self.view()))
    }

    fn _repr_html_(&self) -> String {
        result::to_frame(&self.view())
    }

    fn __repr__(&self) -> String {
        let total = &self.description.total;
        format!(
            "<hotset.Description of {} requests for {} files>",
            total.requests, total.objects
        )
    }
}

/// Describes logs, or one trace folder, as `hotset describe` does.
#[pyfunction]
#[pyo3(signature = (logs, *, start=None, end=None, time_zone=None, keep_clients=false, progress=None, **reading))]
#[allow(clippy::too_many_arguments, reason = "they are keywords in Python")]
fn describe(
    py: Python<'_>,
    logs: Paths,
    start: Option<Bound<'_, PyAny>>,
    end: Option<Bound<'_, PyAny>>,
    time_zone: Option<&str>,
    keep_clients: bool,
    progress: Option<Py<PyAny>>,
    reading: Option<&Bound<'_, PyDict>>,
) -> PyResult<Description> {
    let zone = zone(time_zone)?;
    let mut reading = Reading::of(reading)?;
    reading.options.period = period_of(start.as_ref(), end.as_ref(), &zone)?;
    reading.options.keep_clients = keep_clients;
    let source = trace::Source::of(logs, reading)?;
    work::run(py, progress.as_ref(), move |watch| {
        let trace = source.read(watch)?;
        Ok(Description::of(&trace, &zone))
    })
}

pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Description>()?;
    module.add_function(wrap_pyfunction!(describe, module)?)
}
