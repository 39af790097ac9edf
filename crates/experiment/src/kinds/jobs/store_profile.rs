//! What the model is told of a store: what its drive is, and what this machine's calls and copies cost.
//!
//! Nothing of it is fitted to the jobs. The drive is the lab's own, whose data sheet is known. A plain disk is measured.

use std::path::Path;
use std::time::Duration;

use hotset_lab::Lab;
use hotset_lab::disk::seeking::member_bytes;
use hotset_machine::file_system::{DirtyThresholds, FileSystem};
use hotset_models::disk::DriveModel;
use hotset_probe::{Findings, Probe};
use hotset_scenario::{
    CostLine, Device, DeviceKind, DriveDevice, Profile, Reading, Scheduler, WriteCost, Writing,
};

use super::stores::JobNode;
use crate::ExperimentError;
use crate::node::RealStore;
use crate::session::Session;

/// How long a figure is sampled.
const PATIENCE: Duration = Duration::from_secs(1);
/// The same of writes after a sync, which waits for the drive: some hundred syncs take so long.
const SYNC_PATIENCE: Duration = Duration::from_secs(5);
/// Requests that the drive has in its buffer, which it always has with its delays off, bytes: the least one, and that of the
/// kernel's doubled read-ahead. A line through both tells what a request takes from what its bytes take.
const BUFFERED_BYTES: [u64; 2] = [4 << 10, 256 << 10];
/// The largest request of the kernel, where the queue does not tell (`BLK_DEF_MAX_SECTORS_CAP`, `include/linux/blkdev.h`).
const MAX_REQUEST_BYTES: u64 = 1280 << 10;

/// Probes the store, with the delays of a modelled disk off: what is wanted of it is what memory and processor take. What copying
/// takes is left out. What a write takes after a sync is probed with the delays on.
pub(super) fn measure(
    store: &RealStore,
    path: &Path,
    lab: &Lab,
    session: &Session,
) -> Result<Profile, ExperimentError> {
    session.step("measuring what the model has to know")?;
    let seeking = store.spec.disk.drive_bytes_per_s();
    let seeking = seeking.map(|bytes_per_s| DriveModel {
        bytes_per_s: bytes_per_s as f64,
        write_cache_bytes: store.spec.write_cache_bytes,
        ..DriveModel::default()
    });
    lab.set_delays(seeking.is_none())?;
    let findings = probe(path, seeking.is_some(), session)?;
    lab.set_delays(true)?;
    let unusable = || ExperimentError::Unusable("too little was measured for a profile".to_owned());
    let profile = findings.profile().ok_or_else(unusable)?;
    Ok(match seeking {
        Some(model) => {
            let profile = on_drive(profile, &model, store, &findings);
            with_waits(profile, path, session)?
        }
        None => profile,
    })
}

/// A profile of the costs of such a store, with what this one is besides: its name, how it is laid out, how large it is, what of it may be
/// dirty, and the processors of its node.
pub(super) fn of_store(
    profile: Profile,
    store: &RealStore,
    node: &JobNode,
    path: &Path,
    lab: &Lab,
) -> Profile {
    let system = FileSystem::of(path);
    let laid_out = system.as_ref().and_then(hotset_probe::laid_out_by);
    let processors = node.spec.whole_cpus().map(|cpus| cpus as usize);
    let reading = profile.reading.map(|reading| Reading {
        processors: processors.unwrap_or(reading.processors),
        ..reading
    });
    let profile = Profile {
        name: store.spec.name.clone(),
        reading,
        file_system: laid_out.or(profile.file_system),
        device: profile.device.map(|device| of_size(device, store)),
        ..profile
    };
    with_dirty_limits(profile, store, lab)
}

/// The device with the drive's size where it is one.
fn of_size(device: Device, store: &RealStore) -> Device {
    match device.kind {
        DeviceKind::Drive(drive) => Device {
            kind: DeviceKind::Drive(DriveDevice {
                capacity_bytes: drive_bytes(store),
                ..drive
            }),
            ..device
        },
        kind => Device { kind, ..device },
    }
}

/// Bytes of each drive of a store on modelled ones.
fn drive_bytes(store: &RealStore) -> u64 {
    member_bytes(store.spec.size_bytes.unwrap_or(0), store.spec.disk.raid())
}

