//! Logs of reads for fio: with files where it is started, which it does not make by itself.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use hotset_machine::{MachineError, OnFile as _};
use hotset_models::fio::{Iolog, Job};

/// What is written at once.
const PART_BYTES: u64 = 1 << 20;

/// `log` as `job` replays it where fio is started: names have no folders and no bytes of their own.
fn renamed(log: &Iolog, job: &Job) -> Arc<Iolog> {
    let name = |name: &str| format!("log-{}", name.replace('%', "%25").replace('/', "%2F"));
    // Names of jobs may have what fio takes for a separator.
    let path = format!("line-{}.iolog", job.line);
    Arc::new(log.renamed(path.as_ref(), &name))
}

/// `job` with its files where fio is started.
pub(crate) fn inside(job: &Job) -> Job {
    let mut job = job.clone();
    job.directory = None;
    job.log = job.log.as_ref().map(|log| renamed(log, &job));
    job
}

/// Writes the logs of `jobs` into `folder`.
pub(super) fn write(jobs: &[Job], folder: &Path) -> Result<(), MachineError> {
    for log in jobs.iter().filter_map(|job| inside(job).log) {
        let path = folder.join(&log.path);
        fs::write(&path, log.to_fio()).on("write", &path)?;
    }
    Ok(())
}

/// Makes files in `folder` as long as the logs of `jobs` need them.
pub(crate) fn lay_out(jobs: &[Job], folder: &Path) -> Result<(), MachineError> {
    for log in jobs.iter().filter_map(|job| inside(job).log) {
        for file in &log.files {
            let path = folder.join(&file.name);
            fill(&path, file.bytes).on("write", &path)?;
        }
    }
    Ok(())
}

/// Makes the file so long. It has no holes: the file system has to read it.
fn fill(path: &Path, bytes: u64) -> std::io::Result<()> {
    let mut options = OpenOptions::new();
    let mut file = options.append(true).create(true).open(path)?;
    let mut left = bytes.saturating_sub(file.metadata()?.len());
    if left == 0 {
        return Ok(());
    }
    let part: Vec<u8> = (0..PART_BYTES).map(|byte| (byte % 251) as u8).collect();
    while left > 0 {
        let some = left.min(PART_BYTES);
        file.write_all(&part[..some as usize])?;
        left -= some;
    }
    file.sync_all()
}
