//! Where copies stand in a tree that servers look up: a folder for each site, below it the paths of its URLs.

use crate::{Refusal, StateFolder};
use rustix::fs::{
    AtFlags, CWD, Gid, Mode, OFlags, Stat, Uid, XattrFlags, chmodat, chownat, fstat, getxattr,
    mkdirat, openat, removexattr, setxattr, stat,
};
use rustix::io::Errno;
use std::collections::HashMap;
use std::fs;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::path::{Path, PathBuf};

/// The folder of a site's copies.
#[must_use]
pub fn site_folder(state: &StateFolder, site: &str) -> PathBuf {
    state.copies().join(folder_name(site))
}

/// A name that any file system and any server's configuration takes: letters, digits, hyphens, and dots but at the beginning.
/// Other bytes are an underscore and two hexadecimal digits.
pub(crate) fn folder_name(site: &str) -> String {
    let mut name = String::new();
    for byte in site.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' => name.push(char::from(byte)),
            b'.' if !name.is_empty() => name.push('.'),
            other => name += &format!("_{other:02x}"),
        }
    }
    name
}

/// A folder of a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    /// The site.
    pub site: String,
    /// The prefix of the root that it is in.
    pub prefix: String,
    /// Where in that root.
    pub inside: PathBuf,
}

/// A folder of the tree, and the one whose owner and mode it is to have.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    /// In the tree.
    pub path: PathBuf,
    /// The site's own folder; none for what only an alias has.
    pub source: Option<Source>,
}

/// Opens a folder of a site, to look at it.
pub(crate) type Open<'a> = &'a dyn Fn(&Source) -> Result<OwnedFd, Refusal>;

/// Folders of a tree, each as open to others as the folder of the site that it stands for.
#[derive(Debug)]
pub(crate) struct Tree {
    root: PathBuf,
    made: HashMap<PathBuf, Made>,
}

#[derive(Debug)]
struct Made {
    rights: Rights,
    source: Option<Source>,
}

/// Who may do what.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rights {
    owner: (u32, u32),
    /// With an access control list, the bits of the group are the list's mask.
    mode: u32,
    /// The access control list, as the kernel has it.
    list: Option<Vec<u8>>,
}

/// Of folders that no site has: everybody may look.
const OPEN: Rights = Rights {
    owner: (0, 0),
    mode: 0o755,
    list: None,
};

impl From<&Stat> for Rights {
    fn from(stat: &Stat) -> Self {
        Self {
            owner: (stat.st_uid, stat.st_gid),
            mode: stat.st_mode & 0o7777,
            list: None,
        }
    }
}

impl Tree {
    /// An empty tree at a folder.
    pub fn new(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            made: HashMap::new(),
        }
    }

    /// Where a path of the tree is.
    pub fn path(&self, path: &Path) -> PathBuf {
        self.root.join(path)
    }

    /// Makes these folders, outermost first, where they are missing, with the rights of those they stand for.
    pub fn make(&mut self, open: Open, models: Vec<Model>) -> Result<(), Refusal> {
        for Model { path, source } in models {
            let made = self.made.get(&path);
            // What only an alias needed before may get the rights of a site's folder now.
            if made.is_none_or(|made| made.source.is_none() && source.is_some()) {
                let rights = rights_of(open, source.as_ref())?;
                self.make_one(&path, &rights)
                    .map_err(Refusal::system("make a folder for"))?;
                self.made.insert(path, Made { rights, source });
            }
        }
        Ok(())
    }

    /// Gives every folder the rights that its site's has now. Those of a folder that is gone go with its files.
    pub fn renew(&mut self, open: Open) {
        let mut changed = Vec::new();
        for (path, made) in &self.made {
            match rights_of(open, made.source.as_ref()) {
                Ok(rights) if rights != made.rights => changed.push((path.clone(), rights)),
                _ => {}
            }
        }
        for (path, rights) in changed {
            if self.make_one(&path, &rights).is_ok()
                && let Some(made) = self.made.get_mut(&path)
            {
                made.rights = rights;
            }
        }
    }

    fn make_one(&self, path: &Path, rights: &Rights) -> Result<(), Errno> {
        let path = self.root.join(path);
        match mkdirat(CWD, &path, Mode::RWXU) {
            Ok(()) => {}
            Err(Errno::EXIST) if path.is_dir() => {}
            // A copy of a file that has become a folder; it is about to go.
            Err(error) => return Err(error),
        }
        let (user, group) = rights.owner;
        let (user, group) = (Uid::from_raw(user), Gid::from_raw(group));
        chownat(
            CWD,
            &path,
            Some(user),
            Some(group),
            AtFlags::SYMLINK_NOFOLLOW,
        )?;
        let close_to = |mode: u32| chmodat(CWD, &path, Mode::from_raw_mode(mode), AtFlags::empty());
        // What was a list's mask must not be the group's rights for a moment.
        close_to(rights.mode & 0o700)?;
        give_list(&path, rights.list.as_deref())?;
        close_to(rights.mode)
    }
}

