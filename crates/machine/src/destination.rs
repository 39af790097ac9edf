//! What a result's name leads to.

use crate::temporary::folder_of;
use rustix::io::Errno;
use rustix::process::{PidfdFlags, PidfdGetfdFlags, getpid, pidfd_getfd, pidfd_open};
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::fd::{AsFd as _, BorrowedFd, RawFd};
use std::os::unix::fs::FileTypeExt as _;
use std::path::{Path, PathBuf};

/// Links followed before they are taken for a circle, as many as Linux follows (path_resolution(7)).
const MOST_LINKS: usize = 40;

/// Where a result goes, with all links followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// A file, there already or not.
    File(PathBuf),
    /// A device, a FIFO or a socket: something is written to it, and it stays what it is.
    Device(PathBuf),
    /// What this process has open under this number: `/dev/stdout`, `/dev/fd/N`, a shell's `>(…)`.
    Descriptor(RawFd),
}

/// Standard output, which is also called `-`.
pub const STANDARD_OUTPUT: Destination = Destination::Descriptor(1);

impl Destination {
    /// What `path` leads to; `-` is standard output.
    ///
    /// # Errors
    /// A folder; a folder on the way that is missing or closed; links in a circle.
    pub fn of(path: &Path) -> io::Result<Destination> {
        if path == Path::new("-") {
            return Ok(STANDARD_OUTPUT);
        }
        let mut path = path.to_owned();
        for _ in 0..MOST_LINKS {
            let Some(name) = path.file_name() else { break };
            let folder = folder_of(&path).canonicalize()?;
            if is_own_descriptors(&folder) {
                return number(name.to_str()).map(Destination::Descriptor);
            }
            let here = folder.join(name);
            match fs::read_link(&here) {
                Ok(target) => path = folder.join(target),
                Err(error) => return unlinked(here, &error),
            }
        }
        match path.is_dir() {
            true => Err(ErrorKind::IsADirectory.into()),
            false => Err(Errno::LOOP.into()),
        }
    }

    /// Opens it as it is, for writing.
    pub(crate) fn open(&self) -> io::Result<File> {
        match self {
            Destination::File(path) | Destination::Device(path) => {
                OpenOptions::new().write(true).open(path)
            }
            Destination::Descriptor(1) => duplicate(io::stdout().as_fd()),
            Destination::Descriptor(2) => duplicate(io::stderr().as_fd()),
            Destination::Descriptor(number) => opened_again(*number),
        }
    }
}

/// The end of a chain of links, which is no link because of `error`.
fn unlinked(path: PathBuf, error: &io::Error) -> io::Result<Destination> {
    match fs::symlink_metadata(&path).map(|metadata| metadata.file_type()) {
        Ok(kind) if kind.is_dir() => Err(ErrorKind::IsADirectory.into()),
        Ok(kind) if is_device(kind) => Ok(Destination::Device(path)),
        Ok(_) => Ok(Destination::File(path)),
        Err(_) if error.kind() == ErrorKind::NotFound => Ok(Destination::File(path)),
        Err(other) => Err(other),
    }
}

fn is_device(kind: fs::FileType) -> bool {
    kind.is_char_device() || kind.is_block_device() || kind.is_fifo() || kind.is_socket()
}

fn is_own_descriptors(folder: &Path) -> bool {
    ["/proc/self/fd", "/proc/thread-self/fd"]
        .iter()
        .any(|own| Path::new(own).canonicalize().is_ok_and(|own| own == folder))
}

fn number(name: Option<&str>) -> io::Result<RawFd> {
    let number = name.and_then(|name| name.parse().ok());
    number.ok_or_else(|| ErrorKind::NotFound.into())
}

fn duplicate(descriptor: BorrowedFd<'_>) -> io::Result<File> {
    Ok(descriptor.try_clone_to_owned()?.into())
}

/// The same open file, so that others who write to it go on behind what is written here. Where the system does not allow
/// that, the file is opened anew and appended to.
fn opened_again(number: RawFd) -> io::Result<File> {
    let own = pidfd_open(getpid(), PidfdFlags::empty());
    let same = own.and_then(|own| pidfd_getfd(&own, number, PidfdGetfdFlags::empty()));
    match same {
        Ok(same) => Ok(same.into()),
        Err(Errno::BADF) => Err(Errno::BADF.into()),
        Err(_) => OpenOptions::new()
            .append(true)
            .open(format!("/proc/self/fd/{number}")),
    }
}
