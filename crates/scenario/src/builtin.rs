//! Profiles by name: the built-in ones, which need no file.
//!
//! The 2004 testbed's come from table 2 of "Workload-driven analysis of file systems in shared
//! multi-tier data-centers over InfiniBand": open and close, and for reads the line through the
//! latencies of 4 KB and of 1 MB (there "read latencies exclude open and close"). Some of those lines
//! cut the axis just below zero; with open and close the cost of every file stays positive.

use std::path::Path;

use crate::toml_file::FileError;
use crate::{CostLine, Profile};

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

/// A drive of today behind the page cache: microseconds to read 4 KB anywhere, and bytes per microsecond in sequence.
fn drive(name: &str, random_us: f64, bytes_per_us: f64, source: &str) -> Profile {
    let uncached = CostLine {
        fixed_us: random_us - SMALL as f64 / bytes_per_us,
        bytes_per_us,
    };
    Profile::of_lines(name, MEMORY, uncached, source)
}

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
        "ssd" => Profile::of_lines(
            name,
            MEMORY,
            flash,
            "J. Dean, P. Norvig, \"Latency numbers every programmer should know\", for a drive of 1 GB/s: 4 KB read at \
             random in 150 µs, 1 MB in sequence in 1 ms",
        ),
        "nfs" => nfs(),
        "nvme" => drive(
            name,
            85.0,
            3200.0,
            "data sheet: Intel SSD DC P4500, 2 TB (Lenovo Press, product guide, table 2): read at random in 85 µs, 3.2 GB/s \
             in sequence",
        ),
        "sata-ssd" => drive(
            name,
            110.0,
            500.0,
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
