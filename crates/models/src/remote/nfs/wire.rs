//! Bytes of calls and answers, from the definitions of the protocols: ONC RPC (RFC 5531), NFS 2 (RFC 1094), NFS 3 (RFC 1813), NFS 4.0 to 4.2
//! (RFC 7530, 8881, 7862).
//!
//! What a compound of version 4 is made of is in `fs/nfs/nfs4xdr.c` of Linux 6.1. Every number of XDR takes 4 or 8 bytes; texts are padded
//! to a multiple of 4.

use super::mount::{Mount, Version};
use crate::remote::transport::Protocol;

/// Length of a record before each message of TCP (RFC 5531, 11). Datagrams have none.
const RECORD: u64 = 4;
/// A call up to its arguments: transaction, kind, version of RPC, program, version, procedure; AUTH_SYS of root on a machine whose name
/// has from 5 to 8 letters; no verifier.
const CALL: u64 = 24 + (8 + 4 + (4 + 8) + 4 + 4 + 4) + 8;
/// An answer up to its result: transaction, kind, accepted, no verifier, success.
const ANSWER: u64 = 24;

/// Content of a file handle of Linux's server: header, UUID of the file system, inode and generation (`fs/nfsd/nfsfh.h`).
const FILE_HANDLE: u64 = 36;
/// That of the folder that is exported.
const ROOT_HANDLE: u64 = 28;

/// Handle of version 2, which has no length (`fhandle`).
const FHANDLE2: u64 = 32;
/// Attributes of version 2 (`fattr`), the same with a status (`attrstat`), and with a handle (`diropres`).
const FATTR2: u64 = 68;
const ATTRSTAT2: u64 = 4 + FATTR2;
const DIROPRES2: u64 = 4 + FHANDLE2 + FATTR2;
/// Attributes to be set (`sattr`).
const SATTR2: u64 = 32;
/// Most bytes that Linux's server gives of a folder at a time (`nfsd_init_dirlist_pages`, `fs/nfsd/nfsproc.c`): a page.
const MOST_LISTED2: u64 = 4096;

/// Attributes of version 3 (`fattr3`).
const FATTR3: u64 = 84;
/// The same after a call, if it has any (`post_op_attr`).
const POST_OP: u64 = 4 + FATTR3;
/// Before and after a call (`wcc_data`).
const WCC: u64 = 4 + 24 + POST_OP;
/// The same where the server does not look before it: of WRITE and COMMIT (`fh_fill_pre_attrs` is not called, `fs/nfsd/vfs.c`).
const WCC_AFTER: u64 = 4 + POST_OP;

/// Tag, minor version, number of operations; of an answer status, tag, number.
const COMPOUND: u64 = 12;
/// First of a compound of versions with sessions.
const SEQUENCE: (u64, u64) = (4 + 16 + 16, 8 + 16 + 20);
/// Attributes that version 4 asks for: 44 bytes in the first word of the bitmap, 84 in the second.
const FATTR4: u64 = 8 + 12 + 4 + 44 + 84;
/// Those by which a client sees whether a file has changed: change, size, two times (`cache_consistency_bitmask`).
const CONSISTENCY4: u64 = 8 + 12 + 4 + 8 + 8 + 12 + 12;
/// Asked for with them where it is unknown (`nfs4_bitmask_set`): the space that a file takes, after it was written.
const SPACE4: u64 = 8;
/// The time of the last access, after it was read.
const ACCESS_TIME4: u64 = 12;
const GETATTR: u64 = 4 + 12;
const STATE: u64 = 16;
/// Change of a folder (`change_info4`).
const CHANGE: u64 = 20;

/// A call with the size of both messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// As `nfsstat -c` prints it.
    pub name: &'static str,
    /// Bytes of the call, without headers of TCP and IP.
    pub call_bytes: u64,
    /// Bytes of the answer.
    pub answer_bytes: u64,
}

