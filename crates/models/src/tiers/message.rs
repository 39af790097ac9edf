//! Requests and pieces of their answers, as tokens.

use hotset_petri::{Colour, Time};

use crate::block::DeviceEvent;
use crate::remote::RemoteEvent;
use crate::storage::SEND_BYTES;

/// Bytes of an answer that move together: what `sendfile` moves at a time.
pub(crate) const PIECE_BYTES: u64 = SEND_BYTES;
/// Bytes of a request: a line with a path of some 60 bytes, `Host`, and one more field. Assumed; logs do not tell.
pub(crate) const REQUEST_BYTES: u64 = 128;
/// Bytes before those of the file: what nginx 1.22 sends for a file, counted.
pub(crate) const HEAD_BYTES: u64 = 256;
/// Bytes of a packet that are not HTTP's: 20 of IP, 20 of TCP and 12 of its time stamps.
const HEADER_BYTES: u64 = 52;
/// Those of a header of IP, and of UDP.
const IP_BYTES: u64 = 20;
const UDP_BYTES: u64 = 8;
/// Those of Ethernet around it: as the kernel counts, and limits rates.
const FRAME_BYTES: u64 = 14;

/// A request on its way, or a piece of its answer; or a call of a web node to a file server, or its answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Message {
    /// The request, by its place in the traffic.
    pub row: u32,
    pub file: u32,
    /// Bytes of the file that it brings; 0 in a request. Of a call, all of its bytes.
    pub bytes: u32,
    /// The call; [`NO_CALL`] of requests and their answers. Its `entry` is the file server, and `web` the node that makes it.
    pub call: u32,
    /// Of a call, whether it is a datagram of UDP.
    pub is_datagram: bool,
    /// Who made the request, by class.
    pub class: u16,
    /// The connection that the client has made it on; [`NO_CONNECTION`] of calls and of what is read for a program.
    pub connection: u32,
    /// The node that was asked by the client, and the one that has the file: a proxy may be both.
    pub entry: u16,
    pub web: u16,
    /// The node that the client is on; [`NOWHERE`] where that is none.
    pub home: u16,
    /// The node that has sent it last; [`NOWHERE`] where that is a client on none.
    pub sent_by: u16,
    /// The file as the web node has it open; of an answer that a proxy has kept, the number of the piece.
    pub open: u32,
    pub is_answer: bool,
    pub is_first: bool,
    pub is_last: bool,
    /// Whether anything of the file was waited for, up to here.
    pub has_waited: bool,
    /// Whether it tells of a failure in place of an answer.
    pub is_error: bool,
    /// How often the request has failed before.
    pub attempt: u16,
    /// Processor time that sending it takes, nanoseconds.
    pub work_ns: u64,
    /// When the request was made.
    pub since: Time,
    /// When the first and the last byte of it come to where it is on its way to.
    pub head: Time,
    pub tail: Time,
}

/// No request: there are fewer of these.
const NO_ROW: u32 = u32::MAX;

/// No connection: there are fewer requests.
const NO_CONNECTION: u32 = u32::MAX;
/// No node.
const NOWHERE: u16 = u16::MAX;
/// No call.
const NO_CALL: u32 = u32::MAX;

impl Colour for Message {}
impl Colour for DeviceEvent {}
impl Colour for RemoteEvent {}

impl Message {
    pub fn request(row: usize, file: u32, class: u16, entry: usize, now: Time) -> Self {
        Self {
            row: row as u32,
            file,
            bytes: 0,
            call: NO_CALL,
            is_datagram: false,
            class,
            connection: NO_CONNECTION,
            entry: entry as u16,
            web: entry as u16,
            home: NOWHERE,
            sent_by: NOWHERE,
            open: 0,
            is_answer: false,
            is_first: true,
            is_last: true,
            has_waited: false,
            is_error: false,
            attempt: 0,
            work_ns: 0,
            since: now,
            head: now,
            tail: now,
        }
    }

