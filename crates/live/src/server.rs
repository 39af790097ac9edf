//! The server that a plan is made true for: its processes and the group that their memory is charged to.

use crate::LiveError;
use hotset_machine::OnFile as _;
use hotset_machine::cgroup::{Hierarchies, MemoryGroup};
use hotset_machine::command;
use hotset_machine::lock::{self, Lock};
use hotset_machine::namespace::MountNamespace;
use hotset_machine::systemd;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// How a server is named: `unit:NAME`, `pid:FILE` or `cgroup:PATH`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum ServerName {
    /// A unit of systemd.
    Unit(String),
    /// The file with its first process' pid.
    PidFile(PathBuf),
    /// The control group that its memory is charged to.
    Group(PathBuf),
}

impl FromStr for ServerName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let form = "write unit:NAME, pid:FILE or cgroup:PATH";
        let (kind, value) = text.split_once(':').ok_or(form)?;
        let is_odd = value.is_empty() || value.contains(['\0', '\n']);
        match kind {
            _ if is_odd => Err(form.to_owned()),
            "unit" if value.starts_with('-') || value.contains('/') => {
                Err("a unit's name begins with no `-` and has no `/`, as in unit:nginx".to_owned())
            }
            "unit" => Ok(Self::Unit(value.to_owned())),
            "pid" => Ok(Self::PidFile(value.into())),
            "cgroup" => Ok(Self::Group(value.into())),
            _ => Err(form.to_owned()),
        }
    }
}

impl TryFrom<String> for ServerName {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl fmt::Display for ServerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unit(name) => write!(f, "unit:{name}"),
            Self::PidFile(file) => write!(f, "pid:{}", file.display()),
            Self::Group(path) => write!(f, "cgroup:{}", path.display()),
        }
    }
}

impl From<ServerName> for String {
    fn from(name: ServerName) -> Self {
        name.to_string()
    }
}

/// A server that runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    /// Its first process; none where only a group was named.
    pub pid: Option<u32>,
    /// The group that its memory is charged to; none where that is the root, which has no limits.
    pub group: Option<MemoryGroup>,
    /// What tells the group from one of the same name that was made later.
    group_inode: Option<u64>,
    /// What tells its mounts from those of others.
    namespace: Option<u64>,
}

impl ServerName {
    /// Makes its paths whole, as seen from the calling process' folder.
    ///
    /// # Errors
    /// When that folder is gone.
    pub fn absolute(self) -> Result<Self, LiveError> {
        Ok(match self {
            Self::PidFile(file) => Self::PidFile(std::path::absolute(&file).on("find", file)?),
            other => other,
        })
    }

    /// Finds the server as it runs now.
    ///
    /// # Errors
    /// When it does not run, or its group cannot be found; says what to do.
    pub fn find(&self) -> Result<Server, LiveError> {
        match self {
            Self::Unit(name) => self.of_unit(name),
            Self::PidFile(file) => self.of_pid(self.pid_in(file)?),
            Self::Group(path) => Server::new(None, Some(self.group_at(path)?)),
        }
    }

    fn of_pid(&self, pid: u32) -> Result<Server, LiveError> {
        Server::new(Some(pid), MemoryGroup::of_process(pid)?)
    }

    /// By its main process; by its group where it has none, as scopes do.
    fn of_unit(&self, name: &str) -> Result<Server, LiveError> {
        if !systemd::is_there() {
            return Err(self.refuse(
                "systemd does not run this machine: name the server by pid:FILE or cgroup:PATH",
            ));
        }
        let property = |property: &str| {
            let property = format!("--property={property}");
            let arguments = ["show", &property, "--value", "--", name];
            command::run("systemctl", &arguments).map(|printed| printed.trim().to_owned())
        };
        if let Some(pid) = property("MainPID")?.parse().ok().filter(|pid| *pid > 0) {
            return self.of_pid(pid);
        }
        match property("ControlGroup")?.as_str() {
            "" | "/" => Err(self.refuse("is no unit that runs: see `systemctl status`")),
            group => Server::new(None, Some(inhabited(self.group_at(Path::new(group))?))),
        }
    }

    fn pid_in(&self, file: &Path) -> Result<u32, LiveError> {
        let text = self.text_of(file)?;
        let pid: u32 = text
            .trim()
            .parse()
            .map_err(|_| self.refuse("does not hold a number: name the server's pid file"))?;
        match Path::new("/proc").join(pid.to_string()).exists() && pid > 0 {
            true => Ok(pid),
            false => Err(self.refuse(format!(
                "is stale, there is no process {pid}: start the server"
            ))),
        }
    }

    /// What a pid file says. A pipe is not waited for.
    fn text_of(&self, file: &Path) -> Result<String, LiveError> {
        let is_file = fs::metadata(file).map(|metadata| metadata.is_file());
        let text = match is_file {
            Ok(false) => Err(io::Error::other("is no regular file")),
            _ => fs::read_to_string(file),
        };
        text.map_err(|error| {
            self.refuse(format!(
                "{error}: start the server, and name the file that it writes its pid to"
            ))
        })
    }

