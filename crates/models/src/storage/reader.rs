//! The kernel's loop over a read (`filemap_read`, `filemap_splice_read`, `filemap_fault` in `mm/filemap.c` of Linux 6.18): each
//! extent is looked up, read-ahead is asked, what is missing is waited for, and what is there is copied.
//!
//! Whoever reads uses it: jobs of fio, and a web server that sends files.

use hotset_cache::PAGE_BYTES;

use super::open_file::OpenFile;
use crate::block::Request;
use crate::page_cache::{MissingRun, PageCache};
use crate::read_ahead::{Lookup, Window};

/// Bytes that `sendfile` moves at a time: a pipe holds 16 pages (`PIPE_DEF_BUFFERS`, `include/linux/pipe_fs_i.h`).
pub(crate) const SEND_BYTES: u64 = 16 * PAGE_BYTES;

/// What brings into memory what a reader lacks.
pub(super) trait Supplier {
    /// Asks for `missing`, with a request like this one; the number of the transfer that brings it, or nothing where it is there at
    /// once.
    fn ask(&mut self, now_ns: u64, missing: &MissingRun, like: Request) -> Option<u32>;
}

/// What a read waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wait {
    /// The block that says where data is.
    Map,
    /// Data.
    Data,
}

/// A read under way.
#[derive(Clone, Copy, Debug)]
pub struct Read {
    bytes: u64,
    /// The byte that is looked for next, and where it ends.
    at: u64,
    end: u64,
    /// Where what is not copied yet begins.
    copied: u64,
    missed: bool,
    /// Page faults that have yet to be paid for.
    faults: u64,
    /// What was waited for at `at`, and is used whatever has become of it: memory may be too small to keep it.
    waited: Option<Wait>,
}

impl Read {
    /// Of so many bytes of a file, more than none, from `offset` on.
    #[must_use]
    pub fn new(offset: u64, bytes: u64) -> Self {
        Self {
            bytes,
            at: offset,
            end: offset + bytes,
            copied: offset,
            missed: false,
            faults: 0,
            waited: None,
        }
    }

    /// Where in the file it begins.
    #[inline]
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.end - self.bytes
    }

    /// Its bytes.
    #[inline]
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether it has waited for a disk.
    #[inline]
    #[must_use]
    pub fn missed(&self) -> bool {
        self.missed
    }

    /// Takes what is there and not copied yet for copied: its bytes, and the faults that it took.
    #[inline]
    pub(super) fn take_copied(&mut self) -> (u64, u64) {
        let bytes = self.at - self.copied;
        self.copied = self.at;
        (bytes, std::mem::take(&mut self.faults))
    }

    /// Where what `sendfile` moves at a time ends that has `at` in it: a pipe's worth from where the read began.
    #[inline]
    fn sent_until(&self, at: u64) -> u64 {
        let start = self.offset();
        let ends = start + ((at - start) / SEND_BYTES + 1) * SEND_BYTES;
        ends.min(self.end)
    }
}

/// Why a read does not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pause {
    /// What is there is copied before anything more is asked for.
    Copies,
    /// The same, and it has all its bytes then.
    Ends,
    /// This transfer brings what it waits for.
    Waits(u32),
}

/// The page cache with its readers.
pub(super) struct Reader {
    pub cache: PageCache,
    /// Whether the cache follows large folios. It does not for files that are copied to programs; requests do.
    pub large_folios: bool,
    /// Kept empty, so that a miss allocates nothing.
    windows: Vec<Window>,
    runs: Vec<MissingRun>,
}

impl Reader {
    pub fn new(cache: PageCache, large_folios: bool) -> Self {
        Self {
            cache,
            large_folios,
            windows: Vec::new(),
            runs: Vec::new(),
        }
    }

