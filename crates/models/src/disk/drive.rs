//! The mechanics of a disk drive: where its head is, and how long it takes to get elsewhere.
//!
//! Time is in nanoseconds on a clock of the caller's, so that the drive can be tried without waiting for it.

use hotset_scenario::{DriveDevice, DriveQueue};
use serde::{Deserialize, Serialize};

/// What a drive's data sheet says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DriveModel {
    /// Time for the shortest seek, in microseconds.
    pub track_to_track_us: f64,
    /// Mean time of a seek between random places, in microseconds.
    pub average_seek_us: f64,
    /// Turns of the platters in a minute.
    pub revolutions_per_minute: f64,
    /// Bytes that pass under the head in a second.
    pub bytes_per_s: f64,
    /// How far the drive reads on into its buffer when nothing else waits, in bytes.
    pub read_ahead_bytes: u64,
    /// Bytes of its volatile cache of writes; 0 for none, or for one that is switched off.
    #[serde(default)]
    pub write_cache_bytes: u64,
}

impl Default for DriveModel {
    /// A desktop drive of 2004 of 39 MB/s, the rate of the published experiments' disks. Times are those of the Seagate
    /// Barracuda 7200.7 (product manual, 2003): 8.5 ms average read seek, 7200 rpm; its track-to-track time is
    /// given as below 1 ms. The buffer of such drives was of 2 MB; half of it is taken for reading ahead.
    fn default() -> Self {
        Self {
            track_to_track_us: 800.0,
            average_seek_us: 8500.0,
            revolutions_per_minute: 7200.0,
            bytes_per_s: 39e6,
            read_ahead_bytes: 1 << 20,
            write_cache_bytes: 0,
        }
    }
}

impl DriveModel {
    /// The drive as a profile describes it, with an elevator and nothing that a request takes besides. `capacity_bytes` is what the
    /// full stroke of its head goes over, `max_request_bytes` its largest request.
    pub fn device(&self, capacity_bytes: u64, max_request_bytes: u64) -> DriveDevice {
        DriveDevice {
            track_to_track_us: self.track_to_track_us,
            average_seek_us: self.average_seek_us,
            revolutions_per_minute: self.revolutions_per_minute,
            bytes_per_s: self.bytes_per_s,
            read_ahead_bytes: self.read_ahead_bytes,
            capacity_bytes,
            overhead_us: 0.0,
            interface_bytes_per_us: None,
            queue: DriveQueue::Elevator,
            max_request_bytes,
            write_cache_bytes: self.write_cache_bytes,
        }
    }

    fn revolution_ns(&self) -> f64 {
        60e9 / self.revolutions_per_minute
    }

    fn ns_per_byte(&self) -> f64 {
        1e9 / self.bytes_per_s
    }

    /// Bytes that pass in one turn. Outer tracks hold more than inner ones; here all are alike, and skewed so that
    /// reading on over their ends costs nothing: `bytes_per_s` is the sustained rate.
    fn track_bytes(&self) -> f64 {
        self.bytes_per_s * self.revolution_ns() / 1e9
    }

    /// The time of a seek over `share` of the full stroke: a + b·√share, the shape of short and medium seeks in
    /// Ruemmler and Wilkes, "An introduction to disk drive modeling", 1994. b follows from the average, because √share
    /// is 8/15 on average between two random places.
    fn seek_ns(&self, share: f64) -> f64 {
        let b = (self.average_seek_us - self.track_to_track_us) * 15.0 / 8.0;
        (self.track_to_track_us + b * share.sqrt()) * 1e3
    }
}

/// What one request took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Service {
    /// When it is done.
    pub done_ns: u64,
    /// Moving the head.
    pub seek_ns: u64,
    /// Waiting for the place to come round.
    pub rotation_ns: u64,
    /// Whether it was in the buffer, or passing under the head anyway.
    pub from_buffer: bool,
}

/// A drive with its head and its buffer. One request is served at a time.
#[derive(Clone, Debug)]
pub struct Drive {
    model: DriveModel,
    capacity_bytes: f64,
    passing: Passing,
}

/// The head stays on its track and bytes pass: `at` at the time `at_ns`, then on to `limit`, where the buffer is full.
/// Those from `from` on are in the buffer.
#[derive(Clone, Copy, Debug)]
struct Passing {
    from: f64,
    at: f64,
    at_ns: f64,
    limit: f64,
    writing: bool,
}

