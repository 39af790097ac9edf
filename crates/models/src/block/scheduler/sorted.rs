//! Requests by their place on the disk and by their age.

use std::collections::BTreeMap;

use crate::block::Request;

/// Requests by their place on the disk and by their age.
#[derive(Debug, Default)]
pub(super) struct Sorted {
    /// The only one, and when it came. Most disks take what comes at once: then no map is ever filled and emptied again, which
    /// was a sixth of a simulated read.
    alone: Option<(u64, Request)>,
    by_place: BTreeMap<(u64, u64), Request>,
    /// When each came, and its place.
    by_age: BTreeMap<u64, (u64, u64)>,
    came: u64,
}

impl Sorted {
    pub fn add(&mut self, now_ns: u64, request: Request) {
        if self.is_empty() {
            self.alone = Some((now_ns, request));
            return;
        }
        if let Some((at_ns, first)) = self.alone.take() {
            self.sort_in(at_ns, first);
        }
        self.sort_in(now_ns, request);
    }

    fn sort_in(&mut self, at_ns: u64, request: Request) {
        self.came += 1;
        self.by_place.insert((request.offset, self.came), request);
        self.by_age.insert(self.came, (at_ns, request.offset));
    }

    pub fn is_empty(&self) -> bool {
        self.alone.is_none() && self.by_age.is_empty()
    }

    /// The oldest that came before a time.
    pub fn oldest_before(&self, time_ns: u64) -> Option<Request> {
        if let Some((at_ns, request)) = self.alone {
            return (at_ns < time_ns).then_some(request);
        }
        let (&came, &(at_ns, offset)) = self.by_age.first_key_value()?;
        let found = self.by_place.get(&(offset, came));
        found.filter(|_| at_ns < time_ns).copied()
    }

    /// The oldest.
    pub fn oldest(&self) -> Option<Request> {
        self.oldest_before(u64::MAX)
    }

    /// The first at or beyond `place`.
    pub fn at_or_beyond(&self, place: u64) -> Option<Request> {
        if let Some((_, request)) = self.alone {
            return (request.offset >= place).then_some(request);
        }
        let found = self.by_place.range((place, 0)..).next();
        found.map(|(_, request)| *request)
    }

    /// The last before `place`.
    pub fn before(&self, place: u64) -> Option<Request> {
        if let Some((_, request)) = self.alone {
            return (request.offset < place).then_some(request);
        }
        let found = self.by_place.range(..(place, 0)).next_back();
        found.map(|(_, request)| *request)
    }

    /// The nearest to `place`; a way back counts twice and goes no further than `back_bytes`. Where nothing else is, the first
    /// of all.
    pub fn nearest(&self, place: u64, back_bytes: u64) -> Option<Request> {
        let ahead = self.at_or_beyond(place);
        let behind = self
            .before(place)
            .filter(|it| place - it.offset <= back_bytes);
        match (ahead, behind) {
            (Some(ahead), Some(behind)) => {
                let is_ahead = ahead.offset - place <= 2 * (place - behind.offset);
                Some(if is_ahead { ahead } else { behind })
            }
            (found, None) | (None, found) => found.or_else(|| self.at_or_beyond(0)),
        }
    }

    pub fn remove(&mut self, request: Request) {
        if self
            .alone
            .take_if(|(_, it)| it.number == request.number)
            .is_some()
        {
            return;
        }
        let alike = (request.offset, 0)..=(request.offset, u64::MAX);
        let mut alike = self.by_place.range(alike);
        let found = alike.find(|(_, it)| it.number == request.number);
        if let Some(key) = found.map(|(&key, _)| key) {
            self.by_place.remove(&key);
            self.by_age.remove(&key.1);
        }
    }
}
