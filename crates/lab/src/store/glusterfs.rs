//! GlusterFS: a volume distributed over bricks on several servers, a FUSE client.

use super::Store;
use super::remote::{FileClient, FileServer, Remote, Running, START_PATIENCE};
use crate::LabError;
use crate::disk::Disk;
use hotset_machine::cachestat::CachedPages;
use hotset_machine::process::{Launch, Process};
use hotset_machine::{Deployment, MachineError, OnFile};
use hotset_scenario::ClusterOptions;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
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

/// Bytes of a page of the translator read-ahead, and the most pages that it fetches (`performance.read-ahead-page-count`).
const PAGE_BYTES: u64 = 128 << 10;
const MOST_PAGES: u64 = 16;

/// A volume over all servers: each file whole on one of them, or a fragment of it on each.
#[derive(Debug)]
pub struct GlusterFs {
    remote: Remote,
    running: Mutex<Running>,
}

impl GlusterFs {
    /// Starts the servers, makes the volume and mounts it on the clients' nodes.
    ///
    /// # Errors
    /// When a program is missing or does not come up; with the end of its log.
    pub fn create(
        deployment: &Arc<Deployment>,
        name: &str,
        servers: Vec<FileServer>,
        clients: Vec<FileClient>,
    ) -> Result<Self, LabError> {
        let usual = ClusterOptions::default();
        Self::create_with(deployment, name, (servers, clients), &usual)
    }

    /// The same of a volume with the options that GlusterFS knows of these: bricks that may be lost, and translators.
    ///
    /// # Errors
    /// As there.
    pub fn create_with(
        deployment: &Arc<Deployment>,
        name: &str,
        (servers, clients): (Vec<FileServer>, Vec<FileClient>),
        options: &ClusterOptions,
    ) -> Result<Self, LabError> {
        let remote = Remote::new(deployment, name, "GlusterFS", servers, clients)?;
        for (number, server) in remote.servers.iter().enumerate() {
            prepare(name, server, &remote.state.join(number.to_string()))?;
        }
        let servers = start_servers(&remote)?;
        make_volume(&remote, &servers, options)?;
        let clients = remote.mount(client_launch)?;
        let running = Mutex::new(Running { clients, servers });
        Ok(Self { remote, running })
    }
}

impl Store for GlusterFs {
    fn kind(&self) -> &'static str {
        "glusterfs"
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
        let start = || {
            let servers = start_servers(&self.remote)?;
            wait_for_bricks(&self.remote, &servers)?;
            Ok(servers)
        };
        self.remote.restart(&self.running, start, client_launch)
    }
}

fn prepare(name: &str, server: &FileServer, state: &Path) -> Result<(), LabError> {
    for directory in [state.join("lib"), state.join("log"), server.part(name)] {
        fs::create_dir_all(&directory).on("make", &directory)?;
    }
    Ok(())
}

/// Starts one daemon for each server, which starts that server's bricks, and waits until they answer.
fn start_servers(remote: &Remote) -> Result<Vec<Process>, LabError> {
    let start = |(number, server)| start_server(remote, number, server);
    let servers = remote.servers.iter().enumerate();
    let daemons = servers
        .map(start)
        .collect::<Result<Vec<_>, MachineError>>()?;
    for daemon in &daemons {
        daemon.wait_until(START_PATIENCE, || {
            gluster(&remote.deployment, daemon, &["pool", "list"]).is_ok()
        })?;
    }
    Ok(daemons)
}

fn start_server(
    remote: &Remote,
    number: usize,
    server: &FileServer,
) -> Result<Process, MachineError> {
    let launch = server.launch(format!("{}-server{number}", remote.name), "unshare");
    let apart = ["-m", "sh", "-c", APART, "hotset-apart"];
    let directories = [
        server.disk.path().to_owned(),
        remote.state.join(number.to_string()),
    ];
    let daemon = ["glusterd", "--no-daemon", "--log-level", "WARNING"];
    launch
        .arguments(apart)
        .arguments(directories.map(PathBuf::into_os_string))
        .arguments(daemon)
        .start(&remote.deployment)
}

