//! What monitors have seen.

/// What a monitor has seen since the last reset.
pub(super) enum Tally {
    Tokens {
        now_there: u64,
        /// Tokens times nanoseconds.
        area: u128,
        since: u64,
        per: f64,
    },
    Firings {
        transitions: Vec<u32>,
        before: u64,
    },
    Samples {
        sum: f64,
        count: u64,
    },
}

impl Tally {
    /// The number of tokens changes.
    #[inline]
    pub fn tokens(&mut self, now: u64, change: i64) {
        if let Tally::Tokens {
            now_there,
            area,
            since,
            ..
        } = self
        {
            *area += u128::from(*now_there) * u128::from(now - *since);
            *since = now;
            *now_there = now_there.wrapping_add_signed(change);
        }
    }

    #[inline]
    pub fn sample(&mut self, value: f64) {
        if let Tally::Samples { sum, count } = self {
            *sum += value;
            *count += 1;
        }
    }

    /// Forgets what was seen until now.
    pub fn reset(&mut self, now: u64, fired: &[u64]) {
        self.tokens(now, 0);
        match self {
            Tally::Tokens { area, .. } => *area = 0,
            Tally::Firings {
                transitions,
                before,
            } => *before = firings(transitions, fired),
            Tally::Samples { sum, count } => (*sum, *count) = (0.0, 0),
        }
    }

    /// The value over the span since the last reset; nothing where nothing was seen.
    pub fn value(&mut self, now: u64, span: u64, fired: &[u64]) -> Option<f64> {
        self.tokens(now, 0);
        let seconds = span as f64 / 1e9;
        let value = match self {
            Tally::Tokens { area, per, .. } => *area as f64 / span as f64 / *per,
            Tally::Firings {
                transitions,
                before,
            } => (firings(transitions, fired) - *before) as f64 / seconds,
            Tally::Samples { sum, count } => *sum / *count as f64,
        };
        value.is_finite().then_some(value)
    }
}

fn firings(transitions: &[u32], fired: &[u64]) -> u64 {
    transitions.iter().map(|&it| fired[it as usize]).sum()
}
