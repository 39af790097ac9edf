//! MooseFS: a master that knows where everything is, servers that keep chunks of 64 MiB, a FUSE client.

use super::Store;
use super::remote::{FileClient, FileServer, Remote, Running, START_PATIENCE};
use crate::LabError;
use crate::disk::Disk;
use hotset_machine::cachestat::CachedPages;
use hotset_machine::process::{Launch, Process};
use hotset_machine::{Deployment, OnFile};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Debian's package brings the metadata of an empty file system.
const EMPTY: &str = "/var/lib/mfs/metadata.mfs.empty";
/// What a chunk server says when its master knows it.
const CONNECTED: &str = "connected to Master";

/// A MooseFS with as many copies of everything as it is told, its master on the first server.
#[derive(Debug)]
pub struct MooseFs {
    remote: Remote,
    running: Mutex<Running>,
    /// It keeps the metadata in its memory and is not restarted: that is where it always is. Dropped after those who
    /// ask it.
    _master: Process,
}

impl MooseFs {
    /// Starts the servers and mounts on the clients' nodes.
    ///
    /// # Errors
    /// When a program is missing or does not come up; with the end of its log.
    pub fn create(
        deployment: &Arc<Deployment>,
        name: &str,
        servers: Vec<FileServer>,
        clients: Vec<FileClient>,
    ) -> Result<Self, LabError> {
        Self::create_with(deployment, name, (servers, clients), 1)
    }

    /// The same with so many copies of everything.
    ///
    /// # Errors
    /// As there.
    pub fn create_with(
        deployment: &Arc<Deployment>,
        name: &str,
        (servers, clients): (Vec<FileServer>, Vec<FileClient>),
        copies: u32,
    ) -> Result<Self, LabError> {
        let remote = Remote::new(deployment, name, "MooseFS", servers, clients)?;
        let master = start_master(&remote)?;
        for (number, server) in remote.servers.iter().enumerate() {
            configure_chunks(&remote, number, server)?;
        }
        let servers = start_chunks(&remote)?;
        let clients = remote.mount(client_launch)?;
        let store = Self {
            remote,
            running: Mutex::new(Running { clients, servers }),
            _master: master,
        };
        store.wait_for_space()?;
        store.keep_copies(copies)?;
        Ok(store)
    }

    /// A server gets no chunks before it has told the master of its room, some time after it has connected: what is
    /// written until then would all lie on the others.
    fn wait_for_space(&self) -> Result<(), LabError> {
        let servers = self.remote.servers.iter();
        let disks = servers.map(|server| size_bytes(server.disk.path()));
        let all: u64 = disks.sum::<Result<u64, LabError>>()?;
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        // Each server keeps a little for itself.
        let known = || size_bytes(self.remote.path()).is_ok_and(|known| known > all / 4 * 3);
        Ok(running.clients[0].wait_until(START_PATIENCE, known)?)
    }

    /// Without it everything is kept twice.
    fn keep_copies(&self, copies: u32) -> Result<(), LabError> {
        let name = format!("{}-goal", self.remote.name);
        let launch = self.remote.clients[0].0.launch(name, "mfssetgoal");
        let process = launch
            .arguments(["-r", &copies.to_string()])
            .arguments([self.remote.path().as_os_str()])
            .start(&self.remote.deployment)?;
        Ok(process.wait(START_PATIENCE)?)
    }
}

impl Store for MooseFs {
    fn kind(&self) -> &'static str {
        "moosefs"
    }

    fn path(&self) -> &Path {
        self.remote.path()
    }

    fn disks(&self) -> Vec<&dyn Disk> {
        self.remote.disks()
    }

    fn paths(&self) -> Vec<&Path> {
        self.remote.paths()
    }

    fn cached(&self) -> Result<CachedPages, LabError> {
        self.remote.cached()
    }

    fn drop_caches(&self) -> Result<(), LabError> {
        let start = || start_chunks(&self.remote);
        self.remote.restart(&self.running, start, client_launch)
    }
}

