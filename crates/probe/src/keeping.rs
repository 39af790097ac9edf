//! Whether the page cache keeps what was read of a file.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use hotset_machine::{OnFile, Residency};
use hotset_scenario::PageKeeping;

use crate::ProbeError;

/// Read to see whether it stays, bytes: a page.
const READ_BYTES: usize = 4096;

/// That of a file that is not empty. Programs behind a mount say it at each open (`FOPEN_KEEP_CACHE` and `FOPEN_DIRECT_IO` of
/// `include/uapi/linux/fuse.h`).
///
/// # Errors
/// When the file cannot be read, or the kernel does not tell what of it is in memory.
pub(crate) fn keeping_of(path: &Path) -> Result<PageKeeping, ProbeError> {
    let open = || File::open(path).on("open", path);
    let in_memory = |file: &File| -> Result<u64, ProbeError> {
        let residency = Residency::of(file).on("count cached pages of", path)?;
        Ok(residency.resident)
    };
    let file = open()?;
    let read = file.read_at(&mut [0; READ_BYTES], 0);
    read.on("read", path)?;
    if in_memory(&file)? == 0 {
        return Ok(PageKeeping::Never);
    }
    let _opened_anew = open()?;
    match in_memory(&file)? {
        0 => Ok(PageKeeping::UntilOpened),
        _ => Ok(PageKeeping::Kept),
    }
}