    /// Call `number` of the node `web` to the file server `server`, of so many bytes. Its `row` is a number that no other call has.
    pub fn call(
        (number, row): (u32, u32),
        (web, server): (usize, usize),
        bytes: u64,
        now: Time,
    ) -> Self {
        Self {
            call: number,
            web: web as u16,
            bytes: u32::try_from(bytes).unwrap_or(u32::MAX),
            ..Self::request(row as usize, 0, 0, server, now)
        }
    }

    /// The answer to it, of so many bytes.
    pub fn answer(self, bytes: u64, now: Time) -> Self {
        Self {
            bytes: u32::try_from(bytes).unwrap_or(u32::MAX),
            is_answer: true,
            head: now,
            tail: now,
            ..self
        }
    }

    /// Where a call or its answer comes from.
    pub fn sender(&self) -> usize {
        usize::from(if self.is_answer { self.entry } else { self.web })
    }

    /// Its call, where it is of one.
    #[inline]
    pub fn of_call(&self) -> Option<u32> {
        (self.call != NO_CALL).then_some(self.call)
    }

    /// What it shares a link as: the messages of a request or an answer follow each other, and so do calls by one connection.
    pub fn flow(&self) -> u64 {
        match self.of_call() {
            None => (u64::from(self.row) << 16) | u64::from(self.attempt),
            Some(_) => {
                const CALLS: u64 = 1 << 63;
                CALLS | (u64::from(self.web) << 16) | u64::from(self.entry)
            }
        }
    }

    /// What waits for a disk on behalf of a program beside the server.
    pub fn of_holder(now: Time) -> Self {
        Self {
            row: NO_ROW,
            ..Self::request(0, 0, 0, 0, now)
        }
    }

    /// Whether it is that, and neither a request nor a piece of an answer.
    pub fn is_of_holder(&self) -> bool {
        self.row == NO_ROW
    }

    /// The same of a client on this node, where it is on one.
    pub fn sent_from(self, home: Option<usize>) -> Self {
        let home = home.map_or(NOWHERE, |home| home as u16);
        Self {
            home,
            sent_by: home,
            ..self
        }
    }

    /// The same on this connection of its client.
    pub fn on(self, connection: u32) -> Self {
        Self { connection, ..self }
    }

    /// The node that the client is on.
    pub fn home(&self) -> Option<usize> {
        (self.home != NOWHERE).then_some(usize::from(self.home))
    }

    /// What is left of it where nobody waits for it any more: the last of an answer.
    pub fn spent(self) -> Self {
        Self {
            bytes: 0,
            is_answer: true,
            is_last: true,
            ..self
        }
    }

    /// A whole answer to it that tells of a failure.
    pub fn error(self) -> Self {
        Self {
            bytes: 0,
            is_answer: true,
            is_first: true,
            is_last: true,
            is_error: true,
            ..self
        }
    }

    /// The same where it is the way to its client that failed, and no node behind the proxy.
    pub fn abandoned(self) -> Self {
        Self {
            is_first: false,
            ..self.error()
        }
    }

    /// Whether it tells of a failure of the node that had the request.
    pub fn tells_of_node(&self) -> bool {
        self.is_error && self.is_first
    }

    /// The node that it goes to from the node `at`; nothing for a client who is on none.
    pub fn next(&self, at: usize) -> Option<usize> {
        let (entry, web) = (usize::from(self.entry), usize::from(self.web));
        if self.of_call().is_some() {
            return Some(if self.is_answer { web } else { entry });
        }
        match self.is_answer {
            true if at != entry => Some(entry),
            true => self.home(),
            false => Some(web),
        }
    }

    /// The node that it has come to the node `at` from; nothing for a client who is on none.
    pub fn previous(&self, at: usize) -> Option<usize> {
        let (entry, web) = (usize::from(self.entry), usize::from(self.web));
        match self.is_answer {
            _ if self.of_call().is_some() => Some(self.sender()),
            true => Some(web),
            false if at == entry => self.home(),
            false => Some(entry),
        }
    }

    /// Its bytes without headers, and its packets on a link whose largest packet has so many bytes.
    pub fn payload(&self, mtu_bytes: u64) -> (u64, u64) {
        (self.message_bytes(), self.wire(mtu_bytes).packets)
    }

