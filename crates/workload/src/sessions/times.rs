//! How long visitors think, and how long they stay.

use std::time::Duration;

use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// An exponential think time that is cut at the longest: −mean · ln u (TPC-W, clause 5.3.2; the emulators of RUBiS and RUBBoS
/// have the same).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThinkTime {
    /// Its mean before it is cut.
    pub mean: Duration,
    /// The longest.
    pub most: Duration,
}

/// When a session ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SessionLength {
    /// Mean of an exponential length, cut at the longest; `None`: no time ends sessions.
    pub time: Option<ThinkTime>,
    /// A session whose time is over ends when this page is to follow; `None`: whatever is to follow.
    pub ends_at: Option<usize>,
    /// Most pages of a session.
    pub most_pages: Option<u64>,
}

impl ThinkTime {
    /// No time at all: visitors who ask at full speed.
    pub const NONE: ThinkTime = ThinkTime {
        mean: Duration::ZERO,
        most: Duration::ZERO,
    };

    /// Draws a time.
    pub fn draw(&self, random: &mut Pcg64Mcg) -> Duration {
        // A draw is from 0 to before 1, whose logarithm would be endless.
        let draw = 1.0 - random.random::<f64>();
        let seconds = -self.mean.as_secs_f64() * draw.ln();
        Duration::try_from_secs_f64(seconds.max(0.0)).map_or(self.most, |time| time.min(self.most))
    }

    /// Its mean as it is cut: m (1 − e^(−c/m)) for the longest time c.
    pub fn cut_mean(&self) -> Duration {
        if self.mean.is_zero() {
            return Duration::ZERO;
        }
        let cut = self.most.as_secs_f64() / self.mean.as_secs_f64();
        self.mean.mul_f64(1.0 - (-cut).exp())
    }

    /// The same with another mean, cut in proportion.
    pub fn with_mean(&self, mean: Duration) -> ThinkTime {
        let cut = self.most.as_secs_f64() / self.mean.as_secs_f64();
        let most = Duration::try_from_secs_f64(mean.as_secs_f64() * cut);
        ThinkTime {
            mean,
            // Without a mean before there is no proportion: nothing is cut.
            most: most.unwrap_or(Duration::MAX),
        }
    }
}
