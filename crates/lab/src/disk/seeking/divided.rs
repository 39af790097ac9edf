//! A request that is divided among several drives, and how much each of them has to do.

use hotset_models::block::raid::{Members, Part};
use std::sync::{Arc, Mutex, PoisonError};

/// What answers a request.
pub(super) type Answer = Box<dyn FnOnce() + Send>;

/// Drive by drive: requests that are not served yet, and where the last that came ends.
pub(super) struct Queues(Vec<(usize, u64)>);

impl Members for Queues {
    fn end(&self, disk: usize) -> u64 {
        self.0[disk].1
    }

    fn length(&self, disk: usize) -> usize {
        self.0[disk].0
    }
}

impl Queues {
    /// Of so many drives without requests.
    pub fn of(disks: usize) -> Self {
        Self(vec![(0, 0); disks])
    }

    pub fn push(&mut self, part: &Part) {
        let (length, end) = &mut self.0[part.disk];
        *length += 1;
        *end = part.offset + part.bytes;
    }
}

/// What is done once so many others have happened.
pub(super) struct Countdown(Mutex<(usize, Option<Answer>)>);

impl Countdown {
    /// Of so many, more than none; `answer` is called after the last of them.
    pub fn of(count: usize, answer: Answer) -> Self {
        Self(Mutex::new((count, Some(answer))))
    }

    /// One of them has happened.
    pub fn has_done(&self) {
        let mut left = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        left.0 -= 1;
        let answer = (left.0 == 0).then(|| left.1.take()).flatten();
        drop(left);
        if let Some(answer) = answer {
            answer();
        }
    }
}

/// A request of which drives play parts.
pub(super) struct Divided {
    /// Parts that are not done.
    left: Countdown,
    queues: Arc<Mutex<Queues>>,
}

impl Divided {
    /// A request of so many parts; `answer` is called after the last of them.
    pub fn new(parts: usize, answer: Answer, queues: &Arc<Mutex<Queues>>) -> Self {
        Self {
            left: Countdown::of(parts, answer),
            queues: Arc::clone(queues),
        }
    }

    /// The part of drive `disk` is done; after the last one the request is answered.
    pub fn has_done(&self, disk: usize) {
        let mut queues = self.queues.lock().unwrap_or_else(PoisonError::into_inner);
        queues.0[disk].0 -= 1;
        drop(queues);
        self.left.has_done();
    }
}
