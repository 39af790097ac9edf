//! What counters show before a phase and after it.

use std::time::Instant;

use super::result::{Counts, DriveCounts};
use super::stage::Stage;
use crate::ExperimentError;
use hotset_lab::disk::DiskCounters;
use hotset_lab::disk::seeking::Statistics;
use hotset_lab::net::LinkCounters;

/// Readings at a phase's start.
pub(super) struct Readings {
    drive: Option<Statistics>,
    link: LinkCounters,
    pub server_cpu_us: u64,
    pub disk: DiskCounters,
    pub start: Instant,
}

impl Readings {
    pub(super) fn take(stage: &Stage) -> Result<Self, ExperimentError> {
        let disk = stage.bench.disk()?;
        Ok(Self {
            drive: disk.statistics()?,
            link: stage.bench.namespace()?.counters()?,
            server_cpu_us: stage.server_cpu_us()?,
            disk: disk.counters()?,
            start: Instant::now(),
        })
    }

    /// What was counted since then; requests are the caller's to count.
    pub(super) fn counts(&self, stage: &Stage) -> Result<Counts, ExperimentError> {
        let seconds = self.start.elapsed().as_secs_f64();
        let disk = stage.bench.disk()?;
        let (after, link) = (disk.counters()?, stage.bench.namespace()?.counters()?);
        let drive = self.drive.zip(disk.statistics()?);
        Ok(Counts {
            seconds,
            disk_reads: after.reads - self.disk.reads,
            disk_read_bytes: after.read_bytes - self.disk.read_bytes,
            server_cpu_us: stage.server_cpu_us()? - self.server_cpu_us,
            sent_bytes: link.sent_bytes.saturating_sub(self.link.sent_bytes),
            sent_packets: link.sent_packets.saturating_sub(self.link.sent_packets),
            received_bytes: link.received_bytes.saturating_sub(self.link.received_bytes),
            received_packets: (link.received_packets).saturating_sub(self.link.received_packets),
            drive: drive.map(|(before, after)| DriveCounts::between(&before, &after)),
            ..Counts::default()
        })
    }
}