impl Message {
    /// Whether the server of version 4.0 hears by it that the client is still there. It names an open file, or is sent for that alone
    /// (`renew_lease`, `fs/nfs/nfs4proc.c`).
    pub fn renews_lease(&self) -> bool {
        const NAMES: [&str; 9] = [
            "open",
            "open_conf",
            "open_dgrd",
            "close",
            "read",
            "write",
            "setattr",
            "delegreturn",
            "renew",
        ];
        NAMES.contains(&self.name)
    }
}

/// What a call is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handle {
    /// The folder that is exported.
    Root,
    /// A file or folder in it.
    Inner,
}

impl Handle {
    fn bytes(self) -> u64 {
        4 + match self {
            Self::Root => ROOT_HANDLE,
            Self::Inner => FILE_HANDLE,
        }
    }
}

/// Whether a client knows when a file was last read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessTime {
    /// It does.
    Known,
    /// It has read it since.
    Unknown,
}

impl AccessTime {
    fn bytes(self) -> u64 {
        match self {
            Self::Known => 0,
            Self::Unknown => ACCESS_TIME4,
        }
    }
}

/// Bytes of a text.
fn text(bytes: usize) -> u64 {
    4 + (bytes as u64).next_multiple_of(4)
}

/// No arguments or results: what a version does not have.
const NONE: (u64, u64) = (0, 0);

/// Messages of a protocol.
#[derive(Clone, Copy, Debug)]
pub struct Wire {
    version: Version,
    /// Bytes before each message.
    record_bytes: u64,
}

impl Wire {
    /// Those of a mount's.
    pub fn of(mount: Mount) -> Self {
        Self {
            version: mount.version,
            record_bytes: match mount.protocol {
                Protocol::Tcp => RECORD,
                Protocol::Udp => 0,
            },
        }
    }

    /// SEQUENCE of a compound, and its result.
    fn sequence(self) -> (u64, u64) {
        match self.version {
            Version::V4 { minor: 1.. } => SEQUENCE,
            _ => NONE,
        }
    }

    /// Bytes of a handle, with its length where it has one.
    fn handle_bytes(self, handle: Handle) -> u64 {
        match self.version {
            Version::V2 => FHANDLE2,
            _ => handle.bytes(),
        }
    }

    /// A message of so many bytes, and its answer.
    fn bare(self, name: &'static str, (call, answer): (u64, u64)) -> Message {
        Message {
            name,
            call_bytes: self.record_bytes + CALL + call,
            answer_bytes: self.record_bytes + ANSWER + answer,
        }
    }

    /// With arguments and results of versions 2 and 3, or operations and their results of version 4 behind SEQUENCE and PUTFH.
    fn message(self, name: &'static str, on: Handle, of: [(u64, u64); 3]) -> Message {
        let [second, third, fourth] = of;
        let handle = self.handle_bytes(on);
        let sequence = self.sequence();
        let bytes = match self.version {
            Version::V2 => (handle + second.0, second.1),
            Version::V3 => (handle + third.0, third.1),
            Version::V4 { .. } => (
                COMPOUND + sequence.0 + 4 + handle + fourth.0,
                COMPOUND + sequence.1 + 8 + fourth.1,
            ),
        };
        self.bare(name, bytes)
    }

    /// Attributes.
    pub fn getattr(self, on: Handle) -> Message {
        let of = [(0, ATTRSTAT2), (0, 4 + FATTR3), (GETATTR, FATTR4)];
        self.message("getattr", on, of)
    }

    /// Attributes of what is no longer there (`NFSERR_STALE`, `NFS3ERR_STALE`, `NFS4ERR_STALE`).
    pub fn getattr_of_nothing(self, on: Handle) -> Message {
        self.message("getattr", on, [(0, 4), (0, 4), (GETATTR, 0)])
    }

    /// What the user may do. Version 2 has no such call.
    pub fn access(self, on: Handle) -> Message {
        let fourth = (8 + GETATTR, 16 + FATTR4);
        self.message("access", on, [NONE, (4, 4 + POST_OP + 4), fourth])
    }

