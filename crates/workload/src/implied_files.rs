//! The files that a web server needs to answer the requests of a trace.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use hotset_trace::{Trace, file_name};

use crate::file_tree::{FileTree, FileTreeError};

/// What servers send for a path that ends with a slash (nginx's `index`, Apache's `DirectoryIndex`, by default).
const INDEX: &str = "index.html";

/// Longest name of a file, bytes (`NAME_MAX` of Linux).
const LONGEST_NAME: usize = 255;

/// Files that answer the accesses of a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImpliedFiles {
    /// The files.
    pub tree: FileTree,
    /// How many paths of sites they answer: several may lead to one file.
    pub paths: u64,
}

/// The files `SITE/PATH` that answer the accesses of `trace`, where a server looks paths up as RFC 3986 (section 5.2.4)
/// has it: `.` and `..` lead where they lead, slashes that follow each other are one, and a folder stands for its
/// `index.html`. Paths that lead to one file of one size share it. With `queries`, a `?` in a path begins a query, which
/// no file has.
///
/// # Errors
/// [`FileTreeError::Unservable`] for a path that leads nowhere, [`FileTreeError::Collision`] for two that need different
/// files at one place.
pub fn implied_by(trace: &Trace, queries: bool) -> Result<ImpliedFiles, FileTreeError> {
    let sizes = file_bytes(trace);
    let mut places = Places {
        trace,
        paths: 0,
        files: Vec::new(),
        at: HashMap::new(),
        collisions: Vec::new(),
    };
    for (object, bytes) in sizes.into_iter().enumerate() {
        let Some(bytes) = bytes else {
            continue;
        };
        let unservable = |why| FileTreeError::Unservable {
            site: trace.sites[usize::from(trace.objects.site[object])].clone(),
            path: trace.objects.display_path(object as u32),
            why,
        };
        let path = looked_up(trace.objects.path.get(object), queries).map_err(unservable)?;
        places.add(object as u32, path, bytes);
    }
    let paths = places.paths;
    let tree = places.into_tree()?;
    Ok(ImpliedFiles { tree, paths })
}

/// Bytes of the file behind each object; none where nothing reads it. A trace counts an empty file as 1 byte, and what was
/// sent of it as 0.
fn file_bytes(trace: &Trace) -> Vec<Option<u64>> {
    let (requests, sizes) = (&trace.requests, &trace.objects.size);
    let mut bytes = vec![None; sizes.len()];
    for row in (0..requests.len()).filter(|&row| requests.access[row]) {
        let object = requests.object[row] as usize;
        let known = match sizes[object] {
            0 | 1 => requests.bytes[row].min(1),
            size => size,
        };
        bytes[object] = bytes[object].max(Some(known));
    }
    bytes
}

/// The path below the root of a site at which a server finds what `path` asks for.
fn looked_up(path: &[u8], queries: bool) -> Result<PathBuf, &'static str> {
    let query = path.iter().position(|byte| *byte == b'?' && queries);
    let path = &path[..query.unwrap_or(path.len())];
    let mut parts: Vec<&[u8]> = Vec::new();
    let mut is_folder = true;
    for part in path.split(|byte| *byte == b'/') {
        is_folder = matches!(part, b"" | b"." | b"..");
        match part {
            b"" | b"." => {}
            b".." => _ = parts.pop().ok_or("leads out of the site's folder")?,
            part if part.contains(&0) => return Err("holds a byte 0"),
            part if part.len() > LONGEST_NAME => return Err("has a name longer than 255 bytes"),
            part => parts.push(part),
        }
    }
    if is_folder {
        parts.push(INDEX.as_bytes());
    }
    Ok(parts.into_iter().map(OsStr::from_bytes).collect())
}

/// Which object is the file at which place.
struct Places<'a> {
    trace: &'a Trace,
    paths: u64,
    files: Vec<(PathBuf, u64)>,
    at: HashMap<PathBuf, (u32, u64)>,
    /// Objects that need different files at one place, and how they collide.
    collisions: Vec<(u32, u32, &'static str)>,
}

impl Places<'_> {
    fn add(&mut self, object: u32, path: PathBuf, bytes: u64) {
        self.paths += 1;
        let site = usize::from(self.trace.objects.site[object as usize]);
        let path = Path::new(&file_name(self.trace.sites[site].as_bytes())).join(path);
        match self.at.entry(path) {
            Entry::Vacant(place) => {
                self.files.push((place.key().clone(), bytes));
                place.insert((object, bytes));
            }
            Entry::Occupied(place) => {
                let (other, other_bytes) = *place.get();
                if bytes != other_bytes {
                    let why = "are one file, of two sizes";
                    self.collisions.push((other, object, why));
                }
            }
        }
    }

    fn into_tree(mut self) -> Result<FileTree, FileTreeError> {
        for (path, _) in &self.files {
            let folders = path.ancestors().skip(1);
            let folder = folders.filter_map(|folder| self.at.get(folder)).next();
            if let (Some((one, _)), Some((other, _))) = (folder, self.at.get(path)) {
                let why = "are a file and a file below it, which cannot be a folder too";
                self.collisions.push((*one, *other, why));
            }
        }
        let Some((one, other, why)) = self.collisions.first() else {
            return Ok(FileTree { files: self.files });
        };
        let objects = &self.trace.objects;
        let more = match self.collisions.len() {
            1 => String::new(),
            collisions => format!(" ({collisions} pairs collide in all)"),
        };
        Err(FileTreeError::Collision {
            site: self.trace.sites[usize::from(objects.site[*one as usize])].clone(),
            one: objects.display_path(*one),
            other: objects.display_path(*other),
            why,
            more,
        })
    }
}
