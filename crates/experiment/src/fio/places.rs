//! Where the files of jobs lie.

use std::path::Path;

use hotset_machine::MachineError;
use hotset_models::file_system::{Extent, FilePlaces};
use hotset_models::fio::Job;

use super::logs::inside;

/// Where the files of `jobs` lie in `folder`, by the names that jobs have for them; `extents` says of
/// each.
///
/// # Errors
/// That of a file.
pub(crate) fn places(
    jobs: &[Job],
    folder: &Path,
    extents: &dyn Fn(&Path) -> Result<Vec<Extent>, MachineError>,
) -> Result<FilePlaces, MachineError> {
    let mut places = FilePlaces::default();
    for job in jobs {
        let made = inside(job);
        for number in 0..job.threads {
            for ((name, _), (file, _)) in job.files(number).into_iter().zip(made.files(number)) {
                let extents = extents(&folder.join(file))?;
                places.0.insert(name, extents);
            }
        }
    }
    Ok(places)
}
