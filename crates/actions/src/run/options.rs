//! What is followed and held.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use hotset_trace::read::ReadOptions;

use crate::holding::Holding;

/// How long a choice of files stays, where it is not said.
pub const INTERVAL: Duration = Duration::from_secs(60);

/// What is followed and held.
#[derive(Clone, Debug)]
pub struct Options {
    /// Scenario file with logs, and the `root` of each site.
    pub scenario: PathBuf,
    /// How files are held.
    pub holding: Holding,
    /// How lines of the logs are read.
    pub reading: ReadOptions,
    /// The node of the scenario that this machine is; not needed where it has one.
    pub node: Option<String>,
    /// How long a choice of files stays.
    pub interval: Duration,
    /// Bytes that may be read in a minute to hold files that were not held before.
    pub churn: Option<u64>,
    /// A port of this machine where the page and the metrics are shown, to whoever knows the token.
    pub listen: Option<SocketAddr>,
    /// File whose first line is the token.
    pub token_file: Option<PathBuf>,
    /// The command that starts a guardian; the state folder is put behind it.
    pub guardian: Vec<OsString>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            scenario: PathBuf::new(),
            holding: Holding::default(),
            reading: ReadOptions::default(),
            node: None,
            interval: INTERVAL,
            churn: None,
            listen: None,
            token_file: None,
            guardian: Vec::new(),
        }
    }
}