    /// Goes from extent to extent until one is not there.
    #[inline]
    pub fn advance(
        &mut self,
        now_ns: u64,
        file: &mut OpenFile,
        read: &mut Read,
        supplier: &mut impl Supplier,
    ) -> Pause {
        let (number, mapping, is_sent) = (file.number, file.mapping, file.is_sent());
        while read.at < read.end {
            let waited = read.waited.take();
            let has_mapped = mapping.is_some_and(|it| self.cache.has_mapped(it, read.at));
            if waited != Some(Wait::Data) && !has_mapped {
                // What `sendfile` has goes to the socket before it waits for more.
                let waits = is_sent && self.cache.coming(number, read.at).is_some();
                if read.at > read.copied && (waits || self.cache.lacks(number, read.at)) {
                    return Pause::Copies;
                }
                let bytes = match mapping {
                    None if is_sent => read.sent_until(read.at) - read.at,
                    None => read.end - read.at,
                    Some(_) => file.fault_bytes,
                };
                let wanted = (read.at, bytes);
                if let Some((transfer, wait)) =
                    self.look_up(now_ns, file, wanted, waited.is_some(), supplier)
                {
                    read.missed = true;
                    read.waited = Some(wait);
                    return Pause::Waits(transfer);
                }
            }
            match mapping {
                None => self.cache.copy(now_ns, number, read.at),
                Some(mapping) if !has_mapped => {
                    self.cache.fault_around(mapping, read.at);
                    read.faults += 1;
                }
                Some(mapping) => self.cache.access_mapped(mapping, read.at),
            }
            read.at = self.cache.extent_end(read.at).min(read.end);
            if is_sent && read.at == read.sent_until(read.at - 1) {
                file.ahead.has_read((read.at - 1) / PAGE_BYTES);
            }
        }
        // Faults do not tell read-ahead where they were.
        if mapping.is_none() && !is_sent {
            file.ahead.has_read((read.end - 1) / PAGE_BYTES);
        }
        Pause::Ends
    }

    /// Looks the extent at `offset` up, from which so many bytes are wanted, and asks for what read-ahead makes of that; the transfer
    /// that is to be waited for, and what it brings. `knows_place`: the block that says where it is was just waited for.
    #[inline]
    fn look_up(
        &mut self,
        now_ns: u64,
        file: &mut OpenFile,
        (offset, bytes): (u64, u64),
        knows_place: bool,
        supplier: &mut impl Supplier,
    ) -> Option<(u32, Wait)> {
        let number = file.number;
        let page = offset / PAGE_BYTES;
        let pages = (offset + bytes).div_ceil(PAGE_BYTES) - page;
        let found = self.cache.find(number, offset);
        let process = file.usage.process;
        if found == Lookup::Missing
            && !knows_place
            && let Some(transfer) = self.map_block(now_ns, process, number, page, supplier)
        {
            return Some((transfer, Wait::Map));
        }
        let (ahead, windows) = (&mut *file.ahead, &mut self.windows);
        self.cache
            .windows(number, page, pages, found, ahead, windows);
        if !self.windows.is_empty() {
            self.load(now_ns, file, supplier);
        }
        let transfer = self.cache.coming(number, offset)?;
        Some((transfer, Wait::Data))
    }

    /// The transfer that brings the block that maps `page`, unless that is in memory.
    fn map_block(
        &mut self,
        now_ns: u64,
        process: u32,
        file: u32,
        page: u64,
        supplier: &mut impl Supplier,
    ) -> Option<u32> {
        let (missing, coming) = self.cache.missing_map(file, page)?;
        if coming.is_some() {
            return coming;
        }
        self.cache.add_map(now_ns, &missing);
        let like = Request {
            reader: process,
            ..Request::default()
        };
        self.ask(now_ns, &missing, like, supplier)
    }

    /// Has what is missing of the chosen windows brought, run by run.
    fn load(&mut self, now_ns: u64, file: &OpenFile, supplier: &mut impl Supplier) {
        let order = file.ahead.folio_order();
        let like = Request {
            reader: file.usage.process,
            streams: file.streams,
            segment_bytes: PAGE_BYTES << order,
            ..Request::default()
        };
        let order = if self.large_folios { order } else { 0 };
        let mut windows = std::mem::take(&mut self.windows);
        let mut runs = std::mem::take(&mut self.runs);
        for window in windows.drain(..) {
            self.cache
                .add(now_ns, file.number, window, order, &mut runs);
            for run in runs.drain(..) {
                self.ask(now_ns, &run, like, supplier);
            }
        }
        (self.windows, self.runs) = (windows, runs);
    }

    fn ask(
        &mut self,
        now_ns: u64,
        missing: &MissingRun,
        like: Request,
        supplier: &mut impl Supplier,
    ) -> Option<u32> {
        let MissingRun { offset, bytes, .. } = *missing;
        let request = Request {
            offset,
            bytes,
            ..like
        };
        let transfer = supplier.ask(now_ns, missing, request)?;
        self.cache.expect(missing.extents.clone(), transfer);
        Some(transfer)
    }
}
