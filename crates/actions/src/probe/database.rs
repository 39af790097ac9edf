//! What the tables of a running MariaDB hold in memory, and what they read.

use std::path::PathBuf;
use std::time::Duration;

use hotset_probe::{DatabaseProbe, DatabaseProbeError};
use hotset_report::ProbedDatabaseView;

use crate::{JobError, Part, Watch};

/// How long reads are counted, where it is not said: as many as matter show in a minute.
pub const DURATION: Duration = Duration::from_secs(60);

/// Which server is looked at, and how long.
#[derive(Clone, Debug)]
pub struct Options {
    /// The socket that it listens on.
    pub socket: PathBuf,
    /// How long its reads are counted.
    pub duration: Duration,
}

/// Looks at the server.
///
/// # Errors
/// A server that is not there, is not MariaDB, or does not let this user look.
pub fn run(options: &Options, watch: &dyn Watch) -> Result<ProbedDatabaseView, JobError> {
    let probe = DatabaseProbe {
        socket: options.socket.clone(),
        duration: options.duration,
    };
    // The server is to be left as it was.
    let _held = watch.hold_interrupts();
    watch.begin(Part::Share("counting reads"));
    let mut findings = probe.measure(&|done| {
        watch.share(done);
        !watch.stops()
    })?;
    watch.end();
    // The result is read in other folders. A socket is asked by the path that was given, as long ones are refused.
    if let Ok(whole) = std::path::absolute(&findings.socket) {
        findings.socket = whole;
    }
    Ok(ProbedDatabaseView { findings })
}

impl From<DatabaseProbeError> for JobError {
    fn from(error: DatabaseProbeError) -> JobError {
        match error {
            DatabaseProbeError::Interrupted => JobError::Interrupted("interrupted"),
            error => JobError::Library(Box::new(error)),
        }
    }
}
