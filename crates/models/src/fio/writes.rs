//! What a job's options say of its writes and of the file that it writes to: `sync`, `sync_file_range` and `fallocate`.

use std::fmt;
use std::str::FromStr;

use super::value::count;
use crate::storage::SyncKind;
use crate::write_back::PageSync;

/// What each write of a job has on the device before it is over (`sync`, flags of `open`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WriteSync {
    /// Nothing.
    #[default]
    None,
    /// Its data, and all else that was changed of the file (`O_SYNC`).
    All,
    /// Its data, and what it takes to find it (`O_DSYNC`).
    Data,
}

impl WriteSync {
    /// As fio calls them; the first of each is its name.
    const NAMES: [(&'static str, Self); 5] = [
        ("none", Self::None),
        ("0", Self::None),
        ("sync", Self::All),
        ("1", Self::All),
        ("dsync", Self::Data),
    ];

    /// What is synced with each write.
    pub(super) fn kind(self) -> Option<SyncKind> {
        match self {
            Self::None => None,
            Self::All => Some(SyncKind::All),
            Self::Data => Some(SyncKind::Data),
        }
    }
}

impl FromStr for WriteSync {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        named(&Self::NAMES, text).ok_or_else(|| "write none, sync or dsync".to_owned())
    }
}

impl fmt::Display for WriteSync {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(name(&Self::NAMES, *self))
    }
}

/// How the blocks of a new file are allocated before a job writes to it (`fallocate`; `fallocate_file`, `filesetup.c` of fio 3.33).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Allocation {
    /// They are not: the file has no bytes.
    None,
    /// By `fallocate`, where the file system has it.
    #[default]
    Native,
    /// The same. Where the file system has it not, the C library writes to each block.
    Posix,
    /// By `fallocate`; the file has no bytes all the same.
    Keep,
    /// They are not, but the file has its size (`ftruncate`).
    Truncate,
}

impl Allocation {
    /// As fio calls them; the first of each is its name.
    const NAMES: [(&'static str, Self); 7] = [
        ("none", Self::None),
        ("0", Self::None),
        ("native", Self::Native),
        ("posix", Self::Posix),
        ("1", Self::Posix),
        ("keep", Self::Keep),
        ("truncate", Self::Truncate),
    ];

    /// Whether a new file has its size before anything is written to it, where the file system can allocate blocks.
    pub(super) fn gives_size(self) -> bool {
        match self {
            Self::Native | Self::Posix | Self::Truncate => true,
            Self::None | Self::Keep => false,
        }
    }
}

impl FromStr for Allocation {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = named(&Self::NAMES, text);
        known.ok_or_else(|| "write none, native, posix, keep or truncate".to_owned())
    }
}

impl fmt::Display for Allocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(name(&Self::NAMES, *self))
    }
}

/// What is done after some writes with pages that were written since the last sync (`sync_file_range`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RangeSync {
    /// After how many writes.
    pub every: u32,
    /// What.
    pub pages: PageSync,
}

impl FromStr for RangeSync {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (flags, every) = text.split_once(':').unwrap_or((text, "1"));
        let mut pages = PageSync::default();
        for flag in flags.split(',') {
            match flag.trim() {
                "wait_before" => pages.waits_before = true,
                "write" => pages.hands_over = true,
                "wait_after" => pages.waits_after = true,
                _ => {
                    return Err(
                        "write wait_before, write or wait_after, with commas between several, then a number of writes: write:8"
                            .to_owned(),
                    );
                }
            }
        }
        let every = count(every.trim(), u32::MAX)?;
        Ok(Self { every, pages })
    }
}

impl fmt::Display for RangeSync {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flags = [
            (self.pages.waits_before, "wait_before"),
            (self.pages.hands_over, "write"),
            (self.pages.waits_after, "wait_after"),
        ];
        let flags = flags.into_iter().filter(|it| it.0).map(|it| it.1);
        let flags: Vec<&str> = flags.collect();
        write!(f, "{}:{}", flags.join(","), self.every)
    }
}

fn named<T: Copy>(names: &[(&str, T)], text: &str) -> Option<T> {
    names.iter().find(|it| it.0 == text).map(|it| it.1)
}

fn name<T: Copy + PartialEq>(names: &[(&'static str, T)], value: T) -> &'static str {
    let known = names.iter().find(|it| it.1 == value);
    known.map_or("", |it| it.0)
}
