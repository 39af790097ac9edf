//! The fast form with the same writes as a net: one program, a heap of nothing but what comes next.

use hotset_models::nets::WriteJob;
use hotset_models::page_cache::StoredFile;
use hotset_models::read_ahead::Advice;
use hotset_models::storage::{Delivery, OpenFile, Storage, System, Usage, Write, WriteProgress};
use hotset_scenario::Profile;

use super::{AFTERWARDS_NS, Totals};
use crate::support::pending::{Event, Pending};

struct Program {
    storage: Storage<()>,
    file: OpenFile,
    events: Pending,
    now_ns: u64,
    woken: usize,
}

impl Program {
    fn new(job: &WriteJob, profile: &Profile) -> Self {
        let system = System {
            profile,
            memory_bytes: Some(job.memory_bytes),
            seed: 0,
        };
        let stored = StoredFile {
            store: 0,
            bytes: job.file_bytes,
            extents: None,
        };
        let mut storage = Storage::new(&system, &[stored], job.block_bytes).unwrap();
        match job.is_new {
            true => {
                let preallocates = storage.preallocates(0);
                storage.empty(0, preallocates);
            }
            false => storage.fill(0),
        }
        let usage = Usage {
            process: 0,
            advice: Advice::Normal,
            mapped: false,
            delivery: Delivery::Kept,
            sequential: true,
            working_set_bytes: u64::MAX,
        };
        let file = storage.open(0, job.file_bytes, usage);
        Self {
            storage,
            file,
            events: Pending::default(),
            now_ns: 0,
            woken: 0,
        }
    }

    /// The next event takes place, unless that is after `until_ns`; whether there was one.
    fn step(&mut self, until_ns: u64) -> bool {
        let Some((at_ns, event)) = self.events.take(until_ns) else {
            return false;
        };
        self.now_ns = at_ns;
        match event {
            Event::Device(event) => {
                self.woken += self.storage.handle(at_ns, event, &mut self.events).count();
            }
            Event::Flusher => self.storage.wake_flusher(at_ns, &mut self.events),
        }
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
    }

    /// Writes a block; whether at once.
    fn write(&mut self, job: &WriteJob, offset: u64) -> bool {
        let mut write = Write::new(offset, job.block_bytes);
        loop {
            let (file, events) = (&mut self.file, &mut self.events);
            match self
                .storage
                .write(self.now_ns, (), file, &mut write, events)
            {
                WriteProgress::Copies(ns) => self.pass(self.now_ns + ns),
                WriteProgress::Ends(ns) => {
                    self.pass(self.now_ns + ns + job.loop_ns);
                    return !write.waited();
                }
                WriteProgress::Pauses(until_ns) => self.pass(until_ns),
                WriteProgress::Waits | WriteProgress::WaitsForJournal => self.wait(),
            }
        }
    }

    fn sync(&mut self, job: &WriteJob) {
        self.pass(self.now_ns + job.call_ns);
        let (file, events) = (&self.file, &mut self.events);
        if self.storage.sync(self.now_ns, (), file, events) {
            self.wait();
        }
    }
}

/// What the fast form makes of a job on a store.
pub fn written(job: &WriteJob, profile: &Profile) -> Totals {
    let mut program = Program::new(job, profile);
    let (mut unsynced, mut at_once) = (0, 0);
    for (number, &offset) in job.offsets.iter().enumerate() {
        at_once += u64::from(program.write(job, offset));
        unsynced += 1;
        let is_last = number + 1 == job.offsets.len();
        let is_due = job.sync_every.is_some_and(|every| unsynced >= every);
        if is_last && job.syncs_at_end || !is_last && is_due {
            program.sync(job);
            unsynced = 0;
        }
    }
    let end_ns = program.now_ns;
    program.pass(end_ns + AFTERWARDS_NS);
    Totals {
        end_ns,
        at_once,
        bytes: program.storage.written_bytes_of(0),
    }
}
