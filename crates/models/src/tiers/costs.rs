//! What requests cost a server, as far as it is known.

use hotset_scenario::{CostLine, Handover, Profile};

/// Processor time of nginx's worker for a request for a file of [`REQUEST_FILE_BYTES`] that is in memory, over a connection that is kept:
/// the median of 40 pairs of runs on the developers' machine (`benches/results/2026-11-22-live.md`, first row).
pub const REQUEST_US: f64 = 19.86;
/// Bytes of the files that [`REQUEST_US`] was measured with.
pub const REQUEST_FILE_BYTES: u64 = 4096;
/// Processor time of an answer that a proxy hands back, beside its bytes. Assumed, not measured: as much as of a request.
pub const PROXY_ANSWER_US: f64 = REQUEST_US;
/// Processor time of a byte of an answer in a proxy, nanoseconds. Assumed, not measured: it is copied in and out at the 4 GB/s of
/// hotset's definition of memory.
pub const PROXY_NS_PER_BYTE: f64 = 0.5;

/// What a request costs a web server beside sending the file's bytes from the store of `profile`, nanoseconds. The file that was measured
/// takes as long as it was measured to, sending included, unless opening files of the store takes longer by itself.
#[must_use]
pub fn request_ns(profile: &Profile) -> u64 {
    let measured_us = profile.send_us(REQUEST_FILE_BYTES, Handover::Sent);
    let sending_us = measured_us.unwrap_or_else(|| profile.cached.us(REQUEST_FILE_BYTES));
    let rest_us = REQUEST_US - sending_us.max(0.0);
    (rest_us.max(profile.open_us).max(0.0) * 1e3) as u64
}

/// What handing bytes from memory to a socket costs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sending {
    /// As the way of reads says, by the profile's rows `[[sending]]`.
    Measured,
    /// By the profile's line for files that are in memory, the whole file at once.
    Line(CostLine),
}

impl Sending {
    pub fn of(profile: &Profile) -> Self {
        match profile.sending.is_empty() {
            true => Self::Line(profile.cached),
            false => Self::Measured,
        }
    }

    /// What the bytes of a file from `start` to `end` cost, nanoseconds; `measured_ns` is what the way of reads says.
    pub fn ns(self, start: u64, end: u64, measured_ns: u64) -> u64 {
        match self {
            Self::Measured => measured_ns,
            Self::Line(line) => {
                let before_us = if start == 0 { 0.0 } else { line.us(start) };
                ((line.us(end) - before_us) * 1e3).max(0.0) as u64
            }
        }
    }
}
