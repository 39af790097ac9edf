//! The node's traffic daemon by `hotset run`, as users have it do: started without a plan, with the server's access log.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use hotset_machine::OnFile;
use hotset_machine::process::{Launch, Process};

use super::applied::State;
use super::bench::Bench;
use super::workload::SITES;
use crate::ExperimentError;

/// The profile of the store, as the daemon is told.
pub(super) const PROFILE: &str = "hdd";

/// Until it answers on its socket.
const START_PATIENCE: Duration = Duration::from_secs(60);
/// Until it has released everything.
const END_PATIENCE: Duration = Duration::from_secs(60);
/// Intervals until what it does is measured: two, and time to hold what it has chosen at the end of the second.
const SETTLING_INTERVALS: f64 = 2.5;

/// Whose traffic a daemon follows, and how.
pub(super) struct DaemonOptions<'a> {
    /// Unique in the run.
    pub name: &'a str,
    /// The server's pid file.
    pub server: &'a Path,
    /// Its access log.
    pub log: PathBuf,
    /// Folders of the sites.
    pub roots: [PathBuf; 2],
    /// Weight of the foreground.
    pub weight: f64,
    /// The node's memory, and what of it is not for files. Bytes.
    pub memory_bytes: u64,
    pub server_bytes: u64,
    /// Seconds for which a choice stays.
    pub interval_seconds: u64,
}

impl DaemonOptions<'_> {
    fn scenario(&self) -> String {
        let mut text = format!(
            "log = {:?}\n[[node]]\nname = \"web\"\nmemory = {}\nserver_memory = {}\n[[store]]\nname = \"disk\"\nprofile = {PROFILE:?}\n",
            self.log, self.memory_bytes, self.server_bytes
        );
        for ((name, root), weight) in SITES.iter().zip(&self.roots).zip([self.weight, 1.0]) {
            // Writing to a String cannot fail.
            let _written = writeln!(
                text,
                "[[site]]\nname = {name:?}\nmatch = \"host:{name}\"\nstore = \"disk\"\nroot = {root:?}\nweight = {weight:?}"
            );
        }
        text
    }
}

/// How long clients ask before what a daemon does is measured.
pub(super) fn settling(interval_seconds: u64) -> Duration {
    Duration::from_secs(interval_seconds).mul_f64(SETTLING_INTERVALS)
}

/// A daemon that holds files.
pub(super) struct Daemon {
    state: State,
    process: Process,
}

impl Daemon {
    /// Starts `hotset run`, and waits until it follows the log.
    ///
    /// # Errors
    /// When it does not start; with the end of its log.
    pub fn start(bench: &Bench, options: &DaemonOptions) -> Result<Self, ExperimentError> {
        let (deployment, name) = (bench.deployment(), options.name);
        let scenario = deployment.directory().join(format!("follow-{name}.toml"));
        fs::write(&scenario, options.scenario()).on("write", &scenario)?;
        let state = State::new(bench, name);
        let socket = deployment.directory().join(format!("state-{name}.socket"));
        let process = Launch::new(format!("follow-{name}"), bench.program())
            .arguments([OsStr::new("run"), scenario.as_os_str()])
            .arguments(["--placer", "pin", "--interval"])
            .arguments([format!("{}s", options.interval_seconds)])
            .arguments([
                "--server".to_owned(),
                format!("pid:{}", options.server.display()),
            ])
            .arguments([OsStr::new("--state"), state.folder.as_os_str()])
            .start(deployment)?;
        process.wait_until(START_PATIENCE, || UnixStream::connect(&socket).is_ok())?;
        Ok(Self { state, process })
    }

    /// How many files are held as they should be.
    ///
    /// # Errors
    /// When `hotset status` fails.
    pub fn held(&self) -> Result<u64, ExperimentError> {
        self.state.held(0)
    }

    /// Ends it, which releases everything.
    ///
    /// # Errors
    /// When it cannot be ended.
    pub fn stop(self) -> Result<(), ExperimentError> {
        Ok(self.process.stop(END_PATIENCE)?)
    }
}
