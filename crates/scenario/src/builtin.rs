//! Profiles by name: the built-in ones, which need no file.
//!
//! The 2004 testbed's come from table 2 of "Workload-driven analysis of file systems in shared
//! multi-tier data-centers over InfiniBand": open and close, and for reads the line through the
//! latencies of 4 KB and of 1 MB (there "read latencies exclude open and close"). Some of those lines
//! cut the axis just below zero; with open and close the cost of every file stays positive.

use std::path::Path;

use crate::toml_file::FileError;
use crate::{CostLine, Device, DeviceKind, Profile, Reading, SsdDevice};

/// Names of the built-in profiles.
pub const BUILTIN: [&str; 12] = [
    "hdd",
    "memory",
    "ssd",
    "nfs",
    "nvme",
    "sata-ssd",
    "hdd-7200",
    "moosefs",
    "ext3-2004",
    "ramfs-2004",
    "pvfs-2004",
    "lustre-2004",
];

/// Memory: 5 µs a request and 4 GB/s, hotset's definition of a cached read.
const MEMORY: CostLine = CostLine {
    fixed_us: 5.0,
    bytes_per_us: 4000.0,
};

/// A latency measured for so many bytes.
type Point = (u64, f64);

const SMALL: u64 = 4 << 10;
const LARGE: u64 = 1 << 20;

/// The line through two points.
fn through((few, short_us): Point, (many, long_us): Point) -> CostLine {
    let bytes_per_us = (many - few) as f64 / (long_us - short_us);
    CostLine {
        fixed_us: short_us - few as f64 / bytes_per_us,
        bytes_per_us,
    }
}

/// A file system of the 2004 testbed: microseconds to open and close, and to read 4 KB and 1 MB.
fn testbed(name: &str, open_us: f64, cached_us: [f64; 2], uncached_us: [f64; 2]) -> Profile {
    Profile {
        open_us,
        ..Profile::of_lines(
            name,
            through((SMALL, cached_us[0]), (LARGE, cached_us[1])),
            through((SMALL, uncached_us[0]), (LARGE, uncached_us[1])),
            "Workload-driven analysis of file systems in shared multi-tier data-centers over InfiniBand, \
             table 2; PVFS and Lustre over three I/O nodes",
        )
    }
}

/// NFSv3: the cached rate was measured for 4 KB only; the rest is at the speed of memory.
fn nfs() -> Profile {
    let cached = CostLine {
        fixed_us: 1.6 - SMALL as f64 / MEMORY.bytes_per_us,
        ..MEMORY
    };
    Profile {
        open_us: 100.0,
        ..Profile::of_lines(
            "nfs",
            cached,
            through((SMALL, 158.0), (LARGE, 8600.0)),
            "measured: NFSv3 over a 1 Gbit/s network with a client in user space (libnfs), as the kernel had none, medians: \
             open and close 100 µs, 4 KB cached at the client 1.6 µs, 4 KB uncached 158 µs, 1 MB uncached 8600 µs",
        )
    }
}

/// A drive of today behind the page cache.
fn drive(name: &str, sheet: &DataSheet, source: &str) -> Profile {
    let bytes_per_us = sheet.bytes_per_us;
    let uncached = CostLine {
        fixed_us: sheet.random_us - SMALL as f64 / bytes_per_us,
        bytes_per_us,
    };
    Profile {
        device: Some(sheet.device()),
        ..Profile::of_lines(name, MEMORY, uncached, source)
    }
}

/// A solid-state drive by its data sheet: nothing of it was measured here.
///
/// A data sheet does not tell what is inside. A read that goes on where the last one ended finds its bytes in the drive's buffer, so
/// what a read at random takes beyond it is the flash. Two numbers are chosen: `channels` so that as many reads a second come out
/// as the sheet rates at `queue_depth`, and `bus_bytes_per_us`, which divides the time of the flash.
struct DataSheet {
    /// Microseconds of a read of 4 KB at random, one at a time.
    random_us: f64,
    /// Microseconds of a read of 4 KB in sequence, one at a time.
    sequential_us: f64,
    /// Bytes per microsecond in sequence.
    bytes_per_us: f64,
    /// Reads at a time for which the reads a second are rated; more get no more.
    queue_depth: usize,
    capacity_bytes: u64,
    channels: usize,
    bus_bytes_per_us: f64,
}

/// Bytes of a flash page: 16 KiB are common, or two planes of 8 KiB.
const FLASH_PAGE_BYTES: u64 = 16 << 10;