    /// Whether it is of an answer that the node `at`, a proxy, has kept.
    pub fn is_kept_by(&self, at: usize) -> bool {
        self.is_answer && usize::from(self.web) == at
    }

    /// Its bytes without headers of packets.
    fn message_bytes(&self) -> u64 {
        let head_bytes = match (self.is_answer, self.is_first) {
            _ if self.of_call().is_some() => 0,
            (false, _) => REQUEST_BYTES,
            (true, true) => HEAD_BYTES,
            (true, false) => 0,
        };
        head_bytes + u64::from(self.bytes)
    }

    /// All there is of it on a link whose largest packet has so many bytes.
    pub fn wire(&self, mtu_bytes: u64) -> Wire {
        if self.of_call().is_some() {
            return Wire::of_call(self.message_bytes(), mtu_bytes, self.is_datagram);
        }
        Wire::of(self.message_bytes(), mtu_bytes, self.is_answer)
    }

    /// Bytes of its first packet there.
    pub fn packet_bytes(&self, mtu_bytes: u64) -> u64 {
        call_packet_bytes(self.message_bytes(), mtu_bytes, self.is_datagram)
    }
}

/// What passes a link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wire {
    /// Headers of packets included.
    pub bytes: u64,
    pub packets: u64,
    /// Packets the other way that acknowledge them. They take no time, and their bytes are not counted.
    pub acks: u64,
}

impl Wire {
    /// So many bytes of HTTP, where the largest packet has so many bytes. Of an answer every second packet is acknowledged, as TCP asks for
    /// (RFC 1122, 4.2.3.2). What is left over is acknowledged with the next request, and a request with its answer.
    pub fn of(bytes: u64, mtu_bytes: u64, is_answer: bool) -> Self {
        let packets = bytes.div_ceil(segment_bytes(mtu_bytes));
        Self {
            bytes: bytes + packets * (HEADER_BYTES + FRAME_BYTES),
            packets,
            acks: if is_answer { packets / 2 } else { 0 },
        }
    }

    /// The same of a call or its answer.
    pub fn of_call(bytes: u64, mtu_bytes: u64, is_datagram: bool) -> Self {
        match is_datagram {
            true => Self::of_datagram(bytes, mtu_bytes),
            false => Self::of(bytes, mtu_bytes, true),
        }
    }

    /// The same of a datagram: its fragments have the header of IP, the first one that of UDP too, and nothing acknowledges them.
    fn of_datagram(bytes: u64, mtu_bytes: u64) -> Self {
        let bytes = bytes + UDP_BYTES;
        let packets = bytes.div_ceil(fragment_bytes(mtu_bytes));
        Self {
            bytes: bytes + packets * (IP_BYTES + FRAME_BYTES),
            packets,
            acks: 0,
        }
    }
}

/// Bytes of a message that the largest packet of a connection has.
pub(crate) fn segment_bytes(mtu_bytes: u64) -> u64 {
    mtu_bytes.saturating_sub(HEADER_BYTES).max(1)
}

/// Bytes that the largest fragment of a datagram has.
pub(crate) fn fragment_bytes(mtu_bytes: u64) -> u64 {
    mtu_bytes.saturating_sub(IP_BYTES).max(1)
}

/// Bytes of the first packet of so many bytes of HTTP.
pub(crate) fn packet_bytes(bytes: u64, mtu_bytes: u64) -> u64 {
    match bytes {
        0 => 0,
        bytes => (bytes + HEADER_BYTES).min(mtu_bytes) + FRAME_BYTES,
    }
}

/// The same of a call or its answer, or what may be a datagram.
pub(crate) fn call_packet_bytes(bytes: u64, mtu_bytes: u64, is_datagram: bool) -> u64 {
    match is_datagram {
        true => bytes.min(fragment_bytes(mtu_bytes)) + IP_BYTES + FRAME_BYTES,
        false => packet_bytes(bytes, mtu_bytes),
    }
}
