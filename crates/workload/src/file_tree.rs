//! Real files: those of a trace's objects, or those that a server needs to answer it.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

use hotset_machine::temporary::TemporaryFolder;
use hotset_trace::Trace;
use rustix::fs::statvfs;

/// Why a file tree could not be written. What had been written is removed again.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileTreeError {
    /// A file or folder of the tree exists already.
    #[error("{}: already exists; choose an empty folder", .0.display())]
    Exists(PathBuf),
    /// A path of the trace does not name a file inside its site.
    #[error(
        "object {path:?} of site {site:?} is not the path of a file in its folder: a file tree needs plain paths"
    )]
    Path {
        /// Name of the site.
        site: String,
        /// Path of the object.
        path: String,
    },
    /// No server answers a path of the trace with a file of the site's folder.
    #[error(
        "path {path:?} of site {site:?} {why}, so no file can be written for it; the rule c1 gives every request a file \
         with a name of its own"
    )]
    Unservable {
        /// Name of the site.
        site: String,
        /// Path of the object.
        path: String,
        /// Why not.
        why: &'static str,
    },
    /// Paths of the trace would be the same file, or one of them a folder in which the other is.
    #[error(
        "paths {one:?} and {other:?} of site {site:?} {why}{more}; the rule c1 gives every request a file with a name of its own"
    )]
    Collision {
        /// Name of the site.
        site: String,
        /// One of the paths.
        one: String,
        /// Another.
        other: String,
        /// How they collide.
        why: &'static str,
        /// How many pairs do in all, in words; empty where none else does.
        more: String,
    },
    /// The files are larger than what is free on their disk.
    #[error(
        "{}: the files take {needed_kib} KiB on disk and {free_kib} KiB are free, {} KiB too few: free some, or choose \
         a folder on another file system", .folder.display(), needed_kib - free_kib
    )]
    NoRoom {
        /// The folder.
        folder: PathBuf,
        /// What they take, rounded up.
        needed_kib: u64,
        /// What the file system gives this user.
        free_kib: u64,
    },
    /// The caller asked to stop.
    #[error("interrupted")]
    Interrupted,
    /// The operating system refused.
    #[error("{}: cannot write: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
}

/// Writes every object of `trace` as `folder/SITE/PATH` with its size; returns the bytes written.
///
/// Contents are random bytes that depend on `seed` and the object only. Nothing is overwritten. `go_on` is asked
/// before every block of a file.
///
/// # Errors
/// [`FileTreeError`]; then nothing of the tree remains.
pub fn write_files(
    trace: &Trace,
    folder: &Path,
    seed: u64,
    go_on: &dyn Fn() -> bool,
) -> Result<u64, FileTreeError> {
    FileTree::of_objects(trace)?
        .stage(folder, Content::Random(seed), go_on)?
        .place()
}

/// What files hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Random bytes that depend on this seed and the file's place in its tree.
    Random(u64),
    /// Zeros that take no room on disk. Reading them costs a disk nothing.
    Sparse,
}

/// Files to be written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileTree {
    /// Their paths below the folder that they are written to, and their sizes in bytes.
    pub files: Vec<(PathBuf, u64)>,
}

impl FileTree {
    /// Every object of a trace as `SITE/PATH`.
    ///
    /// # Errors
    /// [`FileTreeError::Path`]: an object has no plain path.
    pub fn of_objects(trace: &Trace) -> Result<FileTree, FileTreeError> {
        let file = |object: usize| {
            let site = &trace.sites[usize::from(trace.objects.site[object])];
            let below = below_site(site, trace.objects.path.get(object));
            let path = below.ok_or_else(|| FileTreeError::Path {
                site: site.clone(),
                path: trace.objects.display_path(object as u32),
            })?;
            Ok((path, trace.objects.size[object]))
        };
        let files: Result<_, _> = (0..trace.objects.len()).map(file).collect();
        Ok(FileTree { files: files? })
    }

