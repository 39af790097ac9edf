//! Storage by itself: whoever waits is woken, and any calendar gives what fio's heap does.

use std::path::Path;
use std::rc::Rc;

use hotset_models::block::DeviceEvent;
use hotset_models::fio::{Job, JobFile, Offsets, Pattern, simulate};
use hotset_models::page_cache::StoredFile;
use hotset_models::read_ahead::Advice;
use hotset_models::storage::{Delivery, OpenFile, Progress, Read, Storage, System, Usage};
use hotset_scenario::Profile;

use crate::support::{drive, profile};

/// What fio's own loop takes between two reads.
const LOOP_NS: u64 = 122;

/// Neither `Clone` nor `Send`.
#[derive(Debug, PartialEq)]
struct Waiter(Rc<str>);

impl Waiter {
    fn new(name: &str) -> Self {
        Self(name.into())
    }
}

/// What was added to a calendar, in no order but that of its adding.
type Pending = Vec<(u64, DeviceEvent)>;

/// Takes the first of the earliest, unless that is after `until_ns`.
fn take(pending: &mut Pending, until_ns: u64) -> Option<(u64, DeviceEvent)> {
    let first = (0..pending.len()).min_by_key(|&at| pending[at].0)?;
    (pending[first].0 <= until_ns).then(|| pending.remove(first))
}

fn usage(job: &Job) -> Usage {
    Usage {
        process: 0,
        advice: match job.pattern {
            Pattern::Sequential => Advice::Sequential,
            Pattern::Random | Pattern::RandomAnew => Advice::Random,
        },
        mapped: false,
        delivery: Delivery::Kept,
        sequential: job.pattern == Pattern::Sequential,
        working_set_bytes: u64::MAX,
    }
}

/// A lone reader: it reads, pays for what it copies, and waits for what is on its way.
struct Alone {
    storage: Storage<Waiter>,
    pending: Pending,
    now_ns: u64,
}

impl Alone {
    fn read(&mut self, file: &mut OpenFile, mut read: Read) -> Read {
        loop {
            while let Some((at_ns, event)) = take(&mut self.pending, self.now_ns) {
                let woken = self.storage.handle(at_ns, event, &mut self.pending);
                assert_eq!(woken.count(), 0);
            }
            let (storage, waiter) = (&mut self.storage, Waiter::new("alone"));
            match storage.read(self.now_ns, waiter, file, &mut read, &mut self.pending) {
                Progress::Copies(ns) => self.now_ns += ns,
                Progress::Ends(ns) => {
                    self.now_ns += ns;
                    return read;
                }
                Progress::Waits => self.wait(),
            }
        }
    }

    fn wait(&mut self) {
        let mut woken = Vec::new();
        while woken.is_empty() {
            let (at_ns, event) = take(&mut self.pending, u64::MAX).unwrap();
            woken.extend(self.storage.handle(at_ns, event, &mut self.pending));
            self.now_ns = at_ns;
        }
        assert_eq!(woken, [Waiter::new("alone")]);
    }
}

/// When all reads of a job are done, how many of them did not wait, and what the device read.
fn read_alone(job: &Job, block_bytes: u64, system: &System<'_>) -> (u64, u64, u64) {
    let stored = StoredFile {
        store: 0,
        bytes: job.size_bytes,
        extents: None,
    };
    let mut storage = Storage::new(system, &[stored], block_bytes).unwrap();
    storage.fill(0);
    let mut file = storage.open(0, job.size_bytes, usage(job));
    let (pending, now_ns) = (Pending::new(), 0);
    let mut alone = Alone {
        storage,
        pending,
        now_ns,
    };
    let mut offsets = Offsets::new(job, system.seed).unwrap();
    let mut hits = 0;
    for _ in 0..job.size_bytes / block_bytes * u64::from(job.loops) {
        let place = offsets.advance();
        if place.begins {
            alone.storage.forget(&file);
        }
        let read = alone.read(&mut file, Read::new(place.offset, place.bytes));
        hits += u64::from(!read.missed());
        alone.now_ns += LOOP_NS;
    }
    let end_ns = alone.now_ns - LOOP_NS;
    (end_ns, hits, alone.storage.device_bytes())
}

