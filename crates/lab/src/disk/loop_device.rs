//! A block device over a file.

use hotset_machine::resource::Resource;
use hotset_machine::{Deployment, MachineError, OnFile};
use std::fs;
use std::path::{Path, PathBuf};

/// The read-ahead of a disk in Linux, in KiB. A loop device's own is twenty times that.
pub const READ_AHEAD_KIB: u32 = 128;

/// Attaches a loop device that does its input and output past the page cache of the file system the image lies in:
/// the image's own pages would be a second cache that no node's limit covers.
pub(super) fn attach(deployment: &Deployment, image: &Path) -> Result<PathBuf, MachineError> {
    let (_entry, device) = deployment.make(Resource::Loop(image.to_owned()), || {
        let arguments = ["-f", "--show", "--direct-io=on"].map(AsRef::as_ref);
        let shown = deployment.tool("losetup", &[&arguments[..], &[image.as_os_str()]].concat())?;
        let device = PathBuf::from(shown.trim());
        read_ahead(&device)?;
        require_direct(&device)?;
        Ok(device)
    })?;
    Ok(device)
}

/// Has no request to `device` be larger than `kib` KiB.
pub(super) fn limit_requests(device: &Path, kib: u32) -> Result<(), MachineError> {
    let path = setting(device, "queue/max_sectors_kb");
    let limit = fs::read_to_string(&path).on("read", &path)?;
    if limit.trim().parse::<u32>().is_ok_and(|most| most <= kib) {
        return Ok(());
    }
    fs::write(&path, kib.to_string()).on("write", path)
}

fn setting(device: &Path, file: &str) -> PathBuf {
    Path::new("/sys/block")
        .join(device.file_name().unwrap_or_default())
        .join(file)
}

fn read_ahead(device: &Path) -> Result<(), MachineError> {
    let path = setting(device, "queue/read_ahead_kb");
    fs::write(&path, READ_AHEAD_KIB.to_string()).on("write", path)
}

/// losetup falls back to buffered input and output without an error.
fn require_direct(device: &Path) -> Result<(), MachineError> {
    let path = setting(device, "loop/dio");
    if fs::read_to_string(&path).on("read", &path)?.trim() == "1" {
        return Ok(());
    }
    let problem =
        "the image's file system does not do direct input and output; choose another directory"
            .to_owned();
    Err(MachineError::Unreadable { path, problem })
}