    /// Bytes of all files.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|(_, bytes)| bytes).sum()
    }

    /// Writes the files below `folder`, where they are not at their places before [`StagedFiles::place`]. `go_on` is
    /// asked before every block of a file.
    ///
    /// # Errors
    /// As [`write_files`]; nothing is written where they do not fit.
    pub fn stage(
        &self,
        folder: &Path,
        content: Content,
        go_on: &dyn Fn() -> bool,
    ) -> Result<StagedFiles, FileTreeError> {
        let taken = |path: &&PathBuf| fs::symlink_metadata(folder.join(path)).is_ok();
        if let Some(path) = self.files.iter().map(|(path, _)| path).find(taken) {
            return Err(FileTreeError::Exists(folder.join(path)));
        }
        self.check_room(folder, content)?;
        let mut staged = StagedFiles::begin(folder)?;
        for (number, (path, bytes)) in self.files.iter().enumerate() {
            staged.add(path, *bytes, content.of_file(number), go_on)?;
        }
        Ok(staged)
    }

    /// Whether the file system has room for the files, each in whole blocks, and for their folders. What cannot be looked
    /// up is found out by writing.
    fn check_room(&self, folder: &Path, content: Content) -> Result<(), FileTreeError> {
        let there = folder.ancestors().find(|there| there.is_dir());
        let Ok(found) = statvfs(there.unwrap_or(Path::new("."))) else {
            return Ok(());
        };
        let blocks = |bytes: u64| bytes.div_ceil(found.f_frsize.max(1));
        let of_files: u64 = match content {
            Content::Random(_) => self.files.iter().map(|(_, bytes)| blocks(*bytes)).sum(),
            Content::Sparse => 0,
        };
        let folders: HashSet<&Path> = (self.files.iter())
            .flat_map(|(path, _)| path.ancestors().skip(1))
            .collect();
        let kib = |blocks: u64| blocks.saturating_mul(found.f_frsize) >> 10;
        let needed = of_files + folders.len() as u64;
        if needed > found.f_bavail {
            return Err(FileTreeError::NoRoom {
                folder: folder.to_owned(),
                needed_kib: kib(needed),
                free_kib: kib(found.f_bavail),
            });
        }
        Ok(())
    }
}

impl Content {
    /// What makes the bytes of file `number` of a tree; nothing for a sparse one.
    fn of_file(self, number: usize) -> Option<Pcg64Mcg> {
        let Content::Random(seed) = self else {
            return None;
        };
        let of_file = seed.wrapping_mul(1 << 32).wrapping_add(number as u64);
        Some(Pcg64Mcg::seed_from_u64(of_file))
    }
}

/// `SITE/PATH`, where both stay below the folder they are in.
fn below_site(site: &str, path: &[u8]) -> Option<PathBuf> {
    let path = std::str::from_utf8(path).ok()?;
    let file = Path::new(path.strip_prefix('/').unwrap_or(path));
    let is_plain = |path: &Path| {
        path.components().next().is_some()
            && path
                .components()
                .all(|part| matches!(part, Component::Normal(_)))
    };
    let one_name = is_plain(Path::new(site)) && !site.contains('/');
    let is_file = is_plain(file) && !path.ends_with('/') && !path.contains('\0');
    (one_name && is_file).then(|| Path::new(site).join(file))
}

/// Bytes written at a time.
const BLOCK: usize = 1 << 16;

/// Name beside which the files wait for their places, inside the folder they are for.
const WAITING: &str = "files";

/// Files that were written, but are not at their places yet. Removed on drop, and after a kill by the next that writes
/// into the same folder.
pub struct StagedFiles {
    folder: PathBuf,
    /// Folders that were made to hold the tree, the outermost first; removed on drop unless it was placed.
    made: Vec<PathBuf>,
    /// None once dropped.
    waiting: Option<TemporaryFolder>,
    bytes: u64,
}

