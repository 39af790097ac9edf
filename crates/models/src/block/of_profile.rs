//! The disks that a profile describes.

use hotset_scenario::{Device as Spec, DeviceKind, Profile, Scheduler};

use super::device::{CostLines, Flash, Head, Slots};
use super::raid::capacity_bytes;
use super::{Device, Disks};
use crate::costs::Costs;

impl Disks {
    /// None: the store is on another machine.
    pub fn none() -> Self {
        Self {
            devices: Vec::new(),
            scheduler: Scheduler::None,
            raid: None,
            max_request_bytes: u64::MAX,
            capacity_bytes: None,
            turns: false,
        }
    }

    /// Those of `profile`: by its table `device`, or by its lines where it has none. `seed` is for what scatters.
    pub fn of(profile: &Profile, costs: &Costs, seed: u64) -> Self {
        let Some(spec) = &profile.device else {
            let lines = CostLines::new(costs.device_ns, costs.transfer_ns_per_byte, costs.slots);
            return Self {
                devices: vec![Box::new(lines)],
                scheduler: Scheduler::None,
                raid: None,
                max_request_bytes: costs.max_request_bytes,
                capacity_bytes: None,
                turns: is_slow(costs.device_ns),
            };
        };
        let count = spec.raid.map_or(1, |raid| raid.disks as u64);
        let one = |number: u64| device(&spec.kind, costs, seed.wrapping_add(number));
        Self {
            devices: (0..count).map(one).collect(),
            scheduler: spec.scheduler.unwrap_or(Scheduler::None),
            raid: spec.raid,
            max_request_bytes: costs.max_request_bytes,
            capacity_bytes: capacity(spec),
            turns: turns(&spec.kind),
        }
    }
}

/// Whether a device is a disk that turns. Of a measured one only its delay tells.
fn turns(kind: &DeviceKind) -> bool {
    match kind {
        DeviceKind::Measured(spec) => is_slow(spec.delay_us * 1e3),
        DeviceKind::Drive(_) => true,
        DeviceKind::Ssd(_) => false,
    }
}

/// Whether a request takes longer before its first byte than any flash does.
fn is_slow(delay_ns: f64) -> bool {
    delay_ns > 2e6
}

fn device(kind: &DeviceKind, costs: &Costs, seed: u64) -> Box<dyn Device> {
    match kind {
        DeviceKind::Measured(spec) => Box::new(Slots::new(spec, costs.call() as f64, seed)),
        DeviceKind::Drive(spec) => Box::new(Head::new(spec)),
        DeviceKind::Ssd(spec) => Box::new(Flash::new(spec)),
    }
}

/// Bytes that all disks hold together.
fn capacity(spec: &Spec) -> Option<u64> {
    let one = match &spec.kind {
        DeviceKind::Measured(_) => return None,
        DeviceKind::Drive(spec) => spec.capacity_bytes,
        DeviceKind::Ssd(spec) => spec.capacity_bytes,
    };
    Some(spec.raid.map_or(one, |raid| capacity_bytes(raid, one)))
}
