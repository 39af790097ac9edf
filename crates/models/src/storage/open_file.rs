//! Files that a program has open.

use hotset_cache::PAGE_BYTES;
use hotset_scenario::{Handover, Reading};

use crate::costs::Costs;
use crate::read_ahead::{Advice, ReadAheadPolicy, read_ahead};
use crate::write_back::Dirtier;

/// What becomes of what is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Delivery {
    /// It stays with the program.
    #[default]
    Kept,
    /// Each block is written to a local socket: from the buffer into which it was read, or from where it is mapped.
    Written,
    /// The kernel sends each block to a local socket (`sendfile`); whether the file is mapped means nothing then.
    Sent,
}

/// How a program reads a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// The process, as schedulers tell them apart.
    pub process: u32,
    /// What it has told the kernel.
    pub advice: Advice,
    /// Whether it maps the file instead of calling for each read.
    pub mapped: bool,
    /// What becomes of what it reads.
    pub delivery: Delivery,
    /// Whether it reads in a row: what copying takes depends on it.
    pub sequential: bool,
    /// Bytes that are read over and over with these, which copying depends on too; the most where what is copied has just come
    /// from the device, and is in no cache of the processor.
    pub working_set_bytes: u64,
}

impl Usage {
    /// As nginx does by `sendfile`: the kernel sends, is told nothing, and copies nothing to the process.
    pub(crate) const SERVER: Self = Self {
        process: 0,
        advice: Advice::Normal,
        mapped: false,
        delivery: Delivery::Sent,
        sequential: true,
        working_set_bytes: u64::MAX,
    };

    /// What a fault asks for: what the kernel reads ahead at most, unless it was advised of a random reader (`VM_RAND_READ`), else
    /// the page (`do_sync_mmap_readahead`, `mm/filemap.c`).
    fn fault_bytes(&self, read_ahead_bytes: u64) -> u64 {
        let ahead = match self.advice {
            Advice::Sequential => read_ahead_bytes.saturating_mul(2),
            Advice::Around => read_ahead_bytes,
            Advice::Normal | Advice::Random => 0,
        };
        ahead.max(PAGE_BYTES)
    }
}

/// What a write takes, nanoseconds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WrittenNs {
    /// Where all of its pages are in memory.
    pub over: f64,
    /// Where none of them is.
    pub new_pages: f64,
}

impl WrittenNs {
    /// What a share of the write takes, a part of which has new pages: shares of the whole write.
    pub fn part(self, share: f64, new_share: f64) -> f64 {
        self.over * share + (self.new_pages - self.over) * new_share
    }
}

/// A file that a program has open.
pub struct OpenFile {
    /// Its number among those that are stored.
    pub(super) number: u32,
    /// Its store.
    pub(super) store: usize,
    pub(super) bytes: u64,
    pub(super) usage: Usage,
    /// Its mapping, where it is mapped.
    pub(super) mapping: Option<u32>,
    /// What the kernel reads ahead for it.
    pub(super) ahead: Box<dyn ReadAheadPolicy>,
    /// Whether windows of it follow each other.
    pub(super) streams: bool,
    /// What a fault asks for.
    pub(super) fault_bytes: u64,
    /// The size of its last read, and what that takes from memory, nanoseconds: most are alike.
    whole: (u64, f64),
    /// The same of its last write.
    written: (u64, WrittenNs),
    /// The program as one that writes: it has this file for it, and no other.
    pub(super) dirtier: Dirtier,
}

impl OpenFile {
    /// The stored file `number` of `store`, of so many bytes, just opened and not mapped. The kernel reads it as `reading` says, its device takes
    /// requests of `request_bytes`.
    pub(super) fn new(
        (number, store): (u32, usize),
        bytes: u64,
        usage: Usage,
        (reading, request_bytes): (&Reading, u64),
    ) -> Self {
        Self {
            number,
            store,
            bytes,
            usage,
            mapping: None,
            ahead: read_ahead(reading, request_bytes, usage.advice, bytes),
            streams: usage.advice != Advice::Random && reading.read_ahead_bytes > 0,
            fault_bytes: usage.fault_bytes(reading.read_ahead_bytes),
            whole: (0, 0.0),
            written: (0, WrittenNs::default()),
            dirtier: Dirtier::default(),
        }
    }

    /// Opens it anew: nothing is known of its reads.
    pub(super) fn reopen(&mut self, (reading, request_bytes): (&Reading, u64)) {
        self.ahead = read_ahead(reading, request_bytes, self.usage.advice, self.bytes);
    }

    #[inline]
    pub(super) fn is_sent(&self) -> bool {
        self.usage.delivery == Delivery::Sent
    }

    /// What a read of so many bytes takes from memory, nanoseconds.
    #[inline]
    pub(super) fn whole_ns(&mut self, bytes: u64, costs: &Costs) -> f64 {
        if self.whole.0 != bytes {
            self.whole = (bytes, self.copying_ns(bytes, costs));
        }
        self.whole.1
    }

    /// What writing so many bytes into the page cache takes, nanoseconds.
    #[inline]
    pub(super) fn written_ns(&mut self, bytes: u64, costs: &Costs) -> WrittenNs {
        if self.written.0 != bytes {
            let Usage {
                sequential,
                working_set_bytes,
                ..
            } = self.usage;
            let ns = WrittenNs {
                over: costs.cached_write(bytes, sequential, working_set_bytes),
                new_pages: costs.write_of_new_pages(bytes, sequential, working_set_bytes),
            };
            self.written = (bytes, ns);
        }
        self.written.1
    }

    fn copying_ns(&self, bytes: u64, costs: &Costs) -> f64 {
        let Usage {
            delivery,
            sequential,
            working_set_bytes,
            ..
        } = self.usage;
        match (delivery, self.mapping.is_some()) {
            (Delivery::Sent, _) => costs.sent(bytes, Handover::Sent),
            (Delivery::Written, true) => costs.sent(bytes, Handover::Cold),
            (Delivery::Kept, true) => costs.mapped_read(bytes, sequential, working_set_bytes),
            (_, false) => costs.cached_read(bytes, sequential, working_set_bytes),
        }
    }

    /// What handing a block to a socket takes after it was copied, nanoseconds.
    #[inline]
    pub(super) fn writing_ns(&self, bytes: u64, costs: &Costs) -> u64 {
        match self.usage.delivery {
            Delivery::Written if self.mapping.is_none() => {
                costs.sent(bytes, Handover::Written) as u64
            }
            _ => 0,
        }
    }
}
