//! A trace's objects as real files.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

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
    let paths = paths(trace, folder)?;
    let mut tree = Tree::default();
    let mut written = 0;
    for (object, path) in paths.iter().enumerate() {
        let size = trace.objects.size[object];
        tree.add(path, size, content(seed, object), go_on)?;
        written += size;
    }
    tree.keep();
    Ok(written)
}

/// Every path is checked before anything is written.
fn paths(trace: &Trace, folder: &Path) -> Result<Vec<PathBuf>, FileTreeError> {
    (0..trace.objects.len())
        .map(|object| {
            let site = &trace.sites[usize::from(trace.objects.site[object])];
            let below = below_site(site, trace.objects.path.get(object));
            below
                .map(|below| folder.join(below))
                .ok_or_else(|| FileTreeError::Path {
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

/// Files and folders written so far; removed on drop unless kept.
#[derive(Default)]
struct Tree {
    files: Vec<PathBuf>,
    folders: Vec<PathBuf>,
}

/// Bytes written at a time.
const BLOCK: usize = 1 << 16;

impl Tree {
    fn add(
        &mut self,
        path: &Path,
        size: u64,
        mut content: Pcg64Mcg,
        go_on: &dyn Fn() -> bool,
    ) -> Result<(), FileTreeError> {
        let io = |source: io::Error| match source.kind() {
            io::ErrorKind::AlreadyExists => FileTreeError::Exists(path.to_owned()),
            _ => FileTreeError::Io {
                path: path.to_owned(),
                source,
            },
        };
        if let Some(parent) = path.parent() {
            self.add_folder(parent).map_err(io)?;
        }
        let mut file = File::create_new(path).map_err(io)?;
        self.files.push(path.to_owned());
        let mut block = [0; BLOCK];
        let mut left = size;
        while left > 0 {
            if !go_on() {
                return Err(FileTreeError::Interrupted);
            }
            let part = &mut block[..left.min(BLOCK as u64) as usize];
            content.fill_bytes(part);
            file.write_all(part).map_err(io)?;
            left -= part.len() as u64;
        }
        Ok(())
    }

    fn add_folder(&mut self, folder: &Path) -> io::Result<()> {
        if folder.as_os_str().is_empty() || folder.is_dir() {
            return Ok(());
        }
        if let Some(parent) = folder.parent() {
            self.add_folder(parent)?;
        }
        fs::create_dir(folder)?;
        self.folders.push(folder.to_owned());
        Ok(())
    }

    fn keep(mut self) {
        self.files.clear();
        self.folders.clear();
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        // Best effort: the error that led here is the one to report.
        for file in self.files.drain(..).rev() {
            let _ = fs::remove_file(file);
        }
        for folder in self.folders.drain(..).rev() {
            let _ = fs::remove_dir(folder);
        }
    }
}
