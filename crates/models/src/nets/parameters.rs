//! What may be set of the nets, and the job that it comes to. The nets that write have some of it too.

use hotset_petri::nets::{Parameter, Values};
use hotset_petri::{Flaw, NetError};
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_pcg::Pcg64Mcg;

use super::copy_cost::{CopyCost, CopyLevel};
use super::{NetDisk, NetReadAhead, NetScheduler, ReadJob};
use crate::disk::{Drive, DriveModel};
use crate::read_ahead::LEAST_BYTES;

/// Most blocks of a file: each is a token.
const MOST_BLOCKS: u64 = 1_000_000;
/// What the blocks at random are drawn with: the same in every run of a net.
const ORDER_SEED: u64 = 0;

pub(super) const fn bytes(name: &'static str, default: f64, about: &'static str) -> Parameter {
    Parameter {
        name,
        default,
        about,
        least: 512.0,
        below: 17_179_869_185.0,
        whole: true,
        rule: "a whole number from 512 to 17179869184",
    }
}

pub(super) const fn choice(name: &'static str, default: f64, about: &'static str) -> Parameter {
    Parameter {
        name,
        default,
        about,
        least: 0.0,
        below: 2.0,
        whole: true,
        rule: "0 or 1",
    }
}

pub(super) const fn cost(name: &'static str, default: f64, about: &'static str) -> Parameter {
    Parameter {
        name,
        default,
        about,
        least: 0.0,
        below: 1e9,
        whole: false,
        rule: "at least 0 and below 1000000000",
    }
}

/// Those of every net.
pub(super) const ALL: &[Parameter] = &[
    FILE, BLOCK, RANDOM, MEMORY, CACHED, READ_AHEAD, LOOP, CALL, L2, L2_PAGE, PAGE, SCHEDULER,
    DISK, DELAY, RATE,
];

/// Those of the net of Linux 2.6: read-ahead by one of three policies, pages that go back to the inactive queue by time.
pub(super) const OF_LINUX_2_6: &[Parameter] = &[
    FILE, BLOCK, RANDOM, AGAIN, MEMORY, CACHED, POLICY, READ_AHEAD, LEAST, LOOP, CALL, L2, L2_PAGE,
    PAGE, SCHEDULER, DISK, DELAY, RATE, UNUSED,
];

pub(super) const FILE: Parameter = bytes("file_bytes", 16_777_216.0, "the file's size");
pub(super) const BLOCK: Parameter =
    bytes("block_bytes", 65536.0, "what the program reads at a time");
pub(super) const RANDOM: Parameter = choice("random", 0.0, "1: blocks are read in a random order");
/// Of nets that count what they have done: their markings have an end where the program has one.
pub(super) const REPEATS: Parameter = choice("repeats", 1.0, "1: over and over, 0: once");
pub(super) const MEMORY: Parameter = Parameter {
    least: 1_048_576.0,
    rule: "a whole number from 1048576 to 17179869184",
    ..bytes("memory_bytes", 8_388_608.0, "memory for pages of the file")
};
const CACHED: Parameter = choice(
    "cached",
    0.0,
    "1: the file was read before, as far as it fits",
);
/// `VM_MAX_READAHEAD`, 128 KiB (`include/linux/mm.h`).
const READ_AHEAD: Parameter = Parameter {
    least: 0.0,
    below: 524_289.0,
    rule: "a whole number from 0 to 524288",
    ..bytes("read_ahead_bytes", 131_072.0, "the most that is read ahead")
};
/// fio 3.33 with its null engine took 122 ns a read on a processor of the machine that hotset is developed on.
pub(super) const LOOP: Parameter =
    cost("loop_us", 0.122, "what the program does between two blocks");
/// A `pread` of 4 KiB from the page cache took 0.9 µs there, of which copying is 0.4 µs.
pub(super) const CALL: Parameter = cost("call_us", 0.5, "a read call without the copying");
/// Of a processor with 512 KiB of second-level cache: the dissertation's table 2.
pub(super) const L2: Parameter = Parameter {
    least: 0.0,
    rule: "a whole number from 0 to 17179869184",
    ..bytes(
        "l2_bytes",
        65536.0,
        "blocks up to this are copied by way of the L2 cache",
    )
};
pub(super) const L2_PAGE: Parameter =
    cost("l2_page_us", 0.4, "copying a page by way of the L2 cache");
pub(super) const PAGE: Parameter = cost("page_us", 0.8, "copying a page by way of memory");
pub(super) const SCHEDULER: Parameter =
    choice("scheduler", 1.0, "0: none, 1: elevator with deadline");
