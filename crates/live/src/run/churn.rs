//! How much may be moved: reading files to hold them takes their disk from those who are served.

use std::time::Duration;

/// What may be moved by now.
#[derive(Clone, Copy, Debug)]
pub struct Churn {
    bytes_a_minute: Option<u64>,
    /// Left of what earlier intervals did not use, at most a minute's.
    left_bytes: u64,
}

impl Churn {
    /// A minute's worth may be moved at once; all where there is no limit.
    #[must_use]
    pub fn new(bytes_a_minute: Option<u64>) -> Self {
        Self {
            bytes_a_minute,
            left_bytes: bytes_a_minute.unwrap_or(0),
        }
    }

    /// The same by another limit: what is left is at most what that allows in a minute.
    #[must_use]
    pub fn with_limit(self, bytes_a_minute: Option<u64>) -> Self {
        let whole = Self::new(bytes_a_minute);
        match self.bytes_a_minute {
            None => whole,
            Some(_) => Self {
                left_bytes: self.left_bytes.min(whole.left_bytes),
                ..whole
            },
        }
    }

    /// Lets time pass.
    pub fn pass(&mut self, time: Duration) {
        if let Some(most) = self.bytes_a_minute {
            let more = most as f64 * time.as_secs_f64() / 60.0;
            self.left_bytes = self.left_bytes.saturating_add(more as u64).min(most);
        }
    }

    /// Whether so many bytes may be moved, which they are then.
    pub fn take(&mut self, bytes: u64) -> bool {
        if self.bytes_a_minute.is_none() {
            return true;
        }
        let does = bytes <= self.left_bytes;
        if does {
            self.left_bytes -= bytes;
        }
        does
    }
}
