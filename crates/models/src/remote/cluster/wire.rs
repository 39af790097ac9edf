//! Bytes of messages. Those of MooseFS with data and about chunks follow its protocol (`mfscommon/MFSCommunication.h`). All others are assumed.

/// A message and its answer, bytes. Every message has some.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bytes {
    pub request: u64,
    pub answer: u64,
}

impl Bytes {
    /// The same with bytes of a file in the message.
    pub fn sending(self, bytes: u64) -> Self {
        Self {
            request: self.request + bytes,
            ..self
        }
    }

    /// The same with bytes of a file in the answer.
    pub fn receiving(self, bytes: u64) -> Self {
        Self {
            answer: self.answer + bytes,
            ..self
        }
    }
}

/// Assumed: calls of Lustre with the headers of LNet.
pub(super) const LUSTRE: Bytes = Bytes {
    request: 512,
    answer: 400,
};
/// What a server of Lustre asks a client.
pub(super) const LUSTRE_CALLBACK: Bytes = Bytes {
    request: 328,
    answer: 264,
};
/// A server of Lustre fetches what a client has to write (`LNET_MSG_GET`).
pub(super) const LUSTRE_FETCH: u64 = 72;

/// Assumed: calls of GlusterFS, those that find names, and those with data.
pub(super) const GLUSTER_NAMES: Bytes = Bytes {
    request: 400,
    answer: 500,
};
/// The latter.
pub(super) const GLUSTER_DATA: Bytes = Bytes {
    request: 160,
    answer: 260,
};

/// Assumed, with a name of eight letters: what MooseFS asks its master about names and attributes.
pub(super) const MOOSE_NAMES: Bytes = Bytes {
    request: 37,
    answer: 51,
};
/// Where a chunk is (`CLTOMA_FUSE_READ_CHUNK`, `CLTOMA_FUSE_WRITE_CHUNK`): a header, then 13 bytes; and 25 with 14 for each copy.
pub(super) fn moose_chunk(copies: u32) -> Bytes {
    Bytes {
        request: 8 + 13,
        answer: 8 + 25 + 14 * u64::from(copies),
    }
}
/// A chunk was written (`CLTOMA_FUSE_WRITE_CHUNK_END`).
pub(super) const MOOSE_CHUNK_END: Bytes = Bytes {
    request: 8 + 29,
    answer: 8 + 5,
};

/// Bytes of a chunk are read (`CLTOCS_READ`): they come in blocks, each with a header (`CSTOCL_READ_DATA`), then a status.
pub(super) fn moose_read(blocks: u64, bytes: u64) -> Bytes {
    Bytes {
        request: 8 + 21,
        answer: blocks * (8 + 20) + bytes + 8 + 9,
    }
}

/// A block is written (`CLTOCS_WRITE_DATA`) and answered with a status. Before the first one a client says which chunk, and where its other
/// copies are (`CLTOCS_WRITE`).
pub(super) fn moose_write(is_first: bool, copies: u32, bytes: u64) -> Bytes {
    let head = match is_first {
        true => 8 + 13 + 6 * u64::from(copies.saturating_sub(1)),
        false => 0,
    };
    Bytes {
        request: head + 8 + 24 + bytes,
        answer: 8 + 13,
    }
}
