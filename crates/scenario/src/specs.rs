//! What a scenario asks of the lab: kinds of stores, disks and servers.

use std::num::NonZeroU64;
use std::ops::RangeInclusive;
use std::time::Duration;

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use crate::Raid;
use crate::bounds::{CacheBytes, within};
use crate::device::RaidTable;
use crate::duration::parse_duration;
use crate::toml_file::{Bytes, FileError, TomlFile};

/// What a store is in the lab.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
#[non_exhaustive]
pub enum StoreKind {
    /// ext3 on the store's disk.
    Ext3,
    /// ext4 on the store's disk.
    Ext4,
    /// XFS on the store's disk.
    Xfs,
    /// Memory, bounded in size.
    Tmpfs,
    /// Memory, unbounded.
    Ramfs,
    /// GlusterFS over bricks on disks of the store's kind.
    GlusterFs,
    /// MooseFS over chunk servers on disks of the store's kind.
    MooseFs,
    /// NFS 2 on a file server, over UDP.
    Nfs2,
    /// NFS 3 on a file server.
    Nfs3,
    /// NFS 4 on a file server: 4.2 unless options say otherwise.
    Nfs4,
    /// PVFS 1 on file servers.
    Pvfs1,
    /// OrangeFS, which PVFS 2 became, on file servers.
    OrangeFs,
    /// Lustre on file servers.
    Lustre,
}

impl StoreKind {
    /// Servers that a store of kind `glusterfs` or `moosefs` is on where it names none: as many as the published experiments' I/O nodes.
    pub const OWN_SERVERS: usize = 3;

    /// As files write it.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Whether it is NFS.
    #[must_use]
    pub fn is_nfs(self) -> bool {
        matches!(self, Self::Nfs2 | Self::Nfs3 | Self::Nfs4)
    }

    /// Whether files are in strips on several file servers.
    #[must_use]
    pub fn is_parallel(self) -> bool {
        matches!(self, Self::Pvfs1 | Self::OrangeFs)
    }

    /// Whether files are on several servers, and clients cache.
    #[must_use]
    pub fn is_cluster(self) -> bool {
        matches!(self, Self::Lustre | Self::GlusterFs | Self::MooseFs)
    }

    /// Whether file servers have it that the scenario names. GlusterFS and MooseFS may be on such, and else on some of the lab's own.
    #[must_use]
    pub fn is_on_servers(self) -> bool {
        self.is_nfs() || self.is_parallel() || self == Self::Lustre
    }
}

/// The disk under a store of the lab.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DiskSpec {
    /// As fast as the machine's own.
    #[default]
    Plain,
    /// A limit on the bytes and the requests read in a second.
    Throttled {
        /// Bytes in a second.
        bytes_per_s: Option<u64>,
        /// Requests in a second.
        reads_per_s: Option<u64>,
    },
    /// A disk with head, seek and rotation.
    Seeking {
        /// Bytes it transfers in a second.
        bytes_per_s: u64,
    },
    /// Several such disks that act as one.
    Array {
        /// Bytes that each transfers in a second.
        bytes_per_s: u64,
        /// How they act as one.
        raid: Raid,
    },
}

impl DiskSpec {
    /// Bytes that each of its modelled drives transfers in a second; nothing of a disk that models none.
    #[must_use]
    pub fn drive_bytes_per_s(self) -> Option<u64> {
        match self {
            Self::Seeking { bytes_per_s } | Self::Array { bytes_per_s, .. } => Some(bytes_per_s),
            Self::Plain | Self::Throttled { .. } => None,
        }
    }

    /// How several drives act as one; nothing of one alone.
    #[must_use]
    pub fn raid(self) -> Option<Raid> {
        match self {
            Self::Array { raid, .. } => Some(raid),
            _ => None,
        }
    }
}

