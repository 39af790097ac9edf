//! The device under a store, as a profile states it for models that read block by block.

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};
use toml::Spanned;

use crate::bounds::{
    Bounded, BytesPerS, CacheBytes, ChunkBytes, Count, DeviceUs, InFlight, Quantiles, Rate,
    ReadAhead, Size, Turns,
};
use crate::toml_file::{FileError, TomlFile};

/// The device under a store.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Device {
    /// What it is. Members of a RAID are all like it.
    #[serde(flatten)]
    pub kind: DeviceKind,
    /// The I/O scheduler in force; nothing where it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scheduler: Option<Scheduler>,
    /// How several such devices make one; nothing for a single device.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raid: Option<Raid>,
}

/// What a device is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, strum::EnumDiscriminants)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[strum_discriminants(name(KindName), vis(), derive(Deserialize))]
#[strum_discriminants(serde(rename_all = "lowercase"))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum DeviceKind {
    /// Known by what was measured of it.
    Measured(MeasuredDevice),
    /// A disk with head, seek and rotation.
    Drive(DriveDevice),
    /// Flash behind channels.
    Ssd(SsdDevice),
}

impl DeviceKind {
    /// Bytes of its volatile cache of writes; 0 without one, and where it is part of what was measured.
    #[must_use]
    pub fn write_cache_bytes(&self) -> u64 {
        match self {
            Self::Measured(_) => 0,
            Self::Drive(device) => device.write_cache_bytes,
            Self::Ssd(device) => device.write_cache_bytes,
        }
    }

    /// As profiles write it.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Measured(_) => "measured",
            Self::Drive(_) => "drive",
            Self::Ssd(_) => "ssd",
        }
    }
}

/// A device known by what was measured of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct MeasuredDevice {
    /// Microseconds from a request to its first byte, where it is alone.
    pub delay_us: f64,
    /// Bytes in a microsecond of one request alone, after its delay.
    pub bytes_per_us: f64,
    /// Requests that are served at the same time.
    pub slots: usize,
    /// Bytes in a microsecond of all requests together.
    pub total_bytes_per_us: f64,
    /// The largest request, bytes; larger reads are cut, and so much of them is read ahead at a time (`max_sectors_kb` of the queue).
    pub max_request_bytes: u64,
    /// Delays that 10, 25, 50, 75, 90 and 99 % of single requests do not exceed, microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay_quantiles_us: Option<[f64; 6]>,
    /// Pairs of a number of small requests in flight and what each takes then, microseconds; missing where one alone
    /// was not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_flight_us: Option<Vec<(usize, f64)>>,
    /// Microseconds that each further segment of memory takes which a request fills; missing where it takes none.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub segment_us: f64,
    /// Bytes in a microsecond that one stream gets through the page cache; missing where none was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stream_bytes_per_us: Option<f64>,
    /// What writing takes; missing where that was not measured: it is then taken to take what reading does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub write: Option<MeasuredWrites>,
}

/// What writing to a measured device takes, with whatever cache it has of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct MeasuredWrites {
    /// Microseconds of a request at a random place beside what its bytes take, where it is alone.
    pub delay_us: f64,
    /// The same of a request that begins where the last one ended.
    pub sequential_delay_us: f64,
    /// Bytes in a microsecond of one request alone, after its delay.
    pub bytes_per_us: f64,
    /// Bytes in a microsecond of all requests together.
    pub total_bytes_per_us: f64,
    /// Delays that 10, 25, 50, 75, 90 and 99 % of single requests at random places do not exceed, microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay_quantiles_us: Option<[f64; 6]>,
    /// Pairs of a number of small requests in flight and what each takes then, microseconds; missing where one alone
    /// was not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_flight_us: Option<Vec<(usize, f64)>>,
    /// Microseconds that each further segment of memory takes that a request is filled from; missing where it takes none.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub segment_us: f64,
}

impl MeasuredDevice {
    /// Shares of requests at which a profile has quantiles of their delay.
    pub const QUANTILES: [f64; 6] = [0.1, 0.25, 0.5, 0.75, 0.9, 0.99];
    /// Bytes of the small requests that its figures are of: a page. They are nearly all delay.
    pub const SMALL_BYTES: u64 = 4 << 10;
}

/// A disk with head, seek and rotation, as its data sheet has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct DriveDevice {
    /// Time for the shortest seek, microseconds.
    pub track_to_track_us: f64,
    /// Mean time of a seek between random places, microseconds.
    pub average_seek_us: f64,
    /// Turns of the platters in a minute.
    pub revolutions_per_minute: f64,
    /// Bytes that pass under the head in a second.
    pub bytes_per_s: f64,
    /// How far the drive reads on into its buffer when nothing else waits, bytes.
    pub read_ahead_bytes: u64,
    /// Bytes over which the full stroke of the head goes.
    pub capacity_bytes: u64,
    /// Microseconds that a request takes besides, half of them before the drive has it: what reading a block takes that the
    /// drive's buffer has.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub overhead_us: f64,
    /// Bytes in a microsecond that pass to the host once they are off the platters: how much longer a large block takes that the
    /// drive's buffer has; at once where not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interface_bytes_per_us: Option<f64>,
    /// In which order the drive serves what waits.
    pub queue: DriveQueue,
    /// The largest request, bytes; as that of a measured device.
    pub max_request_bytes: u64,
    /// Bytes of its volatile cache of writes; missing where it has none, or where that is switched off.
    #[serde(default, skip_serializing_if = "is_none")]
    pub write_cache_bytes: u64,
}

