//! Whether the page cache keeps what was read of a file.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use hotset_machine::{OnFile, Residency};
use serde::Serialize;

use crate::ProbeError;

/// Read to see whether it stays, bytes: a page.
const READ_BYTES: usize = 4096;

/// How long the page cache keeps what was read of a file. Programs behind a mount say it at each open (`FOPEN_KEEP_CACHE` and
/// `FOPEN_DIRECT_IO` of `include/uapi/linux/fuse.h`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Keeping {
    /// Until its memory is needed.
    Kept,
    /// Until somebody opens the file.
    UntilOpened,
    /// Not at all: each read asks again.
    Never,
}

impl Keeping {
    /// That of a file that is not empty.
    ///
    /// # Errors
    /// When the file cannot be read, or the kernel does not tell what of it is in memory.
    pub(crate) fn of(path: &Path) -> Result<Self, ProbeError> {
        let open = || File::open(path).on("open", path);
        let in_memory = |file: &File| -> Result<u64, ProbeError> {
            let residency = Residency::of(file).on("count cached pages of", path)?;
            Ok(residency.resident)
        };
        let file = open()?;
        let read = file.read_at(&mut [0; READ_BYTES], 0);
        read.on("read", path)?;
        if in_memory(&file)? == 0 {
            return Ok(Self::Never);
        }
        let _opened_anew = open()?;
        match in_memory(&file)? {
            0 => Ok(Self::UntilOpened),
            _ => Ok(Self::Kept),
        }
    }
}
