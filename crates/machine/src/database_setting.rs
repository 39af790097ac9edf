//! Settings of a running MariaDB, by its own client program: it knows the ways to authenticate, and reads passwords from its own files.

use crate::{MachineError, command};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

const PROGRAM: &str = "mariadb";
/// Seconds until a server that does not answer is given up.
const CONNECT_TIMEOUT: &str = "--connect-timeout=10";
/// What the client says where nothing listens on the socket (`CR_CONNECTION_ERROR`).
const NOBODY: &str = "ERROR 2002";

/// What mends most that a server refuses.
const FIX: &str = "a server has to listen on this socket, the user needs the privilege SUPER, and a password belongs in ~/.my.cnf";

/// A number that a server is told while it runs, and what it was before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatabaseSetting {
    /// The socket that the server listens on.
    pub socket: PathBuf,
    /// The setting, such as `innodb_buffer_pool_size`.
    pub name: String,
    /// What it was.
    pub before: u64,
    /// What it is told. Only that is undone: somebody else may have set it since.
    pub value: u64,
}

impl DatabaseSetting {
    /// Tells the server.
    ///
    /// # Errors
    /// When it refuses, or is not there.
    pub fn tell(&self) -> Result<(), MachineError> {
        set(&self.socket, &self.name, self.value)
    }

    /// Whether the server has it as it was told.
    ///
    /// # Errors
    /// When it refuses, or is not there.
    pub fn is_in_force(&self) -> Result<bool, MachineError> {
        Ok(number(&self.socket, &self.name)? == Some(self.value))
    }

    /// Has the server have it as before. Whether that was so: not where somebody has set it since, or the server does not run.
    ///
    /// # Errors
    /// When the server refuses.
    pub fn undo(&self) -> Result<bool, MachineError> {
        match self.is_in_force() {
            Ok(true) => set(&self.socket, &self.name, self.before).map(|()| true),
            Ok(false) => Ok(false),
            // What it was told is gone with it.
            Err(error) if is_of_nobody(&error) => Ok(false),
            Err(error) => Err(error),
        }
    }
}

/// Whether there is nobody to tell: no server, or no way to talk to one.
fn is_of_nobody(error: &MachineError) -> bool {
    match error {
        MachineError::Command { message, .. } => message.contains(NOBODY),
        _ => false,
    }
}

/// A number that the server behind a socket has as a setting; none where it has no such setting, or one that is no number.
///
/// # Errors
/// When the server refuses, or is not there.
pub fn number(socket: &Path, name: &str) -> Result<Option<u64>, MachineError> {
    let text = text(socket, name)?;
    Ok(text.and_then(|text| text.parse().ok()))
}

/// What the server behind a socket has as a setting; none where it has no such setting.
///
/// # Errors
/// As [`number`].
pub fn text(socket: &Path, name: &str) -> Result<Option<String>, MachineError> {
    let said = ask(socket, &format!("SHOW GLOBAL VARIABLES LIKE '{name}'"))?;
    let value = said.lines().next().and_then(|line| line.split_once('\t'));
    Ok(value.map(|(_, value)| value.trim().to_owned()))
}

fn set(socket: &Path, name: &str, value: u64) -> Result<(), MachineError> {
    ask(socket, &format!("SET GLOBAL {name} = {value}")).map(drop)
}

/// What the server answers, a row a line.
fn ask(socket: &Path, statement: &str) -> Result<String, MachineError> {
    let mut to = OsString::from("--socket=");
    to.push(socket);
    let arguments: [OsString; 5] = [
        to,
        CONNECT_TIMEOUT.into(),
        "--batch".into(),
        "--skip-column-names".into(),
        format!("--execute={statement}").into(),
    ];
    command::run(PROGRAM, &arguments).map_err(|error| match error {
        MachineError::Command {
            command,
            status,
            message,
        } => MachineError::Command {
            command,
            status,
            message: format!("{message}; {FIX}"),
        },
        error => error,
    })
}
