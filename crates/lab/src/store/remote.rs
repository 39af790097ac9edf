//! What the network file systems have in common: file servers with a disk each, and a client that mounts.

use super::{Local, Store};
use crate::cgroup::NodeGroup;
use crate::error::OnFile;
use crate::net::Namespace;
use crate::process::{Launch, Process};
use crate::resource::{Resource, unmount_when_free};
use crate::{Lab, LabError, procfs};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Starting a file server and all it waits for.
pub(super) const START_PATIENCE: Duration = Duration::from_secs(60);
/// Servers write what they hold before they end.
pub(super) const STOP_PATIENCE: Duration = Duration::from_secs(15);

/// A node that keeps a part of a network file system.
#[derive(Debug)]
pub struct FileServer {
    /// Its network.
    pub namespace: Namespace,
    /// What it may use of the machine; all of it without.
    pub group: Option<Arc<NodeGroup>>,
    /// Where it keeps its part.
    pub disk: Local,
}

impl FileServer {
    /// A program on this node.
    pub(super) fn launch(&self, name: String, program: &str) -> Launch<'_> {
        on_node(name, program, &self.namespace, self.group.as_deref())
    }

    /// Its part of the file system called `name`.
    pub(super) fn part(&self, name: &str) -> PathBuf {
        self.disk.path().join(name)
    }
}

/// The node that mounts a network file system. Its client, and what that caches, is charged to the node.
#[derive(Debug)]
pub struct FileClient {
    /// Its network.
    pub namespace: Namespace,
    /// What it may use of the machine; all of it without.
    pub group: Option<Arc<NodeGroup>>,
}

impl FileClient {
    pub(super) fn launch(&self, name: String, program: &str) -> Launch<'_> {
        on_node(name, program, &self.namespace, self.group.as_deref())
    }
}

fn on_node<'a>(
    name: String,
    program: &str,
    namespace: &'a Namespace,
    group: Option<&'a NodeGroup>,
) -> Launch<'a> {
    let launch = Launch::new(name, program).in_namespace(namespace);
    match group {
        Some(group) => launch.in_group(group),
        None => launch,
    }
}

/// A directory of the run for a file system's own state.
pub(super) fn state_directory(lab: &Lab, name: &str) -> Result<PathBuf, LabError> {
    let path = lab.directory().join(format!("{name}-state"));
    fs::create_dir(&path).on("make", &path)?;
    Ok(path)
}

/// Mounts by a client program that stays in the foreground, through the ledger.
pub(super) fn mount_by(
    lab: &Arc<Lab>,
    launch: Launch<'_>,
    path: &Path,
) -> Result<Process, LabError> {
    let resource = Resource::Mount(path.to_owned());
    Ok(lab.make(resource, || mount_again_by(lab, launch, path))?.1)
}

/// The same where the ledger has the mount already.
pub(super) fn mount_again_by(
    lab: &Arc<Lab>,
    launch: Launch<'_>,
    path: &Path,
) -> Result<Process, LabError> {
    let process = launch.start(lab)?;
    process.wait_until(START_PATIENCE, || {
        procfs::is_mount_point(path).unwrap_or(false)
    })?;
    Ok(process)
}

/// Unmounts, and sees the client's program out.
pub(super) fn unmount_client(path: &Path, process: &Process) -> Result<(), LabError> {
    unmount_when_free(path)?;
    process.stop(STOP_PATIENCE)
}

/// Empties the caches of the servers' disks, which nothing may use.
pub(super) fn drop_disks(servers: &[FileServer]) -> Result<(), LabError> {
    servers
        .iter()
        .try_for_each(|server| server.disk.drop_caches())
}
