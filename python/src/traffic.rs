//! What jobs take: logs and how to read them, or a trace that was read already.

use std::path::PathBuf;

use hotset_actions::Input;
use hotset_trace::read::Roots;
use pyo3::prelude::*;

use crate::errors;
use crate::reading::{Paths, Reading};
use crate::trace::{Source, Trace};
use crate::work::Watch;

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

    /// Its names for messages.
    pub fn names(&self) -> Vec<PathBuf> {
        match self {
            Traffic::Trace(_) => vec!["the trace".into()],
            Traffic::Source(source) => source.inputs().to_vec(),
        }
    }

    /// The document roots that were named.
    pub fn roots(&self) -> PyResult<Roots> {
        let roots = match self {
            Traffic::Trace(_) => Vec::new(),
            Traffic::Source(source) => source.options().roots.clone(),
        };
        Roots::new(roots).map_err(errors::read)
    }

    /// Reads it. Jobs take columns out of it, so a trace that Python holds is copied.
    pub fn read(self, watch: &Watch) -> PyResult<Input> {
        match self {
            Traffic::Trace(trace) => Ok(trace.into_input()),
            Traffic::Source(source) => Ok(source.read(watch)?.into_input()),
        }
    }
}
