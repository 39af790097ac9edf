//! What jobs take: logs and how to read them, or a trace that was read already.

use pyo3::prelude::*;

use crate::errors;
use crate::reading::{Paths, Reading};
use crate::source::Source;
use crate::trace::Trace;

/// What a trace that was read already is called in messages.
pub const TRACE: &str = "the trace";

/// Logs, a trace folder, or a trace.
pub enum Given {
    /// A trace in memory.
    Trace(Trace),
    /// Paths.
    Paths(Paths),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Given {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Given> {
        match given.extract() {
            Ok(trace) => Ok(Given::Trace(trace)),
            Err(_) => given.extract().map(Given::Paths),
        }
    }
}

/// What is to be read, checked as far as that goes before reading.
pub enum Traffic {
    /// A trace in memory.
    Trace(Trace),
    /// Logs or a trace folder.
    Source(Source),
}

impl Traffic {
    /// Refuses options for reading a trace that was read already.
    pub fn of(given: Given, reading: Reading) -> PyResult<Traffic> {
        match given {
            Given::Paths(paths) => Source::of(paths, reading).map(Traffic::Source),
            Given::Trace(trace) if !reading.is_given && reading.options.period.is_all() => {
                Ok(Traffic::Trace(trace))
            }
            Given::Trace(_) => Err(errors::option(
                "traffic",
                "is a trace, which was read already: give options for reading to read_logs",
            )),
        }
    }
}
