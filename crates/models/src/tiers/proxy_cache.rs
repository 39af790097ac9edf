//! Answers that a proxy keeps, as nginx does (`proxy_cache`).

use std::collections::{BTreeMap, HashMap};

use hotset_cache::PAGE_BYTES;
use hotset_petri::Time;

use super::result::CacheCounts;

/// Bytes before those of the file in what nginx keeps: 336 of its own header, some 67 of the key, 256 of the answer's head
/// (`ngx_http_file_cache_header_t`, `src/http/ngx_http_cache.h` of nginx 1.22).
const HEAD_BYTES: u64 = 660;

/// How often nginx looks whether it keeps more than it may (`ngx_http_file_cache_expire`, `src/http/ngx_http_file_cache.c` of nginx 1.22): until
/// then it keeps what comes.
const LOOK: Time = Time::from_nanos(10_000_000_000);

/// How much a proxy keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Bytes of all that it keeps, in whole pages (`max_size`).
    pub bytes: u64,
    /// How many answers (`keys_zone`).
    pub answers: usize,
}

/// Answers that a proxy keeps. What was asked for the longest ago leaves first.
pub(crate) struct ProxyCache {
    most: Kept,
    /// Files of which the answer is kept: when each was last asked for, and its pages.
    kept: HashMap<u32, (u64, u64)>,
    /// Those files in the order in which they were last asked for.
    order: BTreeMap<u64, u32>,
    pages: u64,
    /// Requests and answers so far: the clock of that order.
    clock: u64,
    /// When it is looked next whether it keeps too much; nothing where there is no time, and that is looked at with each answer.
    next_look: Option<Time>,
    counts: CacheCounts,
}

impl ProxyCache {
    /// With nothing kept, where there is no time.
    pub fn new(most: Kept) -> Self {
        Self {
            most,
            kept: HashMap::new(),
            order: BTreeMap::new(),
            pages: 0,
            clock: 0,
            next_look: None,
            counts: CacheCounts::default(),
        }
    }

    /// With nothing kept, from time 0 on.
    pub fn in_time(most: Kept) -> Self {
        Self {
            next_look: Some(LOOK),
            ..Self::new(most)
        }
    }

    /// It is so late: where it was to be looked meanwhile, what is too much has left.
    pub fn look(&mut self, now: Time) {
        let Some(due) = self.next_look.filter(|due| *due <= now) else {
            return;
        };
        let most_pages = self.most.bytes / PAGE_BYTES;
        while self.pages >= most_pages && !self.order.is_empty() {
            self.drop_oldest();
        }
        let looks = (now - due).nanos() / LOOK.nanos() + 1;
        self.next_look = Some(due + Time::from_nanos(looks * LOOK.nanos()));
    }

    /// A request for a file of so many bytes comes; whether the answer is kept.
    pub fn look_up(&mut self, file: u32, bytes: u64) -> bool {
        let is_kept = self.kept.contains_key(&file);
        if is_kept {
            self.touch(file);
        }
        self.counts.add(is_kept, bytes);
        is_kept
    }

    /// The whole answer for a file of so many bytes has come.
    pub fn keep(&mut self, file: u32, bytes: u64) {
        if self.kept.contains_key(&file) {
            return self.touch(file);
        }
        let pages = (bytes + HEAD_BYTES).div_ceil(PAGE_BYTES);
        let most_pages = self.most.bytes / PAGE_BYTES;
        let is_timeless = self.next_look.is_none();
        if self.most.answers == 0 || (is_timeless && pages > most_pages) {
            return;
        }
        while (is_timeless && self.pages + pages > most_pages)
            || self.kept.len() >= self.most.answers
        {
            self.drop_oldest();
        }
        self.kept.insert(file, (self.clock, pages));
        self.order.insert(self.clock, file);
        self.pages += pages;
        self.clock += 1;
    }

    fn touch(&mut self, file: u32) {
        if let Some((last, _)) = self.kept.get_mut(&file) {
            self.order.remove(last);
            *last = self.clock;
            self.order.insert(self.clock, file);
            self.clock += 1;
        }
    }

    fn drop_oldest(&mut self) {
        let oldest = self.order.pop_first();
        let dropped = oldest.and_then(|(_, file)| self.kept.remove(&file));
        self.pages -= dropped.map_or(0, |(_, pages)| pages);
    }

    /// What it had of what was asked for.
    pub fn counts(&self) -> CacheCounts {
        self.counts
    }

    /// Forgets what was counted, not what is kept.
    pub fn count_anew(&mut self) {
        self.counts = CacheCounts::default();
    }
}
