//! What a node holds by its traffic: files that are chosen anew at each interval, and read so that the disks are there for who is served.

use std::collections::VecDeque;
use std::sync::Arc;

use hotset_cache::PAGE_BYTES;
use hotset_petri::Time;

use super::chooser::{Chooser, Follow, FollowSince, Moves};
use super::message::Message;
use super::own_files::number_of;
use super::traffic::Traffic;
use crate::block::DeviceEvent;
use crate::calendar::Calendar;
use crate::read_ahead::Advice;
use crate::storage::{Delivery, OpenFile, Progress, Read, Storage, Usage};

/// How often it is looked whether it is to begin, nanoseconds.
const LOOK_NS: u64 = 200_000_000;

/// As a process beside the server reads: from beginning to end. What it does with its processor is not counted.
const USAGE: Usage = Usage {
    process: 1,
    advice: Advice::Normal,
    mapped: false,
    delivery: Delivery::Kept,
    sequential: true,
    working_set_bytes: u64::MAX,
};

/// A node's memory: the page cache, and which files are held beside it, by their numbers in the storage.
pub(crate) struct NodeMemory<'n> {
    pub storage: &'n mut Storage<Message>,
    pub is_held: &'n mut [bool],
}

/// A file that is read to be held.
struct Placing {
    number: u32,
    file: OpenFile,
    read: Read,
    /// Whether it is given up before all of it is there.
    is_given_up: bool,
}

/// Holds files by the traffic.
pub(crate) struct Holder {
    follow: Follow,
    chooser: Box<dyn Chooser>,
    traffic: Arc<Traffic>,
    /// The files that the node can be asked for, rising; nothing where these may be all.
    own: Option<Arc<[u32]>>,
    /// When it began to follow the traffic, and when it chooses next, nanoseconds.
    began_ns: Option<u64>,
    chooses_ns: u64,
    /// Files that are still to be held, by their numbers in the storage, the most valuable first.
    waiting: VecDeque<u32>,
    placing: Option<Placing>,
    /// When files were begun to be read, and from when on that may be done again, nanoseconds.
    slice_began_ns: u64,
    reads_from_ns: u64,
    /// Memory of page cache and held files together, and what of it these have.
    memory_pages: u64,
    held_pages: u64,
}

impl Holder {
    /// Holds nothing yet, of so many bytes of memory.
    pub fn new(
        follow: &Follow,
        traffic: &Arc<Traffic>,
        own: Option<&Arc<[u32]>>,
        memory_bytes: u64,
    ) -> Self {
        let mut holder = Self {
            chooser: (follow.chooser)(),
            follow: follow.clone(),
            traffic: Arc::clone(traffic),
            own: own.map(Arc::clone),
            began_ns: None,
            chooses_ns: 0,
            waiting: VecDeque::new(),
            placing: None,
            slice_began_ns: 0,
            reads_from_ns: 0,
            memory_pages: memory_bytes / PAGE_BYTES,
            held_pages: 0,
        };
        if follow.since == FollowSince::Start {
            holder.begin(Time::ZERO);
        }
        holder
    }

    /// Begins to follow the traffic, unless it does.
    pub fn begin(&mut self, now: Time) {
        if self.began_ns.is_none() {
            self.began_ns = Some(now.nanos());
            self.chooses_ns = now.nanos() + self.follow.interval_ns;
        }
    }

    /// All of a file was read.
    pub fn read(&mut self, now: Time, file: u32) {
        if let Some(began_ns) = self.began_ns {
            self.chooser.read(now.nanos() - began_ns, file);
        }
    }

    /// Chooses where an interval has passed, and has files read where it is time; in how long it is to be asked again.
    pub fn look(
        &mut self,
        now: Time,
        memory: &mut NodeMemory<'_>,
        calendar: &mut impl Calendar<DeviceEvent>,
    ) -> Time {
        let now_ns = now.nanos();
        let Some(began_ns) = self.began_ns else {
            return Time::from_nanos(LOOK_NS);
        };
        if now_ns >= self.chooses_ns {
            let moves = self.chooser.choose(now_ns - began_ns);
            self.change(now_ns, &moves, memory);
            self.chooses_ns = now_ns + self.follow.interval_ns;
        }
        if self.placing.is_none() && now_ns >= self.reads_from_ns {
            self.hold_what_is_there(now_ns, memory);
            self.slice_began_ns = now_ns;
            self.read_on(now, memory, calendar);
        }
        Time::from_nanos(self.wait_ns(now_ns))
    }

