//! Statements for a server, by its own client program: it knows the ways to authenticate, and reads passwords from its own files.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

use hotset_machine::{MachineError, command};

use super::error::DatabaseProbeError;

const PROGRAM: &str = "mariadb";
/// Seconds until a server that does not answer is given up.
const CONNECT_TIMEOUT: &str = "--connect-timeout=10";
/// The client goes by the locale otherwise, and writes names that this does not have with question marks.
const CHARACTERS: &str = "--default-character-set=utf8mb4";

/// A way to the server behind a socket.
pub(super) struct Client<'a> {
    socket: &'a Path,
}

impl<'a> Client<'a> {
    /// To the server that listens on `socket`.
    pub fn of(socket: &'a Path) -> Result<Self, DatabaseProbeError> {
        let is_socket = fs::metadata(socket).is_ok_and(|of| of.file_type().is_socket());
        match is_socket {
            true => Ok(Self { socket }),
            false => Err(DatabaseProbeError::NotASocket(socket.to_owned())),
        }
    }

    /// The socket.
    pub fn socket(&self) -> &Path {
        self.socket
    }

    /// Tells the server to do something.
    pub fn execute(&self, statement: &str) -> Result<(), DatabaseProbeError> {
        self.answer(statement).map(drop)
    }

    /// The rows that a statement gives, each of `N` values.
    pub fn rows<const N: usize>(
        &self,
        statement: &str,
    ) -> Result<Vec<[String; N]>, DatabaseProbeError> {
        let answer = self.answer(statement)?;
        let row = |line: &str| {
            let values: Vec<String> = line.split('\t').map(str::to_owned).collect();
            let values: Result<[String; N], _> = values.try_into();
            values.map_err(|_| self.unexpected(statement, line))
        };
        answer.lines().map(row).collect()
    }

    /// What an answer is refused with that is not what `statement` asks for.
    pub fn unexpected(&self, statement: &str, answer: &str) -> DatabaseProbeError {
        DatabaseProbeError::Unexpected {
            socket: self.socket.to_owned(),
            statement: statement.to_owned(),
            answer: answer.to_owned(),
        }
    }

    fn answer(&self, statement: &str) -> Result<String, DatabaseProbeError> {
        let mut socket = OsString::from("--socket=");
        socket.push(self.socket);
        let execute = format!("--execute={statement}");
        let arguments: [OsString; 6] = [
            socket,
            CONNECT_TIMEOUT.into(),
            CHARACTERS.into(),
            "--batch".into(),
            "--skip-column-names".into(),
            execute.into(),
        ];
        command::run(PROGRAM, &arguments).map_err(|error| match error {
            MachineError::Start { .. } => DatabaseProbeError::NoClient,
            MachineError::Command { message, .. } => DatabaseProbeError::Refused {
                socket: self.socket.to_owned(),
                message,
            },
            error => error.into(),
        })
    }
}
