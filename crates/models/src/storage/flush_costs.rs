//! What emptying a device's volatile cache takes, as its profile has it.

use hotset_scenario::Profile;
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;

use crate::block::Unflushed;
use crate::quantiles::at_share;

/// Keeps the stream that draws times of flushes apart from those of devices and of writes, which have the same seed.
const FLUSHES: u64 = 0x464c_5553_4845_5300;

/// What a flush takes beside what the device says itself.
pub(super) struct FlushCosts {
    /// Nothing where the device has no such cache.
    profile: Option<Profile>,
    random: Pcg64Mcg,
}

impl FlushCosts {
    /// None: the device has no cache, or it is another machine's.
    pub fn none() -> Self {
        Self {
            profile: None,
            random: Pcg64Mcg::seed_from_u64(0),
        }
    }

    /// Those of `profile`. `seed` is for what scatters.
    pub fn of(profile: &Profile, seed: u64) -> Self {
        let takes_time = profile.flush_after(0).is_some_and(|it| it.us > 0.0);
        Self {
            profile: takes_time.then(|| profile.clone()),
            random: Pcg64Mcg::seed_from_u64(seed ^ FLUSHES),
        }
    }

    /// Whether a flush takes time.
    pub fn take_time(&self) -> bool {
        self.profile.is_some()
    }

    /// What one takes, nanoseconds, once so much was written since the last: drawn from quantiles, where the profile has them.
    pub fn flush_ns(&mut self, unflushed: Unflushed) -> u64 {
        let profile = self.profile.as_ref();
        let times = profile.and_then(|it| it.flush_after(unflushed.bytes));
        let Some(times) = times else {
            return 0;
        };
        let (us, quantiles) = match times.new_tick_us {
            Some(us) if unflushed.is_of_new_tick => (us, times.new_tick_quantiles_us),
            _ => (times.us, times.quantiles_us),
        };
        let drawn = quantiles.map(|it| at_share(&it, self.random.random()));
        (drawn.unwrap_or(us) * 1e3) as u64
    }
}
