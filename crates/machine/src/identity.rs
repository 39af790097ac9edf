//! Which process is meant: a pid alone may have been given to another since.

use crate::{MachineError, OnFile, procfs};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use serde::{Deserialize, Serialize};
use std::io;
use std::thread;
use std::time::{Duration, Instant};

/// A killed process may wait for a slow disk before it goes.
const KILL_PATIENCE: Duration = Duration::from_secs(20);

/// A process of this or an earlier start of the machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessIdentity {
    /// The process.
    pub pid: u32,
    /// When it started, in clock ticks since the machine did.
    pub started_ticks: u64,
    /// The start of the machine it ran in.
    pub boot: String,
}

impl ProcessIdentity {
    /// The calling process.
    ///
    /// # Errors
    /// When /proc cannot be read.
    pub fn current() -> Result<Self, MachineError> {
        Self::of(std::process::id())
    }

    /// The process that has this pid now.
    ///
    /// # Errors
    /// When there is none.
    pub fn of(pid: u32) -> Result<Self, MachineError> {
        Ok(Self {
            pid,
            started_ticks: procfs::started_ticks(pid)?,
            boot: procfs::boot_id()?,
        })
    }

    pub(crate) fn is_of_this_boot(&self) -> bool {
        procfs::boot_id().is_ok_and(|boot| boot == self.boot)
    }

    /// Whether it still runs. One that has ended but that nobody has waited for does not.
    #[must_use]
    pub fn is_alive(&self) -> bool {
        self.is_of_this_boot()
            && !procfs::has_ended(self.pid)
            && procfs::started_ticks(self.pid).is_ok_and(|ticks| ticks == self.started_ticks)
    }

    /// Kills it and waits until it is gone. Whether it was there.
    ///
    /// # Errors
    /// When it may not be killed, or does not go.
    pub fn kill(&self) -> Result<bool, MachineError> {
        let Some(pid) = i32::try_from(self.pid).ok().and_then(Pid::from_raw) else {
            return Ok(false);
        };
        let process = || format!("/proc/{}", self.pid);
        // The descriptor stays with this process, so that what is looked at next is what is killed.
        let Ok(handle) = pidfd_open(pid, PidfdFlags::empty()) else {
            return Ok(false);
        };
        if !self.is_alive() {
            return Ok(false);
        }
        match pidfd_send_signal(&handle, Signal::KILL) {
            Err(rustix::io::Errno::SRCH) => return Ok(false),
            other => other.on("kill", process())?,
        }
        let give_up = Instant::now() + KILL_PATIENCE;
        while self.is_alive() {
            if Instant::now() > give_up {
                let late = io::Error::from(io::ErrorKind::TimedOut);
                return Err(late).on("wait for the end of", process());
            }
            thread::sleep(Duration::from_millis(2));
        }
        Ok(true)
    }
}
