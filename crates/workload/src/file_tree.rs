//! A trace's objects as real files.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

use hotset_machine::temporary::TemporaryFolder;
use hotset_trace::Trace;

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
    stage_files(trace, folder, seed, go_on)?.place()
}

/// As [`write_files`], but the files are not at their places before [`StagedFiles::place`].
///
/// # Errors
/// As [`write_files`].
pub fn stage_files(
    trace: &Trace,
    folder: &Path,
    seed: u64,
    go_on: &dyn Fn() -> bool,
) -> Result<StagedFiles, FileTreeError> {
    let paths = paths(trace)?;
    let taken = |path: &&PathBuf| fs::symlink_metadata(folder.join(path)).is_ok();
    if let Some(path) = paths.iter().find(taken) {
        return Err(FileTreeError::Exists(folder.join(path)));
    }
    let mut staged = StagedFiles::begin(folder)?;
    for (object, path) in paths.iter().enumerate() {
        let size = trace.objects.size[object];
        staged.add(path, size, content(seed, object), go_on)?;
    }
    Ok(staged)
}

/// Every path is checked before anything is written.
fn paths(trace: &Trace) -> Result<Vec<PathBuf>, FileTreeError> {
    (0..trace.objects.len())
        .map(|object| {
            let site = &trace.sites[usize::from(trace.objects.site[object])];
            let below = below_site(site, trace.objects.path.get(object));
            below.ok_or_else(|| FileTreeError::Path {
                site: site.clone(),
                path: trace.objects.display_path(object as u32),
            })
        })
        .collect()
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

fn content(seed: u64, object: usize) -> Pcg64Mcg {
    Pcg64Mcg::seed_from_u64(seed.wrapping_mul(1 << 32).wrapping_add(object as u64))
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
        mut content: Pcg64Mcg,
        go_on: &dyn Fn() -> bool,
    ) -> Result<(), FileTreeError> {
        let place = self.folder.join(path);
        let path = self.waiting().join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(io_at(&place))?;
        }
        let mut file = File::create_new(path).map_err(io_at(&place))?;
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
        self.bytes += size;
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
