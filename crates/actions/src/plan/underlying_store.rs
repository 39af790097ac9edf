//! The store that the kernel says a folder is on, for sites whose store nobody names.

use std::path::Path;

use hotset_machine::file_system::{Device, FileSystem};
use hotset_report::StoreBasis;

/// File systems over the network, and the profile of each.
const REMOTE: [(&str, &str); 7] = [
    ("nfs", "nfs"),
    ("nfs4", "nfs"),
    ("cifs", "nfs"),
    ("smb3", "nfs"),
    ("ceph", "moosefs"),
    ("fuse.glusterfs", "moosefs"),
    ("fuse.mfs", "moosefs"),
];
/// File systems in memory.
const IN_MEMORY: [&str; 2] = ["tmpfs", "ramfs"];
/// How names of disks begin that a hypervisor makes: virtio and Xen. They say that they turn, whatever they are.
const VIRTUAL_NAMES: [&str; 2] = ["vd", "xvd"];
/// What hypervisors call the disks that they show as others do: QEMU, VMware, Hyper-V, VirtualBox, Google, Amazon.
const VIRTUAL_MODELS: [&str; 7] = [
    "QEMU",
    "Virtual",
    "VMware",
    "VBOX",
    "Persistent",
    "Google",
    "Amazon",
];

/// The name of the profile for a folder, and how sure that is; nothing where the kernel does not tell what it is on.
pub fn of(folder: &Path) -> Option<(&'static str, StoreBasis)> {
    profile_of(&FileSystem::of(folder)?)
}

/// The name of the profile for a file system, and how sure that is; nothing where the kernel does not tell what it is on.
pub fn profile_of(found: &FileSystem) -> Option<(&'static str, StoreBasis)> {
    let kind = found.kind.as_str();
    if let Some((_, profile)) = REMOTE.iter().find(|(name, _)| *name == kind) {
        return Some((profile, StoreBasis::Found));
    }
    if IN_MEMORY.contains(&kind) {
        return Some(("memory", StoreBasis::Found));
    }
    let device = found.device.as_ref()?;
    match device.rotational? {
        false if device.name.starts_with("nvme") => Some(("nvme", StoreBasis::Found)),
        false => Some(("sata-ssd", StoreBasis::Found)),
        true if is_virtual(device) => Some(("hdd", StoreBasis::Assumed)),
        true => Some(("hdd", StoreBasis::Found)),
    }
}

/// Whether a hypervisor made it, or it is a file's: then it need not turn.
fn is_virtual(device: &Device) -> bool {
    let is_named = VIRTUAL_NAMES.iter().any(|it| device.name.starts_with(it));
    let model = device.model.as_deref().unwrap_or_default();
    let is_called = VIRTUAL_MODELS.iter().any(|it| model.contains(it));
    is_named || is_called || device.backing_file.is_some()
}
