//! A work: a text file with an operation a line.
//!
//! `#` begins a comment. `NAME:` before an operation makes the client of that name do it. Bytes are whole numbers, or sizes such as `64KiB`.

use std::path::{Path, PathBuf};

use hotset_scenario::{parse_bytes, there_are};

use super::error::WorkError;
use super::path::{file_path, path};
use crate::remote::{Access, Opening};

/// Most lines: what is kept of each takes about a hundred bytes.
const MOST_LINES: usize = 1 << 22;
/// Most bytes of a work's text: a million lines of 64 bytes are as many.
const MOST_TEXT_BYTES: u64 = 64 << 20;
/// Most files that lie on the server before.
const MOST_FILES: u64 = 1 << 20;
/// Where a file ends at most, bytes: each of its pages takes memory of the simulation.
const MOST_BYTES: u64 = 64 << 30;
/// Longest sleep: a year, seconds.
const LONGEST_SLEEP_S: f64 = 365.0 * 86_400.0;
/// Most clients.
const MOST_CLIENTS: usize = 1000;

/// Operations, for messages about a line that has none.
const OPERATIONS: [&str; 13] = [
    "on-server",
    "open",
    "read",
    "read-at",
    "write",
    "fsync",
    "close",
    "stat",
    "readdir",
    "unlink",
    "rename",
    "sleep",
    "mount-anew",
];

/// A work.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Work {
    /// Where it is from.
    pub path: PathBuf,
    /// Files that lie on the server before.
    pub on_server: Vec<OnServer>,
    /// Names of clients beside the first, in the order in which they come.
    pub others: Vec<String>,
    /// What is done, in its order.
    pub steps: Vec<Step>,
    /// How many files lie on the server.
    files: u64,
}

/// Files that lie on the server before the work begins: `FOLDER/0` and so on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnServer {
    /// Line, from 1.
    pub line: usize,
    /// Their folder.
    pub folder: String,
    /// How many.
    pub count: u64,
    /// Bytes of each.
    pub bytes: u64,
}

/// Something that a client does.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Line, from 1.
    pub line: usize,
    /// Which client: one of [`Work::others`], or the first.
    pub client: Option<usize>,
    /// What.
    pub operation: Operation,
}

/// What a client does.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Operation {
    /// Opens a file.
    Open(String, Opening),
    /// Reads so many bytes from where the last read ended.
    Read(String, u64),
    /// Reads so many bytes from an offset.
    ReadAt {
        /// The file.
        path: String,
        /// The first byte.
        offset: u64,
        /// How many.
        bytes: u64,
    },
    /// Writes so many bytes.
    Write(String, u64),
    /// Waits until what was written is on the server's disk.
    Fsync(String),
    /// Closes a file.
    Close(String),
    /// Asks for attributes.
    Stat(String),
    /// Reads all names of a folder.
    ReadFolder(String),
    /// Removes a file.
    Unlink(String),
    /// Gives a file another name.
    Rename(String, String),
    /// Does nothing for so many nanoseconds.
    Sleep(u64),
    /// Unmounts and mounts again.
    MountAnew,
}

impl Work {
    /// Reads the work at `path`.
    ///
    /// # Errors
    /// A file that cannot be read or used, with its line and what mends it.
    pub fn load(path: &Path) -> Result<Self, WorkError> {
        let unreadable = |error| WorkError::unreadable(path, error);
        let length = std::fs::metadata(path).map_err(unreadable)?.len();
        if length > MOST_TEXT_BYTES {
            let message = format!("is larger than {MOST_TEXT_BYTES} bytes; cut it in parts");
            return Err(WorkError::in_line(path, 1, message));
        }
        let text = std::fs::read_to_string(path).map_err(unreadable)?;
        let work = Self::parse(&text, path)?;
        if work.steps.is_empty() && work.on_server.is_empty() {
            let message = "there is no operation; write one, such as open data/0 r";
            return Err(WorkError::in_line(path, 1, message));
        }
        Ok(work)
    }

    /// As [`Work::load`], from what stands in the file at `path`.
    ///
    /// # Errors
    /// A text that cannot be used.
    pub fn parse(text: &str, path: &Path) -> Result<Self, WorkError> {
        let mut work = Self {
            path: path.to_owned(),
            ..Self::default()
        };
        for (number, line) in text.lines().enumerate() {
            let number = number + 1;
            let line = line.split('#').next().unwrap_or_default();
            let read = work.line(number, line);
            read.map_err(|message| WorkError::in_line(path, number, message))?;
        }
        Ok(work)
    }

    fn line(&mut self, number: usize, line: &str) -> Result<(), String> {
        let mut words: Vec<&str> = line.split_whitespace().collect();
        let Some(first) = words.first() else {
            return Ok(());
        };
        if self.steps.len() + self.on_server.len() >= MOST_LINES {
            return Err(format!(
                "is more than the {MOST_LINES} lines that can be followed; cut the work in parts"
            ));
        }
        let name = first.strip_suffix(':').map(str::to_owned);
        if name.is_some() {
            words.remove(0);
        }
        if let ["on-server", rest @ ..] = &words[..] {
            if let Some(name) = name {
                return Err(format!(
                    "`{name}:`: files lie on the server; leave the name out"
                ));
            }
            return self.on_server(number, rest);
        }
        let operation = operation(&words)?;
        let client = name.map(|name| self.client(name)).transpose()?;
        self.steps.push(Step {
            line: number,
            client,
            operation,
        });
        Ok(())
    }

