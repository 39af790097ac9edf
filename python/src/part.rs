//! `hotset.part`, `hotset.merge` and what they give.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hotset_actions::Watch as _;
use hotset_actions::describe::DescribeResult;
use hotset_describe::PartOptions;
use hotset_trace::read::ReadOptions;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::argument::Arg;
use crate::description::Description;
use crate::errors::{self, OptionError};
use crate::reading::{Paths, Reading, key, zone};
use crate::table::Table;
use crate::{result, result_tables, work};

/// What some logs contribute to a description of the logs of many machines.
#[pyclass(frozen, from_py_object, module = "hotset")]
#[derive(Clone)]
pub struct Part {
    /// For messages.
    name: String,
    part: Arc<hotset_describe::Part>,
}

impl Part {
    pub fn new(name: impl Into<String>, part: hotset_describe::Part) -> Part {
        Part {
            name: name.into(),
            part: Arc::new(part),
        }
    }

    fn bytes(&self) -> PyResult<Vec<u8>> {
        self.part.to_bytes().map_err(errors::internal)
    }
}

#[pymethods]
impl Part {
    /// Requests of its logs.
    #[getter]
    fn requests(&self) -> u64 {
        self.part.requests()
    }

    /// Number of its logs, each with its rotated files.
    #[getter]
    fn logs(&self) -> usize {
        self.part.logs()
    }

    /// The files that were read.
    #[getter]
    fn files(&self) -> PyResult<Table> {
        result_tables::files(&self.part)
    }

    /// What messages call it.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The part as bytes: the same content gives the same bytes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| self.bytes())?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Reads what `to_bytes` gave; `name` is for messages.
    #[staticmethod]
    #[pyo3(signature = (data, *, name=None))]
    fn from_bytes(py: Python<'_>, data: &[u8], name: Option<Arg<String>>) -> PyResult<Part> {
        let name = name.map_or_else(|| "part".into(), |given| given.0);
        let part = py.detach(|| hotset_describe::Part::of_bytes(&name, data));
        Ok(Part::new(name, part.map_err(errors::part)?))
    }

    /// Reads the part in a file.
    #[staticmethod]
    fn open(py: Python<'_>, path: Arg<PathBuf>) -> PyResult<Part> {
        let part = py.detach(|| hotset_describe::Part::open(&path.0));
        Ok(Part::new(
            path.0.display().to_string(),
            part.map_err(errors::part)?,
        ))
    }

    /// Writes the part to a file, which `hotset merge` reads too.
    fn save(&self, py: Python<'_>, path: Arg<PathBuf>) -> PyResult<()> {
        py.detach(|| result::write(&path.0, &self.bytes()?))
    }

    /// Describes its logs, with hours on the clocks of `time_zone`.
    #[pyo3(signature = (*, time_zone=None))]
    fn describe(&self, py: Python<'_>, time_zone: Option<Arg<String>>) -> PyResult<Description> {
        let (it, zone) = (self.clone(), zone(time_zone)?);
        work::run(py, None, move |_| {
            let described = it.part.describe(&it.name, &zone);
            let (description, reading) = described.map_err(errors::part)?;
            Ok(Description::new(DescribeResult {
                description,
                reading,
            }))
        })
    }

    /// The same content.
    fn __eq__(&self, other: &Part) -> bool {
        self.part == other.part
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let of_bytes = py.get_type::<Part>().getattr("from_bytes")?;
        Ok((of_bytes, (self.to_bytes(py)?,)))
    }

    fn __repr__(&self) -> String {
        format!(
            "<hotset.Part of {} requests of {} logs>",
            self.part.requests(),
            self.part.logs()
        )
    }
}

/// Reads logs into a part, as `hotset part` does: what they contribute to a description of many machines' logs.
///
/// Arguments:
///     logs: a log, a list of logs, or patterns of them.
///     client_key: the key of the pseudonyms, 32 hexadecimal digits or 16 bytes; the same for all parts that are merged.
///     keep_clients: keep clients as they were logged, in place of a key.
///     node: the machine that the logs are of.
///     progress: called with the bytes that were read and those of all logs, where that is known.
///
/// Returns:
///     A `Part`.
#[doc = include_str!("reading.txt")]
#[pyfunction]
#[pyo3(signature = (logs, *, client_key=None, keep_clients=false, node=None, progress=None, **reading))]
fn part(
    py: Python<'_>,
    logs: Paths,
    client_key: Option<Bound<'_, PyAny>>,
    keep_clients: bool,
    node: Option<Arg<String>>,
    progress: Option<Py<PyAny>>,
    reading: Option<&Bound<'_, PyDict>>,
) -> PyResult<Part> {
    let logs = logs.all("logs")?;
    let mut reading = Reading::of(reading)?.options;
    clients(&mut reading, client_key, keep_clients)?;
    let node = node.map(|given| given.0);
    work::run(py, progress.as_ref(), move |watch| {
        let options = PartOptions {
            reading: &reading,
            node: node.as_deref(),
        };
        let part = hotset_describe::Part::read(&logs, &options, &mut watch.progress());
        let name = logs.first().map_or(Path::new("part"), PathBuf::as_path);
        Ok(Part::new(
            name.display().to_string(),
            part.map_err(errors::part)?,
        ))
    })
}

/// Sets what stands for clients.
pub fn clients(
    reading: &mut ReadOptions,
    client_key: Option<Bound<'_, PyAny>>,
    keep_clients: bool,
) -> PyResult<()> {
    reading.keep_clients = keep_clients;
    match (client_key, keep_clients) {
        (Some(given), false) => reading.client_key = key(&given)?,
        (None, true) => {}
        _ => {
            return Err(OptionError::new_err(
                "client_key, keep_clients: give one of them: the same client_key for all parts, or keep_clients=True",
            ));
        }
    }
    Ok(())
}

/// Merges parts; the result does not depend on their order.
///
/// Arguments:
///     parts: parts of different logs, made under the same key and with the same options.
///
/// Returns:
///     One `Part` of all their logs.
#[pyfunction]
fn merge(py: Python<'_>, parts: Vec<Part>) -> PyResult<Part> {
    work::run(py, None, move |watch| {
        let named = parts
            .into_iter()
            .map(|it| (it.name, Arc::unwrap_or_clone(it.part)));
        let merged = hotset_describe::Part::merge_until(named.collect(), watch.stop().as_ref());
        let merged = merged.map_err(errors::part)?;
        Ok(Part::new("merged", merged))
    })
}

pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Part>()?;
    module.add_function(wrap_pyfunction!(part, module)?)?;
    module.add_function(wrap_pyfunction!(merge, module)?)
}
