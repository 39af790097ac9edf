//! One drive, or several that act as one: whoever asks sees one range of bytes.
//!
//! Data lies in one image, by the range's own offsets. Drives play the times of their parts; where each part is, is the very
//! mapping of the model ([`hotset_models::block::raid`]).

use super::divided::{Answer, Countdown, Divided, Queues};
use super::head::{Head, Job, Work};
use super::options::Options;
use super::statistics::Statistics;
use fuser::{Errno, ReplyData, ReplyEmpty, ReplyWrite};
use hotset_models::block::raid::{DividedWrite, Part, divide, divide_write};
use hotset_scenario::Raid;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// One drive, or several.
pub(super) struct Array {
    heads: Vec<Arc<Head>>,
    /// What divides requests among several.
    raid: Option<Divider>,
}

struct Divider {
    raid: Raid,
    image: File,
    drives: Drives,
}

/// Drives that play parts of requests, and what each of them has to do.
#[derive(Clone)]
struct Drives {
    heads: Vec<Arc<Head>>,
    queues: Arc<Mutex<Queues>>,
}

impl Array {
    pub fn new(image: File, options: &Options) -> io::Result<Self> {
        let disks = options.raid.map_or(1, |raid| raid.disks);
        let own = Options {
            capacity_bytes: options.member_bytes(),
            ..options.clone()
        };
        let head = |_| Ok(Arc::new(Head::new(image.try_clone()?, &own)));
        let heads: Vec<Arc<Head>> = (0..disks).map(head).collect::<io::Result<_>>()?;
        let divider = |raid: Raid| Divider {
            raid,
            image,
            drives: Drives {
                heads: heads.clone(),
                queues: Arc::new(Mutex::new(Queues::of(raid.disks))),
            },
        };
        let raid = options.raid.map(divider);
        Ok(Self { heads, raid })
    }

    /// Its drives.
    pub fn heads(&self) -> &[Arc<Head>] {
        &self.heads
    }

    pub fn read(&self, offset: u64, length: usize, reply: ReplyData) {
        let Some(divider) = &self.raid else {
            let work = Work::Read { length, reply };
            return self.heads[0].push(Job { offset, work });
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
        divider.drives.play(queues, &parts, false, answer);
    }

    pub fn write(&self, offset: u64, data: Vec<u8>, reply: ReplyWrite) {
        let Some(divider) = &self.raid else {
            let work = Work::Write { data, reply };
            return self.heads[0].push(Job { offset, work });
        };
        let length = data.len() as u64;
        let written = divider.image.write_all_at(&data, offset);
        let answer = Box::new(move || match written {
            Ok(()) => reply.written(u32::try_from(length).unwrap_or(u32::MAX)),
            Err(error) => reply.error(Errno::from(error)),
        });
        let DividedWrite { reads, writes } = divided(divider.raid, offset, length);
        let drives = divider.drives.clone();
        if reads.is_empty() {
            return drives.play(divider.queues(), &writes, true, answer);
        }
        // Parity is computed from what is there.
        let then = Box::new(move || drives.play(drives.queues(), &writes, true, answer));
        divider.drives.play(divider.queues(), &reads, false, then);
    }

    /// Has all drives put on their platters what their caches have.
    pub fn flush(&self, reply: ReplyEmpty) {
        let answer = Box::new(move || reply.ok());
        let flush = Arc::new(Countdown::of(self.heads.len(), answer));
        self.heads.iter().for_each(|head| head.flush(&flush));
    }

    pub fn close(&self) {
        self.heads.iter().for_each(|head| head.close());
    }

    pub fn set_delays(&self, on: bool) {
        self.heads.iter().for_each(|head| head.set_delays(on));
    }

    pub fn set_speed(&self, speed: f64) {
        self.heads.iter().for_each(|head| head.set_speed(speed));
    }

    /// Of all drives together.
    pub fn statistics(&self) -> Statistics {
        let own = self.heads.iter().map(|head| head.statistics());
        own.fold(Statistics::default(), |sum, it| sum.and(&it))
    }
}

impl Divider {
    fn queues(&self) -> MutexGuard<'_, Queues> {
        self.drives.queues()
    }
}

impl Drives {
    fn queues(&self) -> MutexGuard<'_, Queues> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has the drives play their parts; the last one answers.
    fn play(
        &self,
        mut queues: MutexGuard<'_, Queues>,
        parts: &[Part],
        writes: bool,
        answer: Answer,
    ) {
        let request = Arc::new(Divided::new(parts.len(), answer, &self.queues));
        parts.iter().for_each(|part| queues.push(part));
        // A drive may answer at once.
        drop(queues);
        for part in parts {
            let work = Work::Part {
                length: part.bytes,
                writes,
                disk: part.disk,
                request: Arc::clone(&request),
            };
            let offset = part.offset;
            self.heads[part.disk].push(Job { offset, work });
        }
    }
}

/// What drives do for a write: in the model and here by the same code.
fn divided(raid: Raid, offset: u64, length: u64) -> DividedWrite {
    let mut divided = DividedWrite::default();
    divide_write(raid, offset, length, &mut divided);
    divided
}
