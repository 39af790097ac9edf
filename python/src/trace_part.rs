//! Requests of logs that are read elsewhere, and the trace that they merge into: what `hotset.distributed` is made of.

use std::path::PathBuf;
use std::sync::Arc;

use hotset_actions::Input;
use hotset_describe::PartOptions;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::argument::Arg;
use crate::errors;
use crate::part::clients;
use crate::reading::{Paths, Reading};
use crate::trace::Trace;
use crate::{result, work};

/// The requests of some logs, to be merged with those of others.
#[pyclass(frozen, module = "hotset._hotset")]
pub struct TracePart(Arc<hotset_describe::TracePart>);

impl TracePart {
    fn bytes(&self) -> PyResult<Vec<u8>> {
        self.0.to_bytes().map_err(errors::internal)
    }
}

#[pymethods]
impl TracePart {
    /// The requests as bytes: the same content gives the same bytes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| self.bytes())?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Reads what `to_bytes` gave; `name` is for messages.
    #[staticmethod]
    #[pyo3(signature = (data, *, name="requests"))]
    fn from_bytes(py: Python<'_>, data: &[u8], name: &str) -> PyResult<TracePart> {
        let part = py.detach(|| hotset_describe::TracePart::of_bytes(name, data));
        Ok(TracePart(Arc::new(part.map_err(errors::part)?)))
    }

    /// Writes the requests to a file.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| result::write(&path, &self.bytes()?))
    }
}

/// Reads the requests of logs.
#[pyfunction]
#[pyo3(signature = (logs, *, client_key=None, keep_clients=false, node=None, **reading))]
fn trace_part(
    py: Python<'_>,
    logs: Paths,
    client_key: Option<Bound<'_, PyAny>>,
    keep_clients: bool,
    node: Option<Arg<String>>,
    reading: Option<&Bound<'_, PyDict>>,
) -> PyResult<TracePart> {
    let logs = logs.all("logs")?;
    let mut reading = Reading::of(reading)?.options;
    clients(&mut reading, client_key, keep_clients)?;
    let node = node.map(|given| given.0);
    work::run(py, None, move |watch| {
        let options = PartOptions {
            reading: &reading,
            node: node.as_deref(),
        };
        let part = hotset_describe::TracePart::read(&logs, &options, &mut watch.progress());
        Ok(TracePart(Arc::new(part.map_err(errors::part)?)))
    })
}

/// The trace of the bytes of all parts, each with its name; the result does not depend on their order.
#[pyfunction]
fn merge_trace(py: Python<'_>, parts: Vec<(String, Vec<u8>)>) -> PyResult<Trace> {
    work::run(py, None, move |_| {
        let read = |(name, bytes): (String, Vec<u8>)| {
            let part = hotset_describe::TracePart::of_bytes(&name, &bytes)?;
            Ok((name, part))
        };
        let parts: Result<_, _> = parts.into_iter().map(read).collect();
        let merged = parts.and_then(hotset_describe::TracePart::merge);
        let merged = merged.map_err(errors::part)?;
        Ok(Trace::new(Input::of_merged(merged)))
    })
}

pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<TracePart>()?;
    module.add_function(wrap_pyfunction!(trace_part, module)?)?;
    module.add_function(wrap_pyfunction!(merge_trace, module)?)
}
