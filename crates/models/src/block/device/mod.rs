//! Devices that requests are served by, a file for each kind. Where a profile says what reading takes and nothing else, writing is taken
//! to take as long.

mod cost_lines;
mod flash;
mod head;
mod slots;

pub(super) use cost_lines::CostLines;
pub(super) use flash::Flash;
pub(super) use head::Head;
pub(super) use slots::Slots;

use hotset_outcome::Resource;

use super::Request;

/// A device.
pub(crate) trait Device {
    /// Requests that it takes at a time.
    fn slots(&self) -> usize;

    /// Takes a request. What it begins thereby is added to `begun`: when that is done, and its number.
    fn accept(&mut self, now_ns: u64, request: &Request, begun: &mut Vec<(u64, u32)>);

    /// What it began earlier is done now; it may begin something else.
    fn served(&mut self, _now_ns: u64, _begun: &mut Vec<(u64, u32)>) {}

    /// Forgets what was counted, not what is under way.
    fn count_anew(&mut self);

    /// What its parts did in so long a time.
    fn resources(&self, length_ns: u64) -> Vec<Resource>;
}
