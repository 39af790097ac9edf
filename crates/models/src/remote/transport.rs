//! How calls and answers travel: by a connection of TCP, or as datagrams of UDP. When what was lost is sent again, and who gives up.
//!
//! With UDP a message whose fragment is lost is lost, and the client's timer sends the call again. With TCP the kernel sends what was lost
//! again, and the client's timer tells only when a soft mount gives up. Not followed: probes of the tail (`tcp_schedule_loss_probe`), calls
//! that version 3 sends again over TCP after a minute, and timers of UDP that follow round trips.

/// The protocol under the calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// A connection.
    Tcp,
    /// Datagrams.
    Udp,
}

/// How calls travel, and how long clients wait for answers (`man 5 nfs`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transport {
    /// The protocol under the calls.
    pub protocol: Protocol,
    /// How long a client waits for an answer at first (`timeo`), nanoseconds.
    pub timeout_ns: u64,
    /// How often it waits longer before that counts as a major timeout (`retrans`).
    pub retransmissions: u32,
    /// A major timeout fails the call (`soft`). Else the client goes on for ever (`hard`).
    pub is_soft: bool,
    /// What becomes of what is on its way to a server that is out of reach, or from there.
    pub outage: Outage,
}

/// What becomes of what is on its way where a server is out of reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outage {
    /// Whoever sends goes on with that, by the same connection.
    SendsOn,
    /// It is lost, and each call runs out by itself.
    Loses,
    /// It is lost. With the first call that runs out all others to that server fail, and new ones at once until it is there again.
    Breaks,
}

/// Longest wait of datagrams (`NFS_MAX_UDP_TIMEOUT`, `include/linux/nfs_fs.h`).
const MOST_UDP_WAIT_NS: u64 = 60_000_000_000;
/// Least time that TCP waits beyond a round trip, and the longest time (`TCP_RTO_MIN`, `TCP_RTO_MAX`, `include/net/tcp.h`).
const RTO_MIN_NS: u64 = 200_000_000;
const RTO_MAX_NS: u64 = 120_000_000_000;

impl Transport {
    /// TCP on a hard mount, as the kernel has it (`NFS_DEF_TCP_TIMEO`, `NFS_DEF_TCP_RETRANS`).
    pub const TCP: Self = Self {
        protocol: Protocol::Tcp,
        timeout_ns: 60_000_000_000,
        retransmissions: 2,
        is_soft: false,
        outage: Outage::SendsOn,
    };
    /// The same of UDP (`NFS_DEF_UDP_TIMEO`, `NFS_DEF_UDP_RETRANS`).
    pub const UDP: Self = Self {
        protocol: Protocol::Udp,
        timeout_ns: 1_100_000_000,
        retransmissions: 3,
        is_soft: false,
        outage: Outage::SendsOn,
    };
    /// The same of Linux 2.4, which waited 0.7 s at first (`man 5 nfs` of that time).
    pub const UDP_OF_2_4: Self = Self {
        timeout_ns: 700_000_000,
        ..Self::UDP
    };

    /// The timer of a call that is sent now; nothing where none would change anything.
    #[must_use]
    pub fn timer(self, now_ns: u64) -> Option<CallTimer> {
        let matters = self.protocol == Protocol::Udp || self.is_soft;
        matters.then_some(CallTimer {
            transport: self,
            since_ns: now_ns,
            wait_ns: self.timeout_ns,
        })
    }

    /// How long after the first call a major timeout comes at the soonest (`xprt_calc_majortimeo`, `net/sunrpc/xprt.c`).
    fn major_ns(self) -> u64 {
        match self.protocol {
            Protocol::Udp => {
                let times = 1u64.checked_shl(self.retransmissions).unwrap_or(u64::MAX);
                let major_ns = self.timeout_ns.saturating_mul(times);
                major_ns.min(MOST_UDP_WAIT_NS)
            }
            Protocol::Tcp => {
                let times = u64::from(self.retransmissions) + 1;
                self.timeout_ns.saturating_mul(times)
            }
        }
    }
}

/// How long a call still waits for its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallTimer {
    transport: Transport,
    /// Since when the next major timeout is counted.
    since_ns: u64,
    wait_ns: u64,
}

/// What a client does whose timer has run out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expiry {
    /// It sends the call again.
    SendsAgain,
    /// It waits longer.
    Waits,
    /// The call fails.
    GivesUp,
}

impl CallTimer {
    /// How long it runs, nanoseconds.
    #[must_use]
    pub fn wait_ns(&self) -> u64 {
        self.wait_ns
    }

    /// It has run out (`xprt_adjust_timeout`, `net/sunrpc/xprt.c`). It runs again unless the client gives up.
    pub fn expire(&mut self, now_ns: u64) -> Expiry {
        let Transport {
            protocol,
            timeout_ns,
            is_soft,
            ..
        } = self.transport;
        let is_major = now_ns >= self.since_ns.saturating_add(self.transport.major_ns());
        if is_major {
            (self.since_ns, self.wait_ns) = (now_ns, timeout_ns);
        } else {
            self.wait_ns = match protocol {
                Protocol::Udp => self.wait_ns.saturating_mul(2).min(MOST_UDP_WAIT_NS),
                Protocol::Tcp => self.wait_ns.saturating_add(timeout_ns),
            };
        }
        match protocol {
            _ if is_major && is_soft => Expiry::GivesUp,
            Protocol::Udp => Expiry::SendsAgain,
            Protocol::Tcp => Expiry::Waits,
        }
    }
}

/// Segments that come behind a lost one before TCP sends it again at once (RFC 5681, 3.2).
pub(crate) const DUPLICATES: u64 = 3;
/// How often TCP sends again before it gives up (`net.ipv4.tcp_retries2`). Clients would connect anew then, which is not followed.
pub(crate) const MOST_ATTEMPTS: u32 = 15;

/// How long TCP waits for an acknowledgement before it sends again, where it has done so a number of times. The variation of round trips
/// counts for no less than 200 ms (`__tcp_set_rto`, `tcp_rtt_estimator`), and each time doubles it (RFC 6298, 5.5).
#[must_use]
pub fn retransmission_ns(round_trip_ns: u64, attempt: u32) -> u64 {
    let first_ns = round_trip_ns.saturating_add(RTO_MIN_NS);
    let times = 1u64.checked_shl(attempt).unwrap_or(u64::MAX);
    first_ns.saturating_mul(times).min(RTO_MAX_NS)
}
