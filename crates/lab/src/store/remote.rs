//! What the network file systems have in common: file servers with a disk each, and clients that mount.

use super::{Local, Store};
use crate::LabError;
use crate::disk::Disk;
use crate::net::Namespace;
use hotset_machine::ControlGroup;
use hotset_machine::cachestat::{self, CachedPages};
use hotset_machine::mount::{self, unmount_when_free};
use hotset_machine::process::{Launch, Process};
use hotset_machine::resource::Resource;
use hotset_machine::{Deployment, MachineError, OnFile};
use std::fs;
use std::path::{Path, PathBuf};
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

/// A node that mounts a network file system. Its client, and what that caches, is charged to the node.
#[derive(Debug)]
pub struct FileClient {
    /// Its name.
    pub node: String,
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

/// The program that mounts a file system on a client, at a path.
pub(super) type ClientLaunch = for<'r> fn(&'r Remote, &'r FileClient, &Path) -> Launch<'r>;

/// What every network file system of the lab is made of.
#[derive(Debug)]
pub(super) struct Remote {
    pub(super) deployment: Arc<Deployment>,
    pub(super) name: String,
    /// The file system's own state, in the deployment's directory.
    pub(super) state: PathBuf,
    /// At least one.
    pub(super) servers: Vec<FileServer>,
    /// At least one, and where each mounts it.
    pub(super) clients: Vec<(FileClient, PathBuf)>,
}

/// Its programs, clients before servers: fields are dropped in order.
#[derive(Debug)]
pub(super) struct Running {
    pub(super) clients: Vec<Process>,
    /// Those that cache what the disks hold.
    pub(super) servers: Vec<Process>,
}

impl Remote {
    /// Makes the directories for a file system that people call `title`; nothing runs yet.
    pub(super) fn new(
        deployment: &Arc<Deployment>,
        name: &str,
        title: &str,
        servers: Vec<FileServer>,
        clients: Vec<FileClient>,
    ) -> Result<Self, LabError> {
        if servers.is_empty() || clients.is_empty() {
            return Err(LabError::Unusable(format!(
                "{title} needs a server and a client"
            )));
        }
        let mount_point = |client: FileClient| {
            let path = deployment.mount_point(&format!("{}-{name}", client.node))?;
            Ok((client, path))
        };
        let clients = clients.into_iter().map(mount_point);
        let clients = clients.collect::<Result<_, MachineError>>()?;
        let state = deployment.directory().join(format!("{name}-state"));
        fs::create_dir(&state).on("make", &state)?;
        Ok(Self {
            deployment: Arc::clone(deployment),
            name: name.to_owned(),
            state,
            servers,
            clients,
        })
    }

    /// Address of the first server, which clients ask.
    pub(super) fn first_address(&self) -> String {
        self.servers[0].namespace.address().to_string()
    }

    /// Where the first client mounts it.
    pub(super) fn path(&self) -> &Path {
        &self.clients[0].1
    }

    /// Where the clients mount it.
    pub(super) fn paths(&self) -> Vec<&Path> {
        self.clients
            .iter()
            .map(|(_, path)| path.as_path())
            .collect()
    }

    /// The servers' disks.
    pub(super) fn disks(&self) -> Vec<&dyn Disk> {
        let disks = self.servers.iter().map(|server| server.disk.disk());
        disks.flatten().collect()
    }

    /// Pages of its files in the memory of all clients.
    pub(super) fn cached(&self) -> Result<CachedPages, LabError> {
        let mut total = CachedPages::default();
        for path in self.paths() {
            total += cachestat::of_tree(path)?;
        }
        Ok(total)
    }

    /// Mounts on all clients through the ledger, by programs that stay in the foreground.
    pub(super) fn mount(&self, launch: ClientLaunch) -> Result<Vec<Process>, LabError> {
        self.on_clients(|client, path| {
            let resource = Resource::Mount(path.to_owned());
            let mount = || self.mount_on(launch(self, client, path), path);
            Ok(self.deployment.make(resource, mount)?.1)
        })
    }

    fn on_clients(
        &self,
        each: impl Fn(&FileClient, &Path) -> Result<Process, LabError>,
    ) -> Result<Vec<Process>, LabError> {
        let clients = self.clients.iter();
        clients.map(|(client, path)| each(client, path)).collect()
    }

    /// The same where the ledger has the mount already.
    fn mount_on(&self, client: Launch<'_>, path: &Path) -> Result<Process, LabError> {
        let process = client.start(&self.deployment)?;
        process.wait_until(START_PATIENCE, || {
            mount::is_mount_point(path).unwrap_or(false)
        })?;
        Ok(process)
    }

    /// Empties the caches of all who have one: the clients are unmounted, the servers are stopped, their disks unmounted, and
    /// all of it started again.
    pub(super) fn restart(
        &self,
        running: &Mutex<Running>,
        start_servers: impl FnOnce() -> Result<Vec<Process>, LabError>,
        client: ClientLaunch,
    ) -> Result<(), LabError> {
        let mut running = running.lock().unwrap_or_else(PoisonError::into_inner);
        for path in self.paths() {
            unmount_when_free(path)?;
        }
        for client in &running.clients {
            client.stop(STOP_PATIENCE)?;
        }
        for server in &running.servers {
            server.stop(STOP_PATIENCE)?;
        }
        for server in &self.servers {
            server.disk.drop_caches()?;
        }
        running.servers = start_servers()?;
        running.clients =
            self.on_clients(|node, path| self.mount_on(client(self, node, path), path))?;
        Ok(())
    }
}
