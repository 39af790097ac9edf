//! Numbers of a profile that are refused outside their bounds, each with its unit.

use std::fmt::Display;
use std::ops::RangeInclusive;

use serde::de::Error;
use serde::{Deserialize, Deserializer};

use crate::toml_file::{Bytes, BytesOrNone};

/// Longest time in a profile, microseconds: an hour. Sums over millions of reads and requests are times that simulations can have.
pub(crate) const MOST_US: f64 = 3.6e9;
pub(crate) const TOO_LONG: &str = "must be at most 3600000000 microseconds, an hour";
/// What a byte may take, nanoseconds: a millisecond. More is taken for a typing error.
const MOST_NS_PER_BYTE: f64 = 1e6;
/// Longest delay of a device, microseconds: the kernel gives a disk up after 30 s (`SD_TIMEOUT`, `drivers/scsi/sd.h`).
const DEVICE_US: RangeInclusive<f64> = 0.0..=30e6;
/// Rates in a profile, from a byte a second to a petabyte a second.
const BYTES_PER_US: RangeInclusive<f64> = 1e-6..=1e9;
/// Requests that a device serves at a time: as many as a queue of NVMe has (NVM Express Base Specification, 2.0,
/// section 3.1.4.1).
const REQUESTS: RangeInclusive<usize> = 1..=65536;
/// From a sector to what 64-bit block devices of Linux hold, 8 EiB.
const SECTOR_BYTES: u64 = 512;
/// The largest chunk of a RAID, a GiB: `mdadm` and controllers offer a few MiB.
const MOST_CHUNK_BYTES: u64 = 1 << 30;
/// Bytes of a journal: from the least that the kernel takes, 1024 blocks of 4 KiB (`JBD2_MIN_JOURNAL_BLOCKS`, `include/linux/jbd2.h`), to a TiB.
const JOURNAL_BYTES: RangeInclusive<u64> = 4 << 20..=1 << 40;
/// Time between two commits, seconds: from a hundredth to a day.
const COMMIT_S: RangeInclusive<f64> = 0.01..=86_400.0;
const MOST_BYTES: u64 = i64::MAX as u64;

/// A number that a file may hold only within bounds.
pub(crate) trait Bounded {
    type Number;

    /// The number itself.
    fn number(self) -> Self::Number;
}

impl<T: Bounded> Bounded for Option<T> {
    type Number = Option<T::Number>;

    fn number(self) -> Self::Number {
        self.map(T::number)
    }
}

/// Declares numbers within bounds: what a file holds, how it becomes the number, or what is said instead.
macro_rules! bounded {
    ($($(#[$meaning:meta])* $name:ident($number:ty): |$read:ident: $written:ty| $check:expr;)*) => {$(
        $(#[$meaning])*
        #[derive(Clone, Debug, Default)]
        pub(crate) struct $name(pub $number);

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let $read = <$written>::deserialize(deserializer)?;
                $check.map(Self).map_err(D::Error::custom)
            }
        }

        impl Bounded for $name {
            type Number = $number;

            fn number(self) -> $number {
                self.0
            }
        }
    )*};
}

