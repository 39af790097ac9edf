//! One connection before all others, so that a wrong URL is one error instead of thousands.

use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustls::ClientConnection;

use super::requests::Requests;
use super::wire::{TlsStart, Wire};
use crate::{Observer, ReplayError};

/// How often it is looked whether to end.
const SLICE: Duration = Duration::from_millis(50);

/// Finds an address that takes connections and puts it first; whether it was not interrupted.
pub fn preflight(
    requests: &mut Requests<'_>,
    observer: &dyn Observer,
) -> Result<bool, ReplayError> {
    let options = requests.options;
    let (url, timeout) = (&options.endpoint.url, options.connect_timeout);
    match reach(&mut requests.addresses, url, timeout, observer)? {
        Some(stream) => handshake(requests, stream, observer),
        None => Ok(false),
    }
}

/// Connects to the first of `addresses` that takes connections, and puts it first; `None`: interrupted.
pub fn reach(
    addresses: &mut [SocketAddr],
    url: &str,
    timeout: Duration,
    observer: &dyn Observer,
) -> Result<Option<Wire>, ReplayError> {
    let mut last = None;
    for index in 0..addresses.len() {
        match connect(&addresses[index], timeout, observer) {
            Ok(Some(stream)) => {
                addresses.rotate_left(index);
                return Ok(Some(stream));
            }
            Ok(None) => return Ok(None),
            Err(error) => last = Some(error),
        }
    }
    let source = last.unwrap_or_else(|| io::Error::other("the host has no address"));
    let url = url.to_owned();
    Err(match source.kind() {
        ErrorKind::TimedOut => ReplayError::ConnectTimeout { url, timeout },
        _ => ReplayError::Connect { url, source },
    })
}

/// Connects; `None`: interrupted.
pub fn connect(
    address: &SocketAddr,
    timeout: Duration,
    observer: &dyn Observer,
) -> io::Result<Option<Wire>> {
    let wire = Wire::connect(address)?;
    let end = Instant::now() + timeout;
    let slice = Timespec::try_from(SLICE).map_err(io::Error::other)?;
    while !observer.interrupted() {
        let mut waited = [PollFd::new(&wire, PollFlags::OUT)];
        if poll(&mut waited, Some(&slice))? > 0 {
            return wire.take_error().map(|()| Some(wire));
        }
        if Instant::now() >= end {
            return Err(ErrorKind::TimedOut.into());
        }
    }
    Ok(None)
}

/// Whether TLS, where it is spoken, comes about.
fn handshake(
    requests: &Requests<'_>,
    wire: Wire,
    observer: &dyn Observer,
) -> Result<bool, ReplayError> {
    let Some(start) = requests.tls(0) else {
        return Ok(true);
    };
    let end = Instant::now() + requests.options.connect_timeout;
    shake(&start, wire, end, observer)
        .map_err(|error| refused(requests.options.endpoint.url.clone(), &error))
}

fn shake(start: &TlsStart, wire: Wire, end: Instant, observer: &dyn Observer) -> io::Result<bool> {
    let mut stream = TcpStream::from(wire.into_fd());
    stream.set_nonblocking(false)?;
    stream.set_read_timeout(Some(SLICE))?;
    let connection = ClientConnection::new(start.config.clone(), start.name.clone());
    let mut connection = connection.map_err(io::Error::other)?;
    while connection.is_handshaking() && !observer.interrupted() {
        match connection.complete_io(&mut stream) {
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
        if Instant::now() >= end {
            return Err(ErrorKind::TimedOut.into());
        }
    }
    Ok(!connection.is_handshaking())
}

fn refused(url: String, error: &io::Error) -> ReplayError {
    let certificate = error
        .get_ref()
        .and_then(|inner| inner.downcast_ref::<rustls::Error>())
        .is_some_and(|error| matches!(error, rustls::Error::InvalidCertificate(_)));
    let why = match error.kind() {
        ErrorKind::TimedOut => {
            "the server does not finish the handshake; is it http:// there?".to_owned()
        }
        ErrorKind::UnexpectedEof => {
            "the server ends the handshake; does it speak TLS here?".to_owned()
        }
        _ => error.to_string(),
    };
    if certificate {
        ReplayError::Certificate { url, why }
    } else {
        ReplayError::Tls { url, why }
    }
}
