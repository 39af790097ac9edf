//! When the kernel sent and received what goes through a socket.
//!
//! A thread's own clock says when it called `send`, and when it was woken for what arrived: by a capture on the
//! loopback some 0.02 ms too early and 0.08 ms too late (medians), and as long as other work has the processor.
//! The kernel notes both times itself, where a capture takes them: as a packet is handed to its device and as
//! one comes in (`SO_TIMESTAMPING`, Linux's Documentation/networking/timestamping.rst).
//!
//! Of several segments that arrived a stamp is the last one's: of those that one call reaches into, and of those
//! that the kernel joined to one buffer while nobody read (`tcp_try_coalesce`). So it is never later than the
//! call, but later than the first byte where more segments arrived before the call.

use std::io::{self, IoSliceMut};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};

use nix::errno::Errno;
use nix::sys::socket::{
    ControlMessageOwned, MsgFlags, TimestampingFlag, recvmsg, setsockopt, sockopt,
};
use nix::sys::time::TimeSpec;
use rustix::net::{self, AddressFamily, SocketFlags, SocketType};

/// A time of the wall clock: nanoseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stamp(pub i64);

/// Reads one socket and the stamps of it.
pub struct StampedReader {
    /// Where the kernel writes stamps.
    control: Vec<u8>,
    /// Of what was read last; a kernel may have none, as just after stamps were asked for.
    pub received: Option<Stamp>,
}

impl StampedReader {
    /// Asks for stamps of what `socket` sends and receives. A kernel that knows none leaves them out.
    pub fn new(socket: BorrowedFd<'_>) -> Self {
        let wanted = TimestampingFlag::SOF_TIMESTAMPING_SOFTWARE
            | TimestampingFlag::SOF_TIMESTAMPING_RX_SOFTWARE
            | TimestampingFlag::SOF_TIMESTAMPING_TX_SOFTWARE
            | TimestampingFlag::SOF_TIMESTAMPING_OPT_TSONLY;
        let _unknown = setsockopt(&socket, sockopt::Timestamping, &wanted);
        Self {
            // With the stamp of what was sent comes `struct sock_extended_err` and an address.
            control: nix::cmsg_space!([TimeSpec; 3], [u64; 8]),
            received: None,
        }
    }

    /// Reads into `buffer`: how many bytes were received.
    pub fn read(
        &mut self,
        socket: BorrowedFd<'_>,
        buffer: &mut [u8],
        flags: MsgFlags,
    ) -> Result<usize, Errno> {
        let (count, stamp) = self.read_message(socket, buffer, flags)?;
        self.received = stamp;
        Ok(count)
    }

    /// When the first packet went out that left at `earliest` or later. Devices nearly always take it within
    /// `send`, so that its stamp is there when that returns.
    pub fn sent(&mut self, socket: BorrowedFd<'_>, earliest: Stamp) -> Option<Stamp> {
        loop {
            let read = self.read_message(socket, &mut [], MsgFlags::MSG_ERRQUEUE);
            match read.ok()?.1 {
                Some(stamp) if stamp < earliest => {}
                stamp => return stamp,
            }
        }
    }

    fn read_message(
        &mut self,
        socket: BorrowedFd<'_>,
        buffer: &mut [u8],
        flags: MsgFlags,
    ) -> Result<(usize, Option<Stamp>), Errno> {
        let control = Some(self.control.as_mut_slice());
        let mut buffers = [IoSliceMut::new(buffer)];
        let message = recvmsg::<()>(socket.as_raw_fd(), &mut buffers, control, flags)?;
        Ok((message.bytes, message.cmsgs()?.find_map(stamp)))
    }
}

fn stamp(message: ControlMessageOwned) -> Option<Stamp> {
    match message {
        ControlMessageOwned::ScmTimestampsns(times) => {
            let seconds_ns = times.system.tv_sec().checked_mul(1_000_000_000)?;
            Some(Stamp(seconds_ns.checked_add(times.system.tv_nsec())?))
        }
        _ => None,
    }
}

/// A socket that wants stamps for as long as it exists. The kernel takes them while any socket does, and
/// begins and ends in the background, patching its code: not to be had with every connection.
pub fn hold() -> io::Result<OwnedFd> {
    let flags = SocketFlags::CLOEXEC;
    let socket = net::socket_with(AddressFamily::INET, SocketType::DGRAM, flags, None)?;
    StampedReader::new(socket.as_fd());
    Ok(socket)
}
