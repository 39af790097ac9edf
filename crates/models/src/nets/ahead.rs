//! The read-ahead of `ext3-read`, by one of three policies.

use hotset_petri::Colour;

use crate::read_ahead::{EarlyOnDemand, Lookup, PreFetch, ReadAheadPolicy, TwoWindows, Window};

/// What is read ahead of a file of ext3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetReadAhead {
    /// Windows on demand, as Linux 2.6.23 to 2.6.30 had them.
    OnDemand,
    /// A current and an ahead window, as Linux before 2.6.23 had them.
    TwoWindows,
    /// The dissertation's own: a set number of pages, or a minimum where reads are random.
    PreFetch {
        /// That minimum, bytes.
        least_bytes: u64,
    },
}

impl NetReadAhead {
    /// The state of a file of so many bytes just opened, of which so much is read ahead at most.
    pub(super) fn of_file(self, most_bytes: u64, file_bytes: u64) -> Ahead {
        match self {
            Self::OnDemand => Ahead::OnDemand(EarlyOnDemand::new(most_bytes)),
            Self::TwoWindows => Ahead::TwoWindows(TwoWindows::new(most_bytes, file_bytes)),
            Self::PreFetch { least_bytes } => {
                Ahead::PreFetch(PreFetch::new(most_bytes, least_bytes))
            }
        }
    }
}

/// State of an open file, under whichever policy.
#[derive(Clone, Debug)]
pub(super) enum Ahead {
    OnDemand(EarlyOnDemand),
    TwoWindows(TwoWindows),
    PreFetch(PreFetch),
}

impl Colour for Ahead {}

impl Ahead {
    fn policy(&mut self) -> &mut dyn ReadAheadPolicy {
        match self {
            Self::OnDemand(policy) => policy,
            Self::TwoWindows(policy) => policy,
            Self::PreFetch(policy) => policy,
        }
    }
}

impl ReadAheadPolicy for Ahead {
    fn choose(
        &mut self,
        page: u64,
        wanted: u64,
        found: Lookup,
        holds: &dyn Fn(u64) -> bool,
        windows: &mut Vec<Window>,
    ) {
        self.policy().choose(page, wanted, found, holds, windows);
    }

    fn has_read(&mut self, page: u64) {
        self.policy().has_read(page);
    }
}