fn is_nothing(us: &f64) -> bool {
    *us == 0.0
}

fn is_none(bytes: &u64) -> bool {
    *bytes == 0
}

/// In which order a drive serves the requests that wait in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum DriveQueue {
    /// The next one at or beyond the head, and those first that have waited for half a second: Linux since 2.6.
    Elevator,
    /// The next one at or beyond the head, however long others wait. Linux 2.4 lets 128 others with a seek pass a read (`elevator_linus`,
    /// `drivers/block/elevator.c`), and more seldom wait.
    Sweep,
    /// The one that came first.
    Fifo,
}

/// Flash behind channels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SsdDevice {
    /// Channels that work at the same time.
    pub channels: usize,
    /// Bytes of a flash page.
    pub page_bytes: u64,
    /// Microseconds to read a page from its array.
    pub read_us: f64,
    /// Bytes in a microsecond that a channel's bus carries.
    pub bus_bytes_per_us: f64,
    /// Bytes in a microsecond to the host.
    pub interface_bytes_per_us: f64,
    /// Microseconds that the controller takes for a request.
    pub command_us: f64,
    /// Requests that the device takes at a time.
    pub queue_depth: usize,
    /// Its size.
    pub capacity_bytes: u64,
    /// Microseconds to program a page; missing where that is not known: a write is then taken to take what a read does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub write_us: Option<f64>,
    /// Bytes of its volatile cache of writes; missing where it has none, or where that is switched off.
    #[serde(default, skip_serializing_if = "is_none")]
    pub write_cache_bytes: u64,
}

/// Several devices as one (`md`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Raid {
    /// How.
    pub level: RaidLevel,
    /// Devices.
    pub disks: usize,
    /// Bytes on one device before the next one's turn comes.
    pub chunk_bytes: u64,
}

/// How a RAID lays blocks out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, strum::FromRepr)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(extend("enum" = [0, 1, 5, 10])))]
#[repr(u64)]
#[serde(try_from = "u64", into = "u64")]
pub enum RaidLevel {
    /// Striped.
    Raid0 = 0,
    /// Mirrored.
    Raid1 = 1,
    /// Striped with rotating parity.
    Raid5 = 5,
    /// Striped over mirrored pairs.
    Raid10 = 10,
}

impl RaidLevel {
    /// The number that names it.
    #[must_use]
    pub fn number(self) -> u64 {
        self as u64
    }

    /// The level of a number; nothing for others than 0, 1, 5 and 10.
    #[must_use]
    pub fn of(number: u64) -> Option<Self> {
        Self::from_repr(number)
    }

    fn least_disks(self) -> usize {
        match self {
            Self::Raid0 | Self::Raid1 => 2,
            Self::Raid5 => 3,
            Self::Raid10 => 4,
        }
    }
}

impl From<RaidLevel> for u64 {
    fn from(level: RaidLevel) -> Self {
        level.number()
    }
}

impl TryFrom<u64> for RaidLevel {
    type Error = &'static str;

    fn try_from(number: u64) -> Result<Self, Self::Error> {
        Self::of(number).ok_or("must be 0, 1, 5 or 10")
    }
}

/// The order in which the kernel hands requests to a device.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Scheduler {
    /// As they come.
    None,
    /// By place, none later than its deadline (`block/mq-deadline.c`).
    MqDeadline,
    /// By budgets of processes (`block/bfq-iosched.c`).
    Bfq,
    /// As they come, as many at a time as keep the latency (`block/kyber-iosched.c`).
    Kyber,
    /// `mq-deadline` for one queue, up to Linux 4.20.
    Deadline,
    /// As `deadline`, waiting for the next read of a process, up to Linux 2.6.32.
    Anticipatory,
    /// By slices of time of processes, up to Linux 4.20.
    Cfq,
}

impl Scheduler {
    /// All of them.
    pub const ALL: &[Self] = Self::VARIANTS;

    /// As the kernel writes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The scheduler of a name; nothing for a name that no kernel has.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        name.parse().ok()
    }
}

/// `[device]` of a profile; nothing where it has none. Which keys there are depends on `kind`, which is read first.
///
/// # Errors
/// A key that is missing, unknown or out of its bounds.
pub(crate) fn of_profile(file: &TomlFile) -> Result<Option<Device>, FileError> {
    let Some(KindTable { kind }) = file.parse::<OfAnyKind>()?.device else {
        return Ok(None);
    };
    let device = match kind {
        KindName::Measured => file.parse::<WithDevice<MeasuredTable>>()?.device.device(),
        KindName::Drive => file.parse::<WithDevice<DriveTable>>()?.device.device(),
        KindName::Ssd => file.parse::<WithDevice<SsdTable>>()?.device.device(),
    };
    let (kind, scheduler, raid) = device;
    let raid = raid
        .map(|table| RaidTable::raid(&table, file))
        .transpose()?;
    Ok(Some(Device {
        kind,
        scheduler,
        raid,
    }))
}

