//! Whether servers read the copies of a hot root, or the files themselves because nobody has told them to look for copies.
//!
//! Times of reading are not kept on a mount that is read only, so the kernel tells of reads by inotify(7). Some copies of each site are
//! watched, and the files that they are copies of. A watch tells of one read and is then gone until the next round, so a
//! site that is asked for often costs no more than another.

use crate::WantedFile;
use rustix::fs::inotify::{self, CreateFlags, ReadFlags, Reader, WatchFlags};
use rustix::io::Errno;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::path::PathBuf;

/// Of a file it matters that it is opened: a program that takes long to read one is no server that is asked again and again.
const OF_ORIGINALS: WatchFlags = WatchFlags::OPEN.union(WatchFlags::ONESHOT);

/// A server may keep a copy open, and read it without opening it again.
const OF_COPIES: WatchFlags = OF_ORIGINALS.union(WatchFlags::ACCESS);

/// Rounds in which one and the same file was opened, and no copy of its site was read, until that is told. Programs that go through
/// all files, as for a backup, open each in one round.
const ROUNDS: u32 = 3;

/// An event of a file has no name: it is 16 bytes.
const EVENT_BYTES: usize = 4 << 10;

/// A file and its copy.
#[derive(Debug)]
pub struct CopiedFile {
    /// What the plan calls it.
    pub wanted: WantedFile,
    /// A descriptor of the file, whatever its path leads to by now.
    pub original: OwnedFd,
    /// Its copy.
    pub copy: PathBuf,
}

/// Which of the files of sites are read, and which of their copies.
#[derive(Default)]
pub struct CopyReads {
    /// None before anything is watched, and where the kernel gives none.
    inotify: Option<OwnedFd>,
    watches: HashMap<i32, Watched>,
    /// Files that were read in this round.
    originals: HashSet<WantedFile>,
    /// Rounds in which a file was read since a copy of its site was.
    rounds: HashMap<WantedFile, u32>,
}

struct Watched {
    file: WantedFile,
    is_copy: bool,
}

impl CopyReads {
    /// Takes in what was read since this was asked last. Where the caller has read files itself, their reads say nothing.
    pub fn note(&mut self, caller_has_read: bool) {
        for watch in self.told() {
            let Some(Watched { file, is_copy }) = self.watches.get(&watch) else {
                continue;
            };
            if *is_copy {
                let site = &file.site;
                self.rounds.retain(|other, _| other.site != *site);
                self.originals.retain(|other| other.site != *site);
            } else if !caller_has_read {
                self.originals.insert(file.clone());
            }
        }
    }

    /// The watches on what was read.
    fn told(&self) -> Vec<i32> {
        let Some(inotify) = &self.inotify else {
            return Vec::new();
        };
        let mut space = [MaybeUninit::uninit(); EVENT_BYTES];
        let mut events = Reader::new(inotify, &mut space);
        let mut told = Vec::new();
        loop {
            match events.next() {
                Ok(event)
                    if event
                        .events()
                        .intersects(ReadFlags::OPEN | ReadFlags::ACCESS) =>
                {
                    told.push(event.wd());
                }
                Ok(_) | Err(Errno::INTR) => {}
                Err(_) => return told,
            }
        }
    }

    /// Ends a round, and watches these files and their copies in the next. What cannot be watched says nothing.
    pub fn next_round(&mut self, files: impl IntoIterator<Item = CopiedFile>) {
        for file in self.originals.drain() {
            *self.rounds.entry(file).or_default() += 1;
        }
        if self.inotify.is_none() {
            let flags = CreateFlags::CLOEXEC | CreateFlags::NONBLOCK;
            self.inotify = inotify::init(flags).ok();
        }
        let Some(inotify) = &self.inotify else {
            return;
        };
        let mut watches = HashMap::new();
        for CopiedFile {
            wanted,
            original,
            copy,
        } in files
        {
            let original_path = format!("/proc/self/fd/{}", original.as_raw_fd());
            let original = inotify::add_watch(inotify, original_path, OF_ORIGINALS);
            let copy = inotify::add_watch(inotify, copy, OF_COPIES);
            for (watch, is_copy) in [(original, false), (copy, true)] {
                let file = wanted.clone();
                watches.extend(watch.map(|watch| (watch, Watched { file, is_copy })));
            }
        }
        for old in self.watches.keys().filter(|old| !watches.contains_key(old)) {
            // It may have gone with its file, or because it has told of a read.
            let _removed = inotify::remove_watch(inotify, *old);
        }
        self.watches = watches;
        let watched: HashSet<&WantedFile> = self.watches.values().map(|it| &it.file).collect();
        self.rounds.retain(|file, _| watched.contains(file));
    }

    /// Sites whose files are read again and again, and no copy of them.
    #[must_use]
    pub fn unread_sites(&self) -> BTreeSet<&str> {
        let unread = self.rounds.iter().filter(|(_, rounds)| **rounds >= ROUNDS);
        unread.map(|(file, _)| file.site.as_str()).collect()
    }
}
