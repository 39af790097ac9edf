//! The policy of read-ahead that a profile names.

use hotset_scenario::{ReadAheadKind, Reading};

use super::policy::{Advice, ReadAheadPolicy};
use super::{Adaptive, EarlyOnDemand, LEAST_BYTES, OnDemand, PreFetch, TwoWindows};

/// The state of a file of `file_bytes` just opened, whose reader has told the kernel `advice`. Its device takes requests of
/// `request_bytes`.
pub(crate) fn read_ahead(
    reading: &Reading,
    request_bytes: u64,
    advice: Advice,
    file_bytes: u64,
) -> Box<dyn ReadAheadPolicy> {
    let most = reading.read_ahead_bytes;
    // `ra_pages`, which `posix_fadvise` changed before 2.6.23 alike (`mm/fadvise.c`).
    let advised = match advice {
        Advice::Normal | Advice::Around => most,
        Advice::Sequential => most.saturating_mul(2),
        Advice::Random => 0,
    };
    match reading.read_ahead {
        ReadAheadKind::OnDemand => Box::new(OnDemand::new(most, request_bytes, advice)),
        ReadAheadKind::EarlyOnDemand => Box::new(EarlyOnDemand::new(advised)),
        ReadAheadKind::PreFetch => Box::new(PreFetch::new(advised, LEAST_BYTES)),
        ReadAheadKind::TwoWindows => Box::new(TwoWindows::new(advised, file_bytes)),
        ReadAheadKind::Adaptive => Box::new(Adaptive::new(advised)),
    }
}
