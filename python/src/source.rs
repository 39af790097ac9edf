//! Logs or a trace folder, checked as far as that goes before they are read.

use hotset_actions::{Input, Logs, only_folder};
use pyo3::prelude::*;

use crate::errors::{self, option};
use crate::reading::{Paths, Reading};
use crate::work::Watch;

/// Logs and how to read them, or a trace folder.
pub struct Source(pub Logs);

impl Source {
    /// Checks what can be checked before reading.
    pub fn of(logs: Paths, reading: Reading) -> PyResult<Source> {
        let paths = logs.all("logs")?;
        let folder = only_folder(&paths).map_err(errors::job)?;
        if let Some(folder) = folder.filter(|_| reading.is_given) {
            let why = "is a trace folder, which has its options from the import that made it: give none about reading";
            return Err(option(&folder.display().to_string(), why));
        }
        Ok(Source(Logs {
            paths,
            reading: reading.options,
            has_reading: reading.is_given,
        }))
    }

    pub fn read(&self, watch: &Watch) -> PyResult<Input> {
        self.0.read(watch).map_err(errors::job)
    }
}
