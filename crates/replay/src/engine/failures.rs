//! What an error of the system, of TLS or of the server counts as.

use std::io::{Error, ErrorKind as Io};

use rustix::io::Errno;

use crate::ErrorKind;

/// While connecting.
pub fn of_connect(error: &Error) -> ErrorKind {
    match error.kind() {
        Io::ConnectionRefused => ErrorKind::Refused,
        Io::ConnectionReset | Io::ConnectionAborted => ErrorKind::Reset,
        Io::TimedOut => ErrorKind::ConnectTimeout,
        Io::HostUnreachable | Io::NetworkUnreachable | Io::NetworkDown => ErrorKind::Unreachable,
        _ => local(error).unwrap_or(ErrorKind::Unreachable),
    }
}

/// While TLS is set up.
pub fn of_handshake(error: &Error) -> ErrorKind {
    match error.kind() {
        Io::ConnectionReset | Io::BrokenPipe => ErrorKind::Reset,
        _ => local(error).unwrap_or(ErrorKind::Tls),
    }
}

/// On an open connection.
pub fn of_connection(error: &Error) -> ErrorKind {
    match error.kind() {
        Io::InvalidData => ErrorKind::Tls,
        Io::UnexpectedEof => ErrorKind::ClosedEarly,
        Io::TimedOut => ErrorKind::ResponseTimeout,
        _ => local(error).unwrap_or(ErrorKind::Reset),
    }
}

/// By the response's status.
pub fn of_status(status: u16) -> Option<ErrorKind> {
    match status {
        304 => None,
        300..=399 => Some(ErrorKind::Redirect),
        400..=499 => Some(ErrorKind::ClientError),
        500.. => Some(ErrorKind::ServerError),
        _ => None,
    }
}

/// Whether this machine ran out of something.
fn local(error: &Error) -> Option<ErrorKind> {
    let exhausted = [
        Errno::MFILE,
        Errno::NFILE,
        Errno::NOBUFS,
        Errno::NOMEM,
        Errno::NOSPC,
        Errno::ADDRNOTAVAIL,
        Errno::ADDRINUSE,
    ];
    let errno = Errno::from_io_error(error)?;
    exhausted.contains(&errno).then_some(ErrorKind::Local)
}
