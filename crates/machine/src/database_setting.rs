//! Settings of a running MariaDB, by its own client program: it knows the ways to authenticate, and reads passwords from its own files.

use crate::{MachineError, command};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

const PROGRAM: &str = "mariadb";
/// Seconds until a server that does not answer is given up.
const CONNECT_TIMEOUT: &str = "--connect-timeout=10";
/// What the client says where it cannot connect to the socket (`CR_CONNECTION_ERROR`).
const UNCONNECTED: &str = "ERROR 2002";
/// What the system says where nobody listens: there is no socket, or no process behind it. Else there may be a server.
const NOBODY: [Errno; 2] = [Errno::NOENT, Errno::CONNREFUSED];

/// The size of a buffer pool.
const POOL: &str = "innodb_buffer_pool_size";
/// What a server says of resizing its pool.
const RESIZING: &str = "Innodb_buffer_pool_resize_status";
/// How that begins where none is under way any more (`buf0buf.cc` of MariaDB 10.6). Newer servers answer a resize when it is done, and
/// say nothing.
const ENDED: [&str; 3] = [
    "Completed",
    "Resizing buffer pool failed",
    "Size did not change",
];
/// How long a resize is waited for: as long as an answer. One that takes longer is no failure, and `status` tells what comes of it.
const RESIZE_PATIENCE: Duration = Duration::from_secs(10);
/// How long to wait before a server is asked again.
const PAUSE: Duration = Duration::from_millis(100);

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
    /// Tells the server, and asks what it has made of it.
    ///
    /// # Errors
    /// When it refuses, keeps another value, or is not there.
    pub fn tell(&self) -> Result<(), MachineError> {
        let had = number(&self.socket, &self.name)?;
        set(&self.socket, &self.name, self.value)?;
        match self.other()? {
            // More is what it makes whole chunks of.
            Some(other) if other < self.value || had == Some(other) => {
                if let Some(had) = had.filter(|had| *had != other) {
                    // Best effort: the first error is the one to tell.
                    let _back = set(&self.socket, &self.name, had);
                }
                Err(self.not_taken(other))
            }
            _ => Ok(()),
        }
    }

    /// What the server has instead of what it was told; none where it has that, or is still at it.
    fn other(&self) -> Result<Option<u64>, MachineError> {
        let give_up = Instant::now() + RESIZE_PATIENCE;
        loop {
            // In this order: it may end in between.
            let is_under_way = self.name == POOL && is_resizing(&self.socket)?;
            let now = number(&self.socket, &self.name)?;
            let other = now.filter(|now| *now != self.value);
            if other.is_none() || !is_under_way {
                return Ok(other);
            }
            if Instant::now() > give_up {
                return Ok(None);
            }
            thread::sleep(PAUSE);
        }
    }

    fn not_taken(&self, other: u64) -> MachineError {
        let Self {
            socket,
            name,
            value,
            ..
        } = self;
        let fix = match name == POOL && other < *value {
            true => format!(
                "set innodb_buffer_pool_size_max to {value} or more in its configuration and restart it, or plan for a smaller pool"
            ),
            false => "it may be too busy now, so apply the plan again later".to_owned(),
        };
        MachineError::unusable(format!(
            "the server at {} was told {name}={value} and made {other} of it; {fix}",
            socket.display()
        ))
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

/// Whether there is no server to tell. A server that does not let this user connect is one.
fn is_of_nobody(error: &MachineError) -> bool {
    match error {
        MachineError::Command { message, .. } if message.contains(UNCONNECTED) => {
            let errno = errno_of(message);
            NOBODY.iter().any(|it| errno == Some(it.raw_os_error()))
        }
        _ => false,
    }
}

/// Why the client cannot connect, as the system numbers it: in brackets behind the socket.
fn errno_of(message: &str) -> Option<i32> {
    let (_, behind) = message.rsplit_once("' (")?;
    let digits = behind.split(|it: char| !it.is_ascii_digit()).next()?;
    digits.parse().ok()
}

/// Whether a server says that it is resizing its pool.
fn is_resizing(socket: &Path) -> Result<bool, MachineError> {
    let said = ask(socket, &format!("SHOW GLOBAL STATUS LIKE '{RESIZING}'"))?;
    let status = value_of(&said).unwrap_or_default();
    let has_ended = ENDED.iter().any(|end| status.starts_with(end));
    Ok(!status.is_empty() && !has_ended)
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
    Ok(value_of(&said).map(str::to_owned))
}

/// The value behind the name in the first row of an answer.
fn value_of(said: &str) -> Option<&str> {
    let (_, value) = said.lines().next()?.split_once('\t')?;
    Some(value.trim())
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