/// The profile with what may be dirty in bytes, where that is no share of the node's memory. Memory groups of version 1 have no limits
/// of their own: the machine's hold. A store's own limit is divided as the machine's are (`wb_dirty_limits`, `mm/page-writeback.c`).
fn with_dirty_limits(profile: Profile, store: &RealStore, lab: &Lab) -> Profile {
    let own = store.spec.dirty_limit_bytes;
    let is_version_1 = lab.deployment().hierarchies().v1.contains_key("memory");
    let machine = DirtyThresholds::of_machine().filter(|_| is_version_1 || own.is_some());
    let (Some(machine), Some(writing)) = (machine, profile.writing) else {
        return profile;
    };
    let limit = own.map_or(machine.limit_bytes, |own| own.min(machine.limit_bytes));
    let share = machine.background_bytes as f64 / machine.limit_bytes.max(1) as f64;
    let writing = Writing {
        dirty_background_bytes: Some((limit as f64 * share) as u64),
        dirty_limit_bytes: Some(limit),
        ..writing
    };
    Profile {
        writing: Some(writing),
        ..profile
    }
}

fn probe(path: &Path, is_modelled: bool, session: &Session) -> Result<Findings, ExperimentError> {
    // Copying is measured between the jobs.
    let whole = Probe {
        working_sets: Vec::new(),
        ..Probe::default()
    };
    let probe = match is_modelled {
        true => Probe {
            direct: BUFFERED_BYTES.to_vec(),
            in_flight: Vec::new(),
            readers: vec![1],
            patience: PATIENCE,
            ..whole
        },
        false => whole,
    };
    let goes_on = |_| !session.control.interrupted();
    Ok(probe.measure(path, &goes_on)?)
}

/// The profile with what a write takes after a sync that has waited for the drive. Without its delays a sync is over before anything pushes the
/// writer out of the processor's caches.
fn with_waits(
    profile: Profile,
    path: &Path,
    session: &Session,
) -> Result<Profile, ExperimentError> {
    let probe = Probe {
        patience: SYNC_PATIENCE,
        ..Probe::default()
    };
    let goes_on = |_| !session.control.interrupted();
    let measured = probe.writes_after_syncs(path, &goes_on)?;
    let row = |row: WriteCost| {
        let own = measured.iter().find(|it| it.bytes == row.block_bytes);
        own.map_or(row, |own| WriteCost {
            after_sync_us: Some(own.figure.median_us),
            after_sync_quantiles_us: own.quantiles_us,
            ..row
        })
    };
    let write = profile.write.iter().copied().map(row).collect();
    Ok(Profile { write, ..profile })
}

/// The profile with the lab's drive underneath. Its lines are the mean of a random read, and then the drive's rate.
fn on_drive(
    profile: Profile,
    model: &DriveModel,
    store: &RealStore,
    findings: &Findings,
) -> Profile {
    let raid = store.spec.disk.raid();
    let half_turn_us = 60e6 / model.revolutions_per_minute / 2.0;
    let system = findings.file_system.as_ref();
    let device = system.and_then(|it| it.device.as_ref());
    let buffered = findings.direct.iter().flat_map(|direct| &direct.alone);
    let buffered = CostLine::fit(buffered.map(|it| (it.bytes, it.figure.median_us)));
    let limit = system.and_then(FileSystem::max_request_bytes);
    let scheduler = device.and_then(|it| Scheduler::of(it.scheduler.as_deref()?));
    Profile {
        uncached: CostLine {
            fixed_us: model.average_seek_us + half_turn_us,
            bytes_per_us: model.bytes_per_s / 1e6,
        },
        source: "the lab's drive; calls and copies measured by probing with its delays off"
            .to_owned(),
        device: Some(Device {
            kind: DeviceKind::Drive(DriveDevice {
                overhead_us: buffered.map_or(0.0, |line| line.fixed_us),
                interface_bytes_per_us: buffered.map(|line| line.bytes_per_us),
                ..model.device(drive_bytes(store), limit.unwrap_or(MAX_REQUEST_BYTES))
            }),
            scheduler,
            raid,
        }),
        ..profile
    }
}