pub(super) const DISK: Parameter = choice(
    "disk",
    1.0,
    "0: constant cost, 1: a drive with a head of 2004",
);
/// A seek and half a turn of the drive of [`DriveModel::default`].
pub(super) const DELAY: Parameter = cost(
    "delay_us",
    12_667.0,
    "of a constant cost: a request's delay",
);
/// The rate of that drive.
pub(super) const RATE: Parameter = Parameter {
    least: 0.001,
    rule: "at least 0.001 and below 1000000000",
    ..cost(
        "bytes_per_us",
        39.0,
        "of a constant cost: bytes that pass in a microsecond",
    )
};
/// Only pages that are read twice come into the active queue, and of a file larger than the memory none is in memory when a program
/// reads it anew. So some are read twice at once, as a program reads an index.
const AGAIN: Parameter = Parameter {
    least: 0.0,
    rule: "a whole number from 0 to 17179869184",
    ..bytes(
        "again_bytes",
        2_097_152.0,
        "so much is read twice at the beginning of each pass",
    )
};
const POLICY: Parameter = Parameter {
    below: 3.0,
    rule: "0, 1 or 2",
    ..choice(
        "read_ahead",
        0.0,
        "0: on demand, 1: two windows, 2: a set number",
    )
};
/// `VM_MIN_READAHEAD`, 16 KiB (`include/linux/mm.h`): the dissertation names no number.
const LEAST: Parameter = Parameter {
    least: 0.0,
    below: 524_289.0,
    rule: "a whole number from 0 to 524288",
    ..bytes(
        "least_bytes",
        LEAST_BYTES as f64,
        "of a set number: what is read at random",
    )
};
/// Linux has no such time: it follows from how fast memory is reclaimed. The dissertation gives none. A pass of the default run takes
/// about 0.4 s: pages that are read twice at its beginning become inactive after a quarter of it, and leave memory before it ends.
const UNUSED: Parameter = Parameter {
    least: 0.001,
    rule: "at least 0.001 and below 1000000000",
    ..cost(
        "unused_s",
        0.1,
        "after so many seconds without an access: inactive",
    )
};

/// Bytes of the drive over which its head moves: the Seagate Barracuda 7200.7 of 80 GB (product manual, 2003).
const DRIVE_BYTES: u64 = 80_000_000_000;

/// The job that the values of a net's parameters come to.
pub(super) fn job(net: &'static str, values: &Values<'_>) -> Result<ReadJob, NetError> {
    let whole = |name| values.get(name) as u64;
    let ns = |name| values.get(name) * 1e3;
    let (file_bytes, block_bytes) = (whole("file_bytes"), whole("block_bytes"));
    Ok(ReadJob {
        file_bytes,
        offsets: offsets(net, file_bytes, block_bytes, whole("random") == 1)?,
        block_bytes,
        repeats: true,
        memory_bytes: whole("memory_bytes"),
        cached: whole("cached") == 1,
        mapped: whole("cached") == 1,
        read_ahead_bytes: whole("read_ahead_bytes"),
        read_ahead: NetReadAhead::OnDemand,
        loop_ns: ns("loop_us") as u64,
        call_ns: ns("call_us") as u64,
        copy: copy_cost(values),
        scheduler: net_scheduler(values),
        disk: net_disk(values),
        unused_ns: u64::MAX,
    })
}

/// What copying takes.
pub(super) fn copy_cost(values: &Values<'_>) -> CopyCost {
    let ns = |name| values.get(name) * 1e3;
    CopyCost {
        levels: vec![CopyLevel {
            threshold_bytes: values.get("l2_bytes") as u64,
            page_ns: ns("l2_page_us"),
        }],
        memory_page_ns: ns("page_us"),
    }
}

/// In which order requests go to the disk.
pub(super) fn net_scheduler(values: &Values<'_>) -> NetScheduler {
    match values.get("scheduler") as u64 {
        0 => NetScheduler::None,
        _ => NetScheduler::Deadline,
    }
}

/// The disk.
pub(super) fn net_disk(values: &Values<'_>) -> NetDisk {
    match values.get("disk") as u64 {
        0 => {
            let delay_ns = (values.get("delay_us") * 1e3) as u64;
            NetDisk::constant(delay_ns, 1e3 / values.get("bytes_per_us"))
        }
        _ => NetDisk::Drive(Drive::new(DriveModel::default(), DRIVE_BYTES)),
    }
}

/// What is set of the net of Linux 2.6 alone.
pub(super) fn job_of_linux_2_6(
    net: &'static str,
    values: &Values<'_>,
) -> Result<ReadJob, NetError> {
    let whole = |name| values.get(name) as u64;
    let mut job = job(net, values)?;
    let again = whole("again_bytes").div_ceil(job.block_bytes) as usize;
    let again = job.offsets[..again.min(job.offsets.len())].to_vec();
    job.offsets.splice(0..0, again);
    Ok(ReadJob {
        read_ahead: match whole("read_ahead") {
            0 => NetReadAhead::OnDemand,
            1 => NetReadAhead::TwoWindows,
            _ => NetReadAhead::PreFetch {
                least_bytes: whole("least_bytes"),
            },
        },
        unused_ns: (values.get("unused_s") * 1e9) as u64,
        ..job
    })
}

/// Where blocks begin, in the order in which they are read or written.
pub(super) fn offsets(
    net: &'static str,
    file_bytes: u64,
    block_bytes: u64,
    random: bool,
) -> Result<Vec<u64>, NetError> {
    let blocks = file_bytes / block_bytes;
    if blocks == 0 || blocks > MOST_BLOCKS {
        let flaw = Flaw::BadParameter {
            name: "block_bytes",
            value: block_bytes as f64,
            rule: "a size of which the file has from 1 to 1000000",
        };
        return Err(flaw.at(net));
    }
    let mut offsets: Vec<u64> = (0..blocks).map(|it| it * block_bytes).collect();
    if random {
        offsets.shuffle(&mut Pcg64Mcg::seed_from_u64(ORDER_SEED));
    }
    Ok(offsets)
}

/// A file that is too large for a page cache.
pub(super) fn too_large(net: &'static str, file_bytes: u64) -> NetError {
    let flaw = Flaw::BadParameter {
        name: "file_bytes",
        value: file_bytes as f64,
        rule: "at most 16 TiB",
    };
    flaw.at(net)
}