#[derive(Deserialize)]
struct OfAnyKind {
    device: Option<KindTable>,
}

#[derive(Deserialize)]
#[serde(expecting = "a table")]
struct KindTable {
    kind: KindName,
}

#[derive(Deserialize)]
struct WithDevice<T> {
    device: T,
}

type Parts = (DeviceKind, Option<Scheduler>, Option<Spanned<RaidTable>>);

/// Declares the table of a kind of device in a file, with its numbers in bounds, and what it becomes.
macro_rules! device_table {
    ($table:ident: $kind:ident($device:ident) { $($(#[$how:meta])* $key:ident: $number:ty,)* }) => {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct $table {
            #[serde(rename = "kind")]
            _kind: IgnoredAny,
            scheduler: Option<Scheduler>,
            raid: Option<Spanned<RaidTable>>,
            $($(#[$how])* $key: $number,)*
        }

        impl $table {
            fn device(self) -> Parts {
                let kind = DeviceKind::$kind($device { $($key: self.$key.number(),)* });
                (kind, self.scheduler, self.raid)
            }
        }
    };
}

device_table! {
    MeasuredTable: Measured(MeasuredDevice) {
        delay_us: DeviceUs,
        bytes_per_us: Rate,
        slots: Count,
        total_bytes_per_us: Rate,
        max_request_bytes: Size,
        delay_quantiles_us: Option<Quantiles>,
        in_flight_us: Option<InFlight>,
        #[serde(default)]
        segment_us: DeviceUs,
        stream_bytes_per_us: Option<Rate>,
        write: Option<WritesTable>,
    }
}

/// `[device.write]` of a measured device.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct WritesTable {
    delay_us: DeviceUs,
    sequential_delay_us: Option<DeviceUs>,
    bytes_per_us: Rate,
    total_bytes_per_us: Rate,
    delay_quantiles_us: Option<Quantiles>,
    in_flight_us: Option<InFlight>,
    #[serde(default)]
    segment_us: DeviceUs,
}

impl Bounded for WritesTable {
    type Number = MeasuredWrites;

    fn number(self) -> MeasuredWrites {
        let delay_us = self.delay_us.number();
        MeasuredWrites {
            delay_us,
            sequential_delay_us: self.sequential_delay_us.number().unwrap_or(delay_us),
            bytes_per_us: self.bytes_per_us.number(),
            total_bytes_per_us: self.total_bytes_per_us.number(),
            delay_quantiles_us: self.delay_quantiles_us.number(),
            in_flight_us: self.in_flight_us.number(),
            segment_us: self.segment_us.number(),
        }
    }
}

device_table! {
    DriveTable: Drive(DriveDevice) {
        track_to_track_us: DeviceUs,
        average_seek_us: DeviceUs,
        revolutions_per_minute: Turns,
        bytes_per_s: BytesPerS,
        read_ahead_bytes: ReadAhead,
        capacity_bytes: Size,
        #[serde(default)]
        overhead_us: DeviceUs,
        interface_bytes_per_us: Option<Rate>,
        queue: DriveQueue,
        max_request_bytes: Size,
        #[serde(default)]
        write_cache_bytes: CacheBytes,
    }
}

device_table! {
    SsdTable: Ssd(SsdDevice) {
        channels: Count,
        page_bytes: Size,
        read_us: DeviceUs,
        bus_bytes_per_us: Rate,
        interface_bytes_per_us: Rate,
        command_us: DeviceUs,
        queue_depth: Count,
        capacity_bytes: Size,
        write_us: Option<DeviceUs>,
        #[serde(default)]
        write_cache_bytes: CacheBytes,
    }
}

impl Bounded for DriveQueue {
    type Number = DriveQueue;

    fn number(self) -> DriveQueue {
        self
    }
}

/// `[device.raid]` of a profile, `raid` of a disk.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct RaidTable {
    level: RaidLevel,
    disks: Count,
    chunk_bytes: Option<ChunkBytes>,
}

/// What `mdadm` takes where it is told nothing, bytes (mdadm(8), `--chunk`).
const CHUNK_BYTES: u64 = 512 << 10;

impl RaidTable {
    pub fn raid(table: &Spanned<Self>, file: &TomlFile) -> Result<Raid, FileError> {
        let RaidTable {
            level,
            disks: Count(disks),
            ref chunk_bytes,
        } = *table.get_ref();
        let (number, least) = (level.number(), level.least_disks());
        if disks < least {
            let message = format!("`disks` of the RAID: level {number} needs {least} or more");
            return Err(file.error(table.span(), message));
        }
        if level == RaidLevel::Raid10 && !disks.is_multiple_of(2) {
            let message = "`disks` of the RAID: level 10 needs pairs, an even number";
            return Err(file.error(table.span(), message));
        }
        Ok(Raid {
            level,
            disks,
            chunk_bytes: chunk_bytes.as_ref().map_or(CHUNK_BYTES, |it| it.0),
        })
    }
}