impl DataSheet {
    /// The drive beneath a kernel whose calls take what [`MEMORY`] says.
    fn device(&self) -> Device {
        let passes_us = |bytes_per_us: f64| SMALL as f64 / bytes_per_us;
        let flash_us = self.random_us - self.sequential_us;
        let kind = DeviceKind::Ssd(SsdDevice {
            channels: self.channels,
            page_bytes: FLASH_PAGE_BYTES,
            read_us: flash_us - passes_us(self.bus_bytes_per_us),
            bus_bytes_per_us: self.bus_bytes_per_us,
            interface_bytes_per_us: self.bytes_per_us,
            command_us: self.sequential_us - MEMORY.fixed_us - passes_us(self.bytes_per_us),
            queue_depth: self.queue_depth,
            capacity_bytes: self.capacity_bytes,
            write_us: None,
            write_cache_bytes: 0,
        });
        Device {
            kind,
            scheduler: None,
            raid: None,
        }
    }
}

/// Intel SSD DC P4500, 2 TB (Lenovo Press, product guide, table 2): 490,000 reads a second of 4 KB, 85 µs at random, 10 µs and 3.2 GB/s in
/// sequence. Intel rates drives of this line with 128 reads at a time (PC Perspective, "Intel SSD DC P3520 2TB Review", 2016).
/// The bus is ONFI 3.2's, 533 MB/s.
const P4500: DataSheet = DataSheet {
    random_us: 85.0,
    sequential_us: 10.0,
    bytes_per_us: 3200.0,
    queue_depth: 128,
    capacity_bytes: 2_000_000_000_000,
    channels: 96,
    bus_bytes_per_us: 533.0,
};

/// A processor makes 195,000 calls of 5.1 µs a second, and the drive serves 490,000: with more processors than the four processes that
/// it is rated with.
const NVME_PROCESSORS: usize = 8;

/// Intel SSD DC S4500, 960 GB ("Intel Solid State Drive Data Center S4500/S4600 Series, Product Specification"): with 32 reads at a time, all
/// that SATA has, 72,000 a second of 4 KB and 48,000 of 8 KB; 110 µs at random, 36 µs and 500 MB/s in sequence. The rate of
/// reads of 8 KB gives the bus.
const S4500: DataSheet = DataSheet {
    random_us: 110.0,
    sequential_us: 36.0,
    bytes_per_us: 500.0,
    queue_depth: 32,
    capacity_bytes: 960_000_000_000,
    channels: 7,
    bus_bytes_per_us: 110.0,
};

/// Intel SSD 910, 400 GB, the drive of 1 GB/s of its time ("Intel Solid-State Drive 910 Series, Product Specification"): half of the
/// four modules that together read 180,000 times 4 KB a second, with 32 reads at a time each, and 2 GB/s; 65 µs in sequence. The time at
/// random is the profile's. The bus is ONFI 2's, 200 MB/s.
const SSD_910: DataSheet = DataSheet {
    random_us: 150.0,
    sequential_us: 65.0,
    bytes_per_us: 1000.0,
    queue_depth: 64,
    capacity_bytes: 400_000_000_000,
    channels: 9,
    bus_bytes_per_us: 200.0,
};

/// A store on the lab's drive of 7200 rpm and 255 MB/s, of which `experiments/file-systems/today-nodes.toml` says where the
/// figures are from; medians of `experiments/file-systems/today.toml`: microseconds to open and close, and to read 4 KB and
/// 1 MB.
fn on_lab_drive(
    name: &str,
    open_us: f64,
    cached_us: [f64; 2],
    uncached_us: [f64; 2],
    source: &str,
) -> Profile {
    Profile {
        source: source.to_owned(),
        ..testbed(name, open_us, cached_us, uncached_us)
    }
}

/// A profile that cannot be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProfileError {
    /// Neither a built-in profile nor a file.
    #[error(
        "profile `{name}` is neither built in ({}) nor a TOML file{}",
        BUILTIN.join(", "),
        nearest.map_or(String::new(), |nearest| format!("; did you mean `{nearest}`?"))
    )]
    Unknown {
        /// What was asked for.
        name: String,
        /// The built-in profile that looks most like it, if one looks much like it.
        nearest: Option<&'static str>,
    },
    /// One of its keys cannot be set.
    #[error("cannot set this of profile `{profile}`: {message}")]
    Setting {
        /// The profile.
        profile: String,
        /// What is wrong and how to put it right.
        message: String,
    },
    /// The profile's file cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
}

