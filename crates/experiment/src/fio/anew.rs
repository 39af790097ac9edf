//! What a run of fio begins with where jobs write. As in the simulation, nothing is dirty, and files that no job finds are not there.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use hotset_machine::{MachineError, OnFile as _};
use hotset_models::fio::Job;
use rustix::fs::syncfs;

use super::FioError;
use super::logs::inside;

/// Removes the files of `jobs` in `folder` that none of them finds with data, or that one appends to, and waits until all that was written is
/// on the device. Where no job writes, it does nothing.
///
/// # Errors
/// What the file system refuses.
pub(crate) fn begin_anew(jobs: &[Job], folder: &Path) -> Result<(), MachineError> {
    if !jobs.iter().any(|job| job.mode.writes()) {
        return Ok(());
    }
    let found = names(jobs, Job::finds_its_files);
    let new = names(jobs, |job| !job.finds_its_files());
    // Else they would get longer with each run.
    let appended = names(jobs, |job| job.appends);
    for name in new.difference(&found).chain(&appended) {
        let path = folder.join(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            removed => removed.on("remove", &path)?,
        }
    }
    let opened = File::open(folder).on("open", folder)?;
    syncfs(&opened).on("write back", folder)
}

/// Refuses what is in the place of a job's file in `folder` and leads elsewhere: fio would write there.
///
/// # Errors
/// A link, a device, or a file that has another name besides.
pub(super) fn check_files(jobs: &[Job], folder: &Path) -> Result<(), FioError> {
    for name in names(jobs, |_| true) {
        let path = folder.join(name);
        let found = match fs::symlink_metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            found => found.on("look up", &path)?,
        };
        if !found.is_file() || found.nlink() > 1 {
            return Err(FioError::NotItsOwn(path));
        }
    }
    Ok(())
}

/// Names of the files of those jobs that are `chosen`.
fn names(jobs: &[Job], is_chosen: fn(&Job) -> bool) -> BTreeSet<String> {
    let chosen = jobs.iter().filter(|job| is_chosen(job));
    let of_job = |job: Job| {
        let files = (0..job.threads).flat_map(|number| job.files(number));
        files.map(|(name, _)| name).collect::<Vec<_>>()
    };
    chosen.map(inside).flat_map(of_job).collect()
}