impl Drive {
    /// A drive with its head at the first byte. The full stroke goes over `capacity_bytes`.
    #[must_use]
    pub fn new(model: DriveModel, capacity_bytes: u64) -> Self {
        let passing = Passing {
            from: 0.0,
            at: 0.0,
            at_ns: 0.0,
            limit: 0.0,
            writing: true,
        };
        Self {
            model,
            capacity_bytes: capacity_bytes.max(1) as f64,
            passing,
        }
    }

    /// Where the head is, in bytes from the start.
    #[must_use]
    pub fn head(&self, now_ns: u64) -> u64 {
        self.passed(now_ns as f64) as u64
    }

    /// Reads, starting now.
    pub fn read(&mut self, now_ns: u64, offset: u64, length: u64) -> Service {
        let (now, from, to) = (now_ns as f64, offset as f64, (offset + length) as f64);
        // Waiting for what passes next is at most a turn, which is what the drive would wait for anyway.
        let soon = (self.passed(now) + self.model.track_bytes()).min(self.passing.limit);
        let reach = self.passing.from..=soon;
        if !self.passing.writing && reach.contains(&from) {
            return self.read_passing(now, to);
        }
        let service = self.position(now, from, to);
        let limit = to + self.model.read_ahead_bytes as f64;
        self.passing = Passing {
            from,
            at: to,
            at_ns: service.done_ns as f64,
            limit,
            writing: false,
        };
        service
    }

    /// Writes, starting now. A write that goes on where the last one ended was in the drive's buffer by then.
    pub fn write(&mut self, now_ns: u64, offset: u64, length: u64) -> Service {
        let (now, from, to) = (now_ns as f64, offset as f64, (offset + length) as f64);
        let follows = self.passing.writing
            && from == self.passing.at
            && now - self.passing.at_ns < self.model.revolution_ns();
        let service = if follows {
            let done = now + (to - from) * self.model.ns_per_byte();
            Service {
                done_ns: done as u64,
                from_buffer: true,
                ..Service::default()
            }
        } else {
            self.position(now, from, to)
        };
        self.passing = Passing {
            from: to,
            at: to,
            at_ns: service.done_ns as f64,
            limit: to,
            writing: true,
        };
        service
    }

    fn passed(&self, now: f64) -> f64 {
        let Passing {
            at, at_ns, limit, ..
        } = self.passing;
        (at + (now - at_ns).max(0.0) / self.model.ns_per_byte()).min(limit)
    }

    /// What has been read ahead is there at once, the rest when it has passed.
    fn read_passing(&mut self, now: f64, to: f64) -> Service {
        let mut rotation = 0.0;
        if self.passed(now) >= self.passing.limit {
            // The buffer was full and the head stopped reading: it goes on when that place comes round again.
            let limit = self.passing.limit;
            let wait = self.rotation_ns(now, limit);
            self.passing.at = limit;
            self.passing.at_ns = now + wait;
            rotation = if to > limit { wait } else { 0.0 };
        }
        let passes = self.passing.at_ns + (to - self.passing.at) * self.model.ns_per_byte();
        let done = if to <= self.passed(now) {
            now
        } else {
            passes.max(now)
        };
        self.passing.limit = self
            .passing
            .limit
            .max(to + self.model.read_ahead_bytes as f64);
        // The buffer holds what was read ahead and as much of what came before.
        self.passing.from = self
            .passing
            .from
            .max(to - self.model.read_ahead_bytes as f64);
        Service {
            done_ns: done as u64,
            seek_ns: 0,
            rotation_ns: rotation as u64,
            from_buffer: true,
        }
    }

    fn position(&self, now: f64, from: f64, to: f64) -> Service {
        let distance = (from - self.passed(now)).abs();
        let near = distance < self.model.track_bytes();
        let seek = if near {
            0.0
        } else {
            self.model
                .seek_ns((distance / self.capacity_bytes).min(1.0))
        };
        let rotation = self.rotation_ns(now + seek, from);
        let transfer = (to - from) * self.model.ns_per_byte();
        Service {
            done_ns: (now + seek + rotation + transfer) as u64,
            seek_ns: seek as u64,
            rotation_ns: rotation as u64,
            from_buffer: false,
        }
    }

    /// The platters turn by the clock, whether anybody reads or not.
    fn rotation_ns(&self, now: f64, place: f64) -> f64 {
        let revolution = self.model.revolution_ns();
        let under_head = (now / revolution).fract();
        let wanted = (place / self.model.track_bytes()).fract();
        (wanted - under_head).rem_euclid(1.0) * revolution
    }
}
