//! Bytes of messages. Those of OrangeFS 2.10 with data were seen on loopback. Those of metadata and of PVFS 1 are assumed, and said to be.

use super::system::OrangeFs;

/// What BMI puts before each message of OrangeFS.
const BMI: u64 = 24;
/// A read or a write that goes in one message, without its data.
const SMALL_REQUEST: u64 = BMI + 300;
/// What stands before the data of its answer; an answer to a write is that alone.
const SMALL_ANSWER: u64 = 40;
/// A read or a write that begins a flow.
const FLOW_REQUEST: u64 = BMI + 296;
/// The answer to it, and what a write ends with.
const FLOW_ANSWER: u64 = BMI + 24;
/// What a small write takes of the eager limit beside its data: of 16,384 bytes 6,768 are left.
const SMALL_WRITE_ROOM: u64 = 16_384 - 6_768;

/// Assumed: what OrangeFS asks of metadata, and is answered.
const METADATA_REQUEST: u64 = BMI + 120;
const METADATA_ANSWER: u64 = BMI + 232;

/// Assumed: a request of PVFS 1, an answer to it, and what stands before data.
const PVFS1_REQUEST: u64 = 128;
const PVFS1_ANSWER: u64 = 64;

/// A message and its answer, bytes; 0 where there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bytes {
    pub request: u64,
    pub answer: u64,
}

/// Whether so many bytes of one server may go in one message.
pub(super) fn is_small(options: &OrangeFs, writes: bool, bytes: u64) -> bool {
    let most_bytes = match writes {
        true => options.eager_bytes.saturating_sub(SMALL_WRITE_ROOM),
        false => options.eager_bytes.saturating_sub(SMALL_ANSWER),
    };
    bytes <= most_bytes
}

/// A read or a write in one message.
pub(super) fn small(writes: bool, bytes: u64) -> Bytes {
    match writes {
        true => Bytes {
            request: SMALL_REQUEST + bytes,
            answer: SMALL_ANSWER,
        },
        false => Bytes {
            request: SMALL_REQUEST,
            answer: SMALL_ANSWER + bytes,
        },
    }
}

/// What begins a flow.
pub(super) const FLOW: Bytes = Bytes {
    request: FLOW_REQUEST,
    answer: FLOW_ANSWER,
};

/// What ends one that writes.
pub(super) const FLOW_DONE: Bytes = Bytes {
    request: 0,
    answer: FLOW_ANSWER,
};

/// A question about metadata.
pub(super) const METADATA: Bytes = Bytes {
    request: METADATA_REQUEST,
    answer: METADATA_ANSWER,
};

/// What the manager of PVFS 1 is asked.
pub(super) const MANAGER: Bytes = Bytes {
    request: PVFS1_REQUEST,
    answer: PVFS1_ANSWER,
};

/// A read of PVFS 1: its data are answers of their own.
pub(super) const PVFS1_READ: Bytes = Bytes {
    request: PVFS1_REQUEST,
    answer: 0,
};

/// A write of PVFS 1 has all its data.
pub(super) fn pvfs1_write(bytes: u64) -> Bytes {
    Bytes {
        request: PVFS1_REQUEST + bytes,
        answer: PVFS1_ANSWER,
    }
}

/// A chunk that a daemon of PVFS 1 has read.
pub(super) fn pvfs1_chunk(bytes: u64) -> Bytes {
    Bytes {
        request: 0,
        answer: PVFS1_ANSWER + bytes,
    }
}
