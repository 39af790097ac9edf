//! Numbers of a profile that are refused outside their bounds, each with its unit.

use std::fmt::Display;
use std::ops::RangeInclusive;

use serde::de::Error;
use serde::{Deserialize, Deserializer};

use crate::toml_file::Bytes;

/// Longest time in a profile, microseconds: eleven days. Sums over any number of reads stay finite.
pub(crate) const MOST_US: f64 = 1e12;
pub(crate) const TOO_LONG: &str = "must be at most 1000000000000 microseconds";
/// Longest delay of a device, microseconds: the kernel gives a disk up after 30 s (`SD_TIMEOUT`, `drivers/scsi/sd.h`).
const DEVICE_US: RangeInclusive<f64> = 0.0..=30e6;
/// Rates in a profile, from a byte a second to a petabyte a second.
const BYTES_PER_US: RangeInclusive<f64> = 1e-6..=1e9;
/// Requests that a device serves at a time: as many as a queue of NVMe has (NVM Express Base Specification, 2.0,
/// section 3.1.4.1).
const REQUESTS: RangeInclusive<usize> = 1..=65536;
/// From a sector to what 64-bit block devices of Linux hold, 8 EiB.
const SECTOR_BYTES: u64 = 512;
const MOST_BYTES: u64 = i64::MAX as u64;

/// A time of a device, microseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DeviceUs(pub f64);

impl<'de> Deserialize<'de> for DeviceUs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = f64::deserialize(deserializer)?;
        within(number, &DEVICE_US, "microseconds").map(Self)
    }
}

/// A rate, bytes in a microsecond.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rate(pub f64);

impl<'de> Deserialize<'de> for Rate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = f64::deserialize(deserializer)?;
        let message = "must be positive, from 0.000001 to 1000000000: bytes read in a microsecond, which is MB/s";
        match BYTES_PER_US.contains(&number) {
            true => Ok(Self(number)),
            false => Err(D::Error::custom(message)),
        }
    }
}

/// Requests, channels: things that work at the same time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Count(pub usize);

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = usize::deserialize(deserializer)?;
        within(number, &REQUESTS, "").map(Self)
    }
}

/// A size of at least a sector, bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size(pub u64);

impl<'de> Deserialize<'de> for Size {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Bytes(number) = Bytes::deserialize(deserializer)?;
        within(number, &(SECTOR_BYTES..=MOST_BYTES), "bytes").map(Self)
    }
}

/// `number`, where the range has it; `unit` may be empty.
pub(crate) fn within<T: PartialOrd + Display, E: Error>(
    number: T,
    range: &RangeInclusive<T>,
    unit: &str,
) -> Result<T, E> {
    if range.contains(&number) {
        return Ok(number);
    }
    let bounds = format!("must be from {} to {} {unit}", range.start(), range.end());
    Err(E::custom(bounds.trim_end()))
}
