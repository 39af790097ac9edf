//! A connection of TCP between a client and a file server, or its datagrams of UDP: messages become packets, and packets are counted.
//!
//! A datagram that is larger than a packet travels in fragments, each with the header of IP (20 bytes). The first has that of UDP too (8
//! bytes). All but the last have multiples of 8 bytes (RFC 791). Nothing acknowledges them, and nothing is sent where there are no calls.
//!
//! A packet has the headers of IP (20 bytes) and of TCP with its time stamps (32 bytes), as `/proc/net/dev` counts them on the loopback
//! interface, which has no Ethernet (`loopback_xmit`, `drivers/net/loopback.c` of Linux 6.1). An acknowledgement rides on the next
//! packet of the other way. It travels alone where two full segments have come (RFC 1122, 4.2.3.2), or where nothing goes the other
//! way for 40 ms (`TCP_DELACK_MIN`, `include/net/tcp.h`). Calls that are made at the same time follow each other in the same segments
//! (`tcp_sock_set_cork` in `xs_tcp_send_request`, `net/sunrpc/xprtsock.c`).

use serde::Serialize;

/// Headers of a packet: IP, and TCP with time stamps.
pub(super) const HEADER_BYTES: u64 = IP_BYTES + 32;
/// Those of a datagram: IP of each fragment, and UDP of the first.
const IP_BYTES: u64 = 20;
const UDP_BYTES: u64 = 8;
/// What fragments but the last have is a multiple of this.
const FRAGMENT_UNIT: u64 = 8;
/// How long an acknowledgement waits for a packet to ride on.
const DELAYED_ACK_NS: u64 = 40_000_000;
/// After how long without a packet the client asks whether the server is still there, and again each time: `timeo`, which is a minute
/// (`xs_tcp_set_socket_timeouts`, `net/sunrpc/xprtsock.c`).
const KEEP_ALIVE_NS: u64 = 60_000_000_000;
/// After how long without a call the client closes the connection (`XS_IDLE_DISC_TO`, the same file); the next call opens it anew.
const IDLE_CLOSE_NS: u64 = 300_000_000_000;
/// A segment is at most half of the largest window that the other side has offered (`tcp_bound_to_half_wnd`, `include/net/tcp.h`), which
/// is this at first. It grows when more than this comes at once (`tcp_rcv_space_adjust`, `net/ipv4/tcp_input.c`).
const FIRST_WINDOW_BYTES: u64 = 65_536;
/// What TCP's options take of the first packet of each side more than of later ones.
const OPENING_BYTES: u64 = 8;
/// Largest packet of the loopback interface.
const LOOPBACK_MTU_BYTES: u64 = 65_536;

/// What lies between a client and a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// Bits in a second, in each direction; none where it is never the limit.
    pub bits_per_s: Option<u64>,
    /// How long a bit is on its way, nanoseconds.
    pub delay_ns: u64,
    /// Largest packet, bytes, with its headers of IP and TCP.
    pub mtu_bytes: u64,
}

impl Default for Line {
    /// As the loopback interface.
    fn default() -> Self {
        Self {
            bits_per_s: None,
            delay_ns: 0,
            mtu_bytes: LOOPBACK_MTU_BYTES,
        }
    }
}

impl Line {
    /// Bytes of a message that its largest packet has.
    pub(super) fn segment_bytes(self) -> u64 {
        self.mtu_bytes.saturating_sub(HEADER_BYTES).max(1)
    }

    /// Fragments that a datagram of so many bytes travels in (`ip_do_fragment`, `net/ipv4/ip_output.c`).
    fn fragments(self, bytes: u64) -> u64 {
        let most = self.mtu_bytes.saturating_sub(IP_BYTES);
        let whole = (most / FRAGMENT_UNIT * FRAGMENT_UNIT).max(FRAGMENT_UNIT);
        let before_last = (bytes + UDP_BYTES).saturating_sub(most).div_ceil(whole);
        before_last + 1
    }

