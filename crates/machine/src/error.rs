//! What can go wrong with the machine.

use std::io;
use std::path::PathBuf;

/// An error of the machine; its message names the thing, what was tried and the fix where one is known.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MachineError {
    /// What the machine lacks, all of it.
    #[error("this machine lacks what is needed: {}", .0.join("; "))]
    Lacking(Vec<String>),
    /// A file or directory could not be read, written or made.
    #[error("cannot {action} {}: {source}", path.display())]
    File {
        /// What was tried ("read", "mount", …).
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A program could not be started.
    #[error("cannot start {program}: {source}; install the package that has it")]
    Start {
        /// The program.
        program: String,
        /// The system's reason.
        source: io::Error,
    },
    /// A program ended with a failure.
    #[error("`{command}` failed ({status}): {message}")]
    Command {
        /// The command line.
        command: String,
        /// How it ended.
        status: String,
        /// The end of what it said.
        message: String,
    },
    /// A process of the deployment ended by itself, or did not become ready.
    #[error("{name} {what}; the end of its log {}:\n{tail}", log.display())]
    Process {
        /// The process' name in the deployment.
        name: String,
        /// What happened.
        what: String,
        /// Its log.
        log: PathBuf,
        /// The log's last lines.
        tail: String,
    },
    /// A file of the system does not say what it should.
    #[error("{}: {problem}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A file system cannot be unmounted because it is in use.
    #[error("cannot unmount {}: {}", path.display(), in_use_by(users))]
    Busy {
        /// The mount point.
        path: PathBuf,
        /// Processes with open or mapped files or a working directory there, as "name (pid)".
        users: Vec<String>,
    },
    /// What is asked for makes no sense or is not there on this machine.
    #[error("{0}")]
    Unusable(String),
}

impl MachineError {
    /// A file of the system that does not say what it should.
    pub(crate) fn unreadable(path: impl Into<PathBuf>, problem: impl Into<String>) -> Self {
        Self::Unreadable {
            path: path.into(),
            problem: problem.into(),
        }
    }

    /// What is asked for makes no sense or is not there.
    pub(crate) fn unusable(problem: impl Into<String>) -> Self {
        Self::Unusable(problem.into())
    }
}

fn in_use_by(users: &[String]) -> String {
    if users.is_empty() {
        return "in use, but by no process; unmount what is mounted from or in it".to_owned();
    }
    format!("in use by {}; stop them first", users.join(", "))
}

/// Names the action and the file of an input or output error.
pub trait OnFile<T> {
    /// Says on what it was tried, `action` as in "cannot `action` `path`".
    ///
    /// # Errors
    /// The error, with both.
    fn on(self, action: &'static str, path: impl Into<PathBuf>) -> Result<T, MachineError>;
}

impl<T, E: Into<io::Error>> OnFile<T> for Result<T, E> {
    fn on(self, action: &'static str, path: impl Into<PathBuf>) -> Result<T, MachineError> {
        self.map_err(|source| MachineError::File {
            action,
            path: path.into(),
            source: source.into(),
        })
    }
}
