//! Servers of the deployment, with generated configurations.

mod apache;
mod application;
mod ganesha;
mod nginx;
mod proxy;

use std::ffi::OsString;
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::LabError;
use crate::net::Namespace;
use hotset_machine::ControlGroup;
use hotset_machine::process::{Launch, Process};
use hotset_machine::{Deployment, OnFile};

pub use apache::Apache;
pub use application::{Application, RunningApplication, application_needs, start_application};
pub use ganesha::{Ganesha, MOUNT_PORT, NFS_PORT, ganesha_needs};
pub use nginx::{Nginx, WORKERS};
pub use proxy::{KEPT_RESPONSES, KEPT_SHARE, Proxy};

/// Port of the servers; every node has an address of its own.
pub const PORT: u16 = 80;

/// A virtual host that serves files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VirtualHost {
    /// Its name, the `Host` header.
    pub name: String,
    /// Folder of its files.
    pub root: PathBuf,
    /// Folder that is looked up first: the files held in memory.
    pub hot_root: Option<PathBuf>,
    /// Where its requests are logged; nowhere where there is none.
    pub access_log: Option<PathBuf>,
    /// Whether an answer's header leaves with the first of its content, as by Apache. nginx otherwise sends it before it reads the file, so that
    /// the first byte tells nothing of the disk.
    pub header_waits: bool,
}

/// A kind of server.
pub trait ServerKind {
    /// Its configuration, for `address`, keeping its own files in `folder`.
    fn configuration(&self, address: SocketAddr, folder: &Path) -> String;

    /// Program and arguments that run it in the foreground with the configuration at `path`.
    fn command(&self, path: &Path) -> (&'static str, Vec<String>);
}

/// Where a server runs.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// Its network.
    pub namespace: &'a Namespace,
    /// Its memory and processors.
    pub group: &'a ControlGroup,
    /// Its port.
    pub port: u16,
    /// Program and first arguments that start it; it is started by itself where there are none.
    pub starter: &'a [OsString],
}

/// A server that answers.
#[derive(Debug)]
pub struct Running {
    /// Where it listens.
    pub address: SocketAddr,
    /// Its processes.
    pub process: Process,
}

/// How long a server may take until it accepts connections.
const START_PATIENCE: Duration = Duration::from_secs(20);
const STOP_PATIENCE: Duration = Duration::from_secs(5);

impl Running {
    /// Ends it.
    ///
    /// # Errors
    /// When it cannot be killed.
    pub fn stop(self) -> Result<(), LabError> {
        Ok(self.process.stop(STOP_PATIENCE)?)
    }
}

/// Starts a server under a name that is unique in the deployment, and waits until it accepts connections.
///
/// # Errors
/// When its configuration cannot be written or it ends; with the end of its log.
pub fn start(
    deployment: &Arc<Deployment>,
    name: &str,
    kind: &dyn ServerKind,
    place: Place,
) -> Result<Running, LabError> {
    let address = SocketAddr::from((place.namespace.address(), place.port));
    let folder = deployment.directory().join(name);
    std::fs::create_dir_all(&folder).on("make", &folder)?;
    let path = folder.join("server.conf");
    std::fs::write(&path, kind.configuration(address, &folder)).on("write", &path)?;
    let (program, arguments) = kind.command(&path);
    let mut words = place.starter.to_vec();
    words.push(program.into());
    words.extend(arguments.into_iter().map(OsString::from));
    let process = Launch::new(name, words.remove(0))
        .arguments(words)
        .in_network(place.namespace.name())
        .in_group(place.group)
        .start(deployment)?;
    process.wait_until(START_PATIENCE, || {
        TcpStream::connect_timeout(&address, Duration::from_millis(200)).is_ok()
    })?;
    Ok(Running { address, process })
}