impl StagedFiles {
    fn begin(folder: &Path) -> Result<Self, FileTreeError> {
        let mut staged = Self {
            folder: folder.to_owned(),
            made: Vec::new(),
            waiting: None,
            bytes: 0,
        };
        let missing = folder
            .ancestors()
            .take_while(|path| !path.as_os_str().is_empty() && !path.is_dir());
        let missing: Vec<&Path> = missing.collect();
        for path in missing.into_iter().rev() {
            fs::create_dir(path).map_err(io_at(path))?;
            staged.made.push(path.to_owned());
        }
        let waiting = TemporaryFolder::beside(&folder.join(WAITING), |_| {});
        staged.waiting = Some(waiting.map_err(io_at(folder))?);
        Ok(staged)
    }

    /// Where the files wait.
    fn waiting(&self) -> &Path {
        self.waiting
            .as_ref()
            .map_or(&self.folder, TemporaryFolder::path)
    }

    fn add(
        &mut self,
        path: &Path,
        size: u64,
        content: Option<Pcg64Mcg>,
        go_on: &dyn Fn() -> bool,
    ) -> Result<(), FileTreeError> {
        if !go_on() {
            return Err(FileTreeError::Interrupted);
        }
        let place = self.folder.join(path);
        let path = self.waiting().join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(io_at(&place))?;
        }
        let mut file = File::create_new(path).map_err(io_at(&place))?;
        self.bytes += size;
        let Some(mut content) = content else {
            return file.set_len(size).map_err(io_at(&place));
        };
        let mut block = [0; BLOCK];
        let mut left = size;
        while left > 0 {
            if !go_on() {
                return Err(FileTreeError::Interrupted);
            }
            let part = &mut block[..left.min(BLOCK as u64) as usize];
            content.fill_bytes(part);
            file.write_all(part).map_err(io_at(&place))?;
            left -= part.len() as u64;
        }
        Ok(())
    }

    /// Moves the files to their places; returns their bytes.
    ///
    /// # Errors
    /// As [`write_files`].
    pub fn place(mut self) -> Result<u64, FileTreeError> {
        let mut placed = Vec::new();
        let result = move_into(self.waiting(), &self.folder, &mut placed);
        if let Err(error) = result {
            // Best effort: the error that led here is the one to report.
            placed.iter().for_each(|path| remove(path));
            return Err(error);
        }
        self.made.clear();
        Ok(self.bytes)
    }
}

impl Drop for StagedFiles {
    fn drop(&mut self) {
        self.waiting = None;
        // Best effort: the error that led here is the one to report.
        for folder in self.made.drain(..).rev() {
            let _ = fs::remove_dir(folder);
        }
    }
}

/// Moves what is in `from` into `to`, whole folders where they are not there yet; `placed` is what was moved.
fn move_into(from: &Path, to: &Path, placed: &mut Vec<PathBuf>) -> Result<(), FileTreeError> {
    for entry in fs::read_dir(from).map_err(io_at(to))? {
        let from = entry.map_err(io_at(to))?.path();
        let Some(name) = from.file_name() else {
            continue;
        };
        let to = to.join(name);
        if from.is_dir() && to.is_dir() {
            move_into(&from, &to, placed)?;
        } else if fs::symlink_metadata(&to).is_ok() {
            return Err(FileTreeError::Exists(to));
        } else {
            fs::rename(&from, &to).map_err(io_at(&to))?;
            placed.push(to);
        }
    }
    Ok(())
}

fn remove(path: &Path) {
    let _ = if path.is_dir() {
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    };
}

fn io_at(path: &Path) -> impl Fn(io::Error) -> FileTreeError {
    move |source| match source.kind() {
        io::ErrorKind::AlreadyExists => FileTreeError::Exists(path.to_owned()),
        _ => FileTreeError::Io {
            path: path.to_owned(),
            source,
        },
    }
}
