//! Where files lie, as the kernel tells `filefrag`.

use std::ffi::OsStr;
use std::path::Path;

use hotset_cache::PAGE_BYTES;
use hotset_machine::MachineError;
use hotset_models::file_system::Extent;

/// Runs a program with arguments to its end: what it printed.
type Tool<'t> = &'t dyn Fn(&str, &[&OsStr]) -> Result<String, MachineError>;

/// The extents of a file, after what of it is only in memory has been written; `tool` runs `filefrag`.
///
/// # Errors
/// When the file system does not tell, or in other words.
pub(crate) fn extents(tool: Tool<'_>, file: &Path) -> Result<Vec<Extent>, MachineError> {
    let block = format!("-b{PAGE_BYTES}");
    let arguments: [&OsStr; 4] = [
        "-s".as_ref(),
        "-v".as_ref(),
        block.as_ref(),
        file.as_os_str(),
    ];
    let printed = tool("filefrag", &arguments)?;
    let rows = printed.lines().filter_map(row);
    rows.collect::<Option<_>>()
        .ok_or_else(|| MachineError::Unreadable {
            path: file.to_owned(),
            problem: format!("cannot read what filefrag says of it: {printed:?}"),
        })
}

/// An extent, `0: 16.. 63: 9360.. 9407: 48: flags`; nothing of lines that are none, and no extent of those that cannot be read.
fn row(line: &str) -> Option<Option<Extent>> {
    let mut columns = line.split(':').map(str::trim);
    columns.next()?.parse::<u64>().ok()?;
    let mut extent = || {
        let page = first(columns.next()?)?;
        let block = first(columns.next()?)?;
        let pages = columns.next()?.parse().ok()?;
        Some(Extent {
            page,
            offset: block * PAGE_BYTES,
            pages,
        })
    };
    Some(extent())
}

/// The first block of `16.. 63`.
fn first(range: &str) -> Option<u64> {
    range.split_once("..")?.0.trim().parse().ok()
}