fn give_list(path: &Path, list: Option<&[u8]>) -> Result<(), Errno> {
    match list {
        Some(list) => setxattr(path, ACCESS_LIST, list, XattrFlags::empty()),
        None => match removexattr(path, ACCESS_LIST) {
            Err(Errno::NODATA | Errno::NOTSUP) => Ok(()),
            other => other,
        },
    }
}

/// The access control list of an open folder.
fn list_of(folder: &OwnedFd) -> Result<Option<Vec<u8>>, Refusal> {
    let path = format!("/proc/self/fd/{}", folder.as_raw_fd());
    let mut list = vec![0; LIST_BYTES];
    match getxattr(path, ACCESS_LIST, &mut list[..]) {
        Ok(length) => {
            list.truncate(length);
            Ok(Some(list))
        }
        Err(Errno::NODATA | Errno::NOTSUP) => Ok(None),
        Err(error) => Err(Refusal::system(
            "read the access control lists of the folders of",
        )(error)),
    }
}

fn rights_of(open: Open, source: Option<&Source>) -> Result<Rights, Refusal> {
    let Some(source) = source else {
        return Ok(OPEN);
    };
    let folder = open(source)?;
    let stat = fstat(&folder).map_err(Refusal::system("look up"))?;
    let rights = Rights {
        list: list_of(&folder)?,
        ..Rights::from(&stat)
    };
    match source.inside.as_os_str().is_empty() {
        true => folders_above(&folder)?
            .iter()
            .try_fold(rights, |rights, above| rights.below(above)),
        false => Ok(rights),
    }
}

/// The folders above a root, innermost first.
fn folders_above(root: &OwnedFd) -> Result<Vec<PathBuf>, Refusal> {
    let path = format!("/proc/self/fd/{}", root.as_raw_fd());
    let path = fs::read_link(path).map_err(Refusal::system("look up the folders above"))?;
    Ok(path.ancestors().skip(1).map(Path::to_owned).collect())
}

impl Rights {
    /// What is left of them below a folder: nobody gets at a copy who could not get at its file. Where owner, group and mode
    /// cannot say exactly that, fewer may look; they are served the file itself.
    fn below(self, folder: &Path) -> Result<Self, Refusal> {
        let look_up = Refusal::system("look up the folders above");
        let above = stat(folder).map_err(&look_up)?;
        let may_pass = |who: u32| above.st_mode & who != 0;
        let of_others = self.mode & 0o7;
        // Whom it lets pass or keeps out is not to be said by another owner, group and mode.
        let has_list = getxattr(folder, ACCESS_LIST, &mut [0_u8; 0][..]).is_ok();
        if may_pass(0o001) && !has_list {
            return Ok(self);
        }
        let of_group = if self.list.is_some() {
            0
        } else {
            self.mode & 0o070
        };
        let owner = match above.st_uid == self.owner.0 {
            true => (self.owner.0, self.mode & 0o700),
            false => (above.st_uid, of_others << 6),
        };
        let group = match may_pass(0o010) && !has_list {
            true if above.st_gid == self.owner.1 => (self.owner.1, of_group),
            true => (above.st_gid, of_others << 3),
            false => (self.owner.1, 0),
        };
        Ok(Self {
            owner: (owner.0, group.0),
            mode: owner.1 | group.1,
            list: None,
        })
    }
}

/// See acl(5).
const ACCESS_LIST: &str = "system.posix_acl_access";
/// It is at most this long (xattr(7): the kernel's limit).
const LIST_BYTES: usize = 64 << 10;

/// Opens a folder beneath another, to look at it.
pub(crate) fn open_folder(root: &OwnedFd, path: &Path) -> Result<OwnedFd, Errno> {
    use rustix::fs::{ResolveFlags, openat2};
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
    match path.as_os_str().is_empty() {
        true => openat(root, ".", flags, Mode::empty()),
        false => openat2(root, path, flags, Mode::empty(), resolve),
    }
}
