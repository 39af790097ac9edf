//! What a profile's lines come to for the parts of a read.

use hotset_scenario::{DeviceKind, Handover, Profile, Reading};

use crate::quantiles::at_share;
use crate::read_ahead::LARGEST_REQUEST_BYTES;

/// Bytes of the blocks whose parallel reads a profile knows (`hotset probe`).
const PARALLEL_BYTES: f64 = 65536.0;

/// Costs of the parts of a read, nanoseconds.
#[derive(Clone, Debug)]
pub(crate) struct Costs {
    profile: Profile,
    call_ns: f64,
    /// The device's delay before the first byte.
    pub device_ns: f64,
    /// A byte's passing from the device.
    pub transfer_ns_per_byte: f64,
    /// Requests whose delays the device overlaps.
    pub slots: usize,
    /// The largest request to the device, bytes.
    pub max_request_bytes: u64,
    /// The same of one that writes.
    pub max_write_bytes: u64,
    /// What the machine reads ahead and does at the same time.
    pub reading: Reading,
}

impl Costs {
    /// The line `cached`, or the rows `copy`, are a call and the copying; what the rows leave for a block of no bytes, in the
    /// nearest level of memory, is the call. The line `uncached` is the device: a delay, less the call, that several
    /// requests have at the same time, and bytes that pass one after the other. Its rate is taken as it is, because the
    /// kernel copies what has come while the rest is on its way.
    ///
    /// By Little's law as many delays overlap as the delay is longer than the time between two reads of the best number of
    /// readers.
    pub fn of(profile: &Profile) -> Self {
        let reading = profile.reading.unwrap_or_default();
        let per_byte = |rate: f64| 1e3 / rate;
        let (cached, uncached) = (profile.cached, profile.uncached);
        let call_us = match profile.copy.is_empty() {
            true => cached.fixed_us,
            false => profile.copy_us(0, true, 0),
        };
        let call_ns = (call_us * 1e3).max(0.0);
        let device_ns = (uncached.fixed_us * 1e3 - call_ns).max(0.0);
        let transfer_ns_per_byte = per_byte(uncached.bytes_per_us);
        let alone_ns = device_ns + PARALLEL_BYTES * transfer_ns_per_byte;
        let slots = (reading.parallel * device_ns / alone_ns.max(f64::MIN_POSITIVE)).round();
        Self {
            profile: profile.clone(),
            call_ns,
            device_ns,
            transfer_ns_per_byte,
            slots: (slots as usize).max(1),
            max_request_bytes: max_request_bytes(profile),
            max_write_bytes: max_request_bytes(profile),
            reading,
        }
    }

    /// How files are read ahead, and the largest request of the device.
    pub fn device(&self) -> (&Reading, u64) {
        (&self.reading, self.max_request_bytes)
    }

    /// A call that copies nothing.
    #[inline]
    pub fn call(&self) -> u64 {
        self.call_ns as u64
    }

    /// Opening a file, and closing it later.
    pub fn open(&self) -> u64 {
        (self.profile.open_us * 1e3) as u64
    }

    /// A page fault on what is in memory; as much as a call where the profile does not say.
    #[inline]
    pub fn fault(&self) -> u64 {
        let known = self.reading.fault_us.map(|us| us * 1e3);
        known.unwrap_or(self.call_ns) as u64
    }

    /// Copying so many bytes of a mapped file, which is no call; as much as a read less its call where the profile does not say.
    pub fn mapped_read(&self, bytes: u64, sequential: bool, working_set_bytes: u64) -> f64 {
        let measured = self.profile.mapped_us(bytes, sequential, working_set_bytes);
        let of = |bytes| self.cached_read(bytes, sequential, working_set_bytes);
        measured.map_or_else(|| (of(bytes) - of(0)).max(0.0), |us| us * 1e3)
    }

    /// Handing a block of so many bytes to a local socket; nothing where the profile does not say.
    pub fn sent(&self, bytes: u64, handover: Handover) -> f64 {
        self.profile.send_us(bytes, handover).unwrap_or(0.0) * 1e3
    }

    /// A write of so many bytes into memory; as much as a read of them where the profile does not say.
    pub fn cached_write(&self, bytes: u64, sequential: bool, working_set_bytes: u64) -> f64 {
        let measured = self.profile.write_us(bytes).map(|us| us * 1e3);
        measured.unwrap_or_else(|| self.cached_read(bytes, sequential, working_set_bytes))
    }

    /// The same where the kernel gives all of its pages anew.
    pub fn write_of_new_pages(&self, bytes: u64, sequential: bool, working_set_bytes: u64) -> f64 {
        let measured = self.profile.write_new_pages_us(bytes).map(|us| us * 1e3);
        measured.unwrap_or_else(|| self.cached_read(bytes, sequential, working_set_bytes))
    }

    /// What a write over pages in memory takes longer where its file was synced just before; nothing where the profile does not say. `share`
    /// is drawn evenly from 0 to 1, for profiles that have quantiles.
    pub fn write_after_sync(&self, bytes: u64, share: f64) -> f64 {
        let quantiles = self.profile.write_after_sync_quantiles_us(bytes);
        let known = match quantiles {
            Some(quantiles) => Some(at_share(&quantiles, share)),
            None => self.profile.write_after_sync_us(bytes),
        };
        let beyond = known.zip(self.profile.write_us(bytes));
        beyond.map_or(0.0, |(after, us)| (after - us).max(0.0) * 1e3)
    }

    /// A read of so many bytes that are in memory, the call and copying them to the reader, of files that have
    /// `working_set_bytes` together.
    pub fn cached_read(&self, bytes: u64, sequential: bool, working_set_bytes: u64) -> f64 {
        self.profile.copy_us(bytes, sequential, working_set_bytes) * 1e3
    }
}

/// That of the profile's device, or the kernel's own where the profile knows of none.
fn max_request_bytes(profile: &Profile) -> u64 {
    match profile.device.as_ref().map(|device| &device.kind) {
        Some(DeviceKind::Measured(spec)) => spec.max_request_bytes,
        Some(DeviceKind::Drive(spec)) => spec.max_request_bytes,
        Some(DeviceKind::Ssd(_)) | None => LARGEST_REQUEST_BYTES,
    }
}
