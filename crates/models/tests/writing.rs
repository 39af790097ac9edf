//! Storage that is written to: nothing is lost on its way to the device, and no more is dirty than may be.

use std::collections::BTreeSet;

use hotset_models::page_cache::StoredFile;
use hotset_models::read_ahead::Advice;
use hotset_models::storage::{
    Delivery, OpenFile, PastCacheProgress, PastCacheWrite, Progress, Read, Storage, SyncKind,
    System, Usage, Write, WriteProgress,
};
use hotset_models::write_back::PageSync;
use hotset_scenario::Profile;
use proptest::prelude::*;

use crate::support::pending::{Event, Pending};
use crate::support::{drive, profile};

const PAGE: u64 = 4096;

/// A lone program: it writes, reads and syncs, and waits for each.
struct Program {
    storage: Storage<()>,
    files: Vec<OpenFile>,
    events: Pending,
    now_ns: u64,
    woken: usize,
    /// Most pages that were dirty or under write-back.
    most_unwritten: u64,
    /// Bytes that were written past the page cache, and those that are being.
    past: u64,
    going_past: u64,
}

impl Program {
    /// Of files with so many pages.
    fn new(
        profile: &Profile,
        memory_bytes: Option<u64>,
        file_pages: &[u64],
        unit_pages: u64,
    ) -> Self {
        let system = System {
            profile,
            memory_bytes,
            seed: 3,
        };
        let stored = |&pages: &u64| StoredFile {
            store: 0,
            bytes: pages * PAGE,
            extents: None,
        };
        let stored: Vec<_> = file_pages.iter().map(stored).collect();
        let mut storage = Storage::new(&system, &stored, unit_pages * PAGE).unwrap();
        let usage = Usage {
            process: 0,
            advice: Advice::Random,
            mapped: false,
            delivery: Delivery::Kept,
            sequential: true,
            working_set_bytes: u64::MAX,
        };
        let files = file_pages.iter().enumerate();
        let files = files.map(|(number, pages)| storage.open(number as u32, pages * PAGE, usage));
        let files = files.collect();
        Self {
            storage,
            files,
            events: Pending::default(),
            now_ns: 0,
            woken: 0,
            most_unwritten: 0,
            past: 0,
            going_past: 0,
        }
    }

    fn unwritten(&self) -> u64 {
        let pages = self.storage.unwritten_pages();
        pages.dirty + pages.writing
    }

    fn device_bytes(&self) -> u64 {
        let files = 0..self.files.len() as u32;
        files.map(|it| self.storage.written_bytes_of(it).data).sum()
    }

    /// Bytes that became dirty are dirty, under way, or on the device.
    fn check(&mut self) {
        let pages = self.storage.unwritten_pages();
        assert_eq!(pages.dirtied, pages.dirty + pages.writing + pages.written);
        let through_cache = (pages.writing + pages.written) * PAGE;
        let past = self.device_bytes() - through_cache;
        assert!(past == self.past || past == self.past + self.going_past);
        self.most_unwritten = self.most_unwritten.max(pages.dirty + pages.writing);
    }

    /// The next event takes place, unless that is after `until_ns`; whether there was one.
    fn step(&mut self, until_ns: u64) -> bool {
        let Some((at_ns, event)) = self.events.take(until_ns) else {
            return false;
        };
        assert!(at_ns >= self.now_ns, "{event:?} comes too late");
        self.now_ns = at_ns;
        match event {
            Event::Device(event) => {
                self.woken += self.storage.handle(at_ns, event, &mut self.events).count();
            }
            Event::Flusher => self.storage.wake_flusher(at_ns, &mut self.events),
        }
        self.check();
        true
    }

    /// All that takes place up to a time.
    fn pass(&mut self, until_ns: u64) {
        while self.step(until_ns) {}
        self.now_ns = self.now_ns.max(until_ns);
    }

    fn wait(&mut self) {
        while self.woken == 0 {
            assert!(self.step(u64::MAX), "nobody wakes the program");
        }
        self.woken -= 1;
        assert_eq!(self.woken, 0);
    }

