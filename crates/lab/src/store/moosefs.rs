//! MooseFS: a master that knows where everything is, servers that keep chunks of 64 MiB, a FUSE client.

use super::Store;
use super::remote::{
    FileClient, FileServer, START_PATIENCE, STOP_PATIENCE, drop_disks, mount_again_by, mount_by,
    state_directory, unmount_client,
};
use crate::error::OnFile;
use crate::process::{Launch, Process};
use crate::{Lab, LabError};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Debian's package brings the metadata of an empty file system.
const EMPTY: &str = "/var/lib/mfs/metadata.mfs.empty";
/// What a chunk server says when its master knows it.
const CONNECTED: &str = "connected to Master";

/// A MooseFS with one copy of everything, its master on the first server.
#[derive(Debug)]
pub struct MooseFs {
    lab: Arc<Lab>,
    name: String,
    path: PathBuf,
    state: PathBuf,
    servers: Vec<FileServer>,
    client: FileClient,
    running: Mutex<Running>,
}

/// The client before the servers: fields are dropped in order.
#[derive(Debug)]
struct Running {
    client: Process,
    chunks: Vec<Process>,
    /// It keeps the metadata in its memory and is not restarted: that is where it always is.
    _master: Process,
}

impl MooseFs {
    /// Starts the servers and mounts on the client's node.
    ///
    /// # Errors
    /// When a program is missing or does not come up; with the end of its log.
    pub fn create(
        lab: &Arc<Lab>,
        name: &str,
        servers: Vec<FileServer>,
        client: FileClient,
    ) -> Result<Self, LabError> {
        let first = servers
            .first()
            .ok_or_else(|| LabError::Unusable("MooseFS without a server".to_owned()))?;
        let state = state_directory(lab, name)?;
        let path = lab.mount_point(name)?;
        let master_address = first.namespace.address().to_string();
        let master = start_master(lab, name, first, &state)?;
        for (number, server) in servers.iter().enumerate() {
            configure_chunks(
                name,
                server,
                &master_address,
                &state.join(format!("chunks{number}")),
            )?;
        }
        let chunks = start_chunks(lab, name, &servers, &state)?;
        let mounted = mount_by(
            lab,
            client_launch(name, &client, &master_address, &path),
            &path,
        )?;
        let running = Running {
            client: mounted,
            chunks,
            _master: master,
        };
        let store = Self {
            lab: Arc::clone(lab),
            name: name.to_owned(),
            path,
            state,
            servers,
            client,
            running: Mutex::new(running),
        };
        store.wait_for_space()?;
        store.keep_one_copy()?;
        Ok(store)
    }

    /// A server gets no chunks before it has told the master of its room, some time after it has connected: what is
    /// written until then would all lie on the others.
    fn wait_for_space(&self) -> Result<(), LabError> {
        let disks = self
            .servers
            .iter()
            .map(|server| size_bytes(server.disk.path()));
        let all: u64 = disks.sum::<Result<u64, LabError>>()?;
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        // Each server keeps a little for itself.
        let known = || size_bytes(&self.path).is_ok_and(|known| known > all / 4 * 3);
        running.client.wait_until(START_PATIENCE, known)
    }

    /// Without it everything is kept twice.
    fn keep_one_copy(&self) -> Result<(), LabError> {
        let launch = self
            .client
            .launch(format!("{}-goal", self.name), "mfssetgoal");
        let process = launch
            .arguments(["-r", "1"])
            .arguments([self.path.as_os_str()])
            .start(&self.lab)?;
        process.wait(START_PATIENCE)
    }
}

impl Store for MooseFs {
    fn kind(&self) -> &'static str {
        "moosefs"
    }

    fn path(&self) -> &Path {
        &self.path
    }

    /// The client is unmounted, the chunk servers are stopped, their disks unmounted, and all of it started again.
    fn drop_caches(&self) -> Result<(), LabError> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        unmount_client(&self.path, &running.client)?;
        for server in &running.chunks {
            server.stop(STOP_PATIENCE)?;
        }
        drop_disks(&self.servers)?;
        running.chunks = start_chunks(&self.lab, &self.name, &self.servers, &self.state)?;
        let master = self.servers[0].namespace.address().to_string();
        let launch = client_launch(&self.name, &self.client, &master, &self.path);
        running.client = mount_again_by(&self.lab, launch, &self.path)?;
        Ok(())
    }
}

fn size_bytes(path: &Path) -> Result<u64, LabError> {
    let stat = rustix::fs::statvfs(path).on("look up", path)?;
    Ok(stat.f_blocks * stat.f_frsize)
}

fn start_master(
    lab: &Arc<Lab>,
    name: &str,
    server: &FileServer,
    state: &Path,
) -> Result<Process, LabError> {
    let data = state.join("master");
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
    let launch = server.launch(format!("{name}-master"), "mfsmaster");
    let process = launch
        .arguments(["-f", "-c"])
        .arguments([file.as_os_str()])
        .arguments(["start"])
        .start(lab)?;
    process.wait_until(START_PATIENCE, || {
        log_count(&process, "initialized properly") > 0
    })?;
    Ok(process)
}

fn common(data: &Path) -> String {
    let data = data.display();
    format!("WORKING_USER = root\nWORKING_GROUP = root\nNICE_LEVEL = 0\nDATA_PATH = {data}\n")
}

fn configure_chunks(
    name: &str,
    server: &FileServer,
    master: &str,
    data: &Path,
) -> Result<(), LabError> {
    let part = server.part(name);
    fs::create_dir(&part).on("make", &part)?;
    fs::create_dir(data).on("make", data)?;
    let disks = data.join("disks");
    fs::write(&disks, format!("{}\n", part.display())).on("write", &disks)?;
    let configuration = format!(
        "{}HDD_CONF_FILENAME = {}\nHDD_LEAVE_SPACE_DEFAULT = 16MiB\nMASTER_HOST = {master}\n",
        common(data),
        disks.display()
    );
    let file = data.join("configuration");
    fs::write(&file, configuration).on("write", &file)
}

/// Starts them all, then waits until the master knows every one.
fn start_chunks(
    lab: &Arc<Lab>,
    name: &str,
    servers: &[FileServer],
    state: &Path,
) -> Result<Vec<Process>, LabError> {
    let mut processes = Vec::new();
    for (number, server) in servers.iter().enumerate() {
        let file = state.join(format!("chunks{number}")).join("configuration");
        let launch = server.launch(format!("{name}-chunks{number}"), "mfschunkserver");
        let launch = launch
            .arguments(["-f", "-c"])
            .arguments([file.as_os_str()])
            .arguments(["start"]);
        // The log goes on over restarts.
        let before = fs::read_to_string(lab.log(&format!("{name}-chunks{number}")));
        let before = before.map_or(0, |log| log.matches(CONNECTED).count());
        processes.push((launch.start(lab)?, before));
    }
    for (process, before) in &processes {
        process.wait_until(START_PATIENCE, || log_count(process, CONNECTED) > *before)?;
    }
    Ok(processes.into_iter().map(|(process, _)| process).collect())
}

fn log_count(process: &Process, words: &str) -> usize {
    fs::read_to_string(process.log()).map_or(0, |log| log.matches(words).count())
}

fn client_launch<'a>(name: &str, client: &'a FileClient, master: &str, path: &Path) -> Launch<'a> {
    let launch = client.launch(format!("{name}-client"), "mfsmount");
    launch
        .arguments([path.as_os_str()])
        .arguments(["-f", "-H", master])
}
