//! Processes that read files into memory in the name of the server's group, and hold them there.
//!
//! Memory is charged to the process that first touches it. So a guardian has others touch it: workers, each a process that can
//! be moved into the server's group, and that the kernel can kill there without killing the server.

mod message;
mod serve;

pub use serve::serve;

use crate::LiveError;
use hotset_machine::cgroup::MemoryGroup;
use hotset_machine::ledger::{Entry, Ledger};
use hotset_machine::resource::Resource;
use hotset_machine::{MachineError, ProcessIdentity};
use message::{Order, receive_answer, send_order};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process::{Child, Command, Stdio};

/// This program's own file, under whatever name, even when a new version has taken its place.
const THIS_PROGRAM: &str = "/proc/self/exe";

/// A worker, as its guardian sees it. Dropping it ends it.
#[derive(Debug)]
pub struct Worker<'l> {
    ledger: &'l Ledger,
    entry: Entry,
    identity: ProcessIdentity,
    socket: OwnedFd,
    child: Child,
    /// The group that it works in, and the one that it came from where it is to leave again.
    group: Option<MemoryGroup>,
    home: Option<MemoryGroup>,
}

impl<'l> Worker<'l> {
    /// Starts one with these arguments of this program. What it reads into memory is charged to `group`, or without one to
    /// where it is started.
    ///
    /// # Errors
    /// When it cannot be started or may not join the group.
    pub fn start(
        ledger: &'l Ledger,
        arguments: &[OsString],
        group: Option<&MemoryGroup>,
    ) -> Result<Self, LiveError> {
        let (own, theirs) = socketpair(
            AddressFamily::UNIX,
            SocketType::SEQPACKET,
            SocketFlags::CLOEXEC,
            None,
        )
        .map_err(|error| LiveError::system("make", "a socket for a worker", error))?;
        let mut child = Command::new(THIS_PROGRAM)
            .args(arguments)
            .stdin(Stdio::from(theirs))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| LiveError::system("start", "a worker", error))?;
        match Self::enter(ledger, child.id(), group) {
            Ok((entry, identity, home)) => Ok(Self {
                ledger,
                entry,
                identity,
                socket: own,
                child,
                group: group.cloned(),
                home,
            }),
            Err(error) => {
                // It has nothing to do yet, and would end by itself without its socket.
                let _killed = child.kill();
                let _status = child.wait();
                Err(error)
            }
        }
    }

    /// Writes the worker down before it joins the group and is given anything to do.
    fn enter(
        ledger: &Ledger,
        pid: u32,
        group: Option<&MemoryGroup>,
    ) -> Result<(Entry, ProcessIdentity, Option<MemoryGroup>), LiveError> {
        let identity = ProcessIdentity::of(pid)?;
        let start = MemoryGroup::of_process(pid)?;
        // Where it is already, nobody's leave is needed.
        let group = group.filter(|group| start.as_ref() != Some(group));
        let home = start.filter(|_| group.is_some_and(MemoryGroup::is_unified));
        let join = || {
            be_first_to_go(pid);
            group.map_or(Ok(()), |group| join(group, pid))
        };
        let (entry, ()) = ledger.make(Resource::Process(identity.clone()), join)?;
        Ok((entry, identity, home))
    }

    /// Which process it is.
    #[must_use]
    pub fn identity(&self) -> &ProcessIdentity {
        &self.identity
    }

    /// Reads a file into memory and locks it there under a number.
    ///
    /// # Errors
    /// The outer one when the worker is gone, the inner one when the file cannot be locked.
    pub fn lock(
        &self,
        number: u64,
        file: BorrowedFd<'_>,
        bytes: u64,
    ) -> Result<Result<(), Errno>, WorkerGone> {
        self.order(Order::Lock { number, bytes }, &[file])
    }

    /// Gives a number's file up.
    ///
    /// # Errors
    /// When the worker is gone, and its files with it.
    pub fn unlock(&self, number: u64) -> Result<(), WorkerGone> {
        self.order(Order::Unlock { number }, &[]).map(drop)
    }

    /// Copies so many bytes of a file into another.
    ///
    /// # Errors
    /// The outer one when the worker is gone, the inner one when the files cannot be read or written.
    pub fn copy(
        &self,
        from: BorrowedFd<'_>,
        to: BorrowedFd<'_>,
        bytes: u64,
    ) -> Result<Result<(), Errno>, WorkerGone> {
        self.order(Order::Copy { bytes }, &[from, to])
    }

    fn order(
        &self,
        order: Order,
        files: &[BorrowedFd<'_>],
    ) -> Result<Result<(), Errno>, WorkerGone> {
        send_order(&self.socket, order, files).map_err(|_| WorkerGone)?;
        receive_answer(&self.socket).map_err(|_| WorkerGone)
    }

    /// Whether it is gone.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        let mut sockets = [PollFd::new(&self.socket, PollFlags::empty())];
        let at_once = Timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        let polled = poll(&mut sockets, Some(&at_once));
        polled.is_ok() && sockets[0].revents().contains(PollFlags::HUP)
    }

    /// Goes back to the server's group, where it was sent home.
    ///
    /// # Errors
    /// When the group is gone.
    pub fn go_to_work(&self) -> Result<(), LiveError> {
        match (&self.group, &self.home) {
            (Some(group), Some(_)) => Ok(group.join(self.identity.pid)?),
            _ => Ok(()),
        }
    }

    /// Leaves a group of version 2, in which systemd kills what is not its own. What was charged stays charged. In a group of
    /// version 1 it stays, so that an overfull group kills the worker rather than the server.
    ///
    /// # Errors
    /// When the kernel refuses.
    pub fn go_home(&self) -> Result<(), LiveError> {
        self.home
            .as_ref()
            .map_or(Ok(()), |home| Ok(home.join(self.identity.pid)?))
    }
}

fn join(group: &MemoryGroup, pid: u32) -> Result<(), LiveError> {
    group.join(pid).map_err(|error| match error {
        MachineError::File { path, source, .. } if source.kind() == ErrorKind::PermissionDenied => {
            LiveError::Guardian(format!(
                "memory cannot be charged to the server's group: writing to {} takes CAP_DAC_OVERRIDE. Run hotset as root, \
                 or leave --server out",
                path.display()
            ))
        }
        other => other.into(),
    })
}

/// A full group is to lose what is held rather than its server, from the moment that the worker is in it. Raising this of one's
/// own processes is always allowed (proc(5)).
fn be_first_to_go(pid: u32) {
    let _raised = fs::write(format!("/proc/{pid}/oom_score_adj"), "1000");
}

/// Where it shows that it is gone.
impl AsFd for Worker<'_> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        let _killed = self.child.kill();
        let _status = self.child.wait();
        let _undone = self.ledger.undo(self.entry);
    }
}

/// A worker that is gone: killed, as by a group that is too full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a worker was killed")]
pub struct WorkerGone;
