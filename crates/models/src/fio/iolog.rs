//! fio's logs, versions 2 and 3 (`read_iolog`, `iolog.c` of fio 3.33).
//!
//! The first line says the version. Each further line is an action on a file: `add`, `open`, `close`, `read OFFSET BYTES`,
//! `write OFFSET BYTES`, `sync 0 0`, `datasync 0 0`. In version 3 the time in microseconds comes before it. Version 2 has `wait` instead,
//! until so many milliseconds after the start.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufRead, BufReader, Read as _};
use std::path::{Path, PathBuf};

use super::JobFileError;
use super::value::MOST_READ_BYTES;
use crate::divisor::common_divisor;

/// Most lines: what is kept of them takes 32 bytes each.
const MOST_LINES: usize = 1 << 24;
/// Most files.
const MOST_FILES: usize = 1 << 20;
/// Longest line, bytes: fio reads as much at once.
const LONGEST_LINE: u64 = 4095;
/// Longest name, bytes: what fio keeps of one.
const LONGEST_NAME: usize = 255;
/// Where the last file ends at most: 16 TiB, the largest file of ext4 (`Documentation/filesystems/ext4`).
const MOST_BYTES: u64 = 16 << 40;

/// Longest log: ten years, microseconds. Times in nanoseconds then fit into 64 bits.
const LONGEST_US: u64 = 10 * 365 * 86_400_000_000;

const VERSION_2: &str = "fio version 2 iolog";
const VERSION_3: &str = "fio version 3 iolog";

/// What a log has a process do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Iolog {
    /// Where it is from.
    pub path: PathBuf,
    /// The files that it names, in their order.
    pub files: Vec<IologFile>,
    /// What is done, in its order.
    pub actions: Vec<Action>,
    /// Lines that are left out, by their action: trims, and what fio leaves out too.
    pub left_out: BTreeMap<String, u64>,
    /// The version of the format.
    version: u8,
}

/// A file of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IologFile {
    /// As the log names it.
    pub name: String,
    /// Where the last read or write of it ends: as long it has to be.
    pub bytes: u64,
}

/// Something that is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Action {
    /// Time since the action before it was begun, microseconds. Where that took longer, it is begun at once (`iolog_delay`).
    pub after_us: u64,
    /// What.
    pub what: ActionKind,
}

/// What is done with a file, by its number among [`Iolog::files`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionKind {
    /// Opens it.
    Open(u32),
    /// Closes it.
    Close(u32),
    /// Reads it.
    Read {
        /// Which.
        file: u32,
        /// The first byte.
        offset: u64,
        /// How many.
        bytes: u32,
    },
    /// Writes to it.
    Write {
        /// Which.
        file: u32,
        /// The first byte.
        offset: u64,
        /// How many.
        bytes: u32,
    },
    /// Syncs it.
    Sync(u32),
    /// Syncs its data.
    DataSync(u32),
    /// Does nothing until so many milliseconds after the start.
    Wait(u64),
}

impl Iolog {
    /// The log at `path` before it is read.
    pub(super) fn unread(path: String) -> Self {
        Self {
            path: path.into(),
            version: 3,
            ..Self::default()
        }
    }

    /// Reads the log at `path`.
    ///
    /// # Errors
    /// A file that cannot be read or used, with its line and what mends it.
    pub fn load(path: &Path) -> Result<Self, JobFileError> {
        let file = File::open(path).map_err(|error| JobFileError::unreadable(path, error))?;
        Self::read(BufReader::new(file), path)
    }

