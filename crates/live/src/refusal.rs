//! Why a file of the plan is not held.

use rustix::io::Errno;
use std::io::{self, ErrorKind};
use std::path::PathBuf;

/// Why a file of the plan is not held; its message says what to do where something can be done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// A site without a folder.
    #[error("no --root names the folder of this site")]
    NoRoot,
    /// A path that no server would resolve: `..`, a NUL byte, no slash at its beginning.
    #[error("not a path within a site")]
    Path,
    /// There is no such file.
    #[error("there is no such file")]
    Missing,
    /// The path, or a symbolic link on it, leads out of the root.
    #[error("leads out of the site's root")]
    Outside,
    /// A folder, a device, a pipe, a socket.
    #[error("is not a regular file")]
    NotRegular,
    /// Somebody else's file.
    #[error(
        "belongs to user {uid}, not to the owner of the site's root: state that user with --owner"
    )]
    Owner {
        /// Whose it is.
        uid: u32,
    },
    /// Another name of the file lies outside.
    #[error("has other names (hard links) outside the site's root")]
    Links,
    /// It is held as a file of another site.
    #[error("is the same file as one of site `{0}`")]
    OtherSite(String),
    /// Rules of the server hold for the file, and would not for a copy.
    #[error(
        "depends on {}, whose rules Apache httpd would not heed for a copy: move them into the configuration, use --placer pin, or \
         name the server with --server if it is another one",
        .0.display()
    )]
    Rules(
        /// The file with the rules.
        PathBuf,
    ),
    /// The group or the machine would be too full.
    #[error("no room: {needed_bytes} bytes are needed, and {room_bytes} may be taken")]
    NoRoom {
        /// Bytes in whole pages.
        needed_bytes: u64,
        /// Bytes that are left.
        room_bytes: u64,
    },
    /// The process may not lock as much.
    #[error(
        "the limit of locked memory is {limit_bytes} bytes: raise it (`ulimit -l`, LimitMEMLOCK= of a unit), or run as root, \
         who has CAP_IPC_LOCK"
    )]
    LockLimit {
        /// The limit.
        limit_bytes: u64,
    },
    /// It was changed again and again while it was being placed.
    #[error("changes faster than it can be placed")]
    Changing,
    /// The system said no.
    #[error("cannot {action} it: {message}")]
    System {
        /// What was tried.
        action: &'static str,
        /// The system's reason.
        message: String,
    },
    /// This way of holding files cannot hold this one.
    #[error("{0}")]
    Unsuited(String),
}

/// What a deed takes where the file's owner and mode do not allow it (capabilities(7)).
const RIGHTS: [(&str, &str); 7] = [
    ("open", "CAP_DAC_READ_SEARCH"),
    ("lock", "CAP_IPC_LOCK"),
    ("mount a copy of", "CAP_SYS_ADMIN"),
    ("give an owner to a copy of", "CAP_CHOWN"),
    ("give a mode to a copy of", "CAP_FOWNER"),
    ("give a time to a copy of", "CAP_FOWNER"),
    ("keep the access rights of", "CAP_SYS_ADMIN"),
];

impl Refusal {
    /// The system's error when doing something with the file, and the right that it takes.
    pub(crate) fn system<E: Into<io::Error>>(action: &'static str) -> impl Fn(E) -> Self {
        move |error| {
            let error = error.into();
            let right = RIGHTS.iter().find(|(deed, _)| *deed == action);
            let message = match right {
                Some((_, right)) if error.kind() == ErrorKind::PermissionDenied => {
                    format!("{error}; it takes {right}, which root has")
                }
                _ => error.to_string(),
            };
            Self::System { action, message }
        }
    }

    /// Whether it stands until something happens to the file's path, its owner or its kind.
    pub(crate) fn is_of_the_path(&self) -> bool {
        matches!(
            self,
            Self::NoRoot
                | Self::Path
                | Self::Missing
                | Self::Outside
                | Self::NotRegular
                | Self::Owner { .. }
                | Self::Rules(_)
        )
    }

    /// What the kernel's answer to a look-up beneath a root means (openat2(2)).
    pub(crate) fn of_look_up(error: Errno) -> Self {
        match error {
            Errno::NOENT | Errno::NOTDIR | Errno::NAMETOOLONG => Self::Missing,
            Errno::XDEV | Errno::LOOP => Self::Outside,
            other => Self::system("open")(other),
        }
    }
}
