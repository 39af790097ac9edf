//! What a ledger can name, and how each kind of it is removed.

use crate::OnFile;
use crate::cgroup::tree;
use crate::database_setting::DatabaseSetting;
use crate::mount::{is_mount_point, mounts, unmount_when_free};
use crate::namespace::unbind_all;
use crate::raise::Raise;
use crate::systemd::{self, DropIn, Successor};
use crate::{MachineError, ProcessIdentity, command};
use rustix::mount::{UnmountFlags, unmount};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// A loop device goes when the last mount namespace with a copy of its mount does: that of another deployment's server, say, which
/// has yet to let go of what it does not need. On a busy machine that took more than five seconds.
const DETACH_PATIENCE: Duration = Duration::from_secs(60);

/// Something made on the machine. Names and paths are unique to a deployment, so that nothing of another's can be meant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Resource {
    /// A directory and what is in it; never what is mounted in it.
    Directory(PathBuf),
    /// A file.
    File(PathBuf),
    /// What is mounted at a path.
    Mount(PathBuf),
    /// What other mount namespaces have mounted of the file system at a path.
    Binds(PathBuf),
    /// The loop device over an image; its number is not known beforehand.
    Loop(PathBuf),
    /// A network namespace.
    Namespace(String),
    /// A network interface of the machine's own namespace.
    Link(String),
    /// A process.
    Process(ProcessIdentity),
    /// What a file of the kernel said before something else was written to it.
    Setting {
        /// The file.
        file: PathBuf,
        /// What it said.
        before: String,
        /// What was written. Only that is undone: somebody else may have written since. Without it, whatever it says is undone.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        written: Option<String>,
    },
    /// What is added to a number that others may raise as well.
    Raise(Raise),
    /// What a database server was told while it runs.
    DatabaseSetting(DatabaseSetting),
    /// A trace of the kernel's, by its folder.
    Trace(PathBuf),
    /// Settings of a unit of systemd's.
    DropIn(DropIn),
    /// A unit that does something when a scope of systemd's ends.
    Successor(Successor),
    /// A control group, the groups in it and the processes in them.
    Group(PathBuf),
    /// The control group of the tools that make the other things; it goes before all of them.
    Tools(PathBuf),
    /// Controllers switched on in a group of the machine, for its children.
    Controllers {
        /// The group.
        group: PathBuf,
        /// Their names.
        names: Vec<String>,
    },
}

/// What came of undoing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Removal {
    /// It was not there.
    Absent,
    /// It is gone.
    Removed,
    /// It is out of the way and goes when its last user does.
    Detached(String),
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Directory(path) => write!(f, "directory {}", path.display()),
            Self::File(path) => write!(f, "file {}", path.display()),
            Self::Mount(path) => write!(f, "mount {}", path.display()),
            Self::Binds(path) => write!(f, "mounts of files in {}", path.display()),
            Self::Loop(image) => write!(f, "loop device over {}", image.display()),
            Self::Namespace(name) => write!(f, "network namespace {name}"),
            Self::Link(name) => write!(f, "network link {name}"),
            Self::Process(process) => write!(f, "process {}", process.pid),
            Self::Setting { file, before, .. } => {
                write!(f, "setting {} (was {before})", file.display())
            }
            Self::Raise(raise) => write!(f, "raise of {}", raise.file.display()),
            Self::DatabaseSetting(setting) => write!(
                f,
                "{}={} of the server at {} (was {})",
                setting.name,
                setting.value,
                setting.socket.display(),
                setting.before
            ),
            Self::Trace(path) => write!(f, "trace {}", path.display()),
            Self::DropIn(drop_in) => write!(f, "drop-in {}", drop_in.file().display()),
            Self::Successor(successor) => write!(f, "unit {}", successor.unit()),
            Self::Group(path) | Self::Tools(path) => write!(f, "control group {}", path.display()),
            Self::Controllers { group, names } => {
                write!(f, "controllers {} of {}", names.join(" "), group.display())
            }
        }
    }
}

impl Resource {
    /// Whether something of that name is there.
    #[must_use]
    pub fn exists(&self) -> bool {
        match self {
            Self::Directory(path)
            | Self::File(path)
            | Self::Trace(path)
            | Self::Group(path)
            | Self::Tools(path) => path.exists(),
            Self::Mount(path) => is_mount_point(path).unwrap_or(false),
            Self::Loop(image) => !loops_over(image).is_empty(),
            Self::Namespace(name) => Path::new("/run/netns").join(name).exists(),
            Self::Link(name) => Path::new("/sys/class/net").join(name).exists(),
            Self::DropIn(drop_in) => drop_in.file().exists(),
            // A process can only be named when it is there; it is recorded before it is given anything to do. Of a file
            // system that was just mounted, nothing else has been.
            Self::Controllers { .. }
            | Self::Process(_)
            | Self::Setting { .. }
            | Self::Raise(_)
            | Self::DatabaseSetting(_)
            | Self::Successor(_)
            | Self::Binds(_) => false,
        }
    }