    /// As [`Iolog::load`], from what stands in the file at `path`.
    ///
    /// # Errors
    /// A log that cannot be used.
    pub fn read(mut log: impl BufRead, path: &Path) -> Result<Self, JobFileError> {
        let mut reader = Reader::default();
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            let read = log.by_ref().take(LONGEST_LINE + 1);
            let length = { read }.read_until(b'\n', &mut line);
            let length = length.map_err(|error| JobFileError::unreadable(path, error))?;
            if length == 0 {
                break;
            }
            let wrong = |message: String| JobFileError::in_line(path, number, message);
            let text = text(&line).map_err(wrong)?;
            reader.line(number, text).map_err(wrong)?;
        }
        reader.end(path)
    }

    /// The largest number of bytes that every place where a read or a write begins or ends is a multiple of.
    pub(super) fn unit_bytes(&self) -> u64 {
        let units = self.actions.iter().filter_map(|action| match action.what {
            ActionKind::Read { offset, bytes, .. } | ActionKind::Write { offset, bytes, .. } => {
                Some(common_divisor(offset, u64::from(bytes)))
            }
            _ => None,
        });
        units.fold(0, common_divisor)
    }

    /// Whether it has reads, and whether it has writes.
    pub(super) fn directions(&self) -> (bool, bool) {
        let has = |is: fn(&ActionKind) -> bool| self.actions.iter().any(|it| is(&it.what));
        (
            has(|it| matches!(it, ActionKind::Read { .. })),
            has(|it| matches!(it, ActionKind::Write { .. })),
        )
    }

    /// The same log without its times (`delay_since_ttime` and `read_iolog` with `no_stall`, `iolog.c`).
    pub(super) fn at_once(mut self) -> Self {
        self.actions
            .retain(|action| !matches!(action.what, ActionKind::Wait(_)));
        self.actions.iter_mut().for_each(|it| it.after_us = 0);
        self
    }

    /// The same log at another place, with other names for its files.
    #[must_use]
    pub fn renamed(&self, path: &Path, name: &dyn Fn(&str) -> String) -> Self {
        let files = self.files.iter().map(|file| IologFile {
            name: name(&file.name),
            bytes: file.bytes,
        });
        Self {
            path: path.to_owned(),
            files: files.collect(),
            ..self.clone()
        }
    }

    /// The log as fio reads it, without what was left out.
    #[must_use]
    pub fn to_fio(&self) -> String {
        let (first, times) = match self.version {
            2 => (VERSION_2, false),
            _ => (VERSION_3, true),
        };
        let mut text = format!("{first}\n");
        // fio takes a time of 0 for none, and does not wait after it.
        let mut time_us = 1;
        let mut put = |after_us: u64, what: std::fmt::Arguments<'_>| {
            time_us += after_us;
            // Writing to a text does not fail.
            let _written = match times {
                true => writeln!(text, "{time_us} {what}"),
                false => writeln!(text, "{what}"),
            };
        };
        let name = |file: u32| &self.files[file as usize].name;
        for number in 0..self.files.len() as u32 {
            put(0, format_args!("{} add", name(number)));
        }
        for action in &self.actions {
            let after_us = action.after_us;
            match action.what {
                ActionKind::Open(file) => put(after_us, format_args!("{} open", name(file))),
                ActionKind::Close(file) => put(after_us, format_args!("{} close", name(file))),
                ActionKind::Read {
                    file,
                    offset,
                    bytes,
                } => put(
                    after_us,
                    format_args!("{} read {offset} {bytes}", name(file)),
                ),
                ActionKind::Write {
                    file,
                    offset,
                    bytes,
                } => put(
                    after_us,
                    format_args!("{} write {offset} {bytes}", name(file)),
                ),
                ActionKind::Sync(file) => put(after_us, format_args!("{} sync 0 0", name(file))),
                ActionKind::DataSync(file) => {
                    put(after_us, format_args!("{} datasync 0 0", name(file)));
                }
                ActionKind::Wait(ms) => put(after_us, format_args!("{} wait {ms} 0", name(0))),
            }
        }
        text
    }
}

/// A line without its end.
fn text(line: &[u8]) -> Result<&str, String> {
    if line.len() as u64 > LONGEST_LINE {
        return Err(format!("is longer than {LONGEST_LINE} bytes"));
    }
    let text = std::str::from_utf8(line).map_err(|_| "is not text".to_owned())?;
    Ok(text.trim())
}