/// The server a node runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ServerSpec {
    /// nginx that serves files.
    #[default]
    Nginx,
    /// Apache that serves files.
    Apache,
    /// nginx in front of other nodes.
    NginxProxy {
        /// Whether it keeps responses.
        cache: bool,
        /// Names of the nodes behind it.
        upstream: Vec<String>,
        /// Which of them is asked next.
        balance: Balance,
    },
    /// One that other nodes have files on.
    Files,
    /// None: clients are on the node, and ask others.
    None,
}

/// Which node behind a proxy is asked next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Balance {
    /// Each in turn.
    #[default]
    RoundRobin,
    /// The one that has the fewest requests under way.
    LeastConnections,
    /// Always the same one for a file.
    Hash,
}

impl Balance {
    /// As files write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// `disk` of a `[[store]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct DiskTable {
    kind: DiskKind,
    #[serde(default, deserialize_with = "disk_rate")]
    rate: Option<u64>,
    reads_per_s: Option<NonZeroU64>,
    raid: Option<Spanned<RaidTable>>,
    #[serde(default)]
    write_cache: CacheBytes,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum DiskKind {
    Plain,
    Throttled,
    Seeking,
}

impl DiskTable {
    /// Bytes of the cache of writes of each of its drives.
    pub fn write_cache_bytes(&self) -> u64 {
        self.write_cache.0
    }

    /// The disk that `table` describes.
    pub fn spec(table: &Spanned<Self>, file: &TomlFile) -> Result<DiskSpec, FileError> {
        let error = |message| Err(file.error(table.span(), format!("[store.disk]: {message}")));
        let DiskTable {
            kind,
            rate,
            reads_per_s,
            raid,
            write_cache,
        } = table.get_ref();
        if write_cache.0 > 0 && !matches!(kind, DiskKind::Seeking) {
            return error(
                "`write_cache` is of seeking disks; give kind = \"seeking\", or take it out",
            );
        }
        let raid = raid.as_ref().map(|it| RaidTable::raid(it, file));
        let raid = raid.transpose()?;
        if raid.is_some() && !matches!(kind, DiskKind::Seeking) {
            return error("`raid` is of seeking disks; give kind = \"seeking\", or take it out");
        }
        if reads_per_s.is_some() && !matches!(kind, DiskKind::Throttled) {
            return error(
                "`reads_per_s` is of throttled disks; give kind = \"throttled\", or take it out",
            );
        }
        match (kind, rate, reads_per_s) {
            (DiskKind::Plain, Some(_), _) => error(
                "`rate` is of throttled and seeking disks; give one of these kinds, or take it out",
            ),
            (DiskKind::Plain, None, _) => Ok(DiskSpec::Plain),
            (DiskKind::Seeking, Some(rate), _) => Ok(match raid {
                Some(raid) => DiskSpec::Array {
                    bytes_per_s: *rate,
                    raid,
                },
                None => DiskSpec::Seeking { bytes_per_s: *rate },
            }),
            (DiskKind::Seeking, None, _) => error("a seeking disk needs `rate`"),
            (DiskKind::Throttled, None, None) => {
                error("a throttled disk needs `rate`, `reads_per_s` or both")
            }
            (DiskKind::Throttled, ..) => Ok(DiskSpec::Throttled {
                bytes_per_s: *rate,
                reads_per_s: reads_per_s.map(NonZeroU64::get),
            }),
        }
    }
}

/// The author of a slower rate left out its unit.
const LEAST_RATE: u64 = 64 << 10;

/// Bytes in a second.
fn disk_rate<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    match Bytes::deserialize(deserializer)? {
        Bytes(rate) if rate < LEAST_RATE => Err(D::Error::custom(format!(
            "{rate} bytes in a second is slower than any disk; write a size a second, such as \"39MB\""
        ))),
        Bytes(rate) => Ok(Some(rate)),
    }
}

/// `server` of a `[[node]]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ServerKind {
    #[default]
    Nginx,
    Apache,
    NginxProxy,
    Files,
    None,
}

impl ServerKind {
    /// Whether it answers requests.
    pub fn answers(self) -> bool {
        !matches!(self, Self::Files | Self::None)
    }
}

