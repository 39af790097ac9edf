//! Bytes of calls and answers, from the definitions of the protocols: ONC RPC (RFC 5531), NFS 3 (RFC 1813), NFS 4.1 and 4.2 (RFC 5661, 7862).
//!
//! What a compound of version 4 is made of is in `fs/nfs/nfs4xdr.c` of Linux 6.1. Every number of XDR takes 4 or 8 bytes; texts are padded
//! to a multiple of 4.

use super::mount::{Mount, Version};

/// Length of a record before each message of TCP (RFC 5531, 11).
const RECORD: u64 = 4;
/// A call up to its arguments: transaction, kind, version of RPC, program, version, procedure; AUTH_SYS of root on a machine whose name
/// has from 5 to 8 letters; no verifier.
const CALL: u64 = RECORD + 24 + (8 + 4 + (4 + 8) + 4 + 4 + 4) + 8;
/// An answer up to its result: transaction, kind, accepted, no verifier, success.
const ANSWER: u64 = RECORD + 24;

/// Content of a file handle of Linux's server: header, UUID of the file system, inode and generation (`fs/nfsd/nfsfh.h`).
const FILE_HANDLE: u64 = 36;
/// That of the folder that is exported.
const ROOT_HANDLE: u64 = 28;

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

/// Messages of a protocol.
#[derive(Clone, Copy, Debug)]
pub struct Wire {
    is_v4: bool,
    /// A file is made with the program's mask beside its mode (RFC 8275), which version 4.2 has.
    has_mask: bool,
}

impl Wire {
    /// Those of a mount's.
    pub fn of(mount: Mount) -> Self {
        Self {
            is_v4: matches!(mount.version, Version::V4 { .. }),
            has_mask: matches!(mount.version, Version::V4 { minor: 2.. }),
        }
    }

    /// With arguments and results of version 3, or operations and their results of version 4 behind SEQUENCE and PUTFH.
    fn message(
        self,
        name: &'static str,
        on: Handle,
        third: (u64, u64),
        fourth: (u64, u64),
    ) -> Message {
        let (call, answer) = match self.is_v4 {
            false => (on.bytes() + third.0, third.1),
            true => (
                COMPOUND + SEQUENCE.0 + 4 + on.bytes() + fourth.0,
                COMPOUND + SEQUENCE.1 + 8 + fourth.1,
            ),
        };
        Message {
            name,
            call_bytes: CALL + call,
            answer_bytes: ANSWER + answer,
        }
    }

    /// Attributes.
    pub fn getattr(self, on: Handle) -> Message {
        self.message("getattr", on, (0, 4 + FATTR3), (GETATTR, FATTR4))
    }

    /// Attributes of what is no longer there (`NFS3ERR_STALE`, `NFS4ERR_STALE`).
    pub fn getattr_of_nothing(self, on: Handle) -> Message {
        self.message("getattr", on, (0, 4), (GETATTR, 0))
    }

    /// What the user may do.
    pub fn access(self, on: Handle) -> Message {
        let fourth = (8 + GETATTR, 16 + FATTR4);
        self.message("access", on, (4, 4 + POST_OP + 4), fourth)
    }

    /// A name of a folder.
    pub fn lookup(self, folder: Handle, name: usize, is_there: bool) -> Message {
        let handle = Handle::Inner.bytes();
        let (third, fourth) = match is_there {
            true => (4 + handle + 2 * POST_OP, 8 + 8 + handle + FATTR4),
            false => (4 + POST_OP, 8),
        };
        let call = (text(name), 4 + text(name) + 4 + GETATTR);
        self.message("lookup", folder, (call.0, third), (call.1, fourth))
    }

    /// Content.
    pub fn read(self, bytes: u64) -> Message {
        let data = bytes.next_multiple_of(4);
        let third = (8 + 4, 4 + POST_OP + 4 + 4 + 4 + data);
        let fourth = (4 + STATE + 8 + 4, 8 + 4 + 4 + data);
        self.message("read", Handle::Inner, third, fourth)
    }

