//! The time of a drive whose speed has changed: all that it does takes as long in it as before.

/// A drive's own time.
#[derive(Clone, Copy, Debug)]
pub(super) struct OwnTime {
    /// When the speed changed, and what time it was at the drive.
    since_ns: u64,
    own_ns: u64,
    speed: f64,
}

impl OwnTime {
    /// That of a drive which is so many times as fast as its model from `now_ns` on. Until then its own time is as `before` says, or
    /// without it that of everybody else.
    pub fn since(now_ns: u64, before: Option<Self>, speed: f64) -> Self {
        Self {
            since_ns: now_ns,
            own_ns: before.map_or(now_ns, |it| it.at(now_ns)),
            speed,
        }
    }

    /// What time it is at the drive.
    pub fn at(self, now_ns: u64) -> u64 {
        let passed_ns = now_ns.saturating_sub(self.since_ns);
        self.own_ns + (passed_ns as f64 * self.speed) as u64
    }

    /// When it is so late at the drive, from now on.
    pub fn when(self, now_ns: u64, own_ns: u64) -> u64 {
        let left_ns = own_ns.saturating_sub(self.at(now_ns)) as f64;
        now_ns + (left_ns / self.speed).ceil() as u64
    }
}
