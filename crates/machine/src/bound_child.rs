//! Programs that end with the process that started them, however that ends.
#![expect(
    unsafe_code,
    reason = "what a child does before its program begins has no safe wrapper"
)]

use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

use rustix::process::{Signal, getpid, getppid, set_parent_process_death_signal};

/// Has a program that is started from the calling thread get SIGTERM when that thread ends, killed or not (`PR_SET_PDEATHSIG`,
/// prctl(2)).
pub fn end_with_caller(command: &mut Command) {
    let caller = getpid();
    let bind = move || {
        set_parent_process_death_signal(Some(Signal::TERM))?;
        // The caller may have ended before that.
        match getppid() == Some(caller) {
            true => Ok(()),
            false => Err(io::Error::from(io::ErrorKind::NotFound)),
        }
    };
    // SAFETY: between fork and exec it makes two system calls. It allocates nothing and takes no lock.
    unsafe { command.pre_exec(bind) };
}
