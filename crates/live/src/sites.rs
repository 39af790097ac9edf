//! From paths of a plan to files beneath the roots of their sites, so that nothing outside is ever read, held or served.
//!
//! The kernel resolves each path beneath the root (openat2(2), `RESOLVE_BENEATH`): a `..`, a symbolic link or a rename that
//! would lead out is refused, whoever changes the tree meanwhile. What it found is pinned down by a descriptor that cannot
//! read (`O_PATH`), looked at, and only then opened through that descriptor: what is read is what was looked at. Opening
//! a device or a pipe, which may do something, therefore never happens.

use crate::file_system::is_remote;
use crate::links::Links;
use crate::tree::{Model, Source, folder_name, open_folder};
use crate::{Identity, Refusal, SiteFolder};
use hotset_machine::{MachineError, OnFile};
use hotset_trace::read::INDEX_FILES;
use rustix::fs::{
    FileType, Mode, OFlags, ResolveFlags, Stat, fstat, fstatfs, open, openat, openat2,
};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::fs::File;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// How often a look-up is tried again that somebody's renaming has disturbed. Each takes microseconds.
const ATTEMPTS: usize = 32;

/// A regular file beneath its site's root, not open for reading yet.
#[derive(Debug)]
pub struct ResolvedFile {
    handle: OwnedFd,
    /// What it was when it was found.
    pub identity: Identity,
    /// The path that leads to it in its folder; for a folder's URL that of its index file.
    pub path: PathBuf,
    links: u64,
    owner: u32,
}

impl ResolvedFile {
    /// Opens the very file for reading, whatever its path leads to by now.
    ///
    /// # Errors
    /// When it may not be read.
    pub fn open(&self) -> Result<File, Refusal> {
        let path = format!("/proc/self/fd/{}", self.handle.as_raw_fd());
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK;
        open(path, flags, Mode::empty())
            .map(File::from)
            .map_err(Refusal::system("open"))
    }

    /// Whether it has more names than this one.
    #[must_use]
    pub(crate) fn has_links(&self) -> bool {
        self.links > 1
    }

    /// A descriptor of it that cannot read.
    #[must_use]
    pub fn handle(&self) -> &OwnedFd {
        &self.handle
    }

    /// The same, without the rest.
    #[must_use]
    pub(crate) fn into_handle(self) -> OwnedFd {
        self.handle
    }
}

/// An open root.
#[derive(Debug)]
struct Root {
    folder: SiteFolder,
    /// Why it cannot be opened, such as that there is no such folder (any more).
    directory: Result<OwnedFd, Errno>,
    owner: u32,
    is_remote: bool,
}

/// A root that has no files now.
#[derive(Clone, Debug)]
pub(crate) struct MissingRoot {
    pub folder: SiteFolder,
    /// Why it cannot be opened.
    pub why: Errno,
}

/// The roots of all sites, as they are now: a root that is a symbolic link may lead elsewhere a moment later.
#[derive(Debug)]
pub struct Sites {
    /// Longest prefix first.
    roots: Vec<Root>,
    /// Users whose files are held beside those of each root's owner.
    owners: Vec<u32>,
}

impl Sites {
    /// Opens every root. One that is not there has no files, nor has one on a mount whose server is gone: other sites have theirs.
    ///
    /// # Errors
    /// When this process cannot open folders at all.
    pub fn open(folders: &[SiteFolder], owners: &[u32]) -> Result<Self, MachineError> {
        let mut roots: Vec<Root> = folders.iter().map(Root::open).collect::<Result<_, _>>()?;
        roots.sort_by_key(|root| std::cmp::Reverse(root.folder.prefix.len()));
        Ok(Self {
            roots,
            owners: owners.to_vec(),
        })
    }

    /// The file that a path of a site leads to, as a server resolves it.
    ///
    /// # Errors
    /// Why it is not to be held. Hard links are not looked at; see [`Sites::check_links`].
    pub fn find(&self, site: &str, path: &[u8]) -> Result<ResolvedFile, Refusal> {
        let (root, inside) = self.root_of(site, path)?;
        let directory = root.directory.as_ref().map_err(|_| Refusal::Missing)?;
        let found = find_in(directory, inside)?;
        match found.owner == root.owner || self.owners.contains(&found.owner) {
            true => Ok(found),
            false => Err(Refusal::Owner { uid: found.owner }),
        }
    }

