//! What may be set of the nets that write, and the job that it comes to.

use hotset_petri::nets::{Parameter, Values};
use hotset_petri::{Flaw, NetError};
use hotset_scenario::{Journal, Writing};

use super::job::WriteJob;
use crate::nets::parameters::{
    BLOCK, CALL, DELAY, DISK, FILE, L2, L2_PAGE, LOOP, MEMORY, PAGE, RANDOM, RATE, REPEATS,
    SCHEDULER, bytes, choice, copy_cost, cost, net_disk, net_scheduler, offsets,
};
use crate::nets::stdio::STDIO_BYTES;

/// Those of every net that writes.
pub(super) const ALL: &[Parameter] = &[
    FILE,
    Parameter {
        about: "what the program writes at a time",
        ..BLOCK
    },
    Parameter {
        about: "1: blocks are written in a random order",
        ..RANDOM
    },
    REPEATS,
    NEW,
    BUFFERED,
    SYNC_EVERY,
    SYNC_END,
    MEMORY,
    BACKGROUND,
    LIMIT,
    EXPIRE,
    FLUSH,
    JOURNAL,
    JOURNAL_BYTES,
    COMMIT,
    LOOP,
    Parameter {
        about: "a call without the copying",
        ..CALL
    },
    L2,
    L2_PAGE,
    PAGE,
    SCHEDULER,
    DISK,
    DELAY,
    RATE,
    CACHE,
];

const NEW: Parameter = choice("new", 1.0, "1: nothing of the file has data at first");
const BUFFERED: Parameter = choice("buffered", 1.0, "1: fwrite has a buffer of 4 KiB, 0: none");
const SYNC_EVERY: Parameter = Parameter {
    least: 0.0,
    below: 1_000_001.0,
    whole: true,
    rule: "a whole number from 0 to 1000000",
    ..cost("sync_every", 0.0, "fsync after so many blocks; 0: never")
};
/// The dissertation has the file synced at the end of each run, "for stability and validity of the performance result" (chapter 4.2).
const SYNC_END: Parameter = choice("sync_end", 1.0, "1: fsync after the last block");

const fn percent(name: &'static str, default: f64, about: &'static str) -> Parameter {
    Parameter {
        below: 100.001,
        rule: "from 0 to 100",
        ..cost(name, default, about)
    }
}

/// `vm.dirty_background_ratio` and `vm.dirty_ratio` of Linux 6.18.
const BACKGROUND: Parameter = percent("background", 10.0, "percent dirty from which it is written");
const LIMIT: Parameter = percent("limit", 20.0, "percent that may be dirty");
/// `vm.dirty_expire_centisecs` and `vm.dirty_writeback_centisecs`.
const EXPIRE: Parameter = cost("expire_s", 30.0, "after so many seconds dirty: written");
const FLUSH: Parameter = cost(
    "flush_s",
    5.0,
    "seconds between two looks for such; 0: none",
);
const JOURNAL: Parameter = Parameter {
    below: 4.0,
    rule: "0, 1, 2 or 3",
    ..choice("journal", 2.0, "0: none, 1: writeback, 2: ordered, 3: data")
};
/// What `mke2fs` makes on file systems of 2 to 16 GiB (`ext2fs_default_journal_size`).
const JOURNAL_BYTES: Parameter = Parameter {
    least: 1_048_576.0,
    rule: "a whole number from 1048576 to 17179869184",
    ..bytes("journal_bytes", 67_108_864.0, "the journal's size")
};
/// `JBD2_DEFAULT_MAX_COMMIT_AGE`.
const COMMIT: Parameter = cost(
    "commit_s",
    5.0,
    "seconds between commits; 0: only for fsync",
);
/// The drive of the lab has no volatile cache.
const CACHE: Parameter = cost(
    "cache_us",
    0.0,
    "flushing the disk's own cache; 0: it has none",
);

/// The job that the values of a net's parameters come to.
pub(super) fn job(net: &'static str, values: &Values<'_>) -> Result<WriteJob, NetError> {
    let whole = |name| values.get(name) as u64;
    let ns = |name| (values.get(name) * 1e3) as u64;
    let (file_bytes, block_bytes) = (whole("file_bytes"), whole("block_bytes"));
    let (is_random, is_buffered) = (whole("random") == 1, whole("buffered") == 1);
    check_block(net, block_bytes, is_buffered && !is_random)?;
    let commit_s = values.get("commit_s");
    Ok(WriteJob {
        file_bytes,
        offsets: whole_pages(
            offsets(net, file_bytes, block_bytes, is_random)?,
            block_bytes,
        ),
        block_bytes,
        repeats: whole("repeats") == 1,
        is_new: whole("new") == 1,
        is_buffered,
        sync_every: match whole("sync_every") {
            0 => None,
            every => Some(every as u32),
        },
        syncs_at_end: whole("sync_end") == 1,
        memory_bytes: whole("memory_bytes"),
        loop_ns: ns("loop_us"),
        call_ns: ns("call_us"),
        copy: copy_cost(values),
        writing: Writing {
            dirty_background_ratio: values.get("background"),
            dirty_limit_ratio: values.get("limit"),
            expire_s: values.get("expire_s"),
            flush_s: values.get("flush_s"),
            ..Writing::default()
        },
        journal: match whole("journal") {
            0 => Journal::None,
            1 => Journal::Writeback,
            2 => Journal::Ordered,
            _ => Journal::Data,
        },
        journal_bytes: whole("journal_bytes"),
        commit_ns: (commit_s > 0.0).then_some((commit_s * 1e9) as u64),
        flush_ns: ns("cache_us"),
        scheduler: net_scheduler(values),
        disk: net_disk(values),
    })
}

/// Blocks that follow each other may be parts of a page, which the C library gathers; others are whole pages.
fn check_block(net: &'static str, block_bytes: u64, is_gathered: bool) -> Result<(), NetError> {
    let is_part = is_gathered && STDIO_BYTES.is_multiple_of(block_bytes);
    if is_part || block_bytes.is_multiple_of(STDIO_BYTES) {
        return Ok(());
    }
    let flaw = Flaw::BadParameter {
        name: "block_bytes",
        value: block_bytes as f64,
        rule: "a multiple of 4096; where a buffer gathers blocks in a row, 512, 1024 and 2048 too",
    };
    Err(flaw.at(net))
}

/// Blocks that make up whole pages: the last page is written whole or not at all.
fn whole_pages(mut offsets: Vec<u64>, block_bytes: u64) -> Vec<u64> {
    let in_page = (STDIO_BYTES / block_bytes.max(1)).max(1) as usize;
    let whole = offsets.len() / in_page * in_page;
    offsets.truncate(whole.max(1));
    offsets
}