    fn write(&mut self, file: usize, page: u64, pages: u64) {
        let mut write = Write::new(page * PAGE, pages * PAGE);
        loop {
            let open = &mut self.files[file];
            let progress = self
                .storage
                .write(self.now_ns, (), open, &mut write, &mut self.events);
            self.check();
            match progress {
                WriteProgress::Copies(ns) => self.pass(self.now_ns + ns),
                WriteProgress::Ends(ns) => return self.pass(self.now_ns + ns),
                WriteProgress::Pauses(until_ns) => self.pass(until_ns),
                WriteProgress::Waits | WriteProgress::WaitsForJournal => self.wait(),
            }
        }
    }

    fn sync_part(&mut self, file: usize, page: u64, pages: u64, kind: SyncKind) {
        let (open, bytes) = (&self.files[file], page * PAGE..(page + pages) * PAGE);
        let waits = self
            .storage
            .sync_part(self.now_ns, (), open, (&bytes, kind), &mut self.events);
        if waits {
            self.wait();
        }
    }

    fn write_past(&mut self, file: usize, page: u64, pages: u64, sync: Option<SyncKind>) {
        let mut write = PastCacheWrite::new(page * PAGE, pages * PAGE, sync);
        self.going_past = pages * PAGE;
        loop {
            let open = &self.files[file];
            let (storage, events) = (&mut self.storage, &mut self.events);
            match storage.write_past_cache(self.now_ns, (), open, &mut write, events) {
                PastCacheProgress::Waits
                | PastCacheProgress::WaitsForJournal
                | PastCacheProgress::Syncs => self.wait(),
                PastCacheProgress::ByMemory { waits } => {
                    self.going_past = 0;
                    self.write(file, page, pages);
                    if waits {
                        self.sync_part(file, page, pages, SyncKind::Pages(PageSync::WRITTEN));
                    }
                    return;
                }
                PastCacheProgress::Ends => {
                    self.past += std::mem::take(&mut self.going_past);
                    return self.check();
                }
            }
        }
    }

    fn read(&mut self, file: usize, page: u64, pages: u64) -> bool {
        let mut read = Read::new(page * PAGE, pages * PAGE);
        loop {
            let open = &mut self.files[file];
            match self
                .storage
                .read(self.now_ns, (), open, &mut read, &mut self.events)
            {
                Progress::Copies(ns) => self.pass(self.now_ns + ns),
                Progress::Ends(ns) => {
                    self.pass(self.now_ns + ns);
                    return read.missed();
                }
                Progress::Waits => self.wait(),
            }
        }
    }

