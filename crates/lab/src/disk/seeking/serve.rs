//! The process that plays a drive.

use super::array::Array;
use super::control;
use super::file_system::DriveFile;
use super::head::Head;
use super::options::Options;
use crate::LabError;
use fuser::{Config, MountOption};
use hotset_machine::OnFile;
use std::fs::{self, File};
use std::os::unix::net::UnixListener;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

/// Plays a drive until its file system is unmounted. The body of the process that [`Seeking::create`](super::Seeking::create) starts.
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
    let array = Arc::new(Array::new(image, options).on("open", &options.image)?);
    let workers: Vec<_> = array.heads().iter().cloned().map(start).collect();
    let controlled = Arc::clone(&array);
    thread::spawn(move || control::answer(&listener, &controlled));
    mount(options, array)?;
    workers.into_iter().try_for_each(|worker| {
        let joined = worker.join();
        joined.map_err(|_| LabError::Unusable("the drive's head broke".to_owned()))
    })
}

fn start(head: Arc<Head>) -> JoinHandle<()> {
    thread::spawn(move || {
        exact_timers();
        head.run();
    })
}

fn mount(options: &Options, array: Arc<Array>) -> Result<(), LabError> {
    let file_system = DriveFile {
        array,
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
