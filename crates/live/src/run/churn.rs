//! How much may be moved: reading files to hold them takes their disk from those who are served.

use std::time::Duration;

/// What may be moved by now.
#[derive(Clone, Copy, Debug)]
pub(super) struct Churn {
    bytes_a_minute: Option<u64>,
    /// Left of what earlier intervals did not use, at most a minute's.
    left_bytes: u64,
}

impl Churn {
    pub fn new(bytes_a_minute: Option<u64>) -> Self {
        Self {
            bytes_a_minute,
            left_bytes: bytes_a_minute.unwrap_or(0),
        }
    }

    /// The same by another limit: what is left is at most what that allows in a minute.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minutes_worth_is_moved_in_a_minute_and_never_more_at_once() {
        let mut churn = Churn::new(Some(600));
        assert!(churn.take(600) && !churn.take(1));
        churn.pass(Duration::from_secs(6));
        assert!(churn.take(60) && !churn.take(1));
        churn.pass(Duration::from_secs(3600));
        assert!(churn.take(600) && !churn.take(1));
    }
}