    /// Content to be written. Version 4 asks for attributes unless the client has a delegation or writes past its cache.
    pub fn write(self, bytes: u64, asks_attributes: bool) -> Message {
        let data = bytes.next_multiple_of(4);
        let attributes = match asks_attributes {
            true => (GETATTR, CONSISTENCY4 + SPACE4),
            false => (0, 0),
        };
        let third = (8 + 4 + 4 + 4 + data, 4 + WCC_AFTER + 4 + 4 + 8);
        let fourth = (
            4 + STATE + 8 + 4 + 4 + data + attributes.0,
            8 + 4 + 4 + 8 + attributes.1,
        );
        self.message("write", Handle::Inner, third, fourth)
    }

    /// What was written is to be on the disk.
    pub fn commit(self) -> Message {
        let third = (8 + 4, 4 + WCC_AFTER + 8);
        self.message("commit", Handle::Inner, third, (4 + 8 + 4, 8 + 8))
    }

    /// Version 3: a file is made.
    pub fn create(self, folder: Handle, name: usize) -> Message {
        let third = (
            text(name) + 4 + 28,
            4 + 4 + Handle::Inner.bytes() + POST_OP + WCC,
        );
        self.message("create", folder, third, (0, 0))
    }

    /// Version 3 with access lists: the default list of a folder, before a file is made in it (`posix_acl_create`). `nfsstat` does not
    /// count it: it belongs to another program.
    pub fn default_access_list(self, folder: Handle) -> Message {
        self.message("getacl", folder, (4, 4 + POST_OP + 4 + 16), (0, 0))
    }

    /// A size is set, and the times of changes.
    pub fn setattr(self) -> Message {
        let third = (4 + 4 + 4 + 12 + 4 + 4 + 4, 4 + WCC);
        let fourth = (4 + STATE + 12 + 4 + 8 + 4 + GETATTR, 8 + 12 + FATTR4);
        self.message("setattr", Handle::Inner, third, fourth)
    }

    /// Version 4: a file is opened by its name in a folder, and made if that is wanted and there is none.
    pub fn open(self, folder: Handle, name: usize, creates: bool, is_delegated: bool) -> Message {
        let made = match (creates, self.has_mask) {
            (false, _) => 0,
            (true, false) => 4 + 12 + 4 + 8 + 4,
            (true, true) => 4 + 16 + 4 + 8 + 4 + 4,
        };
        let call = OPEN + made + 4 + text(name) + 4 + 8 + GETATTR;
        let answer = OPENED + delegation(is_delegated) + 8 + Handle::Inner.bytes() + 16 + FATTR4;
        self.message("open", folder, (0, 0), (call, answer))
    }

    /// Version 4: there is none of that name.
    pub fn open_of_nothing(self, folder: Handle, name: usize) -> Message {
        let call = OPEN + 4 + text(name) + 4 + 8 + GETATTR;
        self.message("open", folder, (0, 0), (call, 8))
    }

    /// Version 4.1: a file is opened whose handle the client has.
    pub fn open_known(self, is_delegated: bool) -> Message {
        let call = OPEN + 4 + 8 + GETATTR;
        let answer = OPENED + delegation(is_delegated) + 16 + FATTR4;
        self.message("open_noat", Handle::Inner, (0, 0), (call, answer))
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
        self.message("open_noat", Handle::Inner, (0, 0), (call, 8))
    }

    /// Version 4: a file is no longer there whose handle the client has.
    pub fn open_known_of_nothing(self) -> Message {
        let call = OPEN + 4 + 8 + GETATTR;
        self.message("open_noat", Handle::Inner, (0, 0), (call, 0))
    }

    /// Version 4: a file is closed. Unless the client has a delegation, it asks for attributes, with the time of the last access where that
    /// is unknown.
    pub fn close(self, asked: Option<AccessTime>) -> Message {
        let attributes = asked.map_or((0, 0), |time| (GETATTR, CONSISTENCY4 + time.bytes()));
        let fourth = (4 + 4 + STATE + attributes.0, 8 + STATE + attributes.1);
        self.message("close", Handle::Inner, (0, 0), fourth)
    }

    /// Version 4: a file stays open for less.
    pub fn downgrade(self, time: AccessTime) -> Message {
        let call = 4 + STATE + 4 + 4 + 4 + GETATTR;
        let fourth = (call, 8 + STATE + CONSISTENCY4 + time.bytes());
        self.message("open_dgrd", Handle::Inner, (0, 0), fourth)
    }

