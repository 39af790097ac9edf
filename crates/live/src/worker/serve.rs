//! The worker's own side: a process that does what its guardian tells it, and nothing else.

use super::message::{Order, receive_order, send_answer};
use crate::{LiveError, StateFolder};
use hotset_machine::FileMapping;
use hotset_machine::resource::Resource;
use rustix::fs::{Advice, fadvise};
use rustix::io::{Errno, pread, pwrite};
use rustix::stdio;
use std::collections::HashMap;
use std::os::fd::{AsFd, OwnedFd};
use std::thread;

/// What a copy moves at a time: the largest read-ahead that Linux uses by default for a file that is read from its beginning
/// is 128 KiB (`VM_READAHEAD_PAGES`), so this is several of them.
const CHUNK_BYTES: usize = 1 << 20;

/// Does what comes in on standard input, a socket, until the guardian is gone, or at once where there is no such socket. A worker that locks files goes on holding them
/// then: they are given up by `hotset release`, or by the next guardian. One that copies files for
/// the guardian of `folder` is to `withdraw` them from servers, because nobody keeps them up to date any more.
///
/// # Errors
/// When standard input is closed, or copies cannot be taken away.
pub fn serve(folder: &StateFolder, withdraw: bool) -> Result<(), LiveError> {
    let socket = rustix::io::fcntl_dupfd_cloexec(stdio::stdin(), 3)
        .map_err(|error| LiveError::system("use standard input", "the guardian's socket", error))?;
    crate::detach::close_standard_streams()?;
    if withdraw {
        // What ends the guardian's session is not to end it, too.
        let _session = rustix::process::setsid();
    }
    let mut locked = HashMap::new();
    while let Some((order, files)) = receive_order(&socket) {
        let done = carry_out(order, &files, &mut locked);
        if send_answer(&socket, done).is_err() {
            break;
        }
    }
    if withdraw {
        let copies = folder.copies();
        Resource::Binds(copies.clone()).undo()?;
        Resource::Mount(copies).undo()?;
    }
    while !locked.is_empty() {
        thread::park();
    }
    Ok(())
}

fn carry_out(
    order: Order,
    files: &[OwnedFd],
    locked: &mut HashMap<u64, FileMapping>,
) -> Result<(), Errno> {
    match (order, files) {
        (Order::Lock { number, bytes }, [file]) => {
            let length = usize::try_from(bytes).map_err(|_| Errno::FBIG)?;
            // Reads in large pieces what locking would read page by page; a file system that cannot is no harm.
            let _begun = fadvise(file, 0, None, Advice::WillNeed);
            let mapping = FileMapping::of_length(file, length)?;
            // Kernels that do not know this lock as well.
            let _populated = mapping.populate();
            mapping.lock()?;
            locked.insert(number, mapping);
            Ok(())
        }
        (Order::Unlock { number }, []) => {
            locked.remove(&number);
            Ok(())
        }
        (Order::Copy { bytes }, [from, to]) => copy(from, to, bytes),
        _ => Err(Errno::INVAL),
    }
}

/// Copies exactly so many bytes: a file that has become shorter meanwhile is an error.
fn copy(from: impl AsFd, to: impl AsFd, bytes: u64) -> Result<(), Errno> {
    let mut chunk = vec![0; CHUNK_BYTES];
    let mut at = 0;
    while at < bytes {
        let wanted = usize::try_from(bytes - at).unwrap_or(CHUNK_BYTES);
        let wanted = wanted.min(CHUNK_BYTES);
        let read = pread(from.as_fd(), &mut chunk[..wanted], at)?;
        if read == 0 {
            return Err(Errno::STALE);
        }
        let mut written = 0;
        while written < read {
            written += pwrite(to.as_fd(), &chunk[written..read], at + written as u64)?;
        }
        at += read as u64;
    }
    Ok(())
}
