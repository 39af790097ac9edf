//! Mounts of other machines, by the options that the kernel shows.

use hotset_machine::file_system::NetworkMount;
use hotset_machine::mount::MountInfo;

fn told(kind: &str, options: &str) -> Option<NetworkMount> {
    NetworkMount::of(&MountInfo {
        path: "/mnt".into(),
        device: "0:50".to_owned(),
        root: "/".into(),
        kind: kind.to_owned(),
        source: "server:/export".into(),
        options: options.to_owned(),
    })
}

#[test]
fn a_mount_of_nfs_tells_its_version_and_the_sizes_of_its_calls() {
    let options = "rw,vers=4.2,rsize=1048576,wsize=524288,namlen=255,hard,proto=tcp";
    let mount = told("nfs4", options).unwrap();
    assert_eq!(mount.version.as_deref(), Some("4.2"));
    assert_eq!(mount.read_bytes, Some(1 << 20));
    assert_eq!(mount.write_bytes, Some(512 << 10));
}

#[test]
fn a_program_tells_what_it_reads_at_most_or_nothing() {
    let options = "rw,user_id=0,group_id=0,allow_other,max_read=131072";
    let mount = told("fuse.glusterfs", options).unwrap();
    assert_eq!((mount.version, mount.read_bytes), (None, Some(128 << 10)));
    let silent = told("fuse.sshfs", "rw,user_id=0").unwrap();
    assert_eq!(silent, NetworkMount::default());
}

#[test]
fn file_systems_of_this_machine_are_no_mounts_of_others() {
    for kind in ["ext4", "xfs", "tmpfs", "overlay", "fuseblk", "fusectl"] {
        assert_eq!(told(kind, "rw,vers=3"), None, "{kind}");
    }
}
