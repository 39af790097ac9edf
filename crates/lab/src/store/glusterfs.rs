//! GlusterFS: a volume distributed over bricks on several servers, a FUSE client.

use super::Store;
use super::remote::{
    FileClient, FileServer, START_PATIENCE, STOP_PATIENCE, drop_disks, mount_again_by, mount_by,
    state_directory, unmount_client,
};
use crate::error::OnFile;
use crate::process::{Launch, Process};
use crate::{Lab, LabError};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Gives a server's daemons a /run, a state and logs of their own: $1 is the server's disk, which is still where it
/// was, $2 its state, then the program. They must not keep copies of other mounts: those could not be emptied.
const APART: &str = r#"set -e
disk=$1; state=$2; shift 2
mount --make-rprivate /
mount --bind "$state/lib" /var/lib/glusterd
mount --bind "$state/log" /var/log/glusterfs
mount --bind "$disk" /mnt
cat /proc/self/mounts > "$state/mounts"
while read -r source path kind rest; do
  case "$source $kind" in
    /dev/loop*|*" fuse"*) [ "$path" = /mnt ] || umount -l "$path" ;;
  esac
done < "$state/mounts"
mount -t tmpfs -o mode=755 hotset /run
mkdir -p /run/gluster "$disk"
mount --move /mnt "$disk"
exec "$@""#;

/// A volume over all servers, each file whole on one of them.
#[derive(Debug)]
pub struct GlusterFs {
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
    servers: Vec<Process>,
}

impl GlusterFs {
    /// Starts the servers, makes the volume and mounts it on the client's node.
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
            .ok_or_else(|| LabError::Unusable("GlusterFS without a server".to_owned()))?;
        let state = state_directory(lab, name)?;
        let path = lab.mount_point(name)?;
        for (number, server) in servers.iter().enumerate() {
            prepare(name, server, &state.join(number.to_string()))?;
        }
        let daemons = start_servers(lab, name, &servers, &state)?;
        make_volume(lab, name, &servers, &daemons)?;
        let launch = client_launch(name, &client, first, &path);
        let mounted = mount_by(lab, launch, &path)?;
        let running = Mutex::new(Running {
            client: mounted,
            servers: daemons,
        });
        let (lab, name) = (Arc::clone(lab), name.to_owned());
        Ok(Self {
            lab,
            name,
            path,
            state,
            servers,
            client,
            running,
        })
    }
}

impl Store for GlusterFs {
    fn kind(&self) -> &'static str {
        "glusterfs"
    }

    fn path(&self) -> &Path {
        &self.path
    }

    /// The client is unmounted, the servers are stopped, their disks unmounted, and all of it started again.
    fn drop_caches(&self) -> Result<(), LabError> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        unmount_client(&self.path, &running.client)?;
        for server in &running.servers {
            server.stop(STOP_PATIENCE)?;
        }
        drop_disks(&self.servers)?;
        running.servers = start_servers(&self.lab, &self.name, &self.servers, &self.state)?;
        wait_for_bricks(&self.lab, &self.name, &self.servers, &running.servers)?;
        let launch = client_launch(&self.name, &self.client, &self.servers[0], &self.path);
        running.client = mount_again_by(&self.lab, launch, &self.path)?;
        Ok(())
    }
}

fn prepare(name: &str, server: &FileServer, state: &Path) -> Result<(), LabError> {
    for directory in [state.join("lib"), state.join("log"), server.part(name)] {
        fs::create_dir_all(&directory).on("make", &directory)?;
    }
    Ok(())
}

/// Starts one daemon for each server, which starts that server's bricks, and waits until they answer.
fn start_servers(
    lab: &Arc<Lab>,
    name: &str,
    servers: &[FileServer],
    state: &Path,
) -> Result<Vec<Process>, LabError> {
    let start = |(number, server): (usize, &FileServer)| {
        let launch = server.launch(format!("{name}-server{number}"), "unshare");
        let apart = ["-m", "sh", "-c", APART, "hotset-apart"];
        let directories = [
            server.disk.path().to_owned(),
            state.join(number.to_string()),
        ];
        let daemon = ["glusterd", "--no-daemon", "--log-level", "WARNING"];
        launch
            .arguments(apart)
            .arguments(directories.map(PathBuf::into_os_string))
            .arguments(daemon)
            .start(lab)
    };
    let daemons = servers
        .iter()
        .enumerate()
        .map(start)
        .collect::<Result<Vec<_>, _>>()?;
    for daemon in &daemons {
        daemon.wait_until(START_PATIENCE, || {
            gluster(lab, daemon, &["pool", "list"]).is_ok()
        })?;
    }
    Ok(daemons)
}

/// Gives a command to a server's daemon, from inside its part of the machine.
fn gluster(lab: &Lab, daemon: &Process, arguments: &[&str]) -> Result<String, LabError> {
    let mut line: Vec<OsString> = vec![
        format!("--target={}", daemon.pid()).into(),
        "--mount".into(),
        "--net".into(),
        "gluster".into(),
        "--mode=script".into(),
    ];
    line.extend(arguments.iter().map(OsString::from));
    lab.run("nsenter", &line)
}

fn make_volume(
    lab: &Lab,
    name: &str,
    servers: &[FileServer],
    daemons: &[Process],
) -> Result<(), LabError> {
    for server in &servers[1..] {
        gluster(
            lab,
            &daemons[0],
            &["peer", "probe", &server.namespace.address().to_string()],
        )?;
    }
    until("all servers know each other", || {
        let pool = gluster(lab, &daemons[0], &["pool", "list"])?;
        Ok(pool.matches("Connected").count() == servers.len())
    })?;
    let brick = |server: &FileServer| {
        format!(
            "{}:{}",
            server.namespace.address(),
            server.part(name).display()
        )
    };
    let bricks: Vec<String> = servers.iter().map(brick).collect();
    let mut create = vec!["volume", "create", name];
    create.extend(bricks.iter().map(String::as_str));
    create.push("force");
    gluster(lab, &daemons[0], &create)?;
    gluster(lab, &daemons[0], &["volume", "start", name])?;
    wait_for_bricks(lab, name, servers, daemons)
}

/// Until each server's brick takes part.
fn wait_for_bricks(
    lab: &Lab,
    name: &str,
    servers: &[FileServer],
    daemons: &[Process],
) -> Result<(), LabError> {
    until("all bricks are online", || {
        let status =
            gluster(lab, &daemons[0], &["volume", "status", name, "detail"]).unwrap_or_default();
        let online = status.lines().filter(|line| {
            line.split_once(':')
                .is_some_and(|(key, value)| key.trim() == "Online" && value.trim() == "Y")
        });
        Ok(online.count() == servers.len())
    })
}

fn until(what: &str, mut ready: impl FnMut() -> Result<bool, LabError>) -> Result<(), LabError> {
    let give_up = Instant::now() + START_PATIENCE;
    while !ready()? {
        if Instant::now() > give_up {
            return Err(LabError::Unusable(format!(
                "GlusterFS: waited {} s until {what}",
                START_PATIENCE.as_secs()
            )));
        }
        thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}

fn client_launch<'a>(
    name: &str,
    client: &'a FileClient,
    server: &FileServer,
    path: &Path,
) -> Launch<'a> {
    let launch = client.launch(format!("{name}-client"), "glusterfs");
    launch
        .arguments([
            "--no-daemon",
            "--log-file=/dev/stderr",
            "--log-level=WARNING",
        ])
        .arguments([
            format!("--volfile-server={}", server.namespace.address()),
            format!("--volfile-id={name}"),
        ])
        .arguments([path.as_os_str()])
}
