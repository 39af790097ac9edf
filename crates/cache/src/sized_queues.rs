//! Queues that know how much their objects take.

use crate::policy::column_bytes;
use crate::queues::Queues;

/// Marks an object that is in no queue.
const NOWHERE: u8 = u8::MAX;

/// [`Queues`] that remember which queue an object is in, its size when it was pushed, and each
/// queue's total.
///
/// 17 bytes per object: links 8, size 8, queue 1.
pub(crate) struct SizedQueues<const QUEUES: usize> {
    queues: Queues<QUEUES>,
    sizes: Vec<u64>,
    place: Vec<u8>,
    used: [u64; QUEUES],
}

impl<const QUEUES: usize> SizedQueues<QUEUES> {
    pub(crate) fn new(objects: usize) -> Self {
        let queues = Queues::new(objects);
        let objects = queues.objects();
        Self {
            queues,
            sizes: vec![0; objects],
            place: vec![NOWHERE; objects],
            used: [0; QUEUES],
        }
    }

    pub(crate) fn objects(&self) -> usize {
        self.queues.objects()
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.queues.memory_bytes() + column_bytes(&self.sizes) + column_bytes(&self.place)
    }

    /// The queue that `id` is in.
    #[inline]
    pub(crate) fn place(&self, id: u32) -> Option<usize> {
        let place = self.place[id as usize];
        (place != NOWHERE).then_some(usize::from(place))
    }

    /// Sum of the sizes in `queue`.
    #[inline]
    pub(crate) fn used(&self, queue: usize) -> u64 {
        self.used[queue]
    }

    /// What `id`, which is in a queue, takes there.
    #[inline]
    pub(crate) fn size(&self, id: u32) -> u64 {
        self.sizes[id as usize]
    }

    /// Lets `id`, which is in a queue, take `size` from now on.
    #[inline]
    pub(crate) fn resize(&mut self, id: u32, size: u64) {
        let used = &mut self.used[usize::from(self.place[id as usize])];
        *used = *used - self.sizes[id as usize] + size;
        self.sizes[id as usize] = size;
    }

    #[inline]
    pub(crate) fn oldest(&self, queue: usize) -> Option<u32> {
        self.queues.oldest(queue)
    }

    /// Puts `id`, which is in no queue, at the newest end of `queue`.
    #[inline]
    pub(crate) fn push(&mut self, queue: usize, id: u32, size: u64) {
        self.queues.push(queue, id);
        self.sizes[id as usize] = size;
        self.place[id as usize] = queue as u8;
        self.used[queue] += size;
    }

    /// Moves `id` from the queue it is in to the newest end of `queue`.
    #[inline]
    pub(crate) fn move_to(&mut self, queue: usize, id: u32) {
        self.queues.move_to(queue, id);
        let from = usize::from(self.place[id as usize]);
        // The hot case: no size has to be looked up.
        if from != queue {
            let size = self.sizes[id as usize];
            self.place[id as usize] = queue as u8;
            self.used[from] -= size;
            self.used[queue] += size;
        }
    }

    /// Takes `id` out of the queue it is in.
    #[inline]
    pub(crate) fn remove(&mut self, id: u32) {
        self.queues.remove(id);
        let from = usize::from(self.place[id as usize]);
        self.used[from] -= self.sizes[id as usize];
        self.place[id as usize] = NOWHERE;
    }

    /// Moves the oldest object of `from` to the newest end of `to`; false when there is none.
    #[inline]
    pub(crate) fn shift(&mut self, from: usize, to: usize) -> bool {
        self.oldest(from).map(|id| self.move_to(to, id)).is_some()
    }

    /// Takes the oldest object out of `queue`; false when there is none.
    #[inline]
    pub(crate) fn drop_oldest(&mut self, queue: usize) -> bool {
        self.oldest(queue).map(|id| self.remove(id)).is_some()
    }
}