    /// A name of a folder.
    pub fn lookup(self, folder: Handle, name: usize, is_there: bool) -> Message {
        let handle = Handle::Inner.bytes();
        let (second, third, fourth) = match is_there {
            true => (DIROPRES2, 4 + handle + 2 * POST_OP, 8 + 8 + handle + FATTR4),
            false => (4, 4 + POST_OP, 8),
        };
        let call = (text(name), 4 + text(name) + 4 + GETATTR);
        let of = [(call.0, second), (call.0, third), (call.1, fourth)];
        self.message("lookup", folder, of)
    }

    /// Content.
    pub fn read(self, bytes: u64) -> Message {
        let data = bytes.next_multiple_of(4);
        let second = (4 + 4 + 4, ATTRSTAT2 + 4 + data);
        let third = (8 + 4, 4 + POST_OP + 4 + 4 + 4 + data);
        let fourth = (4 + STATE + 8 + 4, 8 + 4 + 4 + data);
        self.message("read", Handle::Inner, [second, third, fourth])
    }

    /// Content to be written. Version 4 asks for attributes unless the client has a delegation or writes past its cache.
    pub fn write(self, bytes: u64, asks_attributes: bool) -> Message {
        let data = bytes.next_multiple_of(4);
        let attributes = match asks_attributes {
            true => (GETATTR, CONSISTENCY4 + SPACE4),
            false => (0, 0),
        };
        let second = (4 + 4 + 4 + 4 + data, ATTRSTAT2);
        let third = (8 + 4 + 4 + 4 + data, 4 + WCC_AFTER + 4 + 4 + 8);
        let fourth = (
            4 + STATE + 8 + 4 + 4 + data + attributes.0,
            8 + 4 + 4 + 8 + attributes.1,
        );
        self.message("write", Handle::Inner, [second, third, fourth])
    }

    /// What was written is to be on the disk. Version 2 has no such call: all that it writes is.
    pub fn commit(self) -> Message {
        let third = (8 + 4, 4 + WCC_AFTER + 8);
        self.message("commit", Handle::Inner, [NONE, third, (4 + 8 + 4, 8 + 8)])
    }

    /// Versions 2 and 3: a file is made.
    pub fn create(self, folder: Handle, name: usize) -> Message {
        let second = (text(name) + SATTR2, DIROPRES2);
        let third = (
            text(name) + 4 + 28,
            4 + 4 + Handle::Inner.bytes() + POST_OP + WCC,
        );
        self.message("create", folder, [second, third, NONE])
    }

    /// Version 3 with access lists: the default list of a folder, before a file is made in it (`posix_acl_create`). `nfsstat` does not
    /// count it: it belongs to another program.
    pub fn default_access_list(self, folder: Handle) -> Message {
        self.message("getacl", folder, [NONE, (4, 4 + POST_OP + 4 + 16), NONE])
    }

    /// A size is set, and the times of changes.
    pub fn setattr(self) -> Message {
        let third = (4 + 4 + 4 + 12 + 4 + 4 + 4, 4 + WCC);
        let fourth = (4 + STATE + 12 + 4 + 8 + 4 + GETATTR, 8 + 12 + FATTR4);
        self.message(
            "setattr",
            Handle::Inner,
            [(SATTR2, ATTRSTAT2), third, fourth],
        )
    }

    /// Version 4: a file is opened by its name in a folder, and made if that is wanted and there is none.
    pub fn open(self, folder: Handle, name: usize, creates: bool, is_delegated: bool) -> Message {
        let made = match (creates, self.has_mask()) {
            (false, _) => 0,
            (true, false) => 4 + 12 + 4 + 8 + 4,
            (true, true) => 4 + 16 + 4 + 8 + 4 + 4,
        };
        let call = OPEN + made + 4 + text(name) + 4 + 8 + GETATTR;
        let delegation = self.delegation(is_delegated);
        let answer = OPENED + delegation + 8 + Handle::Inner.bytes() + 16 + FATTR4;
        self.message("open", folder, [NONE, NONE, (call, answer)])
    }