    /// A datagram with so many bytes: its bytes with headers, and those of its first fragment.
    pub(super) fn datagram(self, bytes: u64) -> (u64, u64) {
        let all = bytes + UDP_BYTES + self.fragments(bytes) * IP_BYTES;
        (all, all.min(self.mtu_bytes))
    }

    /// How long so many bytes pass, headers included, nanoseconds.
    pub(super) fn passing_ns(self, bytes: u64) -> u64 {
        match self.bits_per_s {
            None => 0,
            Some(rate) => (bytes as f64 * 8e9 / rate.max(1) as f64).round() as u64,
        }
    }
}

/// A count for each way, from where the client stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct BothWays {
    /// From the client to the server.
    pub sent: u64,
    /// From the server to the client.
    pub received: u64,
}

/// A connection and what has passed it.
#[derive(Clone, Debug)]
pub(super) struct Connection {
    line: Line,
    /// Messages are datagrams of UDP.
    is_datagram: bool,
    /// Bytes with headers.
    pub bytes: BothWays,
    /// Packets, acknowledgements among them.
    pub packets: BothWays,
    /// When the way to the server, and that from it, is free again.
    free_ns: [u64; 2],
    /// Since when the client owes an acknowledgement.
    owed_since_ns: Option<u64>,
    /// When the client sent last, and what room is left in that segment.
    corked: (u64, u64),
    /// Whether the window of the server, and that of the client, has grown.
    is_wide: [bool; 2],
    /// When a call was last made or answered.
    used_ns: u64,
    /// How many times since then the client has asked whether the server is there; one more time it closes the connection.
    probes: u64,
}

impl Connection {
    /// One that nothing has passed.
    pub fn new(line: Line) -> Self {
        Self {
            line,
            is_datagram: false,
            bytes: BothWays::default(),
            packets: BothWays::default(),
            free_ns: [0; 2],
            owed_since_ns: None,
            corked: (0, 0),
            is_wide: [false; 2],
            used_ns: 0,
            probes: 0,
        }
    }

    /// The same of datagrams, which need no connection.
    pub fn of_datagrams(line: Line) -> Self {
        Self {
            is_datagram: true,
            ..Self::new(line)
        }
    }

    /// A datagram goes one way at `now_ns`. When its last fragment arrives.
    fn send_datagram(&mut self, way: usize, now_ns: u64, bytes: u64) -> u64 {
        let fragments = self.line.fragments(bytes);
        let (all_bytes, _) = self.line.datagram(bytes);
        let (sum, packets) = match way {
            0 => (&mut self.bytes.sent, &mut self.packets.sent),
            _ => (&mut self.bytes.received, &mut self.packets.received),
        };
        *sum += all_bytes;
        *packets += fragments;
        self.pass(way, now_ns, all_bytes)
    }

    /// The client sends so many bytes at `now_ns`. When the last one arrives.
    pub fn send(&mut self, now_ns: u64, bytes: u64) -> u64 {
        if self.is_datagram {
            return self.send_datagram(0, now_ns, bytes);
        }
        self.settle(now_ns);
        self.stay_idle(now_ns);
        self.open_anew();
        self.used_ns = now_ns;
        let segments = self.segments_behind(now_ns, bytes);
        count(
            &mut self.bytes.sent,
            &mut self.packets.sent,
            bytes,
            segments,
        );
        // Those of the server; the last one rides on its answer.
        let alone = segments / 2;
        count(
            &mut self.bytes.received,
            &mut self.packets.received,
            0,
            alone,
        );
        self.pass(0, now_ns, bytes + segments * HEADER_BYTES)
    }

    /// The server sends so many bytes at `now_ns`. When the last one arrives.
    pub fn receive(&mut self, now_ns: u64, bytes: u64) -> u64 {
        if self.is_datagram {
            return self.send_datagram(1, now_ns, bytes);
        }
        let segments = self.segments(1, bytes);
        count(
            &mut self.bytes.received,
            &mut self.packets.received,
            bytes,
            segments,
        );
        let arrives_ns = self.pass(1, now_ns, bytes + segments * HEADER_BYTES);
        let alone = segments / 2;
        count(&mut self.bytes.sent, &mut self.packets.sent, 0, alone);
        self.owed_since_ns = (segments % 2 == 1).then_some(arrives_ns);
        self.used_ns = self.used_ns.max(arrives_ns);
        arrives_ns
    }