    /// Removes it; that it is not there is no error.
    ///
    /// # Errors
    /// When it is there and cannot be removed.
    pub fn undo(&self) -> Result<Removal, MachineError> {
        match self {
            Self::Directory(path) => remove_tree(path),
            Self::File(path) => absent_is_fine(fs::remove_file(path)).on("remove", path),
            Self::Mount(path) => unmount_all(path),
            Self::Binds(path) => Ok(removed_if(unbind_all(path)?)),
            Self::Loop(image) => detach_loops(image),
            Self::Namespace(name) => self.with_command("ip", &["netns", "del", name]),
            Self::Link(name) => self.with_command("ip", &["link", "del", name]),
            Self::Setting {
                file,
                before,
                written,
            } => restore(file, before, written.as_deref()),
            Self::Raise(raise) => Ok(removed_if(raise.remove()?)),
            Self::DatabaseSetting(setting) => Ok(removed_if(setting.undo()?)),
            // Its files cannot be removed, and go with it.
            Self::Trace(path) => absent_is_fine(fs::remove_dir(path)).on("remove", path),
            Self::DropIn(drop_in) => remove_drop_in(drop_in),
            Self::Successor(successor) => Ok(removed_if(successor.stop()?)),
            Self::Process(process) => Ok(removed_if(process.kill()?)),
            Self::Group(path) | Self::Tools(path) => Ok(removed_if(tree::remove(path)?)),
            Self::Controllers { group, names } => switch_off(group, names),
        }
    }

    fn with_command(&self, program: &str, arguments: &[&str]) -> Result<Removal, MachineError> {
        if !self.exists() {
            return Ok(Removal::Absent);
        }
        match command::run(program, arguments) {
            // The kernel takes the links of a namespace away by itself, perhaps in this very moment.
            Err(_) if !self.exists() => Ok(Removal::Absent),
            other => other.map(|_| Removal::Removed),
        }
    }
}

fn removed_if(was_there: bool) -> Removal {
    match was_there {
        true => Removal::Removed,
        false => Removal::Absent,
    }
}

fn absent_is_fine(result: std::io::Result<()>) -> std::io::Result<Removal> {
    match result {
        Ok(()) => Ok(Removal::Removed),
        // Below a file there is nothing either.
        Err(error) if [ErrorKind::NotFound, ErrorKind::NotADirectory].contains(&error.kind()) => {
            Ok(Removal::Absent)
        }
        Err(error) => Err(error),
    }
}

fn restore(file: &Path, before: &str, written: Option<&str>) -> Result<Removal, MachineError> {
    let is_ours =
        || fs::read_to_string(file).map(|now| written.is_none_or(|ours| now.trim() == ours));
    match is_ours().and_then(|is_ours| is_ours.then(|| fs::write(file, before)).transpose()) {
        Ok(Some(())) => Ok(Removal::Removed),
        Ok(None) => Ok(Removal::Absent),
        // The group is gone, and its settings with it.
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Removal::Absent),
        Err(error) => Err(error).on("write", file),
    }
}

fn remove_drop_in(drop_in: &DropIn) -> Result<Removal, MachineError> {
    let was_there = drop_in.remove()?;
    if was_there {
        systemd::reload()?;
    }
    Ok(removed_if(was_there))
}

pub(crate) fn remove_tree(path: &Path) -> Result<Removal, MachineError> {
    if let Some(inner) = mounts()?
        .into_iter()
        .find(|mounted| mounted.path.starts_with(path))
    {
        let problem = format!(
            "{} is still mounted in it; unmount that first",
            inner.path.display()
        );
        return Err(MachineError::unreadable(path, problem));
    }
    absent_is_fine(fs::remove_dir_all(path)).on("remove", path)
}

fn unmount_all(path: &Path) -> Result<Removal, MachineError> {
    let mut undone = Removal::Absent;
    while is_mount_point(path)? {
        match unmount_when_free(path) {
            Ok(()) => undone = Removal::Removed,
            Err(error @ MachineError::Busy { .. }) => {
                unmount(path, UnmountFlags::DETACH).on("detach", path)?;
                undone = Removal::Detached(format!("unmounted lazily: {error}"));
            }
            // Another thread, which was dropping its caches, has just unmounted it.
            Err(_) if !is_mount_point(path)? => {}
            Err(error) => return Err(error),
        }
    }
    Ok(undone)
}

/// The loop devices whose backing file is `image`.
fn loops_over(image: &Path) -> Vec<PathBuf> {
    let Ok(devices) = fs::read_dir("/sys/block") else {
        return Vec::new();
    };
    let backed = |device: &Path| {
        fs::read_to_string(device.join("loop/backing_file"))
            .is_ok_and(|file| Path::new(file.trim_end().trim_end_matches(" (deleted)")) == image)
    };
    let found = devices
        .flatten()
        .map(|device| device.path())
        .filter(|device| backed(device));
    found
        .filter_map(|device| Some(Path::new("/dev").join(device.file_name()?)))
        .collect()
}

fn detach_loops(image: &Path) -> Result<Removal, MachineError> {
    let devices = loops_over(image);
    if devices.is_empty() {
        return Ok(Removal::Absent);
    }
    for device in devices {
        command::run("losetup", &["-d".as_ref(), device.as_os_str()])?;
    }
    let give_up = Instant::now() + DETACH_PATIENCE;
    while !loops_over(image).is_empty() {
        if Instant::now() > give_up {
            return Ok(Removal::Detached("goes when its last user does".to_owned()));
        }
        thread::sleep(Duration::from_millis(10));
    }
    Ok(Removal::Removed)
}

/// A controller that others have come to use meanwhile cannot and should not be switched off.
fn switch_off(group: &Path, names: &[String]) -> Result<Removal, MachineError> {
    let path = group.join("cgroup.subtree_control");
    let text: Vec<String> = names.iter().map(|name| format!("-{name}")).collect();
    match fs::write(&path, text.join(" ")) {
        Err(error) => Ok(Removal::Detached(format!("left on: {error}"))),
        Ok(()) => Ok(Removal::Removed),
    }
}
