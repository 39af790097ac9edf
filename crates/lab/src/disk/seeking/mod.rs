//! A disk with a head, seeks and rotation.
//!
//! A FUSE file with direct input and output over a sparse image, served by a process of its own ([`serve`]), and a loop
//! device over it. A process, so that the end of the deployment, however sudden, leaves a disk that still answers and can be
//! unmounted; and in no node's group, so that its memory is not the node's. The image itself may well be in the
//! machine's page cache: the time a request takes is the model's, and replies that come later than
//! that are counted ([`Statistics::late`]).

mod array;
mod control;
mod divided;
mod file_system;
mod head;
mod options;
mod own_time;
mod serve;
pub(crate) mod statistics;

pub use options::{Options, member_bytes};
pub use serve::serve;
pub use statistics::Statistics;

use super::device::Disk;
use super::loop_device;
use crate::LabError;
use crate::deed::Deed;
use control::Ask;
use file_system::FILE;
use hotset_machine::process::{Launch, Process};
use hotset_machine::resource::Resource;
use hotset_machine::{Deployment, OnFile, mount};
use hotset_models::disk::DriveModel;
use hotset_scenario::Raid;
use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Above ordinary processes, so that replies come when the drive would have had them.
const PRIORITY: u8 = 10;
/// The most that FUSE hands over at a time, `fs.fuse.max_pages_limit` of 256 pages. It would divide a larger request, and the
/// drive may serve the parts of two such requests in turn, a turn of its platters each. A real drive gets requests whole.
const LARGEST_REQUEST_KIB: u32 = 1024;
const START_PATIENCE: Duration = Duration::from_secs(10);

/// The lab's side of such a disk.
#[derive(Debug)]
pub struct Seeking {
    device: PathBuf,
    socket: PathBuf,
    process: Process,
}

impl Seeking {
    /// Starts the drive's process and attaches a loop device. `command` is a program and its first arguments that calls
    /// [`serve`] with the [`Options`] of the argument after them.
    ///
    /// # Errors
    /// When the process does not come up; with the end of its log.
    pub fn create(
        deployment: &Arc<Deployment>,
        name: &str,
        capacity_bytes: u64,
        model: DriveModel,
        command: &[OsString],
    ) -> Result<Self, LabError> {
        Self::create_array(deployment, name, capacity_bytes, (model, None), command)
    }

    /// As [`Seeking::create`], of several drives of that `model` that act as one where a RAID is given.
    ///
    /// # Errors
    /// As there.
    pub fn create_array(
        deployment: &Arc<Deployment>,
        name: &str,
        capacity_bytes: u64,
        (model, raid): (DriveModel, Option<Raid>),
        command: &[OsString],
    ) -> Result<Self, LabError> {
        let options = Options {
            image: deployment.work().join(format!("{name}.img")),
            mount: deployment.mount_point(&format!("{name}-drive"))?,
            socket: deployment.directory().join(format!("{name}.socket")),
            capacity_bytes,
            raid,
            model,
        };
        let image = Resource::File(options.image.clone());
        let (_entry, _file) = deployment.make(image, || {
            File::create_new(&options.image).on("make", &options.image)
        })?;
        let mounted = Resource::Mount(options.mount.clone());
        let (_entry, process) =
            deployment.make(mounted, || start(deployment, name, &options, command))?;
        let device = loop_device::attach(deployment, &options.mount.join(FILE))?;
        loop_device::limit_requests(&device, LARGEST_REQUEST_KIB)?;
        Ok(Self {
            device,
            socket: options.socket,
            process,
        })
    }

    /// The process that plays the drive.
    #[must_use]
    pub fn process(&self) -> &Process {
        &self.process
    }
}

fn start(
    deployment: &Arc<Deployment>,
    name: &str,
    options: &Options,
    command: &[OsString],
) -> Result<Process, LabError> {
    let (program, arguments) = command
        .split_first()
        .ok_or_else(|| LabError::Unusable("no program plays the disk".to_owned()))?;
    let text = serde_json::to_string(options).map_err(|error| {
        LabError::Unusable(format!("the options of a disk of the run: {error}"))
    })?;
    let launch = Launch::new(format!("{name}-drive"), program)
        .arguments(arguments.iter().cloned())
        .arguments([text])
        .real_time(PRIORITY);
    let process = launch.start(deployment)?;
    process.wait_until(START_PATIENCE, || {
        mount::is_mount_point(&options.mount).unwrap_or(false)
    })?;
    Ok(process)
}

impl Disk for Seeking {
    fn device(&self) -> &Path {
        &self.device
    }

    fn set_delays(&self, on: bool) -> Result<(), LabError> {
        Ok(control::ask(&self.socket, Ask::Delays(on)).map(drop)?)
    }

    fn at_speed(&self, speed: f64) -> Result<Vec<Deed>, LabError> {
        Ok(vec![Deed::Tell {
            socket: self.socket.clone(),
            line: Ask::Speed(speed).line(),
        }])
    }

    fn statistics(&self) -> Result<Option<Statistics>, LabError> {
        Ok(control::ask(&self.socket, Ask::Statistics).map(Some)?)
    }
}