/// Processors that a node may have: a hundredth of one, up to as many as Linux can be built for by far.
const CPUS: RangeInclusive<f64> = 0.01..=65536.0;
/// Speeds of a processor, those of the measured one being 1.
const CPU_SPEEDS: RangeInclusive<f64> = 0.01..=100.0;

/// A number of processors, of which a fraction is a share of one.
pub(crate) fn cpus<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    let number = within(f64::deserialize(deserializer)?, &CPUS, "processors");
    number.map(Some).map_err(D::Error::custom)
}

/// A speed of processors.
pub(crate) fn cpu_speed<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let number = f64::deserialize(deserializer)?;
    within(number, &CPU_SPEEDS, "times the measured speed").map_err(D::Error::custom)
}

/// Largest packets of a link, bytes: from what every network has to carry (RFC 791) to what switches with jumbo frames do.
const MTUS: RangeInclusive<u64> = 576..=9216;

/// The largest packet of a link, bytes.
pub(crate) fn mtu<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let bytes = u64::deserialize(deserializer)?;
    match MTUS.contains(&bytes) {
        true => Ok(bytes),
        false => Err(D::Error::custom(format!(
            "must be from {} to {} bytes",
            MTUS.start(),
            MTUS.end()
        ))),
    }
}

/// Longest time of a link or a client.
const LONGEST_TIME: Duration = Duration::from_secs(3600);

/// Nanoseconds of a time such as `500ms`.
pub(crate) fn time_ns<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let text = String::deserialize(deserializer)?;
    let time = parse_duration(&text).ok().filter(|it| *it <= LONGEST_TIME);
    let ns = time.map(|it| it.as_nanos() as u64);
    ns.ok_or_else(|| D::Error::custom("write a time up to an hour, such as \"500ms\" or \"1h\""))
}

/// The same of a key that may be absent.
pub(crate) fn some_time_ns<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<u64>, D::Error> {
    time_ns(deserializer).map(Some)
}

/// The shortest time after which something is given up, nanoseconds: shorter ones end no request, and take for ever to simulate.
const LEAST_TIMEOUT_NS: u64 = 1_000_000;

/// The same of a time after which something is given up: there is some.
pub(crate) fn timeout_ns<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<u64>, D::Error> {
    match time_ns(deserializer)? {
        0..LEAST_TIMEOUT_NS => Err(D::Error::custom(
            "must be longer than no time, at least 1ms; without it, clients wait for ever",
        )),
        ns => Ok(Some(ns)),
    }
}

/// How long something is waited for before it is given up, nanoseconds.
#[derive(Clone, Copy, Deserialize)]
pub(crate) struct Timeout(#[serde(deserialize_with = "least_time_ns")] pub u64);

/// The same of a key that is for servers.
fn least_time_ns<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    match time_ns(deserializer)? {
        0..LEAST_TIMEOUT_NS => Err(D::Error::custom("must be at least 1ms")),
        ns => Ok(ns),
    }
}

/// Bits in a second.
#[derive(Clone, Copy, Deserialize)]
pub(crate) struct BitRate(#[serde(deserialize_with = "bit_rate")] pub u64);

/// What a link may carry in a second, bits.
const BIT_RATES: RangeInclusive<f64> = 1e3..=1e13;

/// Bits in a second of `1Gbit`, `2.5Gbit`, `100Mbit`.
fn bit_rate<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let text = String::deserialize(deserializer)?;
    let wrong = || D::Error::custom("write `1Gbit` or `100Mbit`, from `0.001Mbit` to `10000Gbit`");
    let (number, unit) = match text.strip_suffix("Gbit") {
        Some(number) => (number, 1e9),
        None => (text.strip_suffix("Mbit").ok_or_else(wrong)?, 1e6),
    };
    match number.trim().parse::<f64>().map(|number| number * unit) {
        Ok(bits) if BIT_RATES.contains(&bits) => Ok(bits as u64),
        Ok(bits) if bits <= 0.0 => Err(D::Error::custom(
            "carries nothing; write a rate above 0, such as `100Mbit`",
        )),
        _ => Err(wrong()),
    }
}
