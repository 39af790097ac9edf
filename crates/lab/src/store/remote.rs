//! What the network file systems have in common: file servers with a disk each, and a client that mounts.

use super::{Local, Store};
use crate::LabError;
use crate::net::Namespace;
use hotset_machine::cgroup::ControlGroup;
use hotset_machine::mount::{self, unmount_when_free};
use hotset_machine::process::{Launch, Process};
use hotset_machine::resource::Resource;
use hotset_machine::{OnFile, Run};
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Starting a file server and all it waits for.
pub(super) const START_PATIENCE: Duration = Duration::from_secs(60);
/// Servers write what they hold before they end.
const STOP_PATIENCE: Duration = Duration::from_secs(15);

/// A node that keeps a part of a network file system.
#[derive(Debug)]
pub struct FileServer {
    /// Its network.
    pub namespace: Namespace,
    /// What it may use of the machine; all of it without.
    pub group: Option<Arc<ControlGroup>>,
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
    pub group: Option<Arc<ControlGroup>>,
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
    group: Option<&'a ControlGroup>,
) -> Launch<'a> {
    let launch = Launch::new(name, program).in_network(namespace.name());
    match group {
        Some(group) => launch.in_group(group),
        None => launch,
    }
}

/// What every network file system of the lab is made of.
#[derive(Debug)]
pub(super) struct Remote {
    pub(super) run: Arc<Run>,
    pub(super) name: String,
    /// Where the client mounts it.
    pub(super) path: PathBuf,
    /// The file system's own state, in the run's directory.
    pub(super) state: PathBuf,
    /// At least one.
    pub(super) servers: Vec<FileServer>,
    pub(super) client: FileClient,
}

/// Its programs, the client before the servers: fields are dropped in order.
#[derive(Debug)]
pub(super) struct Running {
    pub(super) client: Process,
    /// Those that cache what the disks hold.
    pub(super) servers: Vec<Process>,
}

impl Remote {
    /// Makes the directories for a file system that people call `title`; nothing runs yet.
    pub(super) fn new(
        run: &Arc<Run>,
        name: &str,
        title: &str,
        servers: Vec<FileServer>,
        client: FileClient,
    ) -> Result<Self, LabError> {
        if servers.is_empty() {
            return Err(LabError::Unusable(format!("{title} without a server")));
        }
        let state = run.directory().join(format!("{name}-state"));
        fs::create_dir(&state).on("make", &state)?;
        Ok(Self {
            run: Arc::clone(run),
            name: name.to_owned(),
            path: run.mount_point(name)?,
            state,
            servers,
            client,
        })
    }

    /// Address of the first server, which clients ask.
    pub(super) fn first_address(&self) -> String {
        self.servers[0].namespace.address().to_string()
    }

    /// Mounts by a client program that stays in the foreground, through the ledger.
    pub(super) fn mount(&self, client: Launch<'_>) -> Result<Process, LabError> {
        let resource = Resource::Mount(self.path.clone());
        let made = self.run.make(resource, || self.mount_again(client))?;
        Ok(made.1)
    }

    /// The same where the ledger has the mount already.
    fn mount_again(&self, client: Launch<'_>) -> Result<Process, LabError> {
        let process = client.start(&self.run)?;
        process.wait_until(START_PATIENCE, || {
            mount::is_mount_point(&self.path).unwrap_or(false)
        })?;
        Ok(process)
    }

    /// Empties the caches of all who have one: the client is unmounted, the servers are stopped, their disks unmounted, and
    /// all of it started again.
    pub(super) fn restart(
        &self,
        running: &Mutex<Running>,
        start_servers: impl FnOnce() -> Result<Vec<Process>, LabError>,
        client: Launch<'_>,
    ) -> Result<(), LabError> {
        let mut running = running.lock().unwrap_or_else(PoisonError::into_inner);
        unmount_when_free(&self.path)?;
        running.client.stop(STOP_PATIENCE)?;
        for server in &running.servers {
            server.stop(STOP_PATIENCE)?;
        }
        for server in &self.servers {
            server.disk.drop_caches()?;
        }
        running.servers = start_servers()?;
        running.client = self.mount_again(client)?;
        Ok(())
    }
}
