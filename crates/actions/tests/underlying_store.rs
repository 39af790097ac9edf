//! The store that the kernel says a folder is on.

use hotset_actions::plan::profile_of;
use hotset_machine::file_system::{Device, FileSystem};
use hotset_report::StoreBasis;

fn on(kind: &str, device: Option<(&str, &str, bool)>) -> Option<(&'static str, StoreBasis)> {
    let device = device.map(|(name, model, turns)| Device {
        name: name.to_owned(),
        model: Some(model.to_owned()),
        rotational: Some(turns),
        scheduler: None,
        max_request_kib: None,
        volatile_cache: None,
        raid: None,
        chunk_bytes: None,
        parts: Vec::new(),
        backing_file: None,
    });
    profile_of(&FileSystem {
        kind: kind.to_owned(),
        source: "/dev/x".into(),
        mounted_at: "/".into(),
        block_bytes: None,
        read_ahead_kib: None,
        journal: None,
        dirty_share: None,
        network: None,
        device,
    })
}

#[test]
fn the_store_is_what_the_kernel_says_unless_a_hypervisor_may_have_made_it_up() {
    use StoreBasis::{Assumed, Found};
    assert_eq!(on("nfs4", None), Some(("nfs", Found)));
    assert_eq!(on("tmpfs", None), Some(("memory", Found)));
    assert_eq!(on("overlay", None), None);
    let ext4 = |name, model, turns| on("ext4", Some((name, model, turns)));
    assert_eq!(ext4("nvme0n1", "", false), Some(("nvme", Found)));
    assert_eq!(
        ext4("sda", "Samsung SSD 870", false),
        Some(("sata-ssd", Found))
    );
    assert_eq!(ext4("sda", "ST4000DM004", true), Some(("hdd", Found)));
    assert_eq!(ext4("vda", "", true), Some(("hdd", Assumed)));
    assert_eq!(ext4("sda", "QEMU HARDDISK", true), Some(("hdd", Assumed)));
}
