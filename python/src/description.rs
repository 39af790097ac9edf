//! `hotset.describe` and what it gives.

use std::path::PathBuf;

use hotset_cache::Stop;
use hotset_describe::DescribeOptions;
use hotset_report::DescriptionView;
use hotset_trace::Zone;
use hotset_trace::read::{ReadError, ReadSummary};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::argument::Arg;
use crate::reading::{Paths, Reading, period_of, zone};
use crate::table::Table;
use crate::trace::{self, Trace};
use crate::{errors, result, result_tables, work};

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

    /// Describes `trace`, with hours on the clocks of `zone`, until `stop` is asked.
    pub fn of(trace: &Trace, zone: &Zone, stop: &Stop) -> PyResult<Self> {
        let input = trace.input();
        let options = DescribeOptions {
            stop: Some(stop),
            ..input.describe_options(zone)
        };
        let description = hotset_describe::describe(&input.trace, &options);
        if stop.is_asked() {
            return Err(errors::read(ReadError::Interrupted));
        }
        Ok(Self {
            description,
            reading: input.summary.clone(),
        })
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

    /// Figures of each site, one a row.
    #[getter]
    fn by_site(&self) -> PyResult<Table> {
        result_tables::sites(&self.description)
    }

    /// The hottest files of all sites, at most a thousand.
    #[getter]
    fn hottest(&self) -> PyResult<Table> {
        result_tables::hottest(&self.description)
    }

    /// Requests of each site in each minute that has some; empty for traffic without times.
    #[getter]
    fn minutes(&self) -> PyResult<Table> {
        result_tables::minutes(&self.description)
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
    time_zone: Option<Arg<String>>,
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
        Description::of(&trace, &zone, &watch.stop())
    })
}

pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Description>()?;
    module.add_function(wrap_pyfunction!(describe, module)?)
}
