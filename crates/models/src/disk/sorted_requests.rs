//! Requests by their place on the disk and by their age.

use std::collections::BTreeMap;
use std::fmt;

/// A request's place, and its number among those that came.
pub(crate) type Key = (u64, u64);

/// Requests by their place on the disk and by their age.
#[derive(Clone)]
pub(crate) struct SortedRequests<T> {
    /// The only one, and when it came. Most disks take what comes at once: then no map is ever filled and emptied again, which
    /// was a sixth of a simulated read.
    alone: Option<(u64, Key, T)>,
    by_place: BTreeMap<Key, T>,
    /// When each came, and its place.
    by_age: BTreeMap<u64, (u64, u64)>,
    arrivals: u64,
}

impl<T> Default for SortedRequests<T> {
    fn default() -> Self {
        Self {
            alone: None,
            by_place: BTreeMap::new(),
            by_age: BTreeMap::new(),
            arrivals: 0,
        }
    }
}

/// In the order in which they came, without the number of all that ever came.
impl<T: fmt::Debug> fmt::Debug for SortedRequests<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let alone = self.alone.iter();
        let alone = alone.map(|(at_ns, key, request)| (*at_ns, key.0, request));
        let others = self.by_age.iter().filter_map(|(&number, &(at_ns, place))| {
            let request = self.by_place.get(&(place, number))?;
            Some((at_ns, place, request))
        });
        f.debug_list().entries(alone.chain(others)).finish()
    }
}

impl<T> SortedRequests<T> {
    pub fn add(&mut self, now_ns: u64, offset: u64, request: T) {
        let is_alone = self.is_empty();
        self.arrivals += 1;
        let new = (now_ns, (offset, self.arrivals), request);
        if is_alone {
            self.alone = Some(new);
            return;
        }
        for (at_ns, key, request) in self.alone.take().into_iter().chain([new]) {
            self.by_place.insert(key, request);
            self.by_age.insert(key.1, (at_ns, key.0));
        }
    }

    pub fn len(&self) -> usize {
        self.by_place.len() + usize::from(self.alone.is_some())
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The oldest that came before a time.
    pub fn oldest_before(&self, time_ns: u64) -> Option<Key> {
        let (at_ns, key) = match &self.alone {
            Some((at_ns, key, _)) => (*at_ns, *key),
            None => {
                let (&arrival, &(at_ns, offset)) = self.by_age.first_key_value()?;
                (at_ns, (offset, arrival))
            }
        };
        (at_ns < time_ns).then_some(key)
    }

    /// The oldest.
    pub fn oldest(&self) -> Option<Key> {
        self.oldest_before(u64::MAX)
    }

    /// The first at or beyond `place`.
    pub fn at_or_beyond(&self, place: u64) -> Option<Key> {
        match &self.alone {
            Some((_, key, _)) => (key.0 >= place).then_some(*key),
            None => Some(*self.by_place.range((place, 0)..).next()?.0),
        }
    }

    /// The last before `place`.
    fn before(&self, place: u64) -> Option<Key> {
        match &self.alone {
            Some((_, key, _)) => (key.0 < place).then_some(*key),
            None => Some(*self.by_place.range(..(place, 0)).next_back()?.0),
        }
    }

    /// The nearest to `place`; a way back counts twice and goes no further than `back_bytes`. Where nothing else is, the first
    /// of all.
    pub fn nearest(&self, place: u64, back_bytes: u64) -> Option<Key> {
        let ahead = self.at_or_beyond(place);
        let behind = self.before(place).filter(|it| place - it.0 <= back_bytes);
        match (ahead, behind) {
            (Some(ahead), Some(behind)) => {
                let is_ahead = ahead.0 - place <= 2 * (place - behind.0);
                Some(if is_ahead { ahead } else { behind })
            }
            (found, None) | (None, found) => found.or_else(|| self.at_or_beyond(0)),
        }
    }

    pub fn get(&self, key: Key) -> Option<&T> {
        match &self.alone {
            Some((_, _, request)) => Some(request),
            None => self.by_place.get(&key),
        }
    }

    pub fn remove(&mut self, key: Key) -> Option<T> {
        if let Some((_, _, request)) = self.alone.take() {
            return Some(request);
        }
        self.by_age.remove(&key.1);
        self.by_place.remove(&key)
    }
}