    /// Version 4: there is none of that name.
    pub fn open_of_nothing(self, folder: Handle, name: usize) -> Message {
        let call = OPEN + 4 + text(name) + 4 + 8 + GETATTR;
        self.message("open", folder, [NONE, NONE, (call, 8)])
    }

    /// Version 4.1: a file is opened whose handle the client has.
    pub fn open_known(self, is_delegated: bool) -> Message {
        let call = OPEN + 4 + 8 + GETATTR;
        let answer = OPENED + self.delegation(is_delegated) + 16 + FATTR4;
        self.message("open_noat", Handle::Inner, [NONE, NONE, (call, answer)])
    }

    /// Version 4.0: the open owner of an OPEN is new to the server, so that the client confirms it.
    pub fn open_confirm(self) -> Message {
        let fourth = (4 + STATE + 4, 8 + STATE);
        self.message("open_conf", Handle::Inner, [NONE, NONE, fourth])
    }

    /// Whether a file is made with the program's mask beside its mode (RFC 8275), which version 4.2 has.
    fn has_mask(self) -> bool {
        matches!(self.version, Version::V4 { minor: 2.. })
    }

    /// What is said of a delegation: of reading, with its list of access; of none, with a reason where there are sessions.
    fn delegation(self, is_given: bool) -> u64 {
        match (is_given, self.version) {
            (true, _) => 4 + STATE + 4 + 16,
            (false, Version::V4 { minor: 0 }) => 4,
            (false, _) => 8,
        }
    }

    /// Version 4: the client is to ask again later (`NFS4ERR_DELAY`), of [`Wire::open`].
    pub fn open_delayed(self, folder: Handle, name: usize, creates: bool) -> Message {
        let answer_bytes = self.open_of_nothing(folder, name).answer_bytes;
        Message {
            answer_bytes,
            ..self.open(folder, name, creates, false)
        }
    }

    /// The same of [`Wire::open_known`].
    pub fn open_known_delayed(self) -> Message {
        let call = OPEN + 4 + 8 + GETATTR;
        self.message("open_noat", Handle::Inner, [NONE, NONE, (call, 8)])
    }

    /// Version 4: a file is no longer there whose handle the client has.
    pub fn open_known_of_nothing(self) -> Message {
        let call = OPEN + 4 + 8 + GETATTR;
        self.message("open_noat", Handle::Inner, [NONE, NONE, (call, 0)])
    }

    /// Version 4: a file is closed. Unless the client has a delegation, it asks for attributes, with the time of the last access where that
    /// is unknown.
    pub fn close(self, asked: Option<AccessTime>) -> Message {
        let attributes = asked.map_or((0, 0), |time| (GETATTR, CONSISTENCY4 + time.bytes()));
        let fourth = (4 + 4 + STATE + attributes.0, 8 + STATE + attributes.1);
        self.message("close", Handle::Inner, [NONE, NONE, fourth])
    }

    /// Version 4: a file stays open for less.
    pub fn downgrade(self, time: AccessTime) -> Message {
        let call = 4 + STATE + 4 + 4 + 4 + GETATTR;
        let fourth = (call, 8 + STATE + CONSISTENCY4 + time.bytes());
        self.message("open_dgrd", Handle::Inner, [NONE, NONE, fourth])
    }

    /// Version 4: a delegation is given back.
    pub fn return_delegation(self, time: AccessTime) -> Message {
        let fourth = (GETATTR + 4 + STATE, CONSISTENCY4 + time.bytes() + 8);
        self.message("delegreturn", Handle::Inner, [NONE, NONE, fourth])
    }

    /// Version 4: nothing, so that the server does not forget the client.
    pub fn renewal(self) -> Message {
        match self.version {
            Version::V4 { minor: 0 } => self.bare("renew", (COMPOUND + 4 + 8, COMPOUND + 8)),
            _ => self.bare("sequence", (COMPOUND + SEQUENCE.0, COMPOUND + SEQUENCE.1)),
        }
    }

