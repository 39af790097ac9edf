//! How a client mounts what a file server exports.

use crate::remote::transport::Protocol;

/// The protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// Version 2 (RFC 1094).
    V2,
    /// Version 3 (RFC 1813).
    V3,
    /// Version 4: 4.0 with open owners (RFC 7530), 4.1 and 4.2 with sessions (RFC 8881, RFC 7862).
    V4 {
        /// What comes after the point.
        minor: u8,
    },
}

/// How a client mounts it (`man 5 nfs`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mount {
    /// The protocol.
    pub version: Version,
    /// What carries its calls.
    pub protocol: Protocol,
    /// Most bytes of a READ (`rsize`).
    pub read_bytes: u64,
    /// Most bytes of a WRITE (`wsize`).
    pub write_bytes: u64,
    /// How long attributes are taken to hold, seconds (`actimeo`); without it from 3 to 60 of files, from 30 to 60 of folders.
    pub attributes_s: Option<u32>,
    /// Every write returns when it is on the server's disk (`sync`).
    pub sync: bool,
}

const NS: u64 = 1_000_000_000;

/// Largest file of version 2: its offsets have 32 bits, of which the kernel takes 31 (`nfs_proc_fsinfo`, `fs/nfs/proc.c`).
const MOST_V2_FILE_BYTES: u64 = 0x7fff_ffff;

/// Calls that a client has under way at a time. With sessions those of one (`NFS4_DEF_SLOT_TABLE_SIZE`, `fs/nfs/nfs4session.h`).
const SLOTS_OF_SESSION: u32 = 64;
/// Of version 4.0 (`NFS4_MAX_SLOT_TABLE`, the same file).
const SLOTS_V4_0: u32 = 1024;
/// Over TCP as many as it wants (`xprt_max_tcp_slot_table_entries`, `net/sunrpc/xprtsock.c`).
const SLOTS_OF_TCP: u32 = 65_536;
/// Over UDP (`RPC_DEF_SLOT_TABLE`, `include/linux/sunrpc/xprt.h`).
const SLOTS_OF_UDP: u32 = 16;

impl Mount {
    /// Whether it is version 2, which has no ACCESS, no COMMIT and no READDIRPLUS.
    pub(super) fn is_v2(self) -> bool {
        self.version == Version::V2
    }

    /// Whether it is version 3, whose answers have the attributes of folders as well.
    pub(super) fn is_v3(self) -> bool {
        self.version == Version::V3
    }

    /// Whether the protocol knows of opens, so that they check what is cached.
    pub(super) fn is_v4(self) -> bool {
        matches!(self.version, Version::V4 { .. })
    }

    /// Whether opens belong to open owners that the server has to have confirmed: version 4.0.
    pub(super) fn has_owners(self) -> bool {
        self.version == Version::V4 { minor: 0 }
    }

    /// Whether calls that open and close files wait for each other.
    pub(crate) fn has_turns(self) -> bool {
        self.has_owners()
    }

    /// Calls that a client has under way at a time.
    pub(crate) fn slots(self) -> u32 {
        match (self.version, self.protocol) {
            (Version::V4 { minor: 0 }, _) => SLOTS_V4_0,
            (Version::V4 { .. }, _) => SLOTS_OF_SESSION,
            (_, Protocol::Tcp) => SLOTS_OF_TCP,
            (_, Protocol::Udp) => SLOTS_OF_UDP,
        }
    }

    /// The largest file, bytes; nothing where any can be followed.
    #[must_use]
    pub fn most_file_bytes(self) -> Option<u64> {
        self.is_v2().then_some(MOST_V2_FILE_BYTES)
    }

    /// How long attributes hold at least and at most, nanoseconds (`NFS_DEF_ACREGMIN` and others, `include/linux/nfs_fs_sb.h`).
    pub(super) fn attributes_ns(self, is_folder: bool) -> (u64, u64) {
        match (self.attributes_s, is_folder) {
            (Some(seconds), _) => (u64::from(seconds) * NS, u64::from(seconds) * NS),
            (None, true) => (30 * NS, 60 * NS),
            (None, false) => (3 * NS, 60 * NS),
        }
    }
}
