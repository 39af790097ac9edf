//! How fast the disks of a store are since when.

/// Speeds and since when each holds, nanoseconds: 1 is as at first.
#[derive(Clone, Debug)]
pub(crate) struct Speeds(Vec<(u64, f64)>);

impl Default for Speeds {
    fn default() -> Self {
        Self(vec![(0, 1.0)])
    }
}

impl Speeds {
    /// From now on they are so many times as fast as at first.
    pub fn set(&mut self, now_ns: u64, speed: f64) {
        self.0.push((now_ns, speed));
    }

    /// How fast they are now.
    pub fn now(&self) -> f64 {
        self.0.last().map_or(1.0, |it| it.1)
    }

    /// So long a time since `start_ns`, as disks have it that count in their own time.
    pub fn own_ns(&self, start_ns: u64, length_ns: u64) -> u64 {
        let end_ns = start_ns + length_ns;
        let ends = self.0.iter().skip(1).map(|it| it.0).chain([u64::MAX]);
        let parts = self.0.iter().zip(ends).map(|(&(since, speed), until)| {
            let ns = until.min(end_ns).saturating_sub(since.max(start_ns));
            ns as f64 * speed
        });
        let mean = match length_ns {
            0 => 1.0,
            _ => parts.sum::<f64>() / length_ns as f64,
        };
        (length_ns as f64 * mean) as u64
    }
}
