//! A connection's bytes: plain or through TLS, never blocking.

use std::io::{self, Read, Write};
use std::net::SocketAddr;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;

use nix::errno::Errno as NixErrno;
use nix::sys::socket::MsgFlags;
use rustix::io::Errno;
use rustix::net::{self, AddressFamily, SendFlags, SocketFlags, SocketType, ipproto};
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection};

use super::stamp::{Stamp, StampedReader};

/// What TLS needs to begin.
#[derive(Clone)]
pub struct TlsStart {
    pub config: Arc<ClientConfig>,
    pub name: ServerName<'static>,
}

/// What was received.
pub enum ReadResult {
    /// So many bytes.
    Bytes {
        count: usize,
        /// Whether no more are waiting.
        drained: bool,
        /// When the kernel had the last of them; through TLS, the last of the record they were read from.
        stamp: Option<Stamp>,
    },
    /// Nothing yet.
    Nothing,
    /// The end of the connection.
    End,
}

/// One connection.
pub struct Wire {
    fd: OwnedFd,
    reader: StampedReader,
    tls: Option<Box<ClientConnection>>,
    /// What the socket had no room for; plain connections only, TLS keeps its own.
    unsent: Vec<u8>,
}

impl Wire {
    /// Begins to connect.
    pub fn connect(address: &SocketAddr) -> io::Result<Self> {
        let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
        let family = match address {
            SocketAddr::V4(_) => AddressFamily::INET,
            SocketAddr::V6(_) => AddressFamily::INET6,
        };
        let fd = net::socket_with(family, SocketType::STREAM, flags, Some(ipproto::TCP))?;
        net::sockopt::set_tcp_nodelay(&fd, true)?;
        match net::connect(&fd, address) {
            Ok(()) | Err(Errno::INPROGRESS) => Ok(Self {
                reader: StampedReader::new(fd.as_fd()),
                fd,
                tls: None,
                unsent: Vec::new(),
            }),
            Err(error) => Err(error.into()),
        }
    }

    /// The socket alone.
    pub fn into_fd(self) -> OwnedFd {
        self.fd
    }

    /// Begins the handshake on a connection that is open.
    pub fn start_tls(&mut self, start: &TlsStart) -> io::Result<()> {
        let connection = ClientConnection::new(start.config.clone(), start.name.clone());
        self.tls = Some(Box::new(connection.map_err(io::Error::other)?));
        self.flush()
    }

    /// Goes on with the handshake; whether it is complete.
    pub fn handshake(&mut self) -> io::Result<bool> {
        while self.tls.as_ref().is_some_and(|tls| tls.is_handshaking()) {
            if !self.pull_tls()? {
                break;
            }
        }
        self.flush()?;
        Ok(!self.tls.as_ref().is_some_and(|tls| tls.is_handshaking()))
    }

    /// Why the connection failed, as far as the socket knows.
    pub fn take_error(&self) -> io::Result<()> {
        net::sockopt::socket_error(&self.fd)??;
        Ok(())
    }