    fn client(&mut self, name: String) -> Result<usize, String> {
        if name.is_empty() {
            return Err("`:`: write the name of a client before it".to_owned());
        }
        if let Some(known) = self.others.iter().position(|other| *other == name) {
            return Ok(known);
        }
        if self.others.len() == MOST_CLIENTS {
            return Err(format!(
                "is of more than the {MOST_CLIENTS} clients that can be followed"
            ));
        }
        self.others.push(name);
        Ok(self.others.len() - 1)
    }

    fn on_server(&mut self, line: usize, words: &[&str]) -> Result<(), String> {
        let [folder, count, each] = words else {
            return Err("write on-server DIR COUNT BYTES".to_owned());
        };
        let count: u64 = count.parse().map_err(|_| {
            format!("`{count}`: write a whole number of files, 0 for an empty folder")
        })?;
        if count > MOST_FILES - self.files {
            return Err(format!(
                "has more than the {MOST_FILES} files that can be followed"
            ));
        }
        self.files += count;
        self.on_server.push(OnServer {
            line,
            folder: path(folder)?,
            count,
            bytes: bytes(each)?,
        });
        Ok(())
    }
}

/// The operation of a line.
fn operation(words: &[&str]) -> Result<Operation, String> {
    Ok(match words {
        ["open", file, access, flags @ ..] => {
            Operation::Open(file_path(file)?, opening(access, flags)?)
        }
        ["read", file, count] => Operation::Read(file_path(file)?, some_bytes(count)?),
        ["read-at", file, offset, count] => Operation::ReadAt {
            path: file_path(file)?,
            offset: bytes(offset)?,
            bytes: some_bytes(count)?,
        },
        ["write", file, count] => Operation::Write(file_path(file)?, some_bytes(count)?),
        ["fsync", file] => Operation::Fsync(file_path(file)?),
        ["close", file] => Operation::Close(file_path(file)?),
        ["stat", file] => Operation::Stat(path(file)?),
        ["readdir", folder] => Operation::ReadFolder(path(folder)?),
        ["unlink", file] => Operation::Unlink(file_path(file)?),
        ["rename", from, to] => Operation::Rename(file_path(from)?, file_path(to)?),
        ["sleep", seconds] => Operation::Sleep(sleep_ns(seconds)?),
        ["mount-anew"] => Operation::MountAnew,
        [first, ..] => return Err(no_operation(first)),
        [] => {
            return Err(format!(
                "has a name alone; write an operation after it: {}",
                OPERATIONS.join(", ")
            ));
        }
    })
}

/// What is said of a line whose operation is not known, or has other words than it takes.
fn no_operation(first: &str) -> String {
    let form = match first {
        "open" => "open PATH r|w|create, and sync, direct or append after it",
        "read" => "read PATH BYTES",
        "read-at" => "read-at PATH OFFSET BYTES",
        "write" => "write PATH BYTES",
        "fsync" | "close" | "stat" | "unlink" => return format!("write {first} PATH"),
        "readdir" => "readdir DIR",
        "rename" => "rename OLD NEW",
        "sleep" => "sleep SECONDS",
        "mount-anew" => "mount-anew alone",
        _ => return format!("`{first}`: is not known; {}", there_are(first, &OPERATIONS)),
    };
    format!("write {form}")
}

fn opening(access: &str, flags: &[&str]) -> Result<Opening, String> {
    let access = match access {
        "r" => Access::Read,
        "w" => Access::Write,
        "create" => Access::Create,
        _ => return Err(format!("`{access}`: write r, w or create")),
    };
    let mut opening = Opening::plain(access);
    for flag in flags {
        match *flag {
            "sync" => opening.sync = true,
            "direct" => opening.direct = true,
            "append" if opening.writes() => opening.append = true,
            "append" => return Err("`append`: is of files that are written".to_owned()),
            _ => return Err(format!("`{flag}`: write sync, direct or append")),
        }
    }
    Ok(opening)
}

/// A number of bytes, or where a byte is.
fn bytes(text: &str) -> Result<u64, String> {
    let bytes = match text.parse::<u64>() {
        Ok(bytes) => bytes,
        Err(_) => parse_bytes(text).map_err(|error| format!("`{text}`: {error}"))?,
    };
    match bytes {
        ..=MOST_BYTES => Ok(bytes),
        _ => Err(format!(
            "`{text}`: files of at most {MOST_BYTES} bytes can be followed"
        )),
    }
}

/// A number of bytes that is not 0.
fn some_bytes(text: &str) -> Result<u64, String> {
    match bytes(text)? {
        0 => Err(format!("`{text}`: write a number of bytes above 0")),
        bytes => Ok(bytes),
    }
}

fn sleep_ns(text: &str) -> Result<u64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=LONGEST_SLEEP_S).contains(&seconds) => Ok((seconds * 1e9) as u64),
        _ => Err(format!(
            "`{text}`: write seconds from 0 to {LONGEST_SLEEP_S}"
        )),
    }
}
