//! The process that plays a drive.

use super::arm::Arm;
use super::control;
use super::file_system::DriveFile;
use super::options::Options;
use crate::LabError;
use fuser::{Config, MountOption};
use hotset_machine::OnFile;
use std::fs::{self, File};
use std::os::unix::net::UnixListener;
use std::sync::Arc;
use std::thread;

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