    /// Roots that are not there, are no folders, or cannot be opened.
    pub(crate) fn missing(&self) -> impl Iterator<Item = MissingRoot> {
        self.roots.iter().filter_map(|root| {
            let why = *root.directory.as_ref().err()?;
            let folder = root.folder.clone();
            Some(MissingRoot { folder, why })
        })
    }

    /// The folders that were opened.
    pub(crate) fn folders(&self) -> Vec<SiteFolder> {
        self.roots.iter().map(|root| root.folder.clone()).collect()
    }

    /// Users whose files are held beside those of each root's owner.
    pub(crate) fn owners(&self) -> &[u32] {
        &self.owners
    }

    /// Refuses a file that has a name outside its site's folder. `links` remembers what the folders hold.
    ///
    /// # Errors
    /// [`Refusal::Links`].
    pub fn check_links(
        &self,
        site: &str,
        path: &[u8],
        found: &ResolvedFile,
        links: &mut Links,
    ) -> Result<(), Refusal> {
        if found.links <= 1 {
            return Ok(());
        }
        let (root, _) = self.root_of(site, path)?;
        match links.within(&root.folder.folder, &found.identity) >= found.links {
            true => Ok(()),
            false => Err(Refusal::Links),
        }
    }

    /// Where a file stands in a tree of copies, and the folders that lead there, outermost first.
    ///
    /// # Errors
    /// When a folder on the way is gone.
    pub(crate) fn place_in_tree(
        &self,
        site: &str,
        path: &[u8],
        found: &ResolvedFile,
    ) -> Result<(PathBuf, Vec<Model>), Refusal> {
        let (root, _) = self.root_of(site, path)?;
        let prefix = &root.folder.prefix;
        let alias = prefix.split('/').filter(|part| !part.is_empty());
        let mut at = PathBuf::from(folder_name(site));
        let mut models = Vec::new();
        for part in alias {
            let path = at.clone();
            models.push(Model { path, source: None });
            at.push(part);
        }
        let mut inside = PathBuf::new();
        let parents = found.path.parent().into_iter().flat_map(Path::components);
        for part in [None].into_iter().chain(parents.map(Some)) {
            if let Some(part) = part {
                at.push(part);
                inside.push(part);
            }
            models.push(Model {
                path: at.clone(),
                source: Some(Source {
                    site: site.to_owned(),
                    prefix: prefix.clone(),
                    inside: inside.clone(),
                }),
            });
        }
        let name = found.path.file_name().ok_or(Refusal::NotRegular)?;
        Ok((at.join(name), models))
    }

    /// The paths on disk that say what a path of a site leads to.
    pub(crate) fn paths_behind(&self, site: &str, path: &[u8]) -> Vec<PathBuf> {
        let Ok((root, inside)) = self.root_of(site, path) else {
            return Vec::new();
        };
        let path = root.folder.folder.join(cleaned(inside));
        let indexes = match path.is_dir() {
            true => INDEX_FILES.map(|index| path.join(index)).to_vec(),
            false => Vec::new(),
        };
        [path].into_iter().chain(indexes).collect()
    }

    /// Whether a path of a site lies in a root on a network file system.
    pub(crate) fn is_remote(&self, site: &str, path: &[u8]) -> bool {
        self.root_of(site, path)
            .is_ok_and(|(root, _)| root.is_remote)
    }

    /// The folders on disk that a path of a site leads through, from its file's up to the root.
    pub(crate) fn folders_to(&self, site: &str, path: &[u8]) -> Vec<PathBuf> {
        let Ok((root, inside)) = self.root_of(site, path) else {
            return Vec::new();
        };
        let inside = cleaned(inside);
        // A path may be that of a folder, whose index file is served.
        let folders = inside.ancestors();
        folders
            .map(|folder| root.folder.folder.join(folder))
            .collect()
    }

