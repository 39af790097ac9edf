//! Whether memory is short: whether processes wait for it.

use crate::Room;
use hotset_machine::memory;
use std::fs;
use std::path::{Path, PathBuf};

/// What all processes of the machine wait for.
const MACHINE: &str = "/proc/pressure/memory";

/// Memory of which less than one part in so many is available is scarce.
const LITTLE: u64 = 4;

/// Percentage of the last ten seconds in which some process waited for memory, from which on memory is short. A rule and not a
/// result: a working machine shows less than one, and systemd-oomd kills from sixty on (oomd.conf(5)).
const SHORT_PERCENT: f64 = 10.0;

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
