//! How a client mounts what a file server exports.

/// The protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// Version 3 (RFC 1813).
    V3,
    /// Version 4 with sessions: 4.1 or 4.2 (RFC 5661, RFC 7862), which send the same here.
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

impl Mount {
    /// Whether the protocol knows of opens, so that they check what is cached.
    pub(super) fn is_v4(self) -> bool {
        matches!(self.version, Version::V4 { .. })
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
