//! One deployment of a program that changes the machine: its ledger, its name and its directories.

use crate::OnFile;
use crate::cgroup::{Hierarchies, tree};
use crate::ledger::{self, Entry, Ledger, Recovery};
use crate::resource::Resource;
use crate::{MachineError, command, mount};
use std::ffi::OsStr;
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where a deployment keeps its things.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directories {
    /// Parent of the deployments' ledgers, mount points and logs; for every deployment to find those of dead ones.
    pub ledgers: PathBuf,
    /// Parent of the deployments' disk images; needs room for them.
    pub work: PathBuf,
}

/// A deployment. Everything it has made hangs on it; see [`Ledger`] for how it goes away again.
#[derive(Debug)]
pub struct Deployment {
    tag: String,
    ledger: Ledger,
    work: PathBuf,
    hierarchies: Hierarchies,
    /// Where the system's tools run on behalf of the deployment.
    tools: PathBuf,
    recovery: Recovery,
}

impl Deployment {
    /// Cleans up after dead deployments and starts a new one.
    ///
    /// # Errors
    /// When a directory or the ledger cannot be written, or a dead deployment's ledger cannot be read.
    pub fn open(directories: &Directories) -> Result<Arc<Self>, MachineError> {
        // The kernel names what it mounts by whole paths, and the deployment that cleans up may start elsewhere.
        let whole = |path: &Path| std::path::absolute(path).on("find", path);
        let directories = &Directories {
            ledgers: whole(&directories.ledgers)?,
            work: whole(&directories.work)?,
        };
        fs::create_dir_all(&directories.ledgers).on("make", &directories.ledgers)?;
        let recovery = ledger::recover(&directories.ledgers)?;
        let hierarchies = Hierarchies::detect()?;
        let tools_of = |tag: &str| Ok(hierarchies.tracking()?.join(format!("hotset-{tag}-tools")));
        let (tag, ledger) = unused_tag(directories, &tools_of)?;
        let work = directories.work.join(format!("hotset-{tag}"));
        let tools = tools_of(&tag)?;
        let deployment = Self {
            tag,
            ledger,
            work,
            hierarchies,
            tools,
            recovery,
        };
        let (_entry, ()) = deployment.make(Resource::Tools(deployment.tools.clone()), || {
            fs::create_dir(&deployment.tools).on("make", &deployment.tools)
        })?;
        let work = deployment.work.clone();
        let (_entry, ()) = deployment.make(Resource::Directory(work.clone()), || {
            fs::create_dir_all(&work).on("make", &work)
        })?;
        for inner in ["mnt", "log"] {
            let inner = deployment.directory().join(inner);
            fs::create_dir(&inner).on("make", &inner)?;
        }
        deployment.share_mount_points();
        Ok(Arc::new(deployment))
    }

    /// Has what is unmounted here go everywhere. Without the right to that, nothing is mounted here anyway.
    fn share_mount_points(&self) {
        let points = self.directory().join("mnt");
        let share = || mount::mount_shared(&points);
        let _shared = self.make(Resource::Mount(points.clone()), share);
    }

    /// What was found of earlier deployments when this one started.
    #[must_use]
    pub fn recovery(&self) -> &Recovery {
        &self.recovery
    }

    /// The deployment's own name for a thing: `hotset-TAG-name`.
    #[must_use]
    pub fn name(&self, thing: &str) -> String {
        format!("hotset-{}-{thing}", self.tag)
    }

    /// Four hexadecimal digits that tell this deployment from others at the same time.
    #[must_use]
    pub fn tag(&self) -> &str {
        &self.tag
    }

    /// Disk images of the deployment.
    #[must_use]
    pub fn work(&self) -> &Path {
        &self.work
    }

    /// The log of a process of the deployment.
    #[must_use]
    pub fn log(&self, name: &str) -> PathBuf {
        self.directory().join("log").join(format!("{name}.log"))
    }

    /// The machine's control groups.
    #[must_use]
    pub fn hierarchies(&self) -> &Hierarchies {
        &self.hierarchies
    }

    /// Runs a tool of the system to its end and returns what it printed.
    ///
    /// # Errors
    /// When it cannot be started or fails.
    pub fn tool<A: AsRef<OsStr>>(
        &self,
        program: &str,
        arguments: &[A],
    ) -> Result<String, MachineError> {
        command::run_in(&self.tools, program, arguments)
    }

    /// Processor time of all processes of the deployment, those that have ended included unless they were taken down, microseconds.
    ///
    /// # Errors
    /// When the kernel's files cannot be read.
    pub fn cpu_us(&self) -> Result<u64, MachineError> {
        let own = self.name("");
        let is_own = |group: &PathBuf| {
            let name = group.file_name().unwrap_or_default();
            name.to_string_lossy().starts_with(&own)
        };
        let groups = tree::inner_groups(self.hierarchies.tracking()?);
        let groups = groups.iter().filter(|group| is_own(group));
        groups.map(|group| tree::cpu_us(group)).sum()
    }

    /// Makes one control group.
    pub(crate) fn make_group(&self, path: &Path) -> Result<Entry, MachineError> {
        let make = || fs::create_dir(path).on("make", path);
        Ok(self.make(Resource::Group(path.to_owned()), make)?.0)
    }

    /// See [`mount::mount`].
    ///
    /// # Errors
    /// As there.
    pub fn mount(
        &self,
        source: &Path,
        path: &Path,
        kind: &str,
        data: &str,
    ) -> Result<(), MachineError> {
        let mount = || mount::mount(source, path, kind, data);
        self.make(Resource::Mount(path.to_owned()), mount).map(drop)
    }

    /// An empty directory to mount something at.
    ///
    /// # Errors
    /// When something of this deployment is mounted there already.
    pub fn mount_point(&self, name: &str) -> Result<PathBuf, MachineError> {
        let path = self.directory().join("mnt").join(name);
        fs::create_dir_all(&path).on("make", &path)?;
        if mount::is_mount_point(&path)? {
            return Err(MachineError::Unusable(format!(
                "two mounts of this run are named {name}; rename one"
            )));
        }
        Ok(path)
    }
}

/// What it makes, it makes by its ledger, whose directory has its mount points, logs and sockets. Dropping the last reference
/// does what [`Ledger::teardown`] does, but cannot tell what was left.
impl Deref for Deployment {
    type Target = Ledger;

    fn deref(&self) -> &Ledger {
        &self.ledger
    }
}

/// Claims a tag by making its ledger. Every run has a group of tools, those with ledgers in other places too.
fn unused_tag(
    directories: &Directories,
    tools_of: &dyn Fn(&str) -> Result<PathBuf, MachineError>,
) -> Result<(String, Ledger), MachineError> {
    loop {
        let tag = format!("{:04x}", RandomState::new().hash_one(0_u8) & 0xffff);
        let directory = directories.ledgers.join(&tag);
        if !directory.exists() && !tools_of(&tag)?.exists() {
            return Ok((tag, Ledger::open(&directory)?));
        }
    }
}
