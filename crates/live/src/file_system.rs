//! Kinds of file systems, by their magic numbers.

use crate::{LiveError, SiteFolder};
use hotset_machine::OnFile as _;
use rustix::fs::{StatFs, statfs};
use rustix::io::Errno;

/// File systems whose files are somewhere else, by their magic numbers (statfs(2), linux/magic.h, and the sources of Lustre,
/// GPFS and BeeGFS). Reading a file that is in memory already asks the server of most of them whether it is the current one.
/// GlusterFS, MooseFS and sshfs come as FUSE.
const REMOTE: [u64; 13] = [
    0x6969,      // NFS
    0x517b,      // SMB
    0xff53_4d42, // CIFS
    0xfe53_4d42, // SMB2
    0x00c3_6400, // Ceph
    0x6573_5546, // FUSE
    0x5346_414f, // AFS
    0x6b41_4653, // kAFS
    0x0102_1997, // 9P
    0x2003_0528, // OrangeFS
    0x0bd0_0bd0, // Lustre
    0x4750_4653, // GPFS
    0x1983_0326, // BeeGFS
];

/// Of these the client asks its server when it is made to (statx(2), `AT_STATX_FORCE_SYNC`), and looks names up anew in a
/// folder that has changed: NFS, SMB and Ceph. A FUSE daemon says by itself how long the kernel may know a name.
const ASKED: [u64; 5] = [0x6969, 0x517b, 0xff53_4d42, 0xfe53_4d42, 0x00c3_6400];

/// tmpfs and ramfs (linux/magic.h).
const IN_MEMORY: [u64; 2] = [0x0102_1994, 0x8584_58f6];

/// Whether a folder is on a network file system. One that is not there, as before its file system is mounted, is on none.
pub(crate) fn is_on_remote(folder: &SiteFolder) -> Result<bool, LiveError> {
    match statfs(&folder.folder) {
        Ok(found) => Ok(is_remote(&found)),
        Err(Errno::NOENT | Errno::NOTDIR) => Ok(false),
        // A mount whose server is gone.
        Err(Errno::NOTCONN | Errno::STALE | Errno::HOSTDOWN) => Ok(true),
        Err(error) => Ok(Err(error).on("look up", &folder.folder)?),
    }
}

/// Whether the files of a folder are nowhere but in memory.
pub(crate) fn is_in_memory(folder: &SiteFolder) -> bool {
    statfs(&folder.folder).is_ok_and(|system| IN_MEMORY.contains(&u64::from(system.f_type as u32)))
}

/// Whether others may change files of this file system without the kernel's knowing.
pub(crate) fn is_remote(system: &StatFs) -> bool {
    // Magic numbers have 32 bits, and the kernel's type for them is signed on some machines.
    REMOTE.contains(&u64::from(system.f_type as u32))
}

/// Whether a client can be made to ask its server what a file is now.
pub(crate) fn can_be_asked(system: &StatFs) -> bool {
    ASKED.contains(&u64::from(system.f_type as u32))
}
