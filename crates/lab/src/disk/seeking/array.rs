//! One drive, or several that act as one: whoever asks sees one range of bytes.
//!
//! Data lies in one image, by the range's own offsets. Drives play the times of their parts; where each part is, is the very
//! mapping of the model ([`hotset_models::block::raid`]).

use super::arm::{Arm, Job, Work};
use super::options::Options;
use super::statistics::Statistics;
use fuser::{Errno, ReplyData, ReplyWrite};
use hotset_models::block::raid::{Members, Part, divide, divide_write};
use hotset_scenario::Raid;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What answers a request.
type Answer = Box<dyn FnOnce() + Send>;

/// One drive, or several.
pub(super) struct Array {
    arms: Vec<Arc<Arm>>,
    /// What divides requests among several.
    raid: Option<Divider>,
}

struct Divider {
    raid: Raid,
    image: File,
    queues: Arc<Mutex<Queues>>,
}

/// Drive by drive: requests that are not served yet, and where the last that came ends.
struct Queues(Vec<(usize, u64)>);

impl Members for Queues {
    fn end(&self, disk: usize) -> u64 {
        self.0[disk].1
    }

    fn length(&self, disk: usize) -> usize {
        self.0[disk].0
    }
}

impl Array {
    pub fn new(image: File, options: &Options) -> io::Result<Self> {
        let disks = options.raid.map_or(1, |raid| raid.disks);
        let own = Options {
            capacity_bytes: options.member_bytes(),
            ..options.clone()
        };
        let arm = |_| Ok(Arc::new(Arm::new(image.try_clone()?, &own)));
        let arms = (0..disks).map(arm).collect::<io::Result<_>>()?;
        let divider = |raid: Raid| Divider {
            raid,
            image,
            queues: Arc::new(Mutex::new(Queues(vec![(0, 0); raid.disks]))),
        };
        Ok(Self {
            arms,
            raid: options.raid.map(divider),
        })
    }

    /// Its drives.
    pub fn arms(&self) -> &[Arc<Arm>] {
        &self.arms
    }

    pub fn read(&self, offset: u64, length: usize, reply: ReplyData) {
        let Some(divider) = &self.raid else {
            let work = Work::Read { length, reply };
            return self.arms[0].push(Job { offset, work });
        };
        let mut data = vec![0; length];
        let read = divider.image.read_exact_at(&mut data, offset);
        let answer = Box::new(move || match read {
            Ok(()) => reply.data(&data),
            Err(error) => reply.error(Errno::from(error)),
        });
        let mut parts = Vec::new();
        let queues = divider.queues();
        divide(divider.raid, offset, length as u64, &*queues, &mut parts);
        self.play(divider, queues, &parts, false, answer);
    }

    pub fn write(&self, offset: u64, data: Vec<u8>, reply: ReplyWrite) {
        let Some(divider) = &self.raid else {
            let work = Work::Write { data, reply };
            return self.arms[0].push(Job { offset, work });
        };
        let length = data.len() as u64;
        let written = divider.image.write_all_at(&data, offset);
        let answer = Box::new(move || match written {
            Ok(()) => reply.written(u32::try_from(length).unwrap_or(u32::MAX)),
            Err(error) => reply.error(Errno::from(error)),
        });
        let mut parts = Vec::new();
        divide_write(divider.raid, offset, length, &mut parts);
        self.play(divider, divider.queues(), &parts, true, answer);
    }

    /// Has the drives play their parts; the last one answers.
    fn play(
        &self,
        divider: &Divider,
        mut queues: MutexGuard<'_, Queues>,
        parts: &[Part],
        writes: bool,
        answer: Answer,
    ) {
        let request = Arc::new(Divided {
            left: Mutex::new((parts.len(), Some(answer))),
            queues: Arc::clone(&divider.queues),
        });
        for part in parts {
            queues.0[part.disk].0 += 1;
            queues.0[part.disk].1 = part.offset + part.bytes;
            let work = Work::Part {
                length: part.bytes,
                writes,
                disk: part.disk,
                request: Arc::clone(&request),
            };
            let offset = part.offset;
            self.arms[part.disk].push(Job { offset, work });
        }
    }

    pub fn close(&self) {
        self.arms.iter().for_each(|arm| arm.close());
    }

    pub fn set_delays(&self, on: bool) {
        self.arms.iter().for_each(|arm| arm.set_delays(on));
    }

    /// Of all drives together.
    pub fn statistics(&self) -> Statistics {
        let own = self.arms.iter().map(|arm| arm.statistics());
        own.fold(Statistics::default(), |sum, it| sum.and(&it))
    }
}

impl Divider {
    fn queues(&self) -> MutexGuard<'_, Queues> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request of which drives play parts.
pub(super) struct Divided {
    /// Parts that are not done, and what is done then.
    left: Mutex<(usize, Option<Answer>)>,
    queues: Arc<Mutex<Queues>>,
}

impl Divided {
    /// The part of drive `disk` is done; after the last one the request is answered.
    pub fn has_done(&self, disk: usize) {
        let mut queues = self.queues.lock().unwrap_or_else(PoisonError::into_inner);
        queues.0[disk].0 -= 1;
        drop(queues);
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        left.0 -= 1;
        let answer = (left.0 == 0).then(|| left.1.take()).flatten();
        drop(left);
        if let Some(answer) = answer {
            answer();
        }
    }
}