    /// Whether there is something at `inside`, in the root that a path of a site lies in.
    pub(crate) fn has(&self, site: &str, path: &[u8], inside: &Path) -> bool {
        let root = self.root_of(site, path).ok();
        let directory = root.and_then(|(root, _)| root.directory.as_ref().ok());
        directory.is_some_and(|directory| look_up(directory, inside).is_ok())
    }

    /// Opens a folder of a site, to look at it.
    pub(crate) fn open_source(&self, source: &Source) -> Result<OwnedFd, Refusal> {
        let is_its =
            |root: &&Root| root.folder.site == source.site && root.folder.prefix == source.prefix;
        let root = self.roots.iter().find(is_its).ok_or(Refusal::NoRoot)?;
        let directory = root.directory.as_ref().map_err(|_| Refusal::Missing)?;
        open_folder(directory, &source.inside).map_err(Refusal::of_look_up)
    }

    fn root_of<'p>(&self, site: &str, path: &'p [u8]) -> Result<(&Root, &'p [u8]), Refusal> {
        let is_climbing = path.split(|byte| *byte == b'/').any(|part| part == b"..");
        if path.first() != Some(&b'/') || path.contains(&0) || is_climbing {
            return Err(Refusal::Path);
        }
        let of_site = self.roots.iter().filter(|root| root.folder.site == site);
        let mut holds = of_site
            .filter_map(|root| Some((root, path.strip_prefix(root.folder.prefix.as_bytes())?)));
        holds.next().ok_or(Refusal::NoRoot)
    }
}

impl Root {
    fn open(folder: &SiteFolder) -> Result<Self, MachineError> {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let opened = open(&folder.folder, flags, Mode::empty());
        let opened = opened.and_then(|directory| Ok((fstat(&directory)?.st_uid, directory)));
        let (directory, owner) = match opened {
            Ok((owner, directory)) => (Ok(directory), owner),
            // The fault is not the folder's.
            Err(error @ (Errno::MFILE | Errno::NFILE | Errno::NOMEM)) => {
                return Err(error).on("open", &folder.folder);
            }
            Err(error) => (Err(error), 0),
        };
        let system = directory.as_ref().ok().and_then(|it| fstatfs(it).ok());
        Ok(Self {
            folder: folder.clone(),
            is_remote: system.is_some_and(|system| is_remote(&system)),
            directory,
            owner,
        })
    }
}

fn find_in(root: &OwnedFd, inside: &[u8]) -> Result<ResolvedFile, Refusal> {
    let mut path = cleaned(inside);
    let (mut handle, mut stat) = look_up(root, &path)?;
    if FileType::from_raw_mode(stat.st_mode) == FileType::Directory {
        let index = INDEX_FILES.iter().find_map(|index| {
            let path = path.join(index);
            Some((look_up(root, &path).ok()?, path))
        });
        ((handle, stat), path) = index.ok_or(Refusal::NotRegular)?;
    }
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Err(Refusal::NotRegular);
    }
    Ok(ResolvedFile {
        handle,
        identity: Identity::from(&stat),
        path,
        links: u64::from(stat.st_nlink as u32),
        owner: stat.st_uid,
    })
}

/// A path from a log may have slashes too many, and the root itself is ".".
fn cleaned(inside: &[u8]) -> PathBuf {
    let parts = inside.split(|byte| *byte == b'/');
    let parts: Vec<&[u8]> = parts
        .filter(|part| !part.is_empty() && *part != b".")
        .collect();
    PathBuf::from(OsStr::from_bytes(&parts.join(&b'/')))
}

fn look_up(root: &OwnedFd, path: &Path) -> Result<(OwnedFd, Stat), Refusal> {
    let flags = OFlags::PATH | OFlags::CLOEXEC;
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
    let attempt = || match path.as_os_str().is_empty() {
        true => openat(root, ".", flags, Mode::empty()),
        false => openat2(root, path, flags, Mode::empty(), resolve),
    };
    let mut result = attempt();
    for _ in 1..ATTEMPTS {
        match result {
            // Somebody renamed something on the way (openat2(2)).
            Err(Errno::AGAIN) => result = attempt(),
            _ => break,
        }
    }
    let handle = result.map_err(Refusal::of_look_up)?;
    let stat = fstat(&handle).map_err(Refusal::system("look up"))?;
    Ok((handle, stat))
}
