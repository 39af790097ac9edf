//! What a process of its own is told to do.

use crate::nfs::NfsRecords;
use crate::{FileSet, access};
use hotset_machine::{MachineError, file};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// What the process does; JSON in its last argument.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Job {
    /// Writes files.
    Write(Vec<FileSet>),
    /// Reads files and writes their times to `result`.
    Read {
        /// Which.
        set: FileSet,
        /// How often each file.
        rounds: usize,
        /// A JSON file of a list of [`AccessTimes`](crate::AccessTimes), one for each size.
        result: PathBuf,
    },
    /// Reads or writes records of a file on a server of NFS, and writes their times to `result`.
    Nfs {
        /// Which, and for how long.
        records: NfsRecords,
        /// A JSON file of [`NfsTimes`](crate::nfs::NfsTimes).
        result: PathBuf,
    },
}

impl Job {
    /// The job that a process finds in its last argument.
    ///
    /// # Errors
    /// When it is something else.
    pub fn parse(argument: &str) -> Result<Self, MachineError> {
        serde_json::from_str(argument)
            .map_err(|error| MachineError::Unusable(format!("the job of a reader: {error}")))
    }

    /// The argument that says this job.
    ///
    /// # Errors
    /// When a path is not UTF-8.
    pub fn argument(&self) -> Result<String, MachineError> {
        serde_json::to_string(self)
            .map_err(|error| MachineError::Unusable(format!("the job of a reader: {error}")))
    }

    /// Does it.
    ///
    /// # Errors
    /// When a file cannot be written or read, or a server cannot be asked.
    pub fn run(&self) -> Result<(), MachineError> {
        match self {
            Self::Write(sets) => sets.iter().try_for_each(FileSet::write),
            Self::Read {
                set,
                rounds,
                result,
            } => file::write_json(result, &access::read(set, *rounds)?),
            Self::Nfs { records, result } => {
                let times = records.run();
                let times = times.map_err(|error| MachineError::Unusable(error.to_string()))?;
                file::write_json(result, &times)
            }
        }
    }
}
