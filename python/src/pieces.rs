//! Ranges of a large log, which are read apart and become its part: for `hotset.distributed`.

use std::path::PathBuf;

use hotset_describe::{PartOptions, Piece};
use hotset_trace::read::ReadOptions;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::argument::Arg;
use crate::part::{Part, clients};
use crate::reading::Reading;
use crate::{errors, work};

/// How logs are read for parts.
fn options_of(
    client_key: Option<Bound<'_, PyAny>>,
    keep_clients: bool,
    reading: Option<&Bound<'_, PyDict>>,
) -> PyResult<ReadOptions> {
    let mut options = Reading::of(reading)?.options;
    clients(&mut options, client_key, keep_clients)?;
    Ok(options)
}

/// Where a log may be cut: its first and last byte for each range of about `size` bytes; one where it cannot be cut.
#[pyfunction]
#[pyo3(signature = (log, size, *, client_key=None, keep_clients=false, **reading))]
fn ranges(
    py: Python<'_>,
    log: Arg<PathBuf>,
    size: Arg<u64>,
    client_key: Option<Bound<'_, PyAny>>,
    keep_clients: bool,
    reading: Option<&Bound<'_, PyDict>>,
) -> PyResult<Vec<(u64, u64)>> {
    let options = options_of(client_key, keep_clients, reading)?;
    let ranges = py.detach(|| hotset_trace::read::ranges(&log.0, &options, size.0));
    let ranges = ranges.map_err(errors::read)?.into_iter();
    Ok(ranges.map(|range| (range.start, range.end)).collect())
}

/// What a range of a log contributes to its part, as bytes.
#[pyfunction]
#[pyo3(signature = (log, start, end, *, client_key=None, keep_clients=false, node=None, **reading))]
#[allow(clippy::too_many_arguments, reason = "they are keywords in Python")]
fn piece<'py>(
    py: Python<'py>,
    log: Arg<PathBuf>,
    start: Arg<u64>,
    end: Arg<u64>,
    client_key: Option<Bound<'_, PyAny>>,
    keep_clients: bool,
    node: Option<Arg<String>>,
    reading: Option<&Bound<'_, PyDict>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let reading = options_of(client_key, keep_clients, reading)?;
    let node = node.map(|given| given.0);
    let bytes = work::run(py, None, move |watch| {
        let options = PartOptions {
            reading: &reading,
            node: node.as_deref(),
        };
        let piece = Piece::read(&log.0, start.0..end.0, &options, &mut watch.progress());
        let piece = piece.map_err(errors::part)?;
        piece.to_bytes().map_err(errors::internal)
    })?;
    Ok(PyBytes::new(py, &bytes))
}

/// The part of the log whose ranges gave these pieces, in their order.
#[pyfunction]
#[pyo3(signature = (pieces, *, client_key=None, keep_clients=false, **reading))]
fn joined(
    py: Python<'_>,
    pieces: Vec<Vec<u8>>,
    client_key: Option<Bound<'_, PyAny>>,
    keep_clients: bool,
    reading: Option<&Bound<'_, PyDict>>,
) -> PyResult<Part> {
    let options = options_of(client_key, keep_clients, reading)?;
    work::run(py, None, move |_| {
        let pieces = pieces.iter().map(|bytes| Piece::of_bytes("a range", bytes));
        let pieces = pieces.collect::<Result<_, _>>();
        let part = pieces.and_then(|pieces| Piece::join(pieces, &options));
        Ok(Part::new("ranges", part.map_err(errors::part)?))
    })
}

pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(ranges, module)?)?;
    module.add_function(wrap_pyfunction!(piece, module)?)?;
    module.add_function(wrap_pyfunction!(joined, module)?)
}