fn size_bytes(path: &Path) -> Result<u64, LabError> {
    let stat = rustix::fs::statvfs(path).on("look up", path)?;
    Ok(stat.f_blocks * stat.f_frsize)
}

fn start_master(remote: &Remote) -> Result<Process, LabError> {
    let data = remote.state.join("master");
    fs::create_dir(&data).on("make", &data)?;
    fs::copy(EMPTY, data.join("metadata.mfs")).on("copy", EMPTY)?;
    let exports = data.join("exports");
    fs::write(&exports, "* / rw,alldirs,maproot=0\n").on("write", &exports)?;
    let configuration = format!(
        "{}EXPORTS_FILENAME = {}\n",
        common(&data),
        exports.display()
    );
    let file = data.join("configuration");
    fs::write(&file, configuration).on("write", &file)?;
    let name = format!("{}-master", remote.name);
    let launch = remote.servers[0].launch(name, "mfsmaster");
    let process = in_foreground(launch, &file).start(&remote.deployment)?;
    process.wait_until(START_PATIENCE, || {
        count_in(process.log(), "initialized properly") > 0
    })?;
    Ok(process)
}

fn common(data: &Path) -> String {
    let data = data.display();
    format!("WORKING_USER = root\nWORKING_GROUP = root\nNICE_LEVEL = 0\nDATA_PATH = {data}\n")
}

/// The directory of a chunk server's own state.
fn chunks_state(remote: &Remote, number: usize) -> PathBuf {
    remote.state.join(format!("chunks{number}"))
}

fn configure_chunks(remote: &Remote, number: usize, server: &FileServer) -> Result<(), LabError> {
    let (part, data) = (server.part(&remote.name), chunks_state(remote, number));
    fs::create_dir(&part).on("make", &part)?;
    fs::create_dir(&data).on("make", &data)?;
    let disks = data.join("disks");
    fs::write(&disks, format!("{}\n", part.display())).on("write", &disks)?;
    let configuration = format!(
        "{}HDD_CONF_FILENAME = {}\nHDD_LEAVE_SPACE_DEFAULT = 16MiB\nMASTER_HOST = {}\n",
        common(&data),
        disks.display(),
        remote.first_address()
    );
    let file = data.join("configuration");
    Ok(fs::write(&file, configuration).on("write", &file)?)
}

/// Starts them all, then waits until the master knows every one.
fn start_chunks(remote: &Remote) -> Result<Vec<Process>, LabError> {
    let mut processes = Vec::new();
    for (number, server) in remote.servers.iter().enumerate() {
        let file = chunks_state(remote, number).join("configuration");
        let name = format!("{}-chunks{number}", remote.name);
        // The log goes on over restarts.
        let before = count_in(&remote.deployment.log(&name), CONNECTED);
        let launch = in_foreground(server.launch(name, "mfschunkserver"), &file);
        processes.push((launch.start(&remote.deployment)?, before));
    }
    for (process, before) in &processes {
        process.wait_until(START_PATIENCE, || {
            count_in(process.log(), CONNECTED) > *before
        })?;
    }
    Ok(processes.into_iter().map(|(process, _)| process).collect())
}

/// How MooseFS's servers are started.
fn in_foreground<'a>(launch: Launch<'a>, configuration: &Path) -> Launch<'a> {
    launch
        .arguments(["-f", "-c"])
        .arguments([configuration.as_os_str()])
        .arguments(["start"])
}

/// How often words are in a log; never, where there is none.
fn count_in(log: &Path, words: &str) -> usize {
    fs::read_to_string(log).map_or(0, |log| log.matches(words).count())
}

fn client_launch<'r>(remote: &'r Remote, client: &'r FileClient, path: &Path) -> Launch<'r> {
    let name = format!("{}-client-{}", remote.name, client.node);
    let launch = client.launch(name, "mfsmount");
    launch
        .arguments([path.as_os_str()])
        .arguments(["-f", "-H", &remote.first_address()])
}
