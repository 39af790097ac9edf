//! What the kernel guarantees a server's memory group. Version 2 of control groups knows floors; with version 1, the groups
//! beside it are limited.

mod floor;
mod group_size;
mod neighbours;
mod upkeep;

pub use group_size::GroupSize;
pub(crate) use upkeep::Guarantee;

use crate::LiveError;
use floor::Floor;
use hotset_machine::cgroup::MemoryGroup;
use hotset_machine::ledger::Ledger;
use neighbours::Neighbours;
use std::path::Path;

/// Guarantees a server's group what a plan gives its files, and on top what its processes and the kernel need for them now.
/// `owner` is the folder of whoever asks.
///
/// # Errors
/// When the kernel or systemd refuses.
pub(crate) fn make<'l>(
    ledger: &'l Ledger,
    group: &MemoryGroup,
    size: GroupSize,
    owner: &Path,
) -> Result<Box<dyn Guarantee + 'l>, LiveError> {
    let size = size.with_server(group)?;
    Ok(match group.is_unified() {
        true => Box::new(Floor::make(ledger, group, size, owner)?),
        false => Box::new(Neighbours::limit(ledger, group, size)?),
    })
}

/// Looks whether it can be made, and makes nothing.
///
/// # Errors
/// When the groups beside cannot give back what it takes.
pub(crate) fn check(group: &MemoryGroup, size: GroupSize) -> Result<(), LiveError> {
    let size = size.with_server(group)?;
    match group.is_unified() {
        true => Ok(()),
        false => Neighbours::check(group, size),
    }
}
