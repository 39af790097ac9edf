//! How much of a disk may be dirty: a limit of its own, which leaves those of the machine alone.

use hotset_machine::cgroup::DeviceNumber;
use hotset_machine::resource::Resource;
use hotset_machine::{Deployment, MachineError, OnFile};
use std::fs;
use std::path::{Path, PathBuf};

/// Has programs that write to `device` wait where so many bytes of it are dirty, however little is dirty in all
/// (`Documentation/ABI/testing/sysfs-class-bdi`). Goes with the deployment, before the device does.
///
/// # Errors
/// Before Linux 6.3, and for more than the machine allows.
pub(crate) fn set(deployment: &Deployment, device: &Path, bytes: u64) -> Result<(), MachineError> {
    let number = DeviceNumber::of(device)?;
    let folder = Path::new("/sys/class/bdi").join(number.to_string());
    // What the kernel keeps is a share. In bytes it says another number as soon as more or less memory is free.
    let share = folder.join("max_ratio");
    write(
        deployment,
        share,
        &folder.join("max_bytes"),
        &bytes.to_string(),
    )?;
    let strict = folder.join("strict_limit");
    write(deployment, strict.clone(), &strict, "1")
}

/// Writes `text` into `file`, which changes what the file at `kept` says: that is written down, and undone.
fn write(
    deployment: &Deployment,
    kept: PathBuf,
    file: &Path,
    text: &str,
) -> Result<(), MachineError> {
    let before = fs::read_to_string(&kept).on("read", &kept)?;
    let setting = Resource::Setting {
        file: kept,
        before: before.trim().to_owned(),
        written: None,
    };
    let (_entry, ()) = deployment.make(setting, || fs::write(file, text).on("write", file))?;
    Ok(())
}
