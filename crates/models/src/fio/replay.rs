//! A process that does what a log says.

use std::sync::Arc;

use super::Job;
use super::iolog::{Action, ActionKind, Iolog};
use super::next::Next;
use super::operation::Operation;
use crate::storage::{SyncKind, WHOLE_FILE};

/// The log, and how far it has come.
pub(super) struct Replay {
    log: Arc<Iolog>,
    done: usize,
    start_ns: u64,
    /// When the last action was begun.
    last_ns: u64,
}

impl Replay {
    pub fn new(log: Arc<Iolog>, start_ns: u64) -> Self {
        Self {
            log,
            done: 0,
            start_ns,
            last_ns: start_ns,
        }
    }

    /// What comes next of `job` at `now_ns`, before the runtime ends at `end_ns`.
    pub fn next(&mut self, now_ns: u64, end_ns: u64, job: &Job) -> Next {
        while let Some(&Action { after_us, what }) = self.log.actions.get(self.done) {
            let due_ns = match what {
                ActionKind::Wait(ms) => self.start_ns.saturating_add(ms.saturating_mul(1_000_000)),
                _ => self.last_ns.saturating_add(after_us.saturating_mul(1000)),
            };
            if due_ns > now_ns {
                return Next::Wait(due_ns.min(end_ns));
            }
            self.done += 1;
            self.last_ns = now_ns;
            if let Some(next) = does(what, job) {
                return next;
            }
        }
        Next::End
    }
}

/// What an action of a log has a process of `job` do; nothing where that takes no time.
fn does(what: ActionKind, job: &Job) -> Option<Next> {
    let access = |operation, file: u32, offset, bytes: u32| Next::Access {
        file: file as usize,
        operation,
        offset,
        bytes: u64::from(bytes),
        begins: false,
        drops: false,
    };
    let sync = |file: u32, kind| Next::Sync {
        file: file as usize,
        bytes: WHOLE_FILE,
        kind,
    };
    Some(match what {
        ActionKind::Open(file) => Next::Open {
            file: file as usize,
            drops: job.invalidate,
        },
        ActionKind::Read {
            file,
            offset,
            bytes,
        } => access(Operation::Read, file, offset, bytes),
        ActionKind::Write {
            file,
            offset,
            bytes,
        } => access(Operation::Write, file, offset, bytes),
        ActionKind::Sync(file) => sync(file, SyncKind::All),
        ActionKind::DataSync(file) => sync(file, SyncKind::Data),
        // As `put_file` does (`filesetup.c`).
        ActionKind::Close(file) if job.mode.writes() && job.syncs_on_close => {
            sync(file, SyncKind::All)
        }
        ActionKind::Close(_) | ActionKind::Wait(_) => return None,
    })
}