/// Gives a command to a server's daemon, from inside its part of the machine.
fn gluster(
    deployment: &Deployment,
    daemon: &Process,
    arguments: &[&str],
) -> Result<String, MachineError> {
    let mut line: Vec<OsString> = vec![
        format!("--target={}", daemon.pid()).into(),
        "--mount".into(),
        "--net".into(),
        "gluster".into(),
        "--mode=script".into(),
    ];
    line.extend(arguments.iter().map(OsString::from));
    deployment.tool("nsenter", &line)
}

fn make_volume(
    remote: &Remote,
    daemons: &[Process],
    options: &ClusterOptions,
) -> Result<(), LabError> {
    let (deployment, name, servers) = (&remote.deployment, remote.name.as_str(), &remote.servers);
    for server in &servers[1..] {
        let address = server.namespace.address().to_string();
        gluster(deployment, &daemons[0], &["peer", "probe", &address])?;
    }
    until("all servers know each other", || {
        let pool = gluster(deployment, &daemons[0], &["pool", "list"])?;
        Ok(pool.matches("Connected").count() == servers.len())
    })?;
    let brick = |server: &FileServer| {
        let part = server.part(name);
        format!("{}:{}", server.namespace.address(), part.display())
    };
    let bricks: Vec<String> = servers.iter().map(brick).collect();
    let (count, lost) = (servers.len().to_string(), options.redundancy.unwrap_or(0));
    let lost_bricks = lost.to_string();
    let mut create = vec!["volume", "create", name];
    if lost > 0 {
        create.extend(["disperse", &count, "redundancy", &lost_bricks]);
    }
    create.extend(bricks.iter().map(String::as_str));
    create.push("force");
    gluster(deployment, &daemons[0], &create)?;
    for (key, value) in translators(options) {
        gluster(
            deployment,
            &daemons[0],
            &["volume", "set", name, key, &value],
        )?;
    }
    gluster(deployment, &daemons[0], &["volume", "start", name])?;
    wait_for_bricks(remote, daemons)
}

/// What a volume is told of its translators, where that is not as a new one has it.
fn translators(options: &ClusterOptions) -> Vec<(&'static str, String)> {
    let mut all = Vec::new();
    if let Some(bytes) = options.io_cache_bytes.filter(|bytes| *bytes > 0) {
        all.push(("performance.io-cache", "on".to_owned()));
        all.push(("performance.io-cache-size", bytes.to_string()));
    }
    if let Some(bytes) = options.read_ahead_bytes.filter(|bytes| *bytes > 0) {
        let pages = bytes.div_ceil(PAGE_BYTES).min(MOST_PAGES);
        all.push(("performance.read-ahead", "on".to_owned()));
        all.push(("performance.read-ahead-page-count", pages.to_string()));
    }
    if options.quick_read_bytes == Some(0) {
        all.push(("performance.quick-read", "off".to_owned()));
    }
    all
}

/// Until each server's brick takes part.
fn wait_for_bricks(remote: &Remote, daemons: &[Process]) -> Result<(), LabError> {
    let ask = ["volume", "status", &remote.name, "detail"];
    until("all bricks are online", || {
        let status = gluster(&remote.deployment, &daemons[0], &ask).unwrap_or_default();
        let online = status.lines().filter(|line| {
            line.split_once(':')
                .is_some_and(|(key, value)| key.trim() == "Online" && value.trim() == "Y")
        });
        Ok(online.count() == remote.servers.len())
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

fn client_launch<'r>(remote: &'r Remote, client: &'r FileClient, path: &Path) -> Launch<'r> {
    let name = &remote.name;
    let launch = client.launch(format!("{name}-client-{}", client.node), "glusterfs");
    launch
        .arguments([
            "--no-daemon",
            "--log-file=/dev/stderr",
            "--log-level=WARNING",
        ])
        .arguments([
            format!("--volfile-server={}", remote.first_address()),
            format!("--volfile-id={name}"),
        ])
        .arguments([path.as_os_str()])
}