    /// How long nothing is to be done but by what disks tell.
    fn wait_ns(&self, now_ns: u64) -> u64 {
        let until_choice_ns = self.chooses_ns.saturating_sub(now_ns);
        let until_reads_ns = match (&self.placing, self.waiting.is_empty()) {
            (None, true) => u64::MAX,
            (None, false) => self.reads_from_ns.saturating_sub(now_ns),
            // When the disks are done with it is not known.
            (Some(_), _) => self.follow.slice_ns,
        };
        until_choice_ns.min(until_reads_ns).max(1)
    }

    /// Gives files up, and puts others into line.
    fn change(&mut self, now_ns: u64, moves: &Moves, memory: &mut NodeMemory<'_>) {
        for &file in &moves.given_up {
            if let Some(number) = number_of(self.own.as_ref(), file) {
                self.give_up(now_ns, number, memory);
            }
        }
        for &file in &moves.taken {
            let Some(number) = number_of(self.own.as_ref(), file) else {
                continue;
            };
            match &mut self.placing {
                Some(placing) if placing.number == number => placing.is_given_up = false,
                _ if memory.is_held[number as usize] => {}
                _ => self.waiting.push_back(number),
            }
        }
    }

    fn give_up(&mut self, now_ns: u64, number: u32, memory: &mut NodeMemory<'_>) {
        if memory.is_held[number as usize] {
            memory.is_held[number as usize] = false;
            self.held_pages -= self.pages(number);
            self.resize(now_ns, memory);
            // It is a file like others from now on.
            memory.storage.put_back(now_ns, number);
            return;
        }
        self.waiting.retain(|&waiting| waiting != number);
        if let Some(placing) = self.placing.as_mut().filter(|it| it.number == number) {
            placing.is_given_up = true;
        }
    }

    /// Holds at once those in line of which all is in memory.
    fn hold_what_is_there(&mut self, now_ns: u64, memory: &mut NodeMemory<'_>) {
        let waiting = std::mem::take(&mut self.waiting);
        for number in waiting {
            match memory.storage.has_all(number) {
                true => self.hold(now_ns, number, memory),
                false => self.waiting.push_back(number),
            }
        }
    }

    /// Reads what is to be held, file after file, until the disks are waited for or it has read for long enough.
    pub fn read_on(
        &mut self,
        now: Time,
        memory: &mut NodeMemory<'_>,
        calendar: &mut impl Calendar<DeviceEvent>,
    ) {
        let now_ns = now.nanos();
        loop {
            let mut placing = match self.placing.take() {
                Some(placing) => placing,
                None => {
                    let read_ns = now_ns - self.slice_began_ns;
                    let next = match read_ns < self.follow.slice_ns.max(1) {
                        true => self.waiting.pop_front(),
                        false => None,
                    };
                    let Some(number) = next else {
                        self.reads_from_ns = now_ns + self.follow.rest * read_ns;
                        return;
                    };
                    if memory.storage.has_all(number) {
                        self.hold(now_ns, number, memory);
                        continue;
                    }
                    self.open(number, memory)
                }
            };
            let (file, read) = (&mut placing.file, &mut placing.read);
            let reader = Message::of_holder(now);
            match memory.storage.read(now_ns, reader, file, read, calendar) {
                Progress::Waits => {
                    self.placing = Some(placing);
                    return;
                }
                Progress::Copies(_) => self.placing = Some(placing),
                Progress::Ends(_) if placing.is_given_up => {}
                Progress::Ends(_) => self.hold(now_ns, placing.number, memory),
            }
        }
    }

    /// Opens a file to be read from beginning to end. What memory has of it is read anew, as whoever locks it has it charged to the server.
    fn open(&self, number: u32, memory: &mut NodeMemory<'_>) -> Placing {
        let bytes = self.bytes(number);
        memory.storage.drop_file(number);
        Placing {
            number,
            file: memory.storage.open(number, bytes, USAGE),
            read: Read::new(0, bytes),
            is_given_up: false,
        }
    }

    /// Holds a file of which all is in memory: its pages are none of the page cache's any more.
    fn hold(&mut self, now_ns: u64, number: u32, memory: &mut NodeMemory<'_>) {
        memory.storage.drop_file(number);
        memory.is_held[number as usize] = true;
        self.held_pages += self.pages(number);
        self.resize(now_ns, memory);
    }

    fn resize(&self, now_ns: u64, memory: &mut NodeMemory<'_>) {
        let left = self.memory_pages.saturating_sub(self.held_pages);
        memory.storage.resize(now_ns, left);
    }

    fn bytes(&self, number: u32) -> u64 {
        let file = match &self.own {
            None => number,
            Some(own) => own[number as usize],
        };
        self.traffic.files[file as usize].bytes
    }

    /// Whole pages that a file takes.
    fn pages(&self, number: u32) -> u64 {
        self.bytes(number).div_ceil(PAGE_BYTES)
    }
}
