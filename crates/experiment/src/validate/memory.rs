//! Files that jobs expect in memory.

use std::fs::File;
use std::io;
use std::path::Path;

use hotset_machine::{MachineError, OnFile as _, Residency};
use hotset_models::fio::Job;
use rustix::fs::{Advice, fadvise};

use crate::fio::inside;

/// Reads the files of `jobs` that do not drop theirs first: the simulation begins with them in memory, while the machine may
/// have evicted them since the last round. `anew` has them evicted before: fio writes files in small blocks, which leaves them in small
/// folios. Blocks of 16 KiB of such a file were copied at 4.9 GB a second, and at 6.3 to 7.6 of one in large folios (Linux 6.18,
/// November 2026, on a busy machine).
pub(super) fn load(jobs: &[Job], folder: &Path, anew: bool) -> Result<(), MachineError> {
    let keeping = jobs.iter().filter(|job| !job.invalidate && !job.direct);
    for job in keeping.map(inside) {
        for (name, _) in (0..job.threads).flat_map(|number| job.files(number)) {
            load_file(&folder.join(name), anew)?;
        }
    }
    Ok(())
}

/// In the first round the file is not there yet.
fn load_file(path: &Path, anew: bool) -> Result<(), MachineError> {
    let mut file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        opened => opened.on("open", path)?,
    };
    if anew {
        fadvise(&file, 0, None, Advice::DontNeed).on("evict", path)?;
    }
    let residency = Residency::of(&file).on("count cached pages of", path)?;
    if !residency.is_whole() {
        io::copy(&mut file, &mut io::sink()).on("read", path)?;
    }
    Ok(())
}