    fn sync(&mut self, file: usize) {
        let open = &self.files[file];
        if self.storage.sync(self.now_ns, (), open, &mut self.events) {
            self.wait();
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Deed {
    Write(u64, u64),
    Read(u64),
    /// Past the page cache; whether its data is synced with it.
    WritePast(u64, u64, bool),
    /// Of so many pages.
    SyncPart(u64, u64, SyncKind),
    Sync,
    Forget,
    /// Nothing for so many milliseconds.
    Think(u64),
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        6 => (0u64..200, 1u64..40).prop_map(|(at, pages)| Deed::Write(at, pages)),
        2 => (0u64..200).prop_map(Deed::Read),
        2 => (0u64..200, 1u64..40, any::<bool>()).prop_map(|(at, pages, syncs)| Deed::WritePast(at, pages, syncs)),
        2 => (0u64..200, 1u64..40, sync_kind()).prop_map(|(at, pages, kind)| Deed::SyncPart(at, pages, kind)),
        2 => Just(Deed::Sync),
        1 => Just(Deed::Forget),
        1 => (0u64..40_000).prop_map(Deed::Think),
    ]
}

fn sync_kind() -> impl Strategy<Value = SyncKind> {
    let pages = (any::<bool>(), any::<bool>(), any::<bool>());
    prop_oneof![
        Just(SyncKind::All),
        Just(SyncKind::Data),
        pages.prop_map(|(waits_before, hands_over, waits_after)| {
            SyncKind::Pages(PageSync {
                waits_before,
                hands_over,
                waits_after,
            })
        }),
    ]
}

const FILE_PAGES: u64 = 256;

/// A drive with a journal, and with a volatile cache where flushing it takes so many microseconds.
fn with_journal(kind: &str, more: &str, flush_us: Option<f64>) -> Profile {
    let system = format!("[file_system]\nkind = \"{kind}\"\nblock_bytes = 4096\n{more}");
    Profile {
        flush_us,
        ..profile(&drive(1 << 30, "fifo", &system))
    }
}

/// Devices, schedulers, RAIDs, layouts and journals.
fn profiles() -> Vec<Profile> {
    let ext3 = "[file_system]\nkind = \"ext3\"\nblock_bytes = 4096\njournal = \"none\"\n";
    let raid = "[device.raid]\nlevel = 10\ndisks = 4\nchunk_bytes = 16384\n";
    let parity = "[device.raid]\nlevel = 5\ndisks = 4\nchunk_bytes = 16384\n";
    let of = |more: &str| profile(&drive(1 << 30, "fifo", more));
    vec![
        profile(""),
        of("scheduler = \"mq-deadline\"\n"),
        of("scheduler = \"kyber\"\n"),
        of(&format!("scheduler = \"none\"\n{raid}")),
        of(&format!("scheduler = \"mq-deadline\"\n{parity}")),
        profile(&drive(1 << 30, "elevator", ext3)),
        with_journal("ext3", "journal = \"ordered\"\n", None),
        with_journal(
            "ext4",
            "journal = \"data\"\njournal_bytes = \"4MiB\"\n",
            Some(500.0),
        ),
        with_journal("xfs", "commit_s = 1.0\n", Some(500.0)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn what_is_written_is_dirty_or_under_way_or_on_the_device_and_all_of_it_after_a_sync(
        store in 0usize..9,
        memory_pages in prop_oneof![Just(None), (4u64..600).prop_map(Some)],
        unit_pages in prop::sample::select(vec![1u64, 4, 16]),
        deeds in prop::collection::vec((0usize..2, deed()), 1..60),
    ) {
        let profile = &profiles()[store];
        let memory_bytes = memory_pages.map(|pages| pages * PAGE);
        let files = [FILE_PAGES, FILE_PAGES];
        let mut program = Program::new(profile, memory_bytes, &files, unit_pages);
        // One file is there, the other is new.
        let preallocates = program.storage.preallocates(1);
        program.storage.empty(1, preallocates);
        program.storage.set_size(1, 0);
        let mut written = [BTreeSet::new(), BTreeSet::new()];
        for (file, deed) in deeds {
            match deed {
                Deed::Write(at, pages) => {
                    let at = at / unit_pages * unit_pages;
                    let pages = pages.next_multiple_of(unit_pages).min(FILE_PAGES - at);
                    program.write(file, at, pages);
                    written[file].extend(at..at + pages);
                }
                Deed::WritePast(at, pages, syncs) => {
                    let at = at / unit_pages * unit_pages;
                    let pages = pages.next_multiple_of(unit_pages).min(FILE_PAGES - at);
                    program.write_past(file, at, pages, syncs.then_some(SyncKind::Data));
                    written[file].extend(at..at + pages);
                }
                Deed::SyncPart(at, pages, kind) => {
                    program.sync_part(file, at, pages.min(FILE_PAGES - at), kind);
                }
                Deed::Read(page) => {
                    let page = page / unit_pages * unit_pages;
                    program.read(file, page, unit_pages);
                }
                Deed::Sync => {
                    program.sync(file);
                    prop_assert_eq!(program.storage.dirty_pages_of(file as u32), 0);
                    let on_device = program.storage.written_bytes_of(file as u32).data / PAGE;
                    prop_assert!(on_device >= written[file].len() as u64);
                }
                Deed::Forget => program.storage.forget(&program.files[file]),
                Deed::Think(ms) => program.pass(program.now_ns + ms * 1_000_000),
            }
        }
        // The flusher writes the rest by itself, then rests.
        let longest_ns = program.now_ns + 100_000_000_000;
        program.pass(longest_ns);
        prop_assert_eq!(program.unwritten(), 0);
        prop_assert!(!program.step(u64::MAX), "nothing is left to happen");
        let pages: usize = written.iter().map(BTreeSet::len).sum();
        prop_assert!(program.device_bytes() >= pages as u64 * PAGE);
        prop_assert_eq!(program.woken, 0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn never_is_more_dirty_than_the_limit_and_one_writers_chunk(
        memory_pages in 2_000u64..20_000,
        block_pages in prop::sample::select(vec![1u64, 16, 256]),
        fast in any::<bool>(),
    ) {
        let profile = match fast {
            true => profile(""),
            false => profile(&drive(1 << 30, "fifo", "scheduler = \"mq-deadline\"\n")),
        };
        let pages = 16_384;
        let mut program = Program::new(&profile, Some(memory_pages * PAGE), &[pages], block_pages);
        let limits = program.storage.limits();
        for at in (0..pages).step_by(block_pages as usize) {
            program.write(0, at, block_pages.min(pages - at));
        }
        // What a program may write before it is looked at: 128 KiB, the root of what is left, or ten milliseconds' worth; an extent more.
        let chunk = 25_600 / 50 + 16;
        prop_assert!(
            program.most_unwritten <= limits.limit + chunk,
            "{} of {limits:?}", program.most_unwritten
        );
        // Copying is faster than the drive.
        prop_assert!(fast || program.most_unwritten > limits.free_run());
    }
}

#[test]
fn a_page_stays_in_memory_until_it_is_written_and_is_read_from_there() {
    let profile = profile(&drive(1 << 30, "fifo", ""));
    let mut program = Program::new(&profile, None, &[64], 1);
    program.write(0, 7, 1);
    program.storage.forget(&program.files[0]);
    assert!(!program.read(0, 7, 1), "a dirty page is not dropped");
    assert!(program.read(0, 9, 1), "what was not written is not there");
    program.sync(0);
    program.storage.forget(&program.files[0]);
    assert!(program.read(0, 7, 1), "a clean one is");
}

#[test]
fn dirty_pages_are_written_when_they_are_thirty_seconds_old() {
    let profile = profile("");
    let mut program = Program::new(&profile, None, &[64], 1);
    program.write(0, 3, 5);
    program.pass(29_000_000_000);
    assert_eq!(program.device_bytes(), 0);
    // The flusher looks every five seconds from the first write on.
    program.pass(36_000_000_000);
    assert_eq!(program.device_bytes(), 5 * PAGE);
    program.write(0, 20, 1);
    program.pass(65_000_000_000);
    assert_eq!(program.device_bytes(), 5 * PAGE, "a file's age begins anew");
    program.pass(72_000_000_000);
    assert_eq!(program.device_bytes(), 6 * PAGE);
}

#[test]
fn times_of_the_flusher_are_those_of_the_profile() {
    let profile = profile("[writing]\nexpire_s = 2.0\nflush_s = 1.0\n");
    let mut program = Program::new(&profile, None, &[64], 1);
    program.write(0, 0, 1);
    program.pass(1_900_000_000);
    assert_eq!(program.device_bytes(), 0);
    program.pass(3_100_000_000);
    assert_eq!(program.device_bytes(), PAGE);
}

#[test]
fn the_kernel_writes_in_the_background_down_to_its_limit() {
    let limits = "[writing]\ndirty_background_bytes = 4194304\ndirty_limit_bytes = 1073741824\n";
    let profile = profile(limits);
    let mut program = Program::new(&profile, None, &[8192], 1);
    for page in 0..4096 {
        program.write(0, page, 1);
    }
    program.pass(20_000_000_000);
    let left = program.unwritten();
    assert!(left <= 1024 && left > 512, "{left} pages are left");
}

#[test]
fn a_sync_of_what_has_not_changed_waits_for_nothing() {
    let profile = profile("");
    let mut program = Program::new(&profile, None, &[64], 1);
    program.sync(0);
    assert_eq!(program.now_ns, 0);
    program.write(0, 0, 1);
    program.sync(0);
    let (once, bytes) = (program.now_ns, program.storage.written_bytes_of(0));
    assert_eq!((bytes.data, bytes.journal), (PAGE, 3 * PAGE));
    program.sync(0);
    assert_eq!(program.now_ns, once);
    assert_eq!(program.storage.written_bytes_of(0), bytes);
}

#[test]
fn a_group_without_limits_of_its_own_waits_for_write_back_once_its_memory_is_full() {
    let limits = "[writing]\ndirty_background_bytes = 536870912\ndirty_limit_bytes = 1073741824\n";
    let (memory_pages, pages) = (4096, 16_384);
    let mut program = Program::new(&profile(limits), Some(memory_pages * PAGE), &[pages], 16);
    assert_eq!(program.storage.limits().limit, 262_144);
    for at in (0..pages).step_by(16) {
        program.write(0, at, 16);
    }
    let most = program.most_unwritten;
    assert!(
        (memory_pages - 16..=memory_pages + 16).contains(&most),
        "{most}"
    );
    assert!(program.device_bytes() >= (pages - memory_pages - 16) * PAGE);
    // The flusher writes no more than what was dirty then: nothing is old, and little is dirty for the machine.
    program.sync(0);
    assert_eq!(program.unwritten(), 0);
}
