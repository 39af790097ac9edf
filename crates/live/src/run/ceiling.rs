//! How much may be held: at most a share of the memory for files; less where memory gets short, and more again only step by step.

use super::spec::RunSpec;
use crate::Room;
use hotset_machine::memory;
use hotset_plan::PageCacheModel;
use std::fs;
use std::path::{Path, PathBuf};

/// What all processes of the machine wait for.
const MACHINE: &str = "/proc/pressure/memory";

/// Of the memory for files, what held files may take: the rest is page cache, for files that are asked for rarely or for
/// the first time. A rule and not a result: the middle of what plans try that are renewed, from half to all.
const HELD_SHARE: f64 = 0.75;

/// Memory of which less than one part in so many is available is scarce.
const LITTLE: u64 = 4;

/// Of what was held, what stays where memory is short.
const SHRINK: f64 = 0.75;

/// Of all that may ever be held, what is added in an interval in which memory was not short: all of it comes back in sixteen.
const GROWTH: u64 = 16;

/// Percentage of the last ten seconds in which some process waited for memory, from which on memory is short. A rule and not a
/// result: a working machine shows less than one, and systemd-oomd kills from sixty on (oomd.conf(5)).
const SHORT_PERCENT: f64 = 10.0;

/// Bytes that may be held.
#[derive(Clone, Copy, Debug)]
pub struct Ceiling {
    most: u64,
    now: u64,
}

impl Ceiling {
    /// What held files may take at most of a node's memory for files.
    pub(super) fn of(spec: &RunSpec) -> Self {
        Self::new(Self::most_bytes(spec))
    }

    /// Bytes that held files may take at most: at least what sites reserve, which is there for them alone.
    pub(super) fn most_bytes(spec: &RunSpec) -> u64 {
        let floor = PageCacheModel::Linux.floor_bytes(spec.memory_bytes);
        let share = (spec.memory_bytes as f64 * HELD_SHARE) as u64;
        let reserved = spec.sites.iter().map(|site| site.terms.reservation_bytes);
        let reserved = reserved.fold(0, u64::saturating_add);
        share.max(reserved).min(spec.memory_bytes - floor)
    }

    /// All of what may ever be held.
    #[must_use]
    pub fn new(most: u64) -> Self {
        Self { most, now: most }
    }

    /// Bytes that may be held now.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.now
    }

    /// Sets what may be held at most; what memory was short of before stays short.
    pub fn change(&mut self, most: u64) {
        let was_whole = self.now == self.most;
        self.most = most;
        self.now = if was_whole { most } else { self.now.min(most) };
    }

    /// Memory is short: gives back a part of `held_bytes`.
    pub fn shrink(&mut self, held_bytes: u64) {
        self.now = (held_bytes.min(self.now) as f64 * SHRINK) as u64;
    }

    /// There is no room for more.
    pub fn limit(&mut self, bytes: u64) {
        self.now = self.now.min(bytes);
    }

    /// An interval has passed in which memory was not short.
    pub fn grow(&mut self) {
        self.now = self.now.saturating_add(self.most / GROWTH).min(self.most);
    }
}

/// Whose waiting for memory says that it is short.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pressure {
    /// That of a memory group's processes, by its file of pressure stall information.
    Group(PathBuf),
    /// That of all processes, as long as little of the machine's memory is left: else they wait for memory of groups that held
    /// files take nothing from.
    Machine,
}

impl Pressure {
    pub(super) fn is_high(&self) -> bool {
        match self {
            Self::Group(file) => wait(file) == Some(true),
            Self::Machine => {
                let by_room = || Room::of(None).is_ok_and(|room| room.short_bytes > 0);
                is_little_left() && wait(Path::new(MACHINE)).unwrap_or_else(by_room)
            }
        }
    }
}

fn is_little_left() -> bool {
    let left = memory::available_bytes()
        .ok()
        .zip(memory::total_bytes().ok());
    left.is_some_and(|(available, total)| available < total / LITTLE)
}

/// Whether processes wait for memory, by a file of pressure stall information (Documentation/accounting/psi.rst of the kernel's
/// sources). None where the kernel has no such file.
fn wait(file: &Path) -> Option<bool> {
    let text = fs::read_to_string(file).ok()?;
    let some = text.lines().find_map(|line| line.strip_prefix("some "))?;
    let percent = some
        .split(' ')
        .find_map(|word| word.strip_prefix("avg10="))?;
    Some(percent.parse::<f64>().ok()? >= SHORT_PERCENT)
}
