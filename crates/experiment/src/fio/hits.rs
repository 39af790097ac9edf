//! Reads that found in memory what they wanted.
//!
//! fio does not say which reads these are, and the kernel counts pages, for all jobs of a file together. That share of bytes is
//! [`Metric::DeviceBytes`](crate::deviation::Metric::DeviceBytes). So reads are told apart by what each took: one that waits for the device takes at
//! least a request, one that does not takes what copying does.

use hotset_models::fio::Job;
use hotset_scenario::{DeviceKind, Profile};

/// How many times as long a request must take as copying, so that times tell reads apart: with a limit between them, either may
/// take twice as long as measured by probing, or half as long. Repeats of one probe were that far apart.
const LEAST_RATIO: f64 = 4.0;

/// Reads of `job` that take less did not wait for the device, microseconds. It is the geometric mean of what copying its largest block
/// takes and of what the device takes at least. Nothing where these are near to each other, where reads wait for each other, and where jobs
/// write. Simulated hits are of reads and writes together.
pub(crate) fn limit_us(job: &Job, profile: &Profile) -> Option<f64> {
    if job.depth > 1 || job.log.is_some() || job.mode.writes() {
        return None;
    }
    let copy_us = |sequential| profile.copy_us(job.blocks.most(), sequential, job.file_bytes());
    let (memory_us, device_us) = (copy_us(true).max(copy_us(false)), device_us(profile));
    (device_us >= LEAST_RATIO * memory_us).then(|| (memory_us * device_us).sqrt())
}

/// What the device takes at least for a read, microseconds.
fn device_us(profile: &Profile) -> f64 {
    match profile.device.as_ref().map(|it| &it.kind) {
        Some(DeviceKind::Measured(it)) => it.delay_quantiles_us.map_or(it.delay_us, |it| it[0]),
        // What it has in its buffer takes no more.
        Some(DeviceKind::Drive(it)) => it.overhead_us,
        Some(DeviceKind::Ssd(it)) => it.read_us,
        None => profile.uncached.fixed_us,
    }
}
