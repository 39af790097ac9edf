//! A disk with a head, seeks and rotation.
//!
//! A FUSE file with direct input and output over a sparse image, served by a process of its own ([`serve`]), and a loop
//! device over it. A process, so that the end of the run, however sudden, leaves a disk that still answers and can be
//! unmounted; and in no node's group, so that its memory is not the node's. The image itself may well be in the
//! machine's page cache: the time a request takes is the model's, and replies that come later than
//! that are counted ([`Statistics::late`]).

mod arm;
mod control;
mod file_system;

use super::{Disk, loop_device};
use crate::LabError;
use arm::Arm;
use control::Ask;
use file_system::{DriveFile, FILE};
use fuser::{Config, MountOption};
use hotset_machine::process::{Launch, Process};
use hotset_machine::resource::Resource;
use hotset_machine::{OnFile, Run, mount};
use hotset_models::disk::DriveModel;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fs::{self, File};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// Above ordinary processes, so that replies come when the drive would have had them.
const PRIORITY: u8 = 10;
const START_PATIENCE: Duration = Duration::from_secs(10);

/// What the drive's process is told, as JSON in one argument.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Options {
    /// The image; made if it is not there.
    pub image: PathBuf,
    /// Where to mount the file system.
    pub mount: PathBuf,
    /// Where to listen for orders.
    pub socket: PathBuf,
    /// The drive's size, which its full stroke goes over.
    pub capacity_bytes: u64,
    /// Its mechanics.
    pub model: DriveModel,
}

impl Options {
    /// Reads what [`Seeking::create`] passes to the process as its last argument.
    ///
    /// # Errors
    /// When it is something else.
    pub fn parse(argument: &str) -> Result<Self, LabError> {
        serde_json::from_str(argument).map_err(|error| {
            LabError::Unusable(format!("the options of a disk of the run: {error}"))
        })
    }
}

/// What a drive has done with its delays on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statistics {
    /// Requests to read.
    pub reads: u64,
    /// Bytes read.
    pub read_bytes: u64,
    /// Requests to write.
    pub writes: u64,
    /// Bytes written.
    pub write_bytes: u64,
    /// Requests that the drive had in its buffer, or that passed under its head anyway.
    pub buffer_hits: u64,
    /// Time of moving the head, in microseconds.
    pub seek_us: u64,
    /// Time of waiting for the place to come round, in microseconds.
    pub rotation_us: u64,
    /// Time with a request in service, in microseconds.
    pub busy_us: u64,
    /// The longest queue before it, in requests.
    pub queue_max: u64,
    /// Replies more than a millisecond later than the drive's: the machine was too slow to play it.
    pub late: u64,
}

/// Plays a drive until its file system is unmounted. The body of the process that [`Seeking::create`] starts.
///
/// # Errors
/// When the image, the mount or the socket cannot be made.
pub fn serve(options: &Options) -> Result<(), LabError> {
    let image = File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(&options.image);
    let image = image.on("open", &options.image)?;
    image
        .set_len(options.capacity_bytes)
        .on("size", &options.image)?;
    let listener = UnixListener::bind(&options.socket).on("listen at", &options.socket)?;
    exact_timers();
    let arm = Arc::new(Arm::new(image, options));
    let working = Arc::clone(&arm);
    let worker = thread::spawn(move || {
        exact_timers();
        working.run();
    });
    let controlled = Arc::clone(&arm);
    thread::spawn(move || control::answer(&listener, &controlled));
    mount(options, arm)?;
    worker
        .join()
        .map_err(|_| LabError::Unusable("the drive's arm broke".to_owned()))
}

fn mount(options: &Options, arm: Arc<Arm>) -> Result<(), LabError> {
    let file_system = DriveFile {
        arm,
        capacity_bytes: options.capacity_bytes,
    };
    let mut config = Config::default();
    config.mount_options = vec![
        MountOption::FSName("hotset-drive".to_owned()),
        MountOption::NoDev,
    ];
    Ok(fuser::mount(file_system, &options.mount, &config).on("mount", &options.mount)?)
}

/// Ordinary processes' timers may be 50 µs late by themselves. Real-time ones are exact anyway, so that it does not
/// matter when this fails.
fn exact_timers() {
    let thread = rustix::thread::gettid().as_raw_nonzero();
    let _unchanged = fs::write(format!("/proc/{thread}/timerslack_ns"), "1");
}

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
        run: &Arc<Run>,
        name: &str,
        capacity_bytes: u64,
        model: DriveModel,
        command: &[OsString],
    ) -> Result<Self, LabError> {
        let options = Options {
            image: run.work().join(format!("{name}.img")),
            mount: run.mount_point(&format!("{name}-drive"))?,
            socket: run.directory().join(format!("{name}.socket")),
            capacity_bytes,
            model,
        };
        let image = Resource::File(options.image.clone());
        let (_entry, _file) = run.make(image, || {
            File::create_new(&options.image).on("make", &options.image)
        })?;
        let mounted = Resource::Mount(options.mount.clone());
        let (_entry, process) = run.make(mounted, || start(run, name, &options, command))?;
        let device = loop_device::attach(run, &options.mount.join(FILE))?;
        Ok(Self {
            device,
            socket: options.socket,
            process,
        })
    }

    /// What the drive has done.
    ///
    /// # Errors
    /// When it does not answer.
    pub fn statistics(&self) -> Result<Statistics, LabError> {
        Ok(control::ask(&self.socket, Ask::Statistics)?)
    }

    /// The process that plays the drive.
    #[must_use]
    pub fn process(&self) -> &Process {
        &self.process
    }
}

fn start(
    run: &Arc<Run>,
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
    let process = launch.start(run)?;
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

    fn statistics(&self) -> Result<Option<Statistics>, LabError> {
        Seeking::statistics(self).map(Some)
    }
}
