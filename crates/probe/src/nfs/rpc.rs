//! Calls and answers on a connection (ONC RPC, RFC 5531).

use std::io::{self, Read, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use super::error::NfsError;
use super::fault::Fault;
use super::xdr::{Reader, put_bytes, put_u32};

/// Set in the length of the last fragment of a record.
const LAST: u32 = 1 << 31;
/// Most bytes of a record: a megabyte of a file, and what is around it.
const MOST_RECORD_BYTES: usize = (1 << 20) + 4096;
/// Most bytes of a verifier (`opaque_auth`).
const MOST_VERIFIER_BYTES: usize = 400;
/// Kinds of messages, and the version of RPC.
const CALL: u32 = 0;
const REPLY: u32 = 1;
const RPC_VERSION: u32 = 2;
/// Who calls: nobody, or a user of a machine (`AUTH_NONE`, `AUTH_SYS`).
const AUTH_NONE: u32 = 0;
const AUTH_SYS: u32 = 1;
/// The name of the caller's machine.
const MACHINE: &[u8] = b"hotset";
/// What is said of a user: a time, the machine's name, user, group and the number of other groups.
const USER_BYTES: u32 = 4 + (4 + 8) + 4 + 4 + 4;
/// A server that takes longer has stopped.
const PATIENCE: Duration = Duration::from_secs(30);

/// What is called.
#[derive(Clone, Copy, Debug)]
pub(super) struct Procedure {
    pub program: u32,
    pub version: u32,
    pub number: u32,
    /// As messages to people have it.
    pub name: &'static str,
}

/// A connection with one call under way at a time.
#[derive(Debug)]
pub(super) struct Connection {
    stream: TcpStream,
    server: SocketAddr,
    transaction: u32,
    /// Kept, so that a call allocates nothing.
    message: Vec<u8>,
    answer: Vec<u8>,
}

impl Connection {
    /// To a server.
    ///
    /// # Errors
    /// Where nobody listens.
    pub fn open(server: SocketAddr) -> Result<Self, NfsError> {
        let opened = TcpStream::connect_timeout(&server, PATIENCE).and_then(|stream| {
            stream.set_nodelay(true)?;
            stream.set_read_timeout(Some(PATIENCE))?;
            stream.set_write_timeout(Some(PATIENCE))?;
            Ok(stream)
        });
        let stream = opened.map_err(|source| NfsError::Connection {
            server,
            action: "connect",
            source,
        })?;
        Ok(Self {
            stream,
            server,
            transaction: 0,
            message: Vec::new(),
            answer: Vec::new(),
        })
    }

    /// Whom it asks.
    pub fn server(&self) -> SocketAddr {
        self.server
    }

    /// Bytes of the last answer.
    pub fn answer(&self) -> &[u8] {
        &self.answer
    }

    /// Makes a call about `subject` and reads its results.
    ///
    /// # Errors
    /// A connection that breaks, an answer that is none, and a server that refuses.
    pub fn call<T>(
        &mut self,
        procedure: Procedure,
        subject: &str,
        arguments: impl FnOnce(&mut Vec<u8>),
        read: impl FnOnce(&mut Reader<'_>) -> Result<T, Fault>,
    ) -> Result<T, NfsError> {
        self.transaction = self.transaction.wrapping_add(1);
        begin(&mut self.message, self.transaction, procedure);
        arguments(&mut self.message);
        seal(&mut self.message);
        let sent = self.stream.write_all(&self.message);
        sent.map_err(|source| self.broken("send a call", source))?;
        let length = read_record(&mut self.stream, &mut self.answer);
        let length = length.map_err(|source| self.broken("read an answer", source))?;
        let results = results(&self.answer[..length], self.transaction);
        results
            .and_then(|mut results| read(&mut results))
            .map_err(|fault| NfsError::Call {
                server: self.server,
                call: procedure.name,
                subject: subject.to_owned(),
                fault,
            })
    }

    fn broken(&self, action: &'static str, source: io::Error) -> NfsError {
        NfsError::Connection {
            server: self.server,
            action,
            source,
        }
    }
}

/// Begins the message of a call: room for its length, and all up to its arguments.
fn begin(message: &mut Vec<u8>, transaction: u32, procedure: Procedure) {
    message.clear();
    put_u32(message, 0);
    let Procedure {
        program,
        version,
        number,
        ..
    } = procedure;
    for value in [transaction, CALL, RPC_VERSION, program, version, number] {
        put_u32(message, value);
    }
    put_u32(message, AUTH_SYS);
    put_u32(message, USER_BYTES);
    put_u32(message, 0);
    put_bytes(message, MACHINE);
    // The user and the group are root, which is in no others.
    for value in [0, 0, 0] {
        put_u32(message, value);
    }
    put_u32(message, AUTH_NONE);
    put_bytes(message, &[]);
}

/// Says how long a message is, which is one fragment.
fn seal(message: &mut [u8]) {
    let length = message.len() as u32 - 4;
    message[..4].copy_from_slice(&(length | LAST).to_be_bytes());
}

/// Reads a record, fragment by fragment (RFC 5531, 11): how many bytes it has. They stand at the start of `record`, which is not made shorter.
///
/// # Errors
/// What the connection says, and records that are longer than any answer.
pub(super) fn read_record(from: &mut impl Read, record: &mut Vec<u8>) -> io::Result<usize> {
    let mut length = 0;
    loop {
        let mut mark = [0; 4];
        from.read_exact(&mut mark)?;
        let mark = u32::from_be_bytes(mark);
        let end = length + (mark & !LAST) as usize;
        // Fragments without bytes could go on for ever.
        if mark == 0 || end > MOST_RECORD_BYTES {
            let message = format!("a message of {end} bytes is no answer");
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        if record.len() < end {
            record.resize(end, 0);
        }
        from.read_exact(&mut record[length..end])?;
        length = end;
        if mark & LAST != 0 {
            return Ok(length);
        }
    }
}

/// The results in the answer to the call of this transaction.
///
/// # Errors
/// What is no answer to it, and a server that does not take the call.
pub(super) fn results(answer: &[u8], transaction: u32) -> Result<Reader<'_>, Fault> {
    let mut reader = Reader::new(answer);
    if reader.u32()? != transaction || reader.u32()? != REPLY {
        return Err(Fault::OtherCall);
    }
    let denied = reader.u32()?;
    if denied != 0 {
        return Err(Fault::Rejected(denied));
    }
    reader.u32()?;
    reader.bytes(MOST_VERIFIER_BYTES)?;
    match reader.u32()? {
        0 => Ok(reader),
        status => Err(Fault::Rejected(status)),
    }
}
