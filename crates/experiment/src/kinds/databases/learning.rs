//! What is learnt of running servers: tables in memory and their reads, as `hotset probe database` measures them while visitors come.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use hotset_lab::server::RunningApplication;
use hotset_lab::{Control, LabError};
use hotset_probe::{DatabaseProbe, DatabaseProbeError};
use hotset_scenario::ProbedDatabase;

use super::bench::Bench;
use super::visitors::Visitors;
use crate::ExperimentError;
use crate::clients::at_once;

/// Options with which MariaDB counts reads of files. Without the rest it takes about 105 MB, which the node would not have otherwise.
pub(super) const COUNTING: [&str; 11] = [
    "--performance-schema=ON",
    "--loose-performance-schema-digests-size=0",
    "--loose-performance-schema-events-stages-history-long-size=0",
    "--loose-performance-schema-events-statements-history-long-size=0",
    "--loose-performance-schema-events-transactions-history-long-size=0",
    "--loose-performance-schema-events-waits-history-long-size=0",
    "--loose-performance-schema-max-cond-instances=0",
    "--loose-performance-schema-max-mutex-instances=0",
    "--loose-performance-schema-max-rwlock-instances=0",
    "--loose-performance-schema-max-table-handles=0",
    "--loose-performance-schema-max-table-instances=0",
];

/// What was learnt of the servers of a node.
pub(super) struct Learnt {
    /// What was measured of each server, interval by interval.
    pub probes: Vec<Vec<ProbedDatabase>>,
    /// What processes of the node had beside what was in buffer pools, bytes.
    pub process_bytes: u64,
}

/// How long servers are looked at, and by whom they are visited then.
pub(super) struct Lesson<'l> {
    pub control: &'l dyn Control,
    pub visitors: &'l Visitors<'l>,
    /// Of an interval.
    pub seconds: u64,
    /// How many follow each other.
    pub intervals: u64,
    /// The number of the first interval's visitors.
    pub first_phase: u64,
}

impl Lesson<'_> {
    /// Looks at the warm servers of the bench.
    ///
    /// # Errors
    /// A server that does not let itself be looked at, and visits that fail.
    pub fn learn(&self, bench: &Bench) -> Result<Learnt, ExperimentError> {
        let running = bench.running().iter();
        let mut probes: Vec<Vec<ProbedDatabase>> = running.map(|_| Vec::new()).collect();
        let sockets = sockets(bench.running());
        for interval in 0..self.intervals {
            let probed = self.interval(&sockets, self.first_phase + interval)?;
            for (own, probe) in probes.iter_mut().zip(probed) {
                own.push(probe);
            }
        }
        let last = probes.iter().filter_map(|of| of.last());
        let in_pools: u64 = last.map(in_pool_bytes).sum();
        Ok(Learnt {
            process_bytes: bench.process_bytes()?.saturating_sub(in_pools),
            probes,
        })
    }

    /// Looks at all servers at once, while visitors come.
    fn interval(
        &self,
        sockets: &[PathBuf],
        phase: u64,
    ) -> Result<Vec<ProbedDatabase>, ExperimentError> {
        let (control, duration) = (self.control, Duration::from_secs(self.seconds));
        let look = move |socket: &PathBuf| probe(socket, duration, control);
        let (visited, probed) = thread::scope(|scope| {
            let looking = scope.spawn(|| at_once(sockets, "a probe broke off", look));
            let visited = self.visitors.visit(self.seconds, phase);
            let broke = |_| Err(ExperimentError::Unusable("a probe broke off".to_owned()));
            (visited, looking.join().unwrap_or_else(broke))
        });
        visited?;
        probed
    }
}

fn sockets(running: &[RunningApplication]) -> Vec<PathBuf> {
    let running = running.iter();
    running.map(|it| it.database_socket.clone()).collect()
}

fn probe(
    socket: &Path,
    duration: Duration,
    control: &dyn Control,
) -> Result<ProbedDatabase, ExperimentError> {
    let probe = DatabaseProbe {
        socket: socket.to_owned(),
        duration,
    };
    match probe.measure(&|_| !control.interrupted()) {
        Ok(findings) => Ok(findings.into()),
        Err(DatabaseProbeError::Interrupted) => Err(LabError::Interrupted.into()),
        Err(error) => Err(ExperimentError::Unusable(error.to_string())),
    }
}

/// What tables have in a server's buffer pool, bytes.
fn in_pool_bytes(probe: &ProbedDatabase) -> u64 {
    let tables = probe.tables.iter().filter(|it| it.is_innodb());
    tables.filter_map(|it| it.resident_bytes).sum()
}
