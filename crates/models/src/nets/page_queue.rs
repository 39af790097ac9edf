//! A queue of pages from which the oldest is taken, or one by its number.

use std::collections::{BTreeMap, HashMap};

use hotset_petri::{Colour, Discipline, Offer, Time};

/// A page of the buffer cache (figure 22).
#[derive(Clone, Copy, Debug)]
pub(super) struct CachedPage {
    pub page: u64,
    /// The first flag: it was accessed since it came into the inactive queue.
    pub referenced: bool,
    /// The second flag: it was accessed again, and is in the active queue.
    pub active: bool,
    /// When it came into the inactive queue, or was last accessed in the active one.
    pub since: Time,
}

impl CachedPage {
    /// A page just introduced.
    pub fn new(page: u64, since: Time) -> Self {
        Self {
            page,
            referenced: false,
            active: false,
            since,
        }
    }
}

impl Colour for CachedPage {}

/// Offers the page that is in the queue for longest, or the page of a number.
#[derive(Default)]
pub(super) struct PageQueue {
    in_order: BTreeMap<(Time, u64), CachedPage>,
    since: HashMap<u64, Time>,
}

impl PageQueue {
    fn take(&mut self, key: (Time, u64)) -> CachedPage {
        self.since.remove(&key.1);
        let page = self.in_order.remove(&key);
        page.expect("an offered token is there")
    }
}

impl Discipline for PageQueue {
    type Token = CachedPage;
    const NAME: &'static str = "oldest first";
    const OFFERS_MANY: bool = false;

    fn add(&mut self, page: CachedPage) {
        self.since.insert(page.page, page.since);
        self.in_order.insert((page.since, page.page), page);
    }

    fn clear(&mut self) {
        self.in_order.clear();
        self.since.clear();
    }

    fn tokens(&self) -> Vec<&CachedPage> {
        self.in_order.values().collect()
    }
}

impl Offer<()> for PageQueue {
    fn count(&self, (): &()) -> u32 {
        u32::from(!self.in_order.is_empty())
    }

    fn get(&self, (): &(), _: u32) -> &CachedPage {
        let first = self.in_order.values().next();
        first.expect("an offered token is there")
    }

    fn take(&mut self, (): &(), _: u32) -> CachedPage {
        let first = self.in_order.keys().next().copied();
        self.take(first.expect("an offered token is there"))
    }
}

impl Offer<u64> for PageQueue {
    fn count(&self, page: &u64) -> u32 {
        u32::from(self.since.contains_key(page))
    }

    fn get(&self, page: &u64, _: u32) -> &CachedPage {
        &self.in_order[&(self.since[page], *page)]
    }

    fn take(&mut self, page: &u64, _: u32) -> CachedPage {
        self.take((self.since[page], *page))
    }
}
