//! Belady's policy, which knows the future.

mod positions;

use crate::policy::{MAX_CAPACITY, MAX_OBJECTS, Policy, column_bytes};
use crate::{CacheError, scan};
use positions::Positions;

/// Marks a request whose object is not asked for again.
const NEVER: u32 = u32::MAX;

/// Evicts the object whose next request is furthest away, which can be the one just asked for
/// (Belady: "A study of replacement algorithms for a virtual-storage computer", IBM Systems Journal
/// 5(2), 1966).
///
/// When all sizes are equal no policy hits more often. When they differ it is neither that nor a
/// bound: it looks at distances alone, and a policy that prefers small objects can do better;
/// [`crate::hit_bound`] is a bound then.
///
/// The requests must be accessed in the order they were given in, each once.
pub struct Belady<'a> {
    requests: &'a [u32],
    /// For each request, the next one for the same object.
    next: Vec<u32>,
    /// The next requests for the objects in the cache. An object is in the cache exactly when its
    /// next request is here.
    hits_to_come: Positions,
    sizes: Vec<u64>,
    now: usize,
    free: u64,
    capacity: u64,
}

impl<'a> Belady<'a> {
    /// An empty cache for `capacity` units and the ids below `objects` that `requests` will ask
    /// for.
    ///
    /// # Errors
    /// [`CacheError::TooManyRequests`] for 2^32 - 1 requests or more, [`CacheError::UnknownObject`]
    /// for an id from `objects`.
    pub fn new(capacity: u64, requests: &'a [u32], objects: usize) -> Result<Self, CacheError> {
        let objects = objects.min(MAX_OBJECTS);
        if requests.len() >= NEVER as usize {
            return Err(CacheError::TooManyRequests {
                requests: requests.len(),
                most: NEVER as usize - 1,
            });
        }
        scan::check_ids(requests, objects)?;
        let capacity = capacity.min(MAX_CAPACITY);
        Ok(Self {
            requests,
            next: next_requests(requests, objects),
            hits_to_come: Positions::new(requests.len()),
            sizes: vec![0; objects],
            now: 0,
            free: capacity,
            capacity,
        })
    }

    fn leave(&mut self, id: u32) {
        self.free += self.sizes[id as usize];
    }

    fn enter(&mut self, id: u32, size: u64, next: u32) {
        self.hits_to_come.insert(next as usize);
        self.sizes[id as usize] = size;
        while self.free < size {
            // The object itself is among the candidates, and it fits into an empty cache.
            let Some(furthest) = self.hits_to_come.remove_last() else {
                return;
            };
            let victim = self.requests[furthest];
            if victim == id {
                return;
            }
            self.leave(victim);
        }
        self.free -= size;
    }
}

/// For each request the position of the next one for the same object, or [`NEVER`].
fn next_requests(requests: &[u32], objects: usize) -> Vec<u32> {
    let mut next = vec![NEVER; requests.len()];
    let mut coming = vec![NEVER; objects];
    for (position, &id) in requests.iter().enumerate().rev() {
        next[position] = coming[id as usize];
        coming[id as usize] = position as u32;
    }
    next
}

impl Policy for Belady<'_> {
    fn access(&mut self, id: u32, size: u64) -> bool {
        let Some(&next) = self.next.get(self.now) else {
            return false;
        };
        let hit = self.hits_to_come.remove(self.now);
        self.now += 1;
        let kept_size = if hit { self.sizes[id as usize] } else { size };
        if hit {
            self.leave(id);
        }
        // An object that is not asked for again is as good as evicted.
        if next != NEVER && kept_size <= self.capacity {
            self.enter(id, kept_size, next);
        }
        hit
    }

    fn objects(&self) -> usize {
        self.sizes.len()
    }

    fn memory_bytes(&self) -> usize {
        column_bytes(&self.next) + column_bytes(&self.sizes) + self.hits_to_come.memory_bytes()
    }
}
