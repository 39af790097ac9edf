use std::collections::HashSet;

use super::{Queue, Reference, take, total};

/// Looks through the rest of the trace for every decision.
pub struct NaiveBelady<'a> {
    rest: &'a [u32],
    cached: Queue,
    capacity: u64,
}

impl<'a> NaiveBelady<'a> {
    pub fn new(capacity: u64, requests: &'a [u32]) -> Self {
        Self {
            rest: requests,
            cached: vec![],
            capacity,
        }
    }

    fn next(&self, id: u32) -> usize {
        self.rest
            .iter()
            .position(|&other| other == id)
            .unwrap_or(usize::MAX)
    }
}

impl Reference for NaiveBelady<'_> {
    fn access(&mut self, id: u32, size: u64) -> bool {
        self.rest = &self.rest[1..];
        let found = take(&mut self.cached, id);
        self.cached.push(found.unwrap_or((id, size)));
        if found.is_none() && size > self.capacity {
            self.cached.pop();
        }
        // Objects that never return go first, whatever the room, so that only distances decide
        // among the others.
        let rest = self.rest;
        self.cached.retain(|entry| rest.contains(&entry.0));
        while total(&self.cached) > self.capacity {
            let furthest = self
                .cached
                .iter()
                .map(|entry| (self.next(entry.0), entry.0))
                .max()
                .unwrap();
            take(&mut self.cached, furthest.1);
        }
        found.is_some()
    }
}

/// The most hits any policy can have, by trying every one: each state is the set of cached objects.
pub fn most_hits(capacity: u64, requests: &[u32], sizes: &[u64]) -> u64 {
    let mut best = vec![(HashSet::<u32>::new(), 0u64)];
    for &id in requests {
        let mut after: Vec<(HashSet<u32>, u64)> = vec![];
        for (cached, hits) in best {
            let hits = hits + u64::from(cached.contains(&id));
            let mut full = cached;
            full.insert(id);
            for kept in subsets(&full) {
                let fits = kept.iter().map(|&one| sizes[one as usize]).sum::<u64>() <= capacity;
                if fits {
                    keep_better(&mut after, kept, hits);
                }
            }
        }
        best = after;
    }
    best.into_iter().map(|state| state.1).max().unwrap_or(0)
}

fn subsets(set: &HashSet<u32>) -> Vec<HashSet<u32>> {
    let mut all = vec![HashSet::new()];
    for &id in set {
        let with: Vec<HashSet<u32>> = all
            .iter()
            .map(|subset| subset.iter().copied().chain([id]).collect())
            .collect();
        all.extend(with);
    }
    all
}

fn keep_better(states: &mut Vec<(HashSet<u32>, u64)>, cached: HashSet<u32>, hits: u64) {
    match states.iter_mut().find(|state| state.0 == cached) {
        Some(state) => state.1 = state.1.max(hits),
        None => states.push((cached, hits)),
    }
}
