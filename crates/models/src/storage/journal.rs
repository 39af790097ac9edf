//! The journal of a store, as its profile has it.

use hotset_scenario::{DeviceKind, Journal as Mode, Profile};

use super::flush_costs::FlushCosts;
use crate::file_system::FileSystemKind;
use crate::file_system::journal::{Area, Format, Journal, JournalSettings, Metadata};

/// Bytes of a journal of which nothing is known. So many `mke2fs` makes on file systems of 2 to 16 GiB, in blocks of 4 KiB
/// (`ext2fs_default_journal_size`). It is also the least of `mkfs.xfs` since xfsprogs 5.19.
const JOURNAL_BYTES: u64 = 64 << 20;
/// Threads that a commit wakes, each of which somebody waits for. Of jbd2 they are its own thread (`jbd2_log_start_commit`, `fs/jbd2/journal.c`)
/// and whoever waits for the commit. Of xfs they are those that write the log and that end its writes (`xlog_cil_push_now`,
/// `fs/xfs/xfs_log_cil.c`; `xlog_bio_end_io`, `fs/xfs/xfs_log.c`).
const COMMIT_WAKES: f64 = 2.0;
/// And one where the last write follows a flush of the device's cache (`blk_flush_queue_rq`, `block/blk-flush.c`).
const FLUSH_WAKES: f64 = 1.0;
/// Time between two commits, seconds (`JBD2_DEFAULT_MAX_COMMIT_AGE`, `include/linux/jbd2.h`), and that of xfs (`xfs_syncd_centisecs`).
const COMMIT_S: f64 = 5.0;
const XFS_COMMIT_S: f64 = 30.0;

/// The journal of a store, and how far it is with what it asks for. A store without a journal has its metadata written in place.
pub(super) struct StoreJournal {
    pub journal: Journal,
    pub metadata: Metadata,
    pub kind: FileSystemKind,
    /// What is under way of what it has asked for.
    pub under_way: usize,
    /// What flushing the device's cache takes beside what the device says itself.
    pub flush: FlushCosts,
    /// What waking threads takes for a commit.
    wakes_ns: u64,
    /// Transactions that programs want to be committed, each with the time from which on that is so: threads are awake by then.
    asked: Vec<(u64, u64)>,
    /// Whether the device has a volatile cache.
    has_cache: bool,
    /// Whether a flush is what the journal has asked for last.
    has_flushed: bool,
}

impl StoreJournal {
    /// That of `profile`, on a device of so many bytes of which the first are taken by files. `seed` is for what scatters.
    pub fn of(
        profile: &Profile,
        kind: FileSystemKind,
        file_bytes: u64,
        device_bytes: Option<u64>,
        seed: u64,
    ) -> Self {
        let spec = profile.file_system.as_ref();
        let mode = spec.and_then(|it| it.journal).unwrap_or(Mode::Ordered);
        let format = match (mode, kind) {
            (Mode::None, _) | (_, FileSystemKind::Remote) => Format::InPlace,
            (_, FileSystemKind::Xfs) => Format::Xfs,
            (_, FileSystemKind::Ext3 | FileSystemKind::Ext4) => Format::Jbd2,
        };
        let usual_s = match format {
            Format::Jbd2 => COMMIT_S,
            Format::Xfs => XFS_COMMIT_S,
            // The flusher writes inodes that are dirty for long.
            Format::InPlace => profile.writing.unwrap_or_default().expire_s,
        };
        let commit_s = spec.and_then(|it| it.commit_s).unwrap_or(usual_s);
        let bytes = spec
            .and_then(|it| it.journal_bytes)
            .unwrap_or(JOURNAL_BYTES);
        let device = profile.device.as_ref().map(|device| &device.kind);
        let (cache_bytes, flush) = match kind {
            // Those of a server's device are the server's.
            FileSystemKind::Remote => (0, FlushCosts::none()),
            _ => (
                device.map_or(0, DeviceKind::write_cache_bytes),
                FlushCosts::of(profile, seed),
            ),
        };
        let has_cache = flush.take_time() || cache_bytes > 0;
        let barrier = spec.and_then(|it| it.barrier).unwrap_or(true);
        let wakes = match format {
            // Whoever waits for the commit writes it.
            Format::InPlace => 0.0,
            Format::Jbd2 | Format::Xfs if has_cache && barrier => COMMIT_WAKES + FLUSH_WAKES,
            Format::Jbd2 | Format::Xfs => COMMIT_WAKES,
        };
        let last_start = device_bytes.map_or(u64::MAX, |all| all.saturating_sub(bytes));
        let settings = JournalSettings {
            format,
            mode,
            barrier,
            forces: profile.fua.unwrap_or(false),
            commit_ns: (commit_s * 1e9) as u64,
            start: (spec.and_then(|it| it.journal_at))
                .unwrap_or(file_bytes)
                .min(last_start),
            bytes,
        };
        Self {
            journal: Journal::new(settings),
            metadata: Metadata::of(kind),
            kind,
            under_way: 0,
            wakes_ns: (wakes * profile.wake_us.unwrap_or(0.0) * 1e3) as u64,
            asked: Vec::new(),
            has_cache,
            flush,
            has_flushed: false,
        }
    }

    /// A program wants a transaction to be committed. Returns when threads are awake for that, where it takes time: whoever has asked says then
    /// that [`Self::request_due`].
    pub fn ask(&mut self, now_ns: u64, number: u64) -> Option<u64> {
        if self.wakes_ns == 0 {
            self.journal.request(number);
            return None;
        }
        let due_ns = now_ns + self.wakes_ns;
        self.asked.push((due_ns, number));
        Some(due_ns)
    }

    /// Transactions are to be committed for which threads are awake now.
    pub fn request_due(&mut self, now_ns: u64) {
        for (_, number) in self.asked.extract_if(.., |it| it.0 <= now_ns) {
            self.journal.request(number);
        }
    }

    /// Whether the store is on another machine, which has the journal, if any.
    pub fn is_remote(&self) -> bool {
        self.kind == FileSystemKind::Remote
    }

    /// Whether what it writes now to an area goes past the device's cache: so does what it writes to its log behind a flush, where the device
    /// takes such writes (`REQ_PREFLUSH | REQ_FUA`).
    pub fn writes_past_cache(&mut self, area: Area) -> bool {
        let is_behind_flush = std::mem::take(&mut self.has_flushed);
        is_behind_flush && area == Area::Log && self.journal.settings().forces
    }

    /// Whether the device has something to flush, now that it is asked to.
    pub fn has_to_flush(&mut self) -> bool {
        self.has_flushed = true;
        self.has_cache
    }

    /// Whether the journal has data.
    pub fn has_data(&self) -> bool {
        self.journal.settings().mode == Mode::Data
    }

    /// Whether blocks of files are allocated when they are written to; else when they go to the device (`ext4_nonda_switch`,
    /// `ext4_should_journal_data`).
    pub fn allocates_at_once(&self) -> bool {
        self.kind == FileSystemKind::Ext3 || self.has_data()
    }

    /// Whether what a program writes past the device's cache by itself is on the medium then (`IOMAP_DIO_WRITE_THROUGH`).
    pub fn forces(&self) -> bool {
        self.journal.settings().forces || !self.has_cache
    }

    /// Whether commits wait until the device has flushed its cache.
    pub fn flushes(&self) -> bool {
        self.has_cache && self.journal.settings().barrier
    }
}
