//! What emptying a device's volatile cache takes, as its profile has it.

use hotset_scenario::Profile;
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;

use crate::quantiles::at_share;

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
            random: Pcg64Mcg::seed_from_u64(seed),
        }
    }

    /// Whether a flush takes time.
    pub fn take_time(&self) -> bool {
        self.profile.is_some()
    }

    /// What one takes, nanoseconds, once so many bytes were written since the last: drawn from quantiles, where the profile has them.
    pub fn flush_ns(&mut self, bytes: u64) -> u64 {
        let times = self.profile.as_ref().and_then(|it| it.flush_after(bytes));
        let Some(times) = times else {
            return 0;
        };
        let us = match times.quantiles_us {
            Some(quantiles) => at_share(&quantiles, self.random.random()),
            None => times.us,
        };
        (us * 1e3) as u64
    }
}