impl Profile {
    /// The built-in profile called `name`, one of [`BUILTIN`].
    pub fn builtin(name: &str) -> Option<Self> {
        builtin(name)
    }

    /// The built-in profile of that name, else the TOML file there.
    ///
    /// # Errors
    /// Neither, or a file that cannot be used.
    pub fn named_or_file(name_or_path: &str) -> Result<Self, ProfileError> {
        if let Some(profile) = Self::builtin(name_or_path) {
            return Ok(profile);
        }
        let path = Path::new(name_or_path);
        if path
            .extension()
            .is_some_and(|extension| extension == "toml")
            || path.metadata().is_ok_and(|file| !file.is_dir())
        {
            return Ok(Self::load(path)?);
        }
        Err(ProfileError::Unknown {
            name: name_or_path.to_owned(),
            nearest: nearest_builtin(name_or_path),
        })
    }
}

fn nearest_builtin(name: &str) -> Option<&'static str> {
    /// Names less like it, on a scale to 1, are others.
    const ALIKE: f64 = 0.7;
    let likeness = |known: &&str| strsim::jaro_winkler(name, known);
    let alike = BUILTIN.into_iter().filter(|known| likeness(known) >= ALIKE);
    alike.max_by(|a, b| likeness(a).total_cmp(&likeness(b)))
}

fn builtin(name: &str) -> Option<Profile> {
    let disk = CostLine {
        fixed_us: 10_000.0,
        bytes_per_us: 39.0,
    };
    let flash = CostLine {
        fixed_us: 150.0,
        bytes_per_us: 1000.0,
    };
    Some(match name {
        "hdd" => Profile::of_lines(
            name,
            MEMORY,
            disk,
            "a disk: 10 ms to find a file, then 39 MB/s; cached 5 µs, then 4 GB/s",
        ),
        "memory" => Profile::of_lines(name, MEMORY, MEMORY, "5 µs, then 4 GB/s"),
        "ssd" => Profile {
            device: Some(SSD_910.device()),
            ..Profile::of_lines(
                name,
                MEMORY,
                flash,
                "J. Dean, P. Norvig, \"Latency numbers every programmer should know\", for a drive of 1 GB/s: 4 KB read at \
                 random in 150 µs, 1 MB in sequence in 1 ms; device by the data sheet of the Intel SSD 910, 400 GB",
            )
        },
        "nfs" => nfs(),
        "nvme" => Profile {
            reading: Some(Reading {
                processors: NVME_PROCESSORS,
                ..Reading::default()
            }),
            ..drive(
                name,
                &P4500,
                "data sheet: Intel SSD DC P4500, 2 TB (Lenovo Press, product guide, table 2): read at random in 85 µs, 3.2 GB/s \
                 in sequence",
            )
        },
        "sata-ssd" => drive(
            name,
            &S4500,
            "data sheet: Intel SSD DC S4500 (product specification): read at random in 110 µs, 500 MB/s in sequence",
        ),
        "hdd-7200" => on_lab_drive(
            name,
            4.73,
            [1.26, 130.0],
            [8_900.0, 13_000.0],
            "measured: ext4 on the lab's drive of 7200 rpm and 255 MB/s, Linux 6.18, medians \
             (experiments/file-systems/today.toml): open and close 4.73 µs, 4 KB cached 1.26 µs, uncached 8.9 ms, 1 MB cached \
             130 µs, uncached 13 ms",
        ),
        "moosefs" => on_lab_drive(
            name,
            198.0,
            [1.78, 133.0],
            [8_100.0, 13_900.0],
            "measured: MooseFS 3.0.117 over three servers with such drives, 10 Gbit/s, Linux 6.18, medians \
             (experiments/file-systems/today.toml): open and close 198 µs, 4 KB cached at the client 1.78 µs, uncached 8.1 ms, \
             1 MB cached 133 µs, uncached 13.9 ms",
        ),
        "ext3-2004" => testbed(name, 6.0, [4.0, 1602.0], [1500.0, 76_312.0]),
        "ramfs-2004" => testbed(name, 6.0, [4.0, 1578.0], [1400.0, 2379.0]),
        "pvfs-2004" => testbed(name, 1060.0, [680.0, 13_825.0], [9600.0, 44_108.0]),
        "lustre-2004" => testbed(name, 876.0, [7.7, 1998.0], [3000.0, 50_713.0]),
        _ => return None,
    })
}
