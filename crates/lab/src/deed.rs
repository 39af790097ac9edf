//! What is done to a data-centre that is up, by whoever does it: written down, it needs nothing of the process that built the data-centre.
//!
//! None of it makes anything that the ledger does not name: servers run in groups that are there, interfaces and disks change their ways.

use crate::LabError;
use hotset_machine::process::Program;
use hotset_machine::{MachineError, OnFile, command};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long the process at a socket may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Something to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Deed {
    /// Run a tool of the system to its end.
    Run {
        /// Its name.
        program: String,
        /// Its arguments.
        arguments: Vec<String>,
    },
    /// Kill a server.
    End(Program),
    /// Start it anew.
    Start(Program),
    /// Write to a file of the kernel.
    Write {
        /// The file.
        file: PathBuf,
        /// What to write.
        text: String,
    },
    /// Say a line to the process that listens at a socket.
    Tell {
        /// The socket.
        socket: PathBuf,
        /// The line.
        line: String,
    },
}

impl Deed {
    /// Runs `program` with `arguments`, which spaces part.
    pub(crate) fn run(program: &str, arguments: &str) -> Self {
        Self::Run {
            program: program.to_owned(),
            arguments: arguments.split(' ').map(str::to_owned).collect(),
        }
    }

    /// Does it.
    ///
    /// # Errors
    /// When it cannot be done.
    pub fn perform(&self) -> Result<(), LabError> {
        match self {
            Self::Run { program, arguments } => {
                command::run(program, arguments)?;
            }
            Self::End(program) => program.end()?,
            Self::Start(program) => program.start()?,
            Self::Write { file, text } => fs::write(file, text).on("write", file)?,
            Self::Tell { socket, line } => tell(socket, line)?,
        }
        Ok(())
    }
}

fn tell(socket: &Path, line: &str) -> Result<(), MachineError> {
    match answer(socket, line).on("ask the process at", socket)? {
        true => Ok(()),
        false => Err(MachineError::Unreadable {
            path: socket.to_owned(),
            problem: format!("the process there does not know `{line}`"),
        }),
    }
}

/// Whether it has answered.
fn answer(socket: &Path, line: &str) -> io::Result<bool> {
    let mut stream = UnixStream::connect(socket)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    writeln!(stream, "{line}")?;
    let mut answer = String::new();
    BufReader::new(stream).read_line(&mut answer)?;
    Ok(!answer.is_empty())
}
