//! Whether somebody is writing to a file.
#![allow(
    unsafe_code,
    reason = "leases have no safe wrapper; see `is_open_for_writing`"
)]

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd as _;
use std::sync::Once;

/// Whoever opens a file that is leased has the kernel send this to the leaseholder, which would end it.
static BREAKS: Once = Once::new();

/// Whether a process has the file open for writing; `file` is open for reading only. None where the kernel does not tell: on file
/// systems without leases, and to other users than the file's owner without CAP_LEASE.
///
/// The kernel gives a lease on reading only while nobody has the file open for writing (fcntl(2), `F_SETLEASE`). It is given back
/// at once.
#[must_use]
pub fn is_open_for_writing(file: &File) -> Option<bool> {
    BREAKS.call_once(|| {
        // SAFETY: ignoring a signal runs no code of ours, and nothing else in this program waits for it.
        unsafe { libc::signal(libc::SIGIO, libc::SIG_IGN) };
    });
    let lease = |kind: libc::c_int| {
        // SAFETY: the descriptor stays open while the file is borrowed, and this command takes a number.
        unsafe { libc::fcntl(file.as_raw_fd(), libc::F_SETLEASE, kind) }
    };
    if lease(libc::F_RDLCK) == 0 {
        lease(libc::F_UNLCK);
        return Some(false);
    }
    let refused = io::Error::last_os_error();
    (refused.kind() == io::ErrorKind::WouldBlock).then_some(true)
}