#[test]
fn a_plain_list_as_a_calendar_gives_what_the_heap_of_fio_does() {
    let ext3 = "[file_system]\nkind = \"ext3\"\nblock_bytes = 4096\n";
    let devices = [
        String::new(),
        drive(1 << 30, "elevator", "scheduler = \"bfq\"\n"),
        drive(1 << 30, "fifo", &format!("scheduler = \"cfq\"\n{ext3}")),
    ];
    for device in &devices {
        let profile = profile(device);
        for (order, kib, memory_bytes) in [
            ("read", 4, None),
            ("read", 100, Some(2 << 20)),
            ("randread", 64, Some(3 << 20)),
        ] {
            let system = System {
                profile: &profile,
                memory_bytes,
                seed: 7,
            };
            let text = format!("[a]\nrw={order}\nbs={kib}k\nsize=6400k\nloops=2\n");
            let jobs = JobFile::parse(&text, Path::new("a.fio")).unwrap().jobs;
            let of_fio = simulate(&jobs, &system, &|| true).unwrap().remove(0);
            let (end_ns, hits, device_bytes) = read_alone(&jobs[0], kib << 10, &system);
            assert_eq!(end_ns as f64 / 1e9, of_fio.seconds, "{text}{device}");
            assert_eq!(Some(hits), of_fio.outcome.total.hits, "{text}{device}");
            assert_eq!(device_bytes, of_fio.device_bytes, "{text}{device}");
        }
    }
}

/// A file of a MiB on a profile's device, opened as often as asked.
fn opened(profile: &Profile, count: u32) -> (Storage<Waiter>, Vec<OpenFile>) {
    let system = System {
        profile,
        memory_bytes: None,
        seed: 0,
    };
    let stored = StoredFile {
        store: 0,
        bytes: 1 << 20,
        extents: None,
    };
    let mut storage = Storage::new(&system, &[stored], 4096).unwrap();
    let usage = |process| Usage {
        process,
        advice: Advice::Random,
        mapped: false,
        delivery: Delivery::Kept,
        sequential: false,
        working_set_bytes: u64::MAX,
    };
    let files = (0..count).map(|process| storage.open(0, 1 << 20, usage(process)));
    let files = files.collect();
    (storage, files)
}

#[test]
fn all_who_wait_for_a_transfer_are_woken_by_its_end_in_the_order_of_their_coming() {
    let profile = profile("");
    let (mut storage, mut files) = opened(&profile, 2);
    let mut pending = Pending::new();
    let mut read = Read::new(8192, 4096);
    for (file, name) in files.iter_mut().zip(["first", "second"]) {
        let mut read = read;
        let progress = storage.read(0, Waiter::new(name), file, &mut read, &mut pending);
        assert_eq!(progress, Progress::Waits);
    }
    assert_eq!(storage.device_bytes(), 4096);
    let (now_ns, event) = take(&mut pending, u64::MAX).unwrap();
    let woken: Vec<Waiter> = storage.handle(now_ns, event, &mut pending).collect();
    assert_eq!(woken, [Waiter::new("first"), Waiter::new("second")]);
    let waiter = Waiter::new("third");
    let progress = storage.read(now_ns, waiter, &mut files[0], &mut read, &mut pending);
    assert!(matches!(progress, Progress::Ends(_)), "{progress:?}");
    assert!(!read.missed());
}

#[test]
fn a_read_past_the_page_cache_wakes_its_reader_and_leaves_nothing_in_memory() {
    let profile = profile("");
    let (mut storage, mut files) = opened(&profile, 1);
    let mut pending = Pending::new();
    let mut read = Read::new(0, 65536);
    storage.read_past(0, Waiter::new("direct"), &files[0], &read, &mut pending);
    let (now_ns, event) = take(&mut pending, u64::MAX).unwrap();
    let woken: Vec<Waiter> = storage.handle(now_ns, event, &mut pending).collect();
    assert_eq!(woken, [Waiter::new("direct")]);
    let waiter = Waiter::new("cached");
    let progress = storage.read(now_ns, waiter, &mut files[0], &mut read, &mut pending);
    assert_eq!(progress, Progress::Waits);
}
