//! Whether anything has happened to the paths of held files, as the kernel tells by inotify(7): a look at every file is only
//! needed then.
//!
//! A path is resolved step by step, through symbolic links too, and every folder on the way is watched for the name that
//! is looked up in it. Some changes are not told: those made by other machines, through a mapping, or through another name
//! of a file. Whoever asks about such files has to look at them.

use rustix::fs::inotify::{self, CreateFlags, ReadFlags, Reader, WatchFlags};
use rustix::io::Errno;
use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path, PathBuf};

/// What of a folder matters: that names come and go, that the files behind them change, and that its own rights change.
const WATCHED: WatchFlags = WatchFlags::CREATE
    .union(WatchFlags::DELETE)
    .union(WatchFlags::MOVE)
    .union(WatchFlags::MODIFY)
    .union(WatchFlags::ATTRIB)
    .union(WatchFlags::DELETE_SELF)
    .union(WatchFlags::MOVE_SELF)
    .union(WatchFlags::ONLYDIR)
    .union(WatchFlags::DONT_FOLLOW);

/// As many links the kernel follows on one path (path_resolution(7)).
const LINKS: usize = 40;

/// An event is 16 bytes and a name of up to 255.
const EVENT_BYTES: usize = 64 << 10;

/// Folders that are watched, and the names in them that matter.
pub struct PathWatch {
    /// None where the kernel gives none, or not enough of it.
    inotify: Option<OwnedFd>,
    watches: HashSet<i32>,
    names: HashSet<(i32, OsString)>,
}

/// The number of the watch on each of these folders that is there.
fn watch_all<'f>(
    inotify: &OwnedFd,
    folders: impl Iterator<Item = &'f PathBuf>,
) -> Result<HashMap<PathBuf, i32>, Errno> {
    let watch = |folder: &PathBuf| match inotify::add_watch(inotify, folder, WATCHED) {
        Ok(watch) => Some(Ok((folder.clone(), watch))),
        // What is not there is told of by the folder above.
        Err(Errno::NOENT | Errno::NOTDIR) => None,
        Err(error) => Some(Err(error)),
    };
    folders.filter_map(watch).collect()
}

/// Watches nothing yet.
impl Default for PathWatch {
    fn default() -> Self {
        let flags = CreateFlags::CLOEXEC | CreateFlags::NONBLOCK;
        Self {
            inotify: inotify::init(flags).ok(),
            watches: HashSet::new(),
            names: HashSet::new(),
        }
    }
}

impl PathWatch {
    /// Watches what these paths lead through now, and nothing else. Whether something of it was not watched before: what
    /// happened to it until now is not known.
    pub fn cover(&mut self, paths: impl Iterator<Item = PathBuf>) -> bool {
        let Some(inotify) = &self.inotify else {
            return false;
        };
        let mut steps = Steps::default();
        paths.for_each(|path| steps.follow(&path));
        let Ok(folders) = watch_all(inotify, steps.names.keys()) else {
            // Fewer watches than needed (inotify(7)): those that there are are given back.
            *self = Self {
                inotify: None,
                ..Self::default()
            };
            return false;
        };
        let kept: HashSet<i32> = folders.values().copied().collect();
        for old in self.watches.difference(&kept) {
            // It may have gone with its folder.
            let _removed = inotify::remove_watch(inotify, *old);
        }
        let names = steps.by_watch(&folders);
        let is_new = !names.is_subset(&self.names);
        self.watches = kept;
        self.names = names;
        is_new
    }

    /// Where it shows at once that something may have happened; none where nothing can be watched.
    pub fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        self.inotify.as_ref().map(OwnedFd::as_fd)
    }

    /// Whether something has happened to what is watched since this was asked last. Always so where nothing can be watched.
    pub fn has_news(&self) -> bool {
        let Some(inotify) = &self.inotify else {
            return true;
        };
        let mut space = [MaybeUninit::uninit(); EVENT_BYTES];
        let mut events = Reader::new(inotify, &mut space);
        let mut has_news = false;
        loop {
            match events.next() {
                Ok(event) => has_news |= self.matters(&event),
                Err(Errno::INTR) => {}
                Err(error) => return has_news || error != Errno::AGAIN,
            }
        }
    }

    fn matters(&self, event: &inotify::Event<'_>) -> bool {
        let Some(name) = event.file_name() else {
            // The folder itself, or a queue that was too short. Watches that were given up are no news.
            return !event.events().contains(ReadFlags::IGNORED);
        };
        let name = OsStr::from_bytes(name.to_bytes()).to_owned();
        self.names.contains(&(event.wd(), name))
    }
}

/// The folders that paths lead through, and the names that are looked up in each.
#[derive(Default)]
struct Steps {
    names: HashMap<PathBuf, HashSet<OsString>>,
    /// Where folders lead to that were followed before.
    known: HashMap<PathBuf, PathBuf>,
}

impl Steps {
    /// Follows an absolute path as far as it leads.
    fn follow(&mut self, path: &Path) {
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
            return;
        };
        let at = match self.known.get(folder) {
            Some(at) => at.clone(),
            None => {
                let at = self.walk(PathBuf::from("/"), folder, &mut 0);
                self.known.insert(folder.to_owned(), at.clone());
                at
            }
        };
        self.walk(at, Path::new(name), &mut 0);
    }

    /// Goes on from a folder; where that ends.
    fn walk(&mut self, mut at: PathBuf, path: &Path, links: &mut usize) -> PathBuf {
        for part in path.components() {
            match part {
                Component::RootDir | Component::Prefix(_) => at = PathBuf::from("/"),
                Component::CurDir => {}
                // Of a path without links, the folder above is the one that it names.
                Component::ParentDir => drop(at.pop()),
                Component::Normal(name) => at = self.step(at, name, links),
            }
        }
        at
    }

    fn step(&mut self, at: PathBuf, name: &OsStr, links: &mut usize) -> PathBuf {
        let next = at.join(name);
        let names = self.names.entry(at.clone()).or_default();
        names.insert(name.to_owned());
        match fs::read_link(&next) {
            Ok(target) if *links < LINKS => {
                *links += 1;
                self.walk(at, &target, links)
            }
            _ => next,
        }
    }

    fn by_watch(self, folders: &HashMap<PathBuf, i32>) -> HashSet<(i32, OsString)> {
        let of_folder = |(folder, names): (PathBuf, HashSet<OsString>)| {
            let watch = folders.get(&folder).copied();
            let pairs = names
                .into_iter()
                .filter_map(move |name| Some((watch?, name)));
            pairs.collect::<Vec<_>>()
        };
        self.names.into_iter().flat_map(of_folder).collect()
    }
}
