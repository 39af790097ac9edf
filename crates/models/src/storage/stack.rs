//! Page cache, block layer and what is under way between them.

use std::ops::Range;

use hotset_cache::PAGE_BYTES;
use hotset_outcome::Resource;

use crate::block::{BlockLayer, Request};
use crate::events::{Event, Events};
use crate::page_cache::{Missing, PageCache};
use crate::read_ahead::{Lookup, ReadAheadPolicy, Window};

/// Order of folios of one page: the cache does not follow large ones of files that are copied to programs. Requests do.
const SMALLEST: u8 = 0;

/// Who wants something, and who asks for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asker {
    /// The process, as schedulers tell them apart.
    pub process: u32,
    /// Who waits.
    pub reader: u32,
}

/// A place in a file, and how much a reader wants from there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    pub file: u32,
    pub offset: u64,
    pub bytes: u64,
    /// Whether the reader reads on where it ended, with windows ahead of it.
    pub streams: bool,
    /// Whether the reader knows where it is on the device.
    pub is_mapped: bool,
}

/// What a reader that comes to an extent does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reached {
    /// Copies it.
    Here,
    /// Is woken when it is in memory.
    Waits,
    /// Is woken when it is known where it is, and looks again.
    WaitsForMap,
}

/// What a transfer brings, and who waits for it.
#[derive(Clone, Debug, Default)]
struct Landing {
    extents: Range<u32>,
    readers: Vec<u32>,
}

/// The way of reads from the page cache to the disks.
pub(crate) struct ReadPath {
    cache: PageCache,
    disks: BlockLayer,
    landings: Vec<Landing>,
    /// Kept empty, so that a miss allocates nothing.
    windows: Vec<Window>,
    runs: Vec<Missing>,
}

impl ReadPath {
    pub fn new(cache: PageCache, disks: BlockLayer) -> Self {
        Self {
            cache,
            disks,
            landings: Vec::new(),
            windows: Vec::new(),
            runs: Vec::new(),
        }
    }

    /// Bytes that the disks were asked for so far.
    pub fn device_bytes(&self) -> u64 {
        self.disks.bytes
    }

    /// Bytes of an extent, the most that is copied without looking again.
    pub fn extent_bytes(&self) -> u64 {
        self.cache.extent_bytes()
    }

    /// Has all of `file` in memory, as far as it fits.
    pub fn fill(&mut self, file: u32) {
        self.cache.fill(file);
    }

    /// Drops all of `file` from memory.
    pub fn forget(&mut self, file: u32) {
        self.cache.forget(file);
    }

    /// Copies the extent at `offset` of `file`.
    pub fn copy(&mut self, now_ns: u64, file: u32, offset: u64) {
        self.cache.copy(now_ns, file, offset);
    }

    /// Maps `file`, of whose reading the kernel may have been advised; the mapping's number.
    pub fn map(&mut self, file: u32, is_advised: bool) -> u32 {
        self.cache.map(file, is_advised)
    }

    /// A program accesses the extent at `offset` of a mapping, which is mapped.
    pub fn access_mapped(&mut self, mapping: u32, offset: u64) {
        self.cache.access_mapped(mapping, offset);
    }

    /// Closes a mapping and maps its file anew.
    pub fn map_anew(&mut self, mapping: u32) {
        self.cache.map_anew(mapping);
    }

    /// Forgets all mappings.
    pub fn unmap_all(&mut self) {
        self.cache.unmap_all();
    }

    /// Whether reading the extent at `offset` of a mapping is no fault.
    pub fn has_mapped(&self, mapping: u32, offset: u64) -> bool {
        self.cache.has_mapped(mapping, offset)
    }

    /// Ends a fault on the extent at `offset` of a mapping.
    pub fn fault_around(&mut self, mapping: u32, offset: u64) {
        self.cache.fault_around(mapping, offset);
    }

    /// Whether the extent at `offset` of `file` has to be asked for.
    pub fn lacks(&self, file: u32, offset: u64) -> bool {
        self.cache.lacks(file, offset)
    }

    /// Whether a transfer brings the extent at `offset` of `file`.
    pub fn is_coming(&self, file: u32, offset: u64) -> bool {
        self.cache.coming(file, offset).is_some()
    }

