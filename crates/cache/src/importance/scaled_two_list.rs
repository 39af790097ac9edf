//! The page cache where each object stands for others.

use crate::policy::MAX_CAPACITY;
use crate::sized_queues::SizedQueues;

const INACTIVE: usize = 0;
const ACTIVE: usize = 1;

/// [`crate::TwoList`] for a sample, whose objects take the room of all that they stand for.
///
/// The room of an object shrinks before the object is evicted, when less than its own size is left. Of those that it stands
/// for, a request finds as many as have room left: how many of them were requested since its last request is not known, and
/// any share is taken to be as likely as another. Objects that stand for themselves alone make it the plain policy.
pub(super) struct ScaledTwoList {
    lists: SizedQueues<2>,
    objects: Vec<SampledObject>,
    capacity: u64,
}

/// What an object takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct SampledObject {
    /// Itself.
    pub(super) own: u64,
    /// With all that it stands for; not less.
    pub(super) room: u64,
}

impl ScaledTwoList {
    /// An empty cache for `capacity` units. What would take more than the cache fills it.
    pub(super) fn new(capacity: u64, mut objects: Vec<SampledObject>) -> Self {
        let capacity = capacity.min(MAX_CAPACITY);
        objects
            .iter_mut()
            .for_each(|object| object.room = capacity.min(object.room));
        Self {
            lists: SizedQueues::new(objects.len()),
            objects,
            capacity,
        }
    }

    /// Serves a request for object `id`; the share that misses of what it stands for.
    #[inline]
    pub(super) fn access(&mut self, id: u32) -> f64 {
        let object = self.objects[id as usize];
        let is_held = self.lists.place(id).is_some();
        let missing = match is_held {
            true => object.missing(self.lists.size(id)),
            false => 1.0,
        };
        if is_held {
            self.lists.remove(id);
            self.lists.push(ACTIVE, id, object.room);
        } else if object.own <= self.capacity {
            self.lists.push(INACTIVE, id, object.room);
        }
        self.shrink();
        missing
    }

    fn shrink(&mut self) {
        while let Some(over) = self.over_capacity() {
            while self.lists.used(ACTIVE) > self.lists.used(INACTIVE) {
                self.lists.shift(ACTIVE, INACTIVE);
            }
            self.make_room(over);
        }
    }

    fn over_capacity(&self) -> Option<u64> {
        let used = self.lists.used(INACTIVE) + self.lists.used(ACTIVE);
        used.checked_sub(self.capacity).filter(|over| *over > 0)
    }

    /// Takes room from the oldest inactive object, or evicts it.
    fn make_room(&mut self, over: u64) {
        let Some(oldest) = self.lists.oldest(INACTIVE) else {
            return;
        };
        let left = self.lists.size(oldest).saturating_sub(over);
        match left >= self.objects[oldest as usize].own {
            true => self.lists.resize(oldest, left),
            false => self.lists.remove(oldest),
        }
    }
}

impl SampledObject {
    /// The share of the others that has no room, where all have `left`, at least its own size.
    fn missing(self, left: u64) -> f64 {
        let others = self.room.saturating_sub(self.own).max(1);
        self.room.saturating_sub(left) as f64 / others as f64
    }
}
