//! Tokens whose time has not come, in the order of their times.
//!
//! A binary heap of a million entries costs some twenty cache misses an entry. Time never goes back in a run, so a radix
//! queue will do (Ahuja, Mehlhorn, Orlin and Tarjan, "Faster algorithms for the shortest path problem", 1990), here with
//! digits of eight bits. An entry lies in the bucket of the highest digit in which its time differs from the queue's base. The first
//! bucket in use is sorted if it is small, and dealt out over smaller buckets if it is not. So an entry is moved a
//! few times, each time in a run of memory, whatever the distribution of times is.
//!
//! Entries that are next stand sorted in a short list. A net with few pending tokens uses nothing else.

const BITS: u32 = 8;
const BUCKETS: usize = 1 << BITS;
const DIGITS: usize = (u64::BITS / BITS) as usize;
/// A bucket of at most so many entries is sorted instead of dealt out, and the sorted list is cut back to half of twice
/// as many. Runs with a million pending tokens were as fast with 32 and with 128.
const SHORT: usize = 64;

/// Most entries are among the last of all when they come: so many are looked at one by one, and the others are halved.
const LAST: usize = 8;

/// Tokens of so many entries lie in the processor's cache anyway.
const LONG: usize = 10_000;

/// A token whose time has not come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pending {
    /// When it comes, in nanoseconds.
    pub time: u64,
    /// Tokens of one time come in this order.
    pub order: u64,
    /// Where it belongs: a place, or a bundle of tokens that one firing gave.
    pub place: u32,
    /// Its slot in a place of coloured tokens; how many tokens it is in a unit place.
    pub slot: u32,
}

impl Pending {
    fn key(&self) -> (u64, u64) {
        (self.time, self.order)
    }
}

/// The pending tokens of a run.
pub struct Queue {
    /// All entries before `limit`, the next one last.
    near: Vec<Pending>,
    limit: u64,
    /// All others, by digit and its value.
    far: Vec<Vec<Pending>>,
    /// Which buckets are in use: a bit for each.
    used: [[u64; BUCKETS / 64]; DIGITS],
    /// No entry in `far` is before it.
    base: u64,
    far_len: usize,
    /// The time of the last entry taken out: none to come is before it.
    floor: u64,
    /// Whether the sorted list was filled from afar and nobody asked yet.
    is_fresh: bool,
}

impl Default for Queue {
    fn default() -> Self {
        Queue {
            near: Vec::with_capacity(2 * SHORT + 1),
            limit: u64::MAX,
            far: Vec::new(),
            used: [[0; BUCKETS / 64]; DIGITS],
            base: 0,
            far_len: 0,
            floor: 0,
            is_fresh: false,
        }
    }
}

impl Queue {
    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.near.len() + self.far_len
    }

    /// Adds an entry, which must not be before the last one taken out.
    #[inline]
    pub fn push(&mut self, entry: Pending) {
        if entry.time >= self.limit {
            return self.push_far(entry);
        }
        self.near.insert(self.later_than(entry.time), entry);
        if self.near.len() > 2 * SHORT {
            self.shorten();
        }
    }

    /// How many entries of the short list are later.
    #[inline]
    fn later_than(&self, time: u64) -> usize {
        let (last, others) = self.near.split_at(LAST.min(self.near.len()));
        let place = last.iter().position(|it| it.time <= time);
        place.unwrap_or_else(|| last.len() + others.partition_point(|it| it.time > time))
    }

    /// When the next entry comes. Time must have come to it before the next push: the base is moved up to it.
    #[inline]
    pub fn next_time(&mut self) -> Option<u64> {
        if self.near.is_empty() {
            self.refill();
        }
        self.near.last().map(|entry| entry.time)
    }

    /// Takes the next entry out if it comes at this time.
    #[inline]
    pub fn pop_at(&mut self, time: u64) -> Option<Pending> {
        // Entries of the time that has come are all in the short list.
        let next = self.near.pop_if(|entry| entry.time == time)?;
        self.floor = time;
        Some(next)
    }

    /// The entries that are next, once each time that many of them came out of the depth of a long queue together.
    #[inline]
    pub fn fresh(&mut self) -> Option<&[Pending]> {
        std::mem::take(&mut self.is_fresh).then_some(&self.near)
    }

    /// Takes out all entries of a place.
    pub fn discard(&mut self, place: u32) {
        self.near.retain(|entry| entry.place != place);
        for (index, bucket) in self.far.iter_mut().enumerate() {
            bucket.retain(|entry| entry.place != place);
            if bucket.is_empty() {
                let (digit, value) = (index / BUCKETS, index % BUCKETS);
                self.used[digit][value / 64] &= !(1 << (value % 64));
            }
        }
        self.far_len = self.far.iter().map(Vec::len).sum();
    }

    /// All entries, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = &Pending> {
        self.near.iter().chain(self.far.iter().flatten())
    }

    fn push_far(&mut self, entry: Pending) {
        if self.far.is_empty() {
            self.far.resize_with(DIGITS * BUCKETS, Vec::new);
        }
        let differing = (entry.time ^ self.base) | 1;
        let digit = (differing.ilog2() / BITS) as usize;
        let value = (entry.time >> (digit as u32 * BITS)) as usize % BUCKETS;
        self.far[digit * BUCKETS + value].push(entry);
        self.used[digit][value / 64] |= 1 << (value % 64);
        self.far_len += 1;
    }

    /// Moves the later half of the sorted list away; all of it, if it is all of one time.
    #[cold]
    fn shorten(&mut self) {
        if self.far_len == 0 {
            self.base = self.floor;
        }
        self.limit = self.near[SHORT].time;
        let kept = self.near.partition_point(|entry| entry.time >= self.limit);
        let later: Vec<Pending> = self.near.drain(..kept).collect();
        later
            .into_iter()
            .rev()
            .for_each(|entry| self.push_far(entry));
    }

    /// Takes the first bucket in use into the sorted list.
    #[cold]
    fn refill(&mut self) {
        while let Some((digit, value)) = self.first_used() {
            let shift = digit as u32 * BITS;
            let above = (self.base >> shift) >> BITS << BITS;
            let start = (above | value as u64) << shift;
            self.used[digit][value / 64] &= !(1 << (value % 64));
            let bucket = &mut self.far[digit * BUCKETS + value];
            let mut entries = std::mem::take(bucket);
            self.far_len -= entries.len();
            self.base = start;
            if digit == 0 || entries.len() <= SHORT {
                entries.sort_unstable_by_key(|entry| std::cmp::Reverse(entry.key()));
                self.limit = start.saturating_add(1 << shift);
                self.near.clear();
                self.near.extend_from_slice(&entries);
                self.is_fresh = self.far_len > LONG;
                entries.clear();
                // The bucket's memory stays with it.
                self.far[digit * BUCKETS + value] = entries;
                return;
            }
            entries.drain(..).for_each(|entry| self.push_far(entry));
            self.far[digit * BUCKETS + value] = entries;
        }
        self.limit = u64::MAX;
    }

    fn first_used(&self) -> Option<(usize, usize)> {
        for (digit, used) in self.used.iter().enumerate() {
            for (word, &bits) in used.iter().enumerate() {
                if bits != 0 {
                    return Some((digit, word * 64 + bits.trailing_zeros() as usize));
                }
            }
        }
        None
    }
}
