//! How a mount asks other machines, or a program, for its files: as its options say (nfs(5), `fs/fuse/inode.c`).

use crate::mount::MountInfo;
use serde::Serialize;

/// Kinds of file systems that are on other machines. Those of FUSE are programs that mostly are, too.
const KINDS: [&str; 13] = [
    "nfs", "nfs4", "cifs", "smb3", "ceph", "lustre", "pvfs2", "beegfs", "gpfs", "afs", "9p",
    "virtiofs", "fuse",
];
/// What kinds of programs begin with.
const FUSE: &str = "fuse.";

/// How a mount asks for what it does not have.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct NetworkMount {
    /// Version of the protocol, of NFS: `4.2`.
    pub version: Option<String>,
    /// The most that one call reads, bytes; null where the mount does not tell.
    pub read_bytes: Option<u64>,
    /// The most that one call writes, bytes; null likewise.
    pub write_bytes: Option<u64>,
}

impl NetworkMount {
    /// That of what is mounted; nothing of a file system on this machine.
    #[must_use]
    pub fn of(mounted: &MountInfo) -> Option<Self> {
        let kind = mounted.kind.as_str();
        let is_remote = KINDS.contains(&kind) || kind.starts_with(FUSE);
        is_remote.then(|| Self::told(&mounted.options))
    }

    /// By the options of a mount, as the kernel shows them.
    fn told(options: &str) -> Self {
        let value = |name: &str| {
            let mut pairs = options.split(',').filter_map(|it| it.split_once('='));
            pairs.find(|(key, _)| *key == name).map(|(_, value)| value)
        };
        let number = |name: &str| value(name)?.parse::<u64>().ok();
        let bytes = |name: &str| number(name).filter(|&bytes| bytes > 0);
        Self {
            version: value("vers").map(str::to_owned),
            read_bytes: bytes("rsize").or_else(|| bytes("max_read")),
            write_bytes: bytes("wsize"),
        }
    }
}
