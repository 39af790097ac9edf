//! What a client or a server has of a file in memory.

use std::collections::BTreeMap;
use std::ops::Range;

use hotset_cache::PAGE_BYTES;

/// A set of pages, a bit each.
#[derive(Clone, Debug, Default)]
pub struct PageSet {
    words: Vec<u64>,
}

impl PageSet {
    /// Whether a page is in it.
    pub fn has(&self, page: u64) -> bool {
        let word = self.words.get((page / 64) as usize);
        word.is_some_and(|word| word >> (page % 64) & 1 == 1)
    }

    /// Adds a page. Whether it was not in it.
    pub fn add(&mut self, page: u64) -> bool {
        let word = (page / 64) as usize;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let is_new = !self.has(page);
        self.words[word] |= 1u64 << (page % 64);
        is_new
    }

    /// Takes a page out. Whether it was in it.
    pub fn take(&mut self, page: u64) -> bool {
        let had = self.has(page);
        if had {
            self.words[(page / 64) as usize] &= !(1u64 << (page % 64));
        }
        had
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// Takes all out.
    pub fn clear(&mut self) {
        self.words.clear();
    }
}

/// Bytes of a file, from one up to another.
pub type Bytes = Range<u64>;

/// Pages of a file at a client.
#[derive(Clone, Debug, Default)]
pub struct Pages {
    /// Those whose content is known (up to date).
    pub known: PageSet,
    /// Those that have the next window read when a reader comes to them.
    pub marked: PageSet,
    /// Bytes that the server does not have, for each page.
    dirty: BTreeMap<u64, Bytes>,
    /// What was asked for and when it is there.
    arriving: Vec<(Range<u64>, u64)>,
}

impl Pages {
    /// Whether there are none.
    pub fn are_none(&self) -> bool {
        self.known.is_empty() && self.dirty.is_empty()
    }

    /// Whether the server has not all of them as they are.
    pub fn have_dirty(&self) -> bool {
        !self.dirty.is_empty()
    }

    /// How many of them the server does not have as they are.
    pub fn dirty_count(&self) -> usize {
        self.dirty.len()
    }

    /// Whether the server does not have this one as it is.
    pub fn is_dirty(&self, page: u64) -> bool {
        self.dirty.contains_key(&page)
    }

    /// Drops those that the server has.
    pub fn drop_clean(&mut self) {
        self.known.clear();
        self.marked.clear();
        self.arriving.clear();
    }

    /// These pages are on their way until `at_ns`.
    pub fn arrive(&mut self, pages: Range<u64>, at_ns: u64) {
        for page in pages.clone() {
            self.known.add(page);
        }
        self.arriving.push((pages, at_ns));
    }

    /// When a page is there, if it is on its way at `now_ns`.
    pub fn there_ns(&mut self, page: u64, now_ns: u64) -> u64 {
        self.arriving.retain(|(_, at_ns)| *at_ns > now_ns);
        let of_page = self
            .arriving
            .iter()
            .filter(|(pages, _)| pages.contains(&page));
        of_page.map(|(_, at_ns)| *at_ns).max().unwrap_or(now_ns)
    }

    /// A program writes `bytes` of a file of `file_bytes` before that. What is dirty of a page grows to all that the server is to be sent
    /// (`nfs_write_end`, `fs/nfs/file.c`; `nfs_updatepage` and `nfs_can_extend_write`, `fs/nfs/write.c`).
    pub fn write(&mut self, bytes: Bytes, file_bytes: u64, extends: bool) {
        let pages = bytes.start / PAGE_BYTES..bytes.end.div_ceil(PAGE_BYTES);
        let after_bytes = file_bytes.max(bytes.end);
        for page in pages {
            let start = page * PAGE_BYTES;
            let end = start + PAGE_BYTES;
            let mut part = bytes.start.max(start)..bytes.end.min(end);
            let had_bytes = file_bytes.clamp(start, end);
            if had_bytes == start || (part.start == start && part.end >= had_bytes) {
                self.known.add(page);
            }
            if extends && self.known.has(page) {
                part = start..after_bytes.min(end);
            }
            let dirty = self.dirty.entry(page).or_insert_with(|| part.clone());
            *dirty = dirty.start.min(part.start)..dirty.end.max(part.end);
        }
    }

    /// Takes what is dirty of one page.
    pub fn take_dirty_page(&mut self, page: u64) -> Option<Bytes> {
        self.dirty.remove(&page)
    }

    /// Takes all that is dirty, as the writes that it is sent by: what follows each other, at most so many bytes
    /// (`nfs_can_coalesce_requests` and `nfs_generic_pg_test`, `fs/nfs/pagelist.c`).
    pub fn take_dirty(&mut self, most_bytes: u64) -> Vec<Bytes> {
        let mut writes: Vec<Bytes> = Vec::new();
        for bytes in std::mem::take(&mut self.dirty).into_values() {
            match writes.last_mut() {
                Some(last) if last.end == bytes.start && bytes.end - last.start <= most_bytes => {
                    last.end = bytes.end;
                }
                _ => writes.push(bytes),
            }
        }
        writes
    }
}