    /// Sends what TCP sends when there are no calls until `now_ns`.
    pub fn stay_idle(&mut self, now_ns: u64) {
        if self.is_datagram {
            return;
        }
        let idle_ns = now_ns.saturating_sub(self.used_ns).min(IDLE_CLOSE_NS);
        while self.probes < idle_ns / KEEP_ALIVE_NS {
            self.probes += 1;
            // At last, both sides end the connection, and the client acknowledges it.
            let sent = if self.is_closed() { 2 } else { 1 };
            count(&mut self.bytes.sent, &mut self.packets.sent, 0, sent);
            count(&mut self.bytes.received, &mut self.packets.received, 0, 1);
        }
    }

    fn is_closed(&self) -> bool {
        self.probes >= IDLE_CLOSE_NS / KEEP_ALIVE_NS
    }

    /// A call is made: a connection that was closed is opened, by two packets of the client and one of the server.
    fn open_anew(&mut self) {
        if self.is_closed() {
            let (sent, received) = (OPENING_BYTES, OPENING_BYTES);
            count(&mut self.bytes.sent, &mut self.packets.sent, sent, 2);
            count(
                &mut self.bytes.received,
                &mut self.packets.received,
                received,
                1,
            );
        }
        self.probes = 0;
    }

    /// Sends the acknowledgement that has waited long enough, if one has by `now_ns`; what is sent then takes one that has not.
    pub fn settle(&mut self, now_ns: u64) {
        if let Some(since_ns) = self.owed_since_ns.take()
            && now_ns >= since_ns.saturating_add(DELAYED_ACK_NS)
        {
            count(&mut self.bytes.sent, &mut self.packets.sent, 0, 1);
        }
    }

    /// What is sent next begins a segment of its own, even at the same time.
    pub fn uncork(&mut self) {
        self.corked = (0, 0);
    }

    /// Segments that a call begins, behind those that are sent at the same time.
    fn segments_behind(&mut self, now_ns: u64, bytes: u64) -> u64 {
        let (sent_ns, left) = self.corked;
        let room = if sent_ns == now_ns { left } else { 0 };
        let most = self.most_bytes(0);
        let segments = self.segments(0, bytes.saturating_sub(room));
        self.corked = (now_ns, (room + segments * most).saturating_sub(bytes));
        segments
    }

    /// Segments of so many bytes that go one way.
    fn segments(&mut self, way: usize, bytes: u64) -> u64 {
        let segments = bytes.div_ceil(self.most_bytes(way));
        self.is_wide[way] |= bytes > FIRST_WINDOW_BYTES;
        segments
    }

    /// Most bytes of a message in a packet.
    fn most_bytes(&self, way: usize) -> u64 {
        let most = self.line.mtu_bytes.saturating_sub(HEADER_BYTES).max(1);
        match self.is_wide[way] {
            true => most,
            false => most.min(FIRST_WINDOW_BYTES / 2),
        }
    }

    fn pass(&mut self, way: usize, now_ns: u64, bytes: u64) -> u64 {
        let begins_ns = now_ns.max(self.free_ns[way]);
        let takes_ns = self.line.bits_per_s.map_or(0, |rate| {
            let ns = u128::from(bytes) * 8_000_000_000 / u128::from(rate.max(1));
            u64::try_from(ns).unwrap_or(u64::MAX)
        });
        let ends_ns = begins_ns.saturating_add(takes_ns);
        self.free_ns[way] = ends_ns;
        ends_ns.saturating_add(self.line.delay_ns)
    }
}

fn count(bytes: &mut u64, packets: &mut u64, payload_bytes: u64, segments: u64) {
    *bytes += payload_bytes + segments * HEADER_BYTES;
    *packets += segments;
}
