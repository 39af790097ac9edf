//! What `vmtouch -0 -b FILE` reads: paths on disk, each ended by a NUL byte, which no path contains (vmtouch(8), 1.3).

use std::os::unix::ffi::OsStrExt;

use super::contents::{PlanFile, PlanFileError};
use crate::plan::view::{OnDisk, PlanView};

pub(super) fn plan_file(view: &PlanView) -> Result<PlanFile, PlanFileError> {
    let mut list = PlanFile::default();
    for (file, on_disk) in view.placement.files.iter().zip(view.on_disk) {
        match on_disk {
            OnDisk::At(path) => list.push(path.as_os_str().as_bytes(), 0),
            OnDisk::Missing => list.left_out += 1,
            OnDisk::NoRoot => return Err(PlanFileError::NoRoot(file.site.clone())),
        }
    }
    Ok(list)
}