    /// Sends `bytes`; what does not fit now goes with [`Wire::flush`].
    pub fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Some(tls) = &mut self.tls {
            tls.writer().write_all(bytes)?;
            return self.flush();
        }
        let sent = send_some(self.fd.as_fd(), bytes)?;
        self.unsent.extend_from_slice(&bytes[sent..]);
        Ok(())
    }

    /// When what was sent at `earliest` or later left this machine, where the kernel says so.
    pub fn sent(&mut self, earliest: Stamp) -> Option<Stamp> {
        self.reader.sent(self.fd.as_fd(), earliest)
    }

    /// Sends what could not be sent before.
    pub fn flush(&mut self) -> io::Result<()> {
        if let Some(tls) = &mut self.tls {
            let mut socket = Outgoing(self.fd.as_fd());
            while tls.wants_write() {
                match tls.write_tls(&mut socket) {
                    Ok(_) => {}
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                    Err(error) => return Err(error),
                }
            }
        } else if !self.unsent.is_empty() {
            let sent = send_some(self.fd.as_fd(), &self.unsent)?;
            self.unsent.drain(..sent);
        }
        Ok(())
    }

    /// Receives into `scratch`.
    pub fn receive(&mut self, scratch: &mut [u8]) -> io::Result<ReadResult> {
        if self.tls.is_some() {
            return self.receive_tls(scratch);
        }
        self.receive_plain(scratch, MsgFlags::empty())
    }

    /// Receives up to `most` bytes that nobody needs; `scratch` bounds how many at once. The kernel
    /// drops them without a copy (recv(2) on TCP with MSG_TRUNC), where nothing encrypts them.
    pub fn discard(&mut self, scratch: &mut [u8], most: u64) -> io::Result<ReadResult> {
        let length = scratch
            .len()
            .min(usize::try_from(most).unwrap_or(usize::MAX));
        if self.tls.is_some() {
            return self.receive_tls(&mut scratch[..length]);
        }
        self.receive_plain(&mut scratch[..length], MsgFlags::MSG_TRUNC)
    }

    /// A short read of a stream means that it is drained: with edges reported, no second call is needed to
    /// hear so.
    fn receive_plain(&mut self, scratch: &mut [u8], flags: MsgFlags) -> io::Result<ReadResult> {
        match self.reader.read(self.fd.as_fd(), scratch, flags) {
            Ok(0) => Ok(ReadResult::End),
            Ok(count) => Ok(ReadResult::Bytes {
                count,
                drained: count < scratch.len(),
                stamp: self.reader.received,
            }),
            Err(NixErrno::EAGAIN | NixErrno::EINTR) => Ok(ReadResult::Nothing),
            Err(error) => Err(error.into()),
        }
    }

    fn receive_tls(&mut self, scratch: &mut [u8]) -> io::Result<ReadResult> {
        loop {
            let Some(tls) = &mut self.tls else {
                return Ok(ReadResult::Nothing);
            };
            match tls.reader().read(scratch) {
                Ok(0) => return Ok(ReadResult::End),
                Ok(count) => {
                    return Ok(ReadResult::Bytes {
                        count,
                        drained: false,
                        stamp: self.reader.received,
                    });
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                    return Ok(ReadResult::End);
                }
                Err(error) => return Err(error),
            }
            if !self.pull_tls()? {
                return Ok(ReadResult::Nothing);
            }
        }
    }

    /// Gives TLS what the socket has; `false` where it has nothing.
    fn pull_tls(&mut self) -> io::Result<bool> {
        let Some(tls) = &mut self.tls else {
            return Ok(false);
        };
        let mut socket = Incoming(self.fd.as_fd(), &mut self.reader);
        match tls.read_tls(&mut socket) {
            Ok(0) if tls.is_handshaking() => Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(_) => {
                let state = tls.process_new_packets();
                state.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
                self.flush()?;
                Ok(true)
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(false),
            Err(error) => Err(error),
        }
    }
}

impl AsFd for Wire {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

/// Sends what the socket takes now.
fn send_some(fd: BorrowedFd<'_>, bytes: &[u8]) -> io::Result<usize> {
    match net::send(fd, bytes, SendFlags::NOSIGNAL) {
        Ok(sent) => Ok(sent),
        Err(Errno::AGAIN | Errno::INTR) => Ok(0),
        Err(error) => Err(error.into()),
    }
}

/// What a socket receives, as rustls wants it.
struct Incoming<'a>(BorrowedFd<'a>, &'a mut StampedReader);

impl Read for Incoming<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(self.1.read(self.0, buffer, MsgFlags::empty())?)
    }
}

/// What it sends.
struct Outgoing<'a>(BorrowedFd<'a>);

impl Write for Outgoing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(net::send(self.0, bytes, SendFlags::NOSIGNAL)?)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