    /// Version 4: a delegation is given back.
    pub fn return_delegation(self, time: AccessTime) -> Message {
        let fourth = (GETATTR + 4 + STATE, CONSISTENCY4 + time.bytes() + 8);
        self.message("delegreturn", Handle::Inner, (0, 0), fourth)
    }

    /// Version 4.1: nothing, so that the server does not forget the client.
    pub fn sequence(self) -> Message {
        Message {
            name: "sequence",
            call_bytes: CALL + COMPOUND + SEQUENCE.0,
            answer_bytes: ANSWER + COMPOUND + SEQUENCE.1,
        }
    }

    /// A name is taken out of a folder.
    pub fn remove(self, folder: Handle, name: usize) -> Message {
        let third = (text(name), 4 + WCC);
        let fourth = (4 + text(name), 8 + CHANGE);
        self.message("remove", folder, third, fourth)
    }

    /// A file gets another name.
    pub fn rename(self, from: (Handle, usize), to: (Handle, usize)) -> Message {
        let names = text(from.1) + text(to.1);
        let third = (to.0.bytes() + names, 4 + 2 * WCC);
        let fourth = (4 + 4 + to.0.bytes() + 4 + names, 8 + 8 + 8 + 2 * CHANGE);
        self.message("rename", from.0, third, fourth)
    }

    /// Version 4: the client is to ask again later, of [`Wire::rename`].
    pub fn rename_delayed(self, from: (Handle, usize), to: (Handle, usize)) -> Message {
        let answer_bytes = ANSWER + COMPOUND + SEQUENCE.1 + 4 * 8;
        Message {
            answer_bytes,
            ..self.rename(from, to)
        }
    }

    /// Version 4.1: the server calls a delegation back on the same connection. Bytes of its call and of the answer: CB_SEQUENCE and
    /// CB_RECALL.
    pub fn recall(self) -> (u64, u64) {
        let call = CALL + 16 + (4 + 16 + 20) + (4 + STATE + 4 + Handle::Inner.bytes());
        (call, ANSWER + 12 + (8 + 16 + 16) + 8)
    }

    /// Names of a folder, with attributes or without; `entries_bytes` are those of [`Wire::entry_bytes`].
    pub fn readdir(self, folder: Handle, with_attributes: bool, entries_bytes: u64) -> Message {
        let name = match with_attributes && !self.is_v4 {
            true => "readdirplus",
            false => "readdir",
        };
        let counts = if with_attributes { 8 } else { 4 };
        let third = (16 + counts, 4 + POST_OP + 8 + entries_bytes + 8);
        let fourth = (4 + 16 + 8 + 12, 8 + 8 + entries_bytes + 8);
        self.message(name, folder, third, fourth)
    }

    /// What a name takes of an answer.
    pub fn entry_bytes(self, name: usize, with_attributes: bool) -> u64 {
        let handle = Handle::Inner.bytes();
        match (self.is_v4, with_attributes) {
            (false, false) => 4 + 8 + text(name) + 8,
            (false, true) => 4 + 8 + text(name) + 8 + POST_OP + 4 + handle,
            (true, false) => 4 + 8 + text(name) + 12 + 4 + 4 + 8,
            (true, true) => 4 + 8 + text(name) + 12 + 4 + 44 + 4 + handle + 84,
        }
    }

    /// What of an answer of so many bytes is left for names.
    pub fn entries_bytes(self, most_bytes: u64) -> u64 {
        let around = match self.is_v4 {
            false => 4 + POST_OP + 8 + 8,
            true => 8 + 8 + 8,
        };
        most_bytes.saturating_sub(around)
    }
}

/// OPEN up to what it claims: sequence number, access, denial, client, owner (`encode_openhdr`), and how it is opened.
const OPEN: u64 = 4 + 4 + 4 + 4 + 8 + 4 + 24 + 4;
/// What it gives, up to the delegation.
const OPENED: u64 = 8 + STATE + CHANGE + 4 + 12;

/// What is said of a delegation: of reading, with its list of access; of none, with a reason.
fn delegation(is_given: bool) -> u64 {
    match is_given {
        true => 4 + STATE + 4 + 16,
        false => 8,
    }
}