    /// A group by its folder, or by its path within the machine's groups.
    fn group_at(&self, path: &Path) -> Result<MemoryGroup, LiveError> {
        let hierarchies = Hierarchies::detect()?;
        let roots = hierarchies.v1.get("memory").into_iter();
        let within = roots
            .chain(&hierarchies.unified)
            .map(|root| root.join(path.strip_prefix("/").unwrap_or(path)));
        let mut places = [path.to_owned()].into_iter().chain(within);
        places
            .find_map(|place| MemoryGroup::at(&place).ok())
            .ok_or_else(|| {
                self.refuse(
                    "is no control group with a memory controller: /proc/PID/cgroup names that of each process",
                )
            })
    }

    fn refuse(&self, problem: impl Into<String>) -> LiveError {
        LiveError::Server {
            argument: self.to_string(),
            problem: problem.into(),
        }
    }
}

/// The group that a unit's processes are in. Version 2 lets no process into a group whose memory it divides (cgroups(7), "no internal
/// processes"), so crun has those of a container in a group below its scope.
fn inhabited(group: MemoryGroup) -> MemoryGroup {
    let entries = fs::read_dir(group.path()).into_iter().flatten().flatten();
    let mut below = entries.filter_map(|entry| MemoryGroup::at(&entry.path()).ok());
    match (below.next(), below.next()) {
        (Some(only), None) if group.processes().is_empty() => inhabited(only),
        _ => group,
    }
}

/// Locks on a server's group and those above it, for as long as they are open.
#[derive(Debug)]
pub(crate) struct Claim {
    _locks: Vec<File>,
}

fn lock_group(path: &Path, kind: lock::Kind, state: &Path) -> Result<File, LiveError> {
    let holder = format!("process {}, state {}", std::process::id(), state.display());
    match lock::lock(path, kind, &holder)? {
        Lock::Ours(file) => Ok(file),
        Lock::Others(holder) => Err(LiveError::Guardian(format!(
            "another state holds files for the server in {} ({holder}): take that back with `hotset release --state DIR`, \
             or apply this plan to it",
            path.display()
        ))),
    }
}

fn namespace(pid: u32) -> Option<u64> {
    let namespace = MountNamespace::of_process(pid).ok()?;
    Some(namespace.number())
}

impl Server {
    fn new(pid: Option<u32>, group: Option<MemoryGroup>) -> Result<Self, LiveError> {
        let inode = |group: &MemoryGroup| {
            let metadata = fs::metadata(group.path()).on("look up", group.path());
            metadata.map(|metadata| metadata.ino())
        };
        Ok(Self {
            pid,
            namespace: pid.and_then(namespace),
            group_inode: group.as_ref().map(inode).transpose()?,
            group,
        })
    }

    /// Keeps other states from holding files for the server, or for a group that has the server's in it: two would each count on
    /// the whole of its room. None where it has no group.
    ///
    /// # Errors
    /// When another state holds files for it.
    pub(crate) fn claim(&self, state: &Path) -> Result<Option<Claim>, LiveError> {
        let Some(group) = &self.group else {
            return Ok(None);
        };
        let shared = std::iter::repeat(lock::Kind::Shared);
        let lineage = group.lineage();
        let kinds = [lock::Kind::Alone].into_iter().chain(shared);
        let locks = lineage.iter().zip(kinds);
        let locks = locks.map(|(group, kind)| lock_group(group.path(), kind, state));
        Ok(Some(Claim {
            _locks: locks.collect::<Result<_, _>>()?,
        }))
    }

    /// A process of the server: its first one, or where only a group was named one in that group that is none of hotset's.
    #[must_use]
    pub fn any_pid(&self) -> Option<u32> {
        let program = |pid: &str| {
            let metadata = fs::metadata(format!("/proc/{pid}/exe")).ok()?;
            Some((metadata.dev(), metadata.ino()))
        };
        let own = program("self");
        self.pid.or_else(|| {
            let processes = self.group.as_ref()?.processes();
            processes
                .into_iter()
                .find(|pid| program(&pid.to_string()) != own)
        })
    }

    /// The name of its program, where one of its processes is known.
    pub(crate) fn program(&self) -> Option<OsString> {
        let program = fs::read_link(format!("/proc/{}/exe", self.any_pid()?)).ok()?;
        Some(program.file_name()?.to_owned())
    }

    /// Whether its memory is charged to the same group as that of `other`, and it sees the same mounts.
    #[must_use]
    pub fn is_at_home_with(&self, other: &Self) -> bool {
        let home = |server: &Self| (server.group.clone(), server.group_inode, server.namespace);
        home(self) == home(other)
    }

    /// Whether it still runs in the same group.
    #[must_use]
    pub fn is_there(&self) -> bool {
        let is_same = |group: &MemoryGroup| {
            fs::metadata(group.path()).is_ok_and(|now| Some(now.ino()) == self.group_inode)
        };
        let is_inside =
            |pid: u32| MemoryGroup::of_process(pid).is_ok_and(|group| group == self.group);
        self.group.as_ref().is_none_or(is_same) && self.pid.is_none_or(is_inside)
    }
}
