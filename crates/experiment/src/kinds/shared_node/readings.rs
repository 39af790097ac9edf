//! What a stage's node shows of a phase.

use hotset_lab::disk::seeking::Statistics;

use super::result::Counts;
use super::stage::Stage;
use crate::ExperimentError;
use crate::readings::{Counted, Readings};

/// Readings at a phase's start.
pub(super) struct StageReadings<'s> {
    stage: &'s Stage<'s>,
    pub node: Readings<'s>,
    drive: Option<Statistics>,
    pub server_cpu_us: u64,
}

impl<'s> StageReadings<'s> {
    pub fn take(stage: &'s Stage<'s>) -> Result<Self, ExperimentError> {
        Ok(Self {
            stage,
            drive: stage.bench.drives()?,
            server_cpu_us: stage.server_cpu_us()?,
            node: Readings::take(stage.bench.watched()?)?,
        })
    }

    /// What has been counted since; requests are the caller's to count.
    pub fn counted(&self) -> Result<(Counts, Counted), ExperimentError> {
        let counted = self.node.counted()?;
        let drive = self.drive.zip(self.stage.bench.drives()?);
        let counts = Counts {
            seconds: counted.seconds,
            disk_reads: counted.disk_reads,
            disk_read_bytes: counted.disk_read_bytes,
            server_cpu_us: self.stage.server_cpu_us()? - self.server_cpu_us,
            drive: drive.map(|(before, after)| after.since(&before)),
            ..Counts::default()
        };
        Ok((counts, counted))
    }
}