/// A log while it is read.
#[derive(Default)]
struct Reader {
    log: Iolog,
    numbers: HashMap<String, u32>,
    open: Vec<bool>,
    /// The time of the last line.
    time_us: u64,
    /// When the last action is begun, and what has passed since then.
    begun_us: u64,
    passed_us: u64,
    lines: usize,
}

impl Reader {
    fn line(&mut self, number: usize, text: &str) -> Result<(), String> {
        if number == 1 {
            return self.first(text);
        }
        if text.is_empty() {
            return Ok(());
        }
        self.lines += 1;
        if self.lines > MOST_LINES {
            return Err(format!(
                "is more than the {MOST_LINES} lines that can be followed; cut the log in parts"
            ));
        }
        let mut words = text.split_ascii_whitespace();
        if self.log.version == 3 {
            self.time(words.next())?;
        }
        let words: Vec<&str> = words.collect();
        match words[..] {
            [name, action] => self.file_action(name, action),
            [name, action, offset, bytes] => self.access(name, action, offset, bytes),
            _ => Err(format!("`{text}`: write {}", self.form())),
        }
    }

    fn form(&self) -> &'static str {
        match self.log.version {
            3 => {
                "the time in microseconds, a file, and add, open, close, read OFFSET BYTES, write OFFSET BYTES, sync 0 0 or datasync 0 0"
            }
            _ => {
                "a file, and add, open, close, read OFFSET BYTES, write OFFSET BYTES, sync 0 0, datasync 0 0 or wait MILLISECONDS 0"
            }
        }
    }

    fn first(&mut self, text: &str) -> Result<(), String> {
        self.log.version = match text {
            _ if text.starts_with(VERSION_2) => 2,
            _ if text.starts_with(VERSION_3) => 3,
            _ => {
                return Err(format!(
                    "is no iolog of version 2 or 3; its first line is `{VERSION_2}` or `{VERSION_3}`"
                ));
            }
        };
        Ok(())
    }

    /// fio waits for nothing until a line has a time, and does not go back (`delay_since_ttime`).
    fn time(&mut self, word: Option<&str>) -> Result<(), String> {
        let time_us = word.unwrap_or("").parse::<u64>();
        let time_us = time_us.ok().filter(|&time_us| time_us <= 2 * LONGEST_US);
        let time_us = time_us.ok_or_else(|| format!("write {}", self.form()))?;
        if self.time_us > 0 {
            self.passed_us += time_us.saturating_sub(self.time_us);
        }
        self.time_us = time_us;
        match self.begun_us + self.passed_us {
            ..=LONGEST_US => Ok(()),
            _ => Err("is later than ten years after the first line".into()),
        }
    }

    fn file_action(&mut self, name: &str, action: &str) -> Result<(), String> {
        match action {
            "add" => self.add(name),
            "open" => {
                let file = self.file(name)?;
                if std::mem::replace(&mut self.open[file as usize], true) {
                    return Err(format!("opens {name}, which is open; close it before"));
                }
                self.push(ActionKind::Open(file));
                Ok(())
            }
            "close" => {
                let file = self.opened(name)?;
                self.open[file as usize] = false;
                self.push(ActionKind::Close(file));
                Ok(())
            }
            _ => self.leave_out(action),
        }
    }

    fn access(
        &mut self,
        name: &str,
        action: &str,
        offset: &str,
        bytes: &str,
    ) -> Result<(), String> {
        let offset = offset.parse::<u64>();
        let offset = offset.map_err(|_| format!("write {}", self.form()))?;
        match action {
            "wait" if self.log.version == 2 => {
                if offset > LONGEST_US / 1000 {
                    return Err("waits longer than ten years".into());
                }
                self.push(ActionKind::Wait(offset));
                Ok(())
            }
            "read" | "write" => {
                let (file, bytes) = self.place(name, action, offset, bytes)?;
                self.push(match action {
                    "read" => ActionKind::Read {
                        file,
                        offset,
                        bytes,
                    },
                    _ => ActionKind::Write {
                        file,
                        offset,
                        bytes,
                    },
                });
                Ok(())
            }
            "sync" => {
                let file = self.opened(name)?;
                self.push(ActionKind::Sync(file));
                Ok(())
            }
            "datasync" => {
                let file = self.opened(name)?;
                self.push(ActionKind::DataSync(file));
                Ok(())
            }
            _ => self.leave_out(action),
        }
    }

    /// The file that is read or written to, and how many bytes; it reaches as far.
    fn place(
        &mut self,
        name: &str,
        action: &str,
        offset: u64,
        bytes: &str,
    ) -> Result<(u32, u32), String> {
        let file = self.opened(name)?;
        let known = |&bytes: &u32| (1..=MOST_READ_BYTES).contains(&bytes.into());
        let bytes = bytes.parse().ok().filter(known);
        let bytes: u32 =
            bytes.ok_or_else(|| format!("a {action} has from 1 to 2147479552 bytes"))?;
        let end = offset.saturating_add(u64::from(bytes));
        if end > MOST_BYTES {
            return Err(format!(
                "{action}s behind 16 TiB, where no file that can be followed ends"
            ));
        }
        let known = &mut self.log.files[file as usize].bytes;
        *known = (*known).max(end);
        Ok((file, bytes))
    }

    fn add(&mut self, name: &str) -> Result<(), String> {
        if name.len() > LONGEST_NAME {
            return Err(format!("names a file with more than {LONGEST_NAME} bytes"));
        }
        if self.log.files.len() == MOST_FILES {
            return Err(format!(
                "is more than the {MOST_FILES} files that can be followed"
            ));
        }
        let number = self.log.files.len() as u32;
        if self.numbers.insert(name.to_owned(), number).is_some() {
            return Err(format!("adds {name}, which was added"));
        }
        self.log.files.push(IologFile {
            name: name.to_owned(),
            bytes: 0,
        });
        self.open.push(false);
        Ok(())
    }

    fn file(&self, name: &str) -> Result<u32, String> {
        let number = self.numbers.get(name).copied();
        number.ok_or_else(|| format!("{name} was not added; write `{name} add` before"))
    }

    /// fio stops at what it has not opened (`get_io_u`, `io_u.c`).
    fn opened(&self, name: &str) -> Result<u32, String> {
        let file = self.file(name)?;
        match self.open[file as usize] {
            true => Ok(file),
            false => Err(format!("{name} is not open; write `{name} open` before")),
        }
    }

    /// What fio knows, and is not followed.
    fn leave_out(&mut self, action: &str) -> Result<(), String> {
        const OTHERS: [&str; 5] = ["write", "sync", "datasync", "trim", "wait"];
        if !OTHERS.contains(&action) {
            return Err(format!("`{action}`: is not known; write {}", self.form()));
        }
        *self.log.left_out.entry(action.to_owned()).or_default() += 1;
        Ok(())
    }

    fn push(&mut self, what: ActionKind) {
        let after_us = std::mem::take(&mut self.passed_us);
        self.begun_us += after_us;
        self.log.actions.push(Action { after_us, what });
    }

    fn end(self, path: &Path) -> Result<Iolog, JobFileError> {
        let accesses = |action: &Action| {
            matches!(
                action.what,
                ActionKind::Read { .. } | ActionKind::Write { .. }
            )
        };
        if !self.log.actions.iter().any(accesses) {
            let message = match self.log.version {
                0 => format!("is empty; its first line is `{VERSION_2}` or `{VERSION_3}`"),
                _ => "has no read and no write".to_owned(),
            };
            return Err(JobFileError::in_line(path, 1, message));
        }
        let path = path.to_owned();
        Ok(Iolog { path, ..self.log })
    }
}
