//! What a guardian tells its workers, and what they answer: fixed-size packets, with descriptors beside them.

use rustix::io::{self, Errno, IoSliceMut};
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recv, recvmsg, send, sendmsg,
};
use std::io::IoSlice;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

/// Descriptors that go with an order at most.
const DESCRIPTORS: usize = 2;
const ORDER_BYTES: usize = 24;
const ANSWER_BYTES: usize = 4;

/// What a worker is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Lock so many bytes of the file that comes with it, under a number.
    Lock { number: u64, bytes: u64 },
    /// Give a number's file up.
    Unlock { number: u64 },
    /// Copy so many bytes of the first file into the second.
    Copy { bytes: u64 },
}

impl Order {
    fn to_bytes(self) -> [u8; ORDER_BYTES] {
        let (kind, number, bytes) = match self {
            Self::Lock { number, bytes } => (1, number, bytes),
            Self::Unlock { number } => (2, number, 0),
            Self::Copy { bytes } => (3, 0, bytes),
        };
        let mut packet = [0; ORDER_BYTES];
        for (at, word) in [kind, number, bytes].into_iter().enumerate() {
            packet[8 * at..8 * (at + 1)].copy_from_slice(&word.to_ne_bytes());
        }
        packet
    }

    fn from_bytes(packet: [u8; ORDER_BYTES]) -> Option<Self> {
        let (words, _) = packet.as_chunks::<8>();
        let [kind, number, bytes] = [0, 1, 2].map(|at| u64::from_ne_bytes(words[at]));
        match kind {
            1 => Some(Self::Lock { number, bytes }),
            2 => Some(Self::Unlock { number }),
            3 => Some(Self::Copy { bytes }),
            _ => None,
        }
    }
}

/// Sends an order with the files that it is about.
pub(super) fn send_order(
    socket: impl AsFd,
    order: Order,
    files: &[BorrowedFd<'_>],
) -> io::Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !files.is_empty() && !control.push(SendAncillaryMessage::ScmRights(files)) {
        return Err(Errno::INVAL);
    }
    let packet = order.to_bytes();
    let flags = SendFlags::NOSIGNAL;
    sendmsg(socket, &[IoSlice::new(&packet)], &mut control, flags).map(drop)
}

/// Waits for an order and its files; none when the guardian is gone, or says what no guardian says.
pub(super) fn receive_order(socket: impl AsFd) -> Option<(Order, Vec<OwnedFd>)> {
    let mut packet = [0; ORDER_BYTES];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let received = loop {
        let slices = &mut [IoSliceMut::new(&mut packet)];
        match recvmsg(
            socket.as_fd(),
            slices,
            &mut control,
            RecvFlags::CMSG_CLOEXEC,
        ) {
            Err(Errno::INTR) => {}
            other => break other.ok()?,
        }
    };
    let mut files = Vec::new();
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(descriptors) = message {
            files.extend(descriptors);
        }
    }
    let is_whole = received.bytes == ORDER_BYTES && !received.flags.contains(ReturnFlags::CTRUNC);
    Some((is_whole.then(|| Order::from_bytes(packet))??, files))
}

/// Answers an order.
pub(super) fn send_answer(socket: impl AsFd, answer: io::Result<()>) -> io::Result<()> {
    let code = answer.err().map_or(0, Errno::raw_os_error);
    send(socket, &code.to_ne_bytes(), SendFlags::NOSIGNAL).map(drop)
}

/// Waits for the answer. The outer error is that of a worker that is gone, the inner one that of what it was to do.
pub(super) fn receive_answer(socket: impl AsFd) -> io::Result<io::Result<()>> {
    let mut code = [0; ANSWER_BYTES];
    loop {
        match recv(socket.as_fd(), &mut code, RecvFlags::empty()) {
            Err(Errno::INTR) => {}
            Ok((ANSWER_BYTES, _)) => break,
            Ok(_) => return Err(Errno::PIPE),
            Err(error) => return Err(error),
        }
    }
    match i32::from_ne_bytes(code) {
        0 => Ok(Ok(())),
        error => Ok(Err(Errno::from_raw_os_error(error))),
    }
}
