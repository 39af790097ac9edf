//! One path a line: on disk where the site's root is known, else of the URL.

use std::borrow::Cow;
use std::os::unix::ffi::OsStrExt;

use hotset_scenario::PlacedFile;

use super::contents::{PlanFile, PlanFileError};
use crate::plan::view::{OnDisk, PlanView};
use crate::printable;

const END: u8 = b'\n';

pub(super) fn plan_file(view: &PlanView) -> Result<PlanFile, PlanFileError> {
    let mut list = PlanFile::default();
    for (file, on_disk) in view.placement.files.iter().zip(view.on_disk) {
        let path = match on_disk {
            OnDisk::Missing => {
                list.left_out += 1;
                continue;
            }
            OnDisk::At(path) => Cow::Borrowed(path.as_os_str().as_bytes()),
            OnDisk::NoRoot => {
                list.by_url += 1;
                url_path(file, view.plan.sites.len() > 1)
            }
        };
        if path.contains(&END) {
            let path = printable(&String::from_utf8_lossy(&path)).into_owned();
            return Err(PlanFileError::LineBreak { path });
        }
        list.push(&path, END);
    }
    Ok(list)
}

/// The path of the URL, behind the site's name where there are `several` sites.
fn url_path(file: &PlacedFile, several: bool) -> Cow<'_, [u8]> {
    match several {
        true => [file.site.as_bytes(), &file.path.0].concat().into(),
        false => Cow::Borrowed(&file.path.0),
    }
}
