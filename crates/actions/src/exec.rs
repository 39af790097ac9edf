//! A server that sees mounts of its own, so that copies can be bound over its files.

use std::convert::Infallible;
use std::ffi::OsString;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

use hotset_machine::namespace;

use crate::JobError;
use crate::error::refuse;

/// Becomes the program of `command`, with mounts of its own.
///
/// # Errors
/// It cannot be started, or no mounts can be had.
pub fn run(command: &[OsString]) -> Result<Infallible, JobError> {
    namespace::leave_shared()?;
    let [program, arguments @ ..] = command else {
        refuse!("there is no program to start");
    };
    let error = Command::new(program).args(arguments).exec();
    let place = format!("cannot start {}", program.display());
    Err(JobError::at(place, error))
}