bounded! {
    /// A time of a device, microseconds.
    DeviceUs(f64): |it: f64| within(it, &DEVICE_US, "microseconds");
    /// A rate, bytes in a microsecond.
    Rate(f64): |it: f64| BYTES_PER_US.contains(&it).then_some(it).ok_or(
        "must be positive, from 0.000001 to 1000000000: bytes read in a microsecond, which is MB/s"
    );
    /// Requests, channels: things that work at the same time.
    Count(usize): |it: usize| within(it, &REQUESTS, "");
    /// A size in bytes.
    Size(u64): |it: Bytes| within(it.0, &(SECTOR_BYTES..=MOST_BYTES), "bytes");
    /// A size of a journal.
    JournalBytes(u64): |it: Bytes| within(it.0, &JOURNAL_BYTES, "bytes");
    /// Bytes on one disk of a RAID before it is the next one's turn; more are taken for a slip.
    ChunkBytes(u64): |it: Bytes| within(it.0, &(SECTOR_BYTES..=MOST_CHUNK_BYTES), "bytes");
    /// Bytes of an inode: ext2 had 128, and no block has less than one.
    InodeBytes(u64): |it: u64| within(it, &(64..=4096), "bytes");
    /// Time between two commits of a journal, seconds.
    CommitS(f64): |it: f64| within(it, &COMMIT_S, "seconds");
    /// Turns in a minute: drives have had from 300 (floppy disks) to 15,000.
    Turns(f64): |it: f64| within(it, &(1.0..=1e5), "turns a minute");
    /// The rate of a drive, bytes in a second.
    BytesPerS(f64): |it: f64| within(it, &(1.0..=1e12), "bytes a second");
    /// Bytes that a drive reads ahead: none, or as many as a buffer of it may have, a GiB.
    ReadAhead(u64): |it: u64| within(it, &(0..=1 << 30), "bytes");
    /// Bytes of a device's cache of writes: none, or up to 16 GiB.
    CacheBytes(u64): |it: BytesOrNone| within(it.0, &(0..=16 << 30), "bytes");
    /// Six delays, none shorter than the one before.
    Quantiles([f64; 6]): |it: Vec<DeviceUs>| rising(it)
        .ok_or("must be six delays at 10, 25, 50, 75, 90 and 99 %, none shorter than the one before");
    /// Workers of a server, or threads: each is kept track of.
    Workers(u64): |it: Whole| whole(&it, &(1..=1_000_000));
    /// Requests that a server answers on a connection before it closes it.
    ConnectionRequests(u32): |it: Whole| whole(&it, &(1..=u64::from(u32::MAX)))
        .map_err(|said| format!("{said}; take it out for any number"));
    /// What comes after the point of NFS 4: versions that are known.
    MinorVersion(u8): |it: Whole| whole(&it, &(0..=2));
    /// Buffers of a flow of OrangeFS. More are taken for a typing error.
    FlowBuffers(u32): |it: Whole| whole(&it, &(1..=1024));
    /// Calls of Lustre under way (`OSC_MAX_RIF_MAX`).
    CallsInFlight(u32): |it: Whole| whole(&it, &(1..=256));
    /// Seconds that something is taken to hold: at most a year.
    HeldS(u32): |it: Whole| whole(&it, &(0..=31_536_000));
    /// Ports of a switch of a fat tree, which has 3456 places with the most.
    Ports(usize): |it: Whole| whole(&it, &(2..=24));
    /// Pairs of a number of requests and a positive time, the numbers rising from 1.
    InFlight(Vec<(usize, f64)>): |it: Vec<(Count, DeviceUs)>| in_flight(it)
        .ok_or("must be pairs of a number of requests and a positive time, with numbers that rise from 1");
}

fn rising(list: Vec<DeviceUs>) -> Option<[f64; 6]> {
    let delays: Vec<f64> = list.into_iter().map(DeviceUs::number).collect();
    let delays: [f64; 6] = delays.try_into().ok()?;
    delays.is_sorted().then_some(delays)
}

fn in_flight(list: Vec<(Count, DeviceUs)>) -> Option<Vec<(usize, f64)>> {
    let pairs: Vec<(usize, f64)> = list.into_iter().map(|(n, us)| (n.0, us.0)).collect();
    let begins = pairs.first().is_some_and(|&(requests, _)| requests == 1);
    let rises = pairs.windows(2).all(|pair| pair[0].0 < pair[1].0);
    (begins && rises && pairs.iter().all(|&(_, us)| us > 0.0)).then_some(pairs)
}

/// What something costs, microseconds.
pub(crate) fn cost_us<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    cost(deserializer, MOST_US, TOO_LONG)
}

/// What a byte costs, nanoseconds.
pub(crate) fn ns_per_byte<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    cost(
        deserializer,
        MOST_NS_PER_BYTE,
        "must be at most 1000000 nanoseconds a byte",
    )
}

/// A cost up to `most`; `too_long` is said of more.
pub(crate) fn cost<'de, D: Deserializer<'de>>(
    deserializer: D,
    most: f64,
    too_long: &str,
) -> Result<f64, D::Error> {
    match f64::deserialize(deserializer)? {
        number if number > most => Err(D::Error::custom(too_long)),
        number if number >= 0.0 => Ok(number),
        _ => Err(D::Error::custom("must not be negative")),
    }
}

/// What should be a whole number, so that one message says what may be there: nothing where it is something else.
pub(crate) struct Whole(Option<u64>);

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(u64::deserialize(deserializer).ok()))
    }
}

/// `number` as one of another type, where the range has it.
pub(crate) fn whole<T: TryFrom<u64>>(
    number: &Whole,
    range: &RangeInclusive<u64>,
) -> Result<T, String> {
    let own = number.0.filter(|number| range.contains(number));
    let own = own.and_then(|number| T::try_from(number).ok());
    own.ok_or_else(|| {
        format!(
            "must be a whole number from {} to {}",
            range.start(),
            range.end()
        )
    })
}

/// `number`, where the range has it; `unit` may be empty.
pub(crate) fn within<T: PartialOrd + Display>(
    number: T,
    range: &RangeInclusive<T>,
    unit: &str,
) -> Result<T, String> {
    if range.contains(&number) {
        return Ok(number);
    }
    let bounds = format!("must be from {} to {} {unit}", range.start(), range.end());
    Err(bounds.trim_end().to_owned())
}