    /// A reader comes to an extent: what read-ahead makes of it is asked for.
    pub fn reach(
        &mut self,
        now_ns: u64,
        asker: Asker,
        wanted: Wanted,
        ahead: &mut dyn ReadAheadPolicy,
        events: &mut Events,
    ) -> Reached {
        let Wanted { file, offset, .. } = wanted;
        let page = offset / PAGE_BYTES;
        let pages = (offset + wanted.bytes).div_ceil(PAGE_BYTES) - page;
        let found = self.cache.find(file, offset);
        let is_unmapped = found == Lookup::Missing && !wanted.is_mapped;
        if is_unmapped && self.waits_for_map(now_ns, asker, file, page, events) {
            return Reached::WaitsForMap;
        }
        let mut windows = std::mem::take(&mut self.windows);
        self.cache
            .windows(file, page, pages, found, ahead, &mut windows);
        let like = Request {
            reader: asker.process,
            streams: wanted.streams,
            segment_bytes: PAGE_BYTES << ahead.folio_order(),
            ..Request::default()
        };
        for window in windows.drain(..) {
            self.load(now_ns, file, window, like, events);
        }
        self.windows = windows;
        match self.cache.coming(file, offset) {
            Some(transfer) => {
                self.landings[transfer as usize].readers.push(asker.reader);
                Reached::Waits
            }
            None => Reached::Here,
        }
    }

    /// Whether the block that maps `page` has to come first.
    fn waits_for_map(
        &mut self,
        now_ns: u64,
        asker: Asker,
        file: u32,
        page: u64,
        events: &mut Events,
    ) -> bool {
        let Some((missing, coming)) = self.cache.missing_map(file, page) else {
            return false;
        };
        let transfer = coming.unwrap_or_else(|| {
            self.cache.add_map(now_ns, &missing);
            let like = Request {
                reader: asker.process,
                ..Request::default()
            };
            self.ask(now_ns, missing, like, events)
        });
        self.landings[transfer as usize].readers.push(asker.reader);
        true
    }

    /// Asks the disks for what `window` of `file` lacks, run by run.
    fn load(&mut self, now_ns: u64, file: u32, window: Window, like: Request, events: &mut Events) {
        let mut runs = std::mem::take(&mut self.runs);
        self.cache.add(now_ns, file, window, SMALLEST, &mut runs);
        for run in runs.drain(..) {
            self.ask(now_ns, run, like, events);
        }
        self.runs = runs;
    }

    fn ask(&mut self, now_ns: u64, missing: Missing, like: Request, events: &mut Events) -> u32 {
        let Missing {
            offset,
            bytes,
            extents,
        } = missing;
        let request = Request {
            offset,
            bytes,
            ..like
        };
        let transfer = self.disks.read(now_ns, request, events);
        self.cache.expect(extents.clone(), transfer);
        self.land(transfer).extents = extents;
        transfer
    }

    /// Has the disks read past the page cache; the reader is woken when they have. Pages of a program's memory are taken to lie
    /// apart, as they do on a machine that has been up for a while.
    pub fn read_past(&mut self, now_ns: u64, asker: Asker, wanted: Wanted, events: &mut Events) {
        let request = Request {
            offset: self.cache.device_offset(wanted.file, wanted.offset),
            bytes: wanted.bytes,
            reader: asker.process,
            segment_bytes: PAGE_BYTES,
            ..Request::default()
        };
        let transfer = self.disks.read(now_ns, request, events);
        let landing = self.land(transfer);
        landing.extents = 0..0;
        landing.readers.push(asker.reader);
    }

    fn land(&mut self, transfer: u32) -> &mut Landing {
        let needed = transfer as usize + 1;
        if self.landings.len() < needed {
            self.landings.resize_with(needed, Landing::default);
        }
        &mut self.landings[transfer as usize]
    }

    /// Something happens to a disk; the readers that go on are added to `woken`.
    pub fn handle(&mut self, now_ns: u64, event: Event, events: &mut Events, woken: &mut Vec<u32>) {
        if let Some(transfer) = self.disks.handle(now_ns, event, events) {
            let landing = &mut self.landings[transfer as usize];
            self.cache.arrive(landing.extents.clone(), transfer);
            woken.append(&mut landing.readers);
        }
    }

    /// Forgets what was counted, not what is under way.
    pub fn count_anew(&mut self) {
        self.disks.count_anew();
    }

    /// What the disks did in so long a time.
    pub fn resources(&self, length_ns: u64) -> Vec<Resource> {
        self.disks.resources(length_ns)
    }
}
