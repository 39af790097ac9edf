//! One client that waits for each response: what a single request takes, and nothing beside it.
//!
//! It keeps the order and the time of every request, which the replay engine's histograms do not.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use hotset_lab::LabError;

/// The longest a response may pause.
const PATIENCE: Duration = Duration::from_secs(60);
/// Most bytes of a response's head.
const HEAD_BYTES: usize = 8192;
/// Read at a time, as large as a socket's buffer tends to be.
const BODY_BYTES: usize = 256 * 1024;

/// What one request took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Took {
    /// Request sent to the first byte of the response, microseconds.
    pub first_byte_us: u64,
    /// Request sent to the last byte of the response, microseconds.
    pub total_us: u64,
    /// Bytes of the body.
    pub bytes: u64,
}

/// A keep-alive connection.
#[derive(Debug)]
pub struct Probe {
    address: SocketAddr,
    host: String,
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Probe {
    /// Connects to the server at `address` for the virtual host `host`.
    ///
    /// # Errors
    /// When it does not accept the connection.
    pub fn connect(address: SocketAddr, host: &str) -> Result<Self, LabError> {
        let stream = TcpStream::connect_timeout(&address, PATIENCE).and_then(|stream| {
            stream.set_nodelay(true)?;
            stream.set_read_timeout(Some(PATIENCE))?;
            Ok(stream)
        });
        Ok(Self {
            address,
            host: host.to_owned(),
            stream: stream.map_err(|error| failed(address, "", &error.to_string()))?,
            buffer: vec![0; BODY_BYTES],
        })
    }

    /// Asks for `target` and reads the whole response.
    ///
    /// # Errors
    /// A status other than 200, a response without a length, a connection that ends.
    pub fn get(&mut self, target: &str) -> Result<Took, LabError> {
        let fail = |error: io::Error| failed(self.address, target, &error.to_string());
        let request = format!("GET {target} HTTP/1.1\r\nHost: {}\r\n\r\n", self.host);
        let start = Instant::now();
        self.stream.write_all(request.as_bytes()).map_err(fail)?;
        let (mut read, mut first_byte) = (0, None);
        let (head, length) = loop {
            let more = self.stream.read(&mut self.buffer[read..]).map_err(fail)?;
            first_byte.get_or_insert_with(|| start.elapsed());
            read += more;
            if let Some(found) = parse(&self.buffer[..read])
                .map_err(|problem| failed(self.address, target, &problem))?
            {
                break found;
            }
            if more == 0 || read > HEAD_BYTES {
                return Err(failed(
                    self.address,
                    target,
                    "the response has no end of its head",
                ));
            }
        };
        let mut left = length.saturating_sub((read - head) as u64);
        while left > 0 {
            let most = self.buffer.len().min(left as usize);
            match self.stream.read(&mut self.buffer[..most]).map_err(fail)? {
                0 => return Err(failed(self.address, target, "the response ends early")),
                more => left -= more as u64,
            }
        }
        let us = |time: Duration| time.as_micros() as u64;
        Ok(Took {
            first_byte_us: first_byte.map_or(0, us),
            total_us: us(start.elapsed()),
            bytes: length,
        })
    }
}

/// Length of the head and of the body, once the head is whole.
fn parse(bytes: &[u8]) -> Result<Option<(usize, u64)>, String> {
    let mut headers = [httparse::EMPTY_HEADER; 32];
    let mut response = httparse::Response::new(&mut headers);
    let parsed = response.parse(bytes).map_err(|error| error.to_string())?;
    let httparse::Status::Complete(head) = parsed else {
        return Ok(None);
    };
    if response.code != Some(200) {
        return Err(format!("status {}", response.code.unwrap_or(0)));
    }
    let length = response
        .headers
        .iter()
        .find(|header| header.name.eq_ignore_ascii_case("content-length"))
        .and_then(|header| std::str::from_utf8(header.value).ok()?.trim().parse().ok());
    match length {
        Some(length) => Ok(Some((head, length))),
        None => Err("the response has no Content-Length".to_owned()),
    }
}

fn failed(address: SocketAddr, target: &str, problem: &str) -> LabError {
    LabError::Unusable(format!("http://{address}{target}: {problem}"))
}