    /// A name is taken out of a folder.
    pub fn remove(self, folder: Handle, name: usize) -> Message {
        let third = (text(name), 4 + WCC);
        let fourth = (4 + text(name), 8 + CHANGE);
        self.message("remove", folder, [(text(name), 4), third, fourth])
    }

    /// A file gets another name.
    pub fn rename(self, from: (Handle, usize), to: (Handle, usize)) -> Message {
        let names = text(from.1) + text(to.1);
        let plain = self.handle_bytes(to.0) + names;
        let third = (plain, 4 + 2 * WCC);
        let fourth = (4 + 4 + plain + 4, 8 + 8 + 8 + 2 * CHANGE);
        self.message("rename", from.0, [(plain, 4), third, fourth])
    }

    /// Version 4: the client is to ask again later, of [`Wire::rename`].
    pub fn rename_delayed(self, from: (Handle, usize), to: (Handle, usize)) -> Message {
        let answer_bytes = self.record_bytes + ANSWER + COMPOUND + self.sequence().1 + 4 * 8;
        Message {
            answer_bytes,
            ..self.rename(from, to)
        }
    }

    /// Version 4: the server calls a delegation back. Bytes of its call and of the answer: CB_RECALL, behind CB_SEQUENCE where there are
    /// sessions. Version 4.0 has a connection of its own for that, which is taken to be the client's.
    pub fn recall(self) -> (u64, u64) {
        let sequence = match self.version {
            Version::V4 { minor: 0 } => NONE,
            _ => (4 + 16 + 20, 8 + 16 + 16),
        };
        let call = 16 + sequence.0 + (4 + STATE + 4 + Handle::Inner.bytes());
        let message = self.bare("recall", (call, 12 + sequence.1 + 8));
        (message.call_bytes, message.answer_bytes)
    }

    /// Names of a folder, with attributes or without; `entries_bytes` are those of [`Wire::entry_bytes`].
    pub fn readdir(self, folder: Handle, with_attributes: bool, entries_bytes: u64) -> Message {
        let name = match with_attributes && self.version == Version::V3 {
            true => "readdirplus",
            false => "readdir",
        };
        let counts = if with_attributes { 8 } else { 4 };
        let third = (16 + counts, 4 + POST_OP + 8 + entries_bytes + 8);
        let fourth = (4 + 16 + 8 + 12, 8 + 8 + entries_bytes + 8);
        let second = (4 + 4, 4 + entries_bytes + 8);
        self.message(name, folder, [second, third, fourth])
    }

    /// What a name takes of an answer.
    pub fn entry_bytes(self, name: usize, with_attributes: bool) -> u64 {
        let handle = Handle::Inner.bytes();
        match (self.version, with_attributes) {
            (Version::V2, _) => 4 + 4 + text(name) + 4,
            (Version::V3, false) => 4 + 8 + text(name) + 8,
            (Version::V3, true) => 4 + 8 + text(name) + 8 + POST_OP + 4 + handle,
            (Version::V4 { .. }, false) => 4 + 8 + text(name) + 12 + 4 + 4 + 8,
            (Version::V4 { .. }, true) => 4 + 8 + text(name) + 12 + 4 + 44 + 4 + handle + 84,
        }
    }

    /// What of an answer of so many bytes is left for names.
    pub fn entries_bytes(self, most_bytes: u64) -> u64 {
        let (most_bytes, around) = match self.version {
            Version::V2 => (most_bytes.min(MOST_LISTED2), 8),
            Version::V3 => (most_bytes, 4 + POST_OP + 8 + 8),
            Version::V4 { .. } => (most_bytes, 8 + 8 + 8),
        };
        most_bytes.saturating_sub(around)
    }
}

/// OPEN up to what it claims: sequence number, access, denial, client, owner (`encode_openhdr`), and how it is opened.
const OPEN: u64 = 4 + 4 + 4 + 4 + 8 + 4 + 24 + 4;
/// What it gives, up to the delegation.
const OPENED: u64 = 8 + STATE + CHANGE + 4 + 12;
