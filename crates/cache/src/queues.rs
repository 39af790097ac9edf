//! Doubly linked queues of objects, stored as columns.

use crate::policy::{MAX_OBJECTS, column_bytes};

/// The links of an object that is in no queue lead nowhere.
const ABSENT: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Link {
    newer: u32,
    older: u32,
}

/// `QUEUES` queues from newest to oldest over the same objects, each object in one of them at most.
///
/// The links of object `id` are at index `id`, 8 bytes each, so the hit path makes no allocation
/// and no search. Each queue is a ring through one extra link past the objects, which spares every
/// operation the tests for an empty queue and for its ends.
pub(crate) struct Queues<const QUEUES: usize> {
    links: Vec<Link>,
    objects: usize,
}

impl<const QUEUES: usize> Queues<QUEUES> {
    pub(crate) fn new(objects: usize) -> Self {
        let objects = objects.min(MAX_OBJECTS);
        let mut links = vec![
            Link {
                newer: ABSENT,
                older: ABSENT
            };
            objects + QUEUES
        ];
        for (queue, end) in links[objects..].iter_mut().enumerate() {
            let itself = (objects + queue) as u32;
            *end = Link {
                newer: itself,
                older: itself,
            };
        }
        Self { links, objects }
    }

    pub(crate) fn objects(&self) -> usize {
        self.objects
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        column_bytes(&self.links)
    }

    #[inline]
    pub(crate) fn oldest(&self, queue: usize) -> Option<u32> {
        self.object(self.links[self.objects + queue].newer)
    }

    fn object(&self, link: u32) -> Option<u32> {
        ((link as usize) < self.objects).then_some(link)
    }

    /// Puts `id`, which is in no queue, at the newest end of `queue`.
    #[inline]
    pub(crate) fn push(&mut self, queue: usize, id: u32) {
        let end = (self.objects + queue) as u32;
        let second = self.links[end as usize].older;
        self.links[id as usize] = Link {
            newer: end,
            older: second,
        };
        self.links[second as usize].newer = id;
        self.links[end as usize].older = id;
    }

    /// Moves `id` from the queue it is in to the newest end of `queue`.
    #[inline]
    pub(crate) fn move_to(&mut self, queue: usize, id: u32) {
        self.remove(id);
        self.push(queue, id);
    }

    /// Takes `id` out of the queue it is in.
    #[inline]
    pub(crate) fn remove(&mut self, id: u32) {
        let Link { newer, older } = self.links[id as usize];
        self.links[newer as usize].older = older;
        self.links[older as usize].newer = newer;
    }
}
