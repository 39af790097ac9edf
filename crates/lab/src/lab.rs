//! One run of the lab: its ledger, its name and its directories.

use crate::cgroup::Hierarchies;
use crate::error::OnFile;
use crate::ledger::{self, Entry, Ledger, Recovery, Teardown};
use crate::resource::{Resource, Undone};
use crate::{LabError, command, procfs};
use std::ffi::OsStr;
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where ledgers are kept, for every run to find those of dead ones.
pub const LEDGERS: &str = "/run/hotset-lab";

/// Where a run keeps its things.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// Parent of the runs' ledgers, mount points and logs; usually [`LEDGERS`].
    pub ledgers: PathBuf,
    /// Parent of the runs' disk images; needs room for them.
    pub work: PathBuf,
}

/// A run of the lab. Everything it is made of hangs on it; see [`Ledger`] for how it goes away again.
#[derive(Debug)]
pub struct Lab {
    tag: String,
    ledger: Ledger,
    work: PathBuf,
    hierarchies: Hierarchies,
    /// Where the system's tools run on behalf of the run.
    tools: PathBuf,
    recovery: Recovery,
}

impl Lab {
    /// Cleans up after dead runs and starts a new one.
    ///
    /// # Errors
    /// When a directory or the ledger cannot be written, or a dead run's ledger cannot be read.
    pub fn open(places: &Places) -> Result<Arc<Self>, LabError> {
        // The kernel names what it mounts by whole paths, and the run that cleans up may start elsewhere.
        let whole = |path: &Path| std::path::absolute(path).on("find", path);
        let places = &Places {
            ledgers: whole(&places.ledgers)?,
            work: whole(&places.work)?,
        };
        fs::create_dir_all(&places.ledgers).on("make", &places.ledgers)?;
        let recovery = ledger::recover(&places.ledgers)?;
        let hierarchies = Hierarchies::detect()?;
        let tools_of = |tag: &str| Ok(hierarchies.tracking()?.join(format!("hotset-{tag}-tools")));
        let (tag, ledger) = unused_tag(places, &tools_of)?;
        let work = places.work.join(format!("hotset-{tag}"));
        let tools = tools_of(&tag)?;
        let lab = Self {
            tag,
            ledger,
            work,
            hierarchies,
            tools,
            recovery,
        };
        let (_entry, ()) = lab.make(Resource::Tools(lab.tools.clone()), || {
            fs::create_dir(&lab.tools).on("make", &lab.tools)
        })?;
        let work = lab.work.clone();
        let (_entry, ()) = lab.make(Resource::Directory(work.clone()), || {
            fs::create_dir_all(&work).on("make", &work)
        })?;
        for inner in ["mnt", "log"] {
            let inner = lab.directory().join(inner);
            fs::create_dir(&inner).on("make", &inner)?;
        }
        Ok(Arc::new(lab))
    }

    /// What was found of earlier runs when this one started.
    #[must_use]
    pub fn recovery(&self) -> &Recovery {
        &self.recovery
    }

    /// The run's own name for a thing: `hotset-TAG-name`.
    #[must_use]
    pub fn name(&self, thing: &str) -> String {
        format!("hotset-{}-{thing}", self.tag)
    }

    /// Four hexadecimal digits that tell this run from others at the same time.
    #[must_use]
    pub fn tag(&self) -> &str {
        &self.tag
    }

    /// Mount points, logs and sockets of the run.
    #[must_use]
    pub fn directory(&self) -> &Path {
        self.ledger.directory()
    }

    /// Disk images of the run.
    #[must_use]
    pub fn work(&self) -> &Path {
        &self.work
    }

    /// The log of a process of the run.
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
    pub(crate) fn run<A: AsRef<OsStr>>(
        &self,
        program: &str,
        arguments: &[A],
    ) -> Result<String, LabError> {
        command::run_in(&self.tools, program, arguments)
    }

    /// See [`Ledger::make`].
    ///
    /// # Errors
    /// As there.
    pub fn make<T>(
        &self,
        resource: Resource,
        make: impl FnOnce() -> Result<T, LabError>,
    ) -> Result<(Entry, T), LabError> {
        self.ledger.make(resource, make)
    }

    /// See [`Ledger::undo`].
    ///
    /// # Errors
    /// As there.
    pub fn undo(&self, entry: Entry) -> Result<Undone, LabError> {
        self.ledger.undo(entry)
    }

    /// Stops, unmounts and removes everything the run made, last first. Dropping the last reference does the same
    /// but cannot tell what was left.
    pub fn teardown(&self) -> Teardown {
        self.ledger.teardown()
    }

    /// An empty directory to mount something at.
    pub(crate) fn mount_point(&self, name: &str) -> Result<PathBuf, LabError> {
        let path = self.directory().join("mnt").join(name);
        fs::create_dir_all(&path).on("make", &path)?;
        if procfs::is_mount_point(&path)? {
            return Err(LabError::Unusable(format!(
                "two stores of this run are named {name}; rename one"
            )));
        }
        Ok(path)
    }
}

/// Claims a tag by making its ledger. Every run has a group of tools, those with ledgers in other places too.
fn unused_tag(
    places: &Places,
    tools_of: &dyn Fn(&str) -> Result<PathBuf, LabError>,
) -> Result<(String, Ledger), LabError> {
    loop {
        let tag = format!("{:04x}", RandomState::new().hash_one(0_u8) & 0xffff);
        let directory = places.ledgers.join(&tag);
        if !directory.exists() && !tools_of(&tag)?.exists() {
            return Ok((tag, Ledger::open(&directory)?));
        }
    }
}
