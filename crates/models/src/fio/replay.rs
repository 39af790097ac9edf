//! A process that does what a log says.

use std::sync::Arc;

use super::iolog::{Action, ActionKind, Iolog};
use super::next::Next;
use super::operation::Operation;

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

    /// What comes next at `now_ns`, before the runtime ends at `end_ns`; `invalidate` has files dropped from memory when they are opened.
    pub fn next(&mut self, now_ns: u64, end_ns: u64, invalidate: bool) -> Next {
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
            match what {
                ActionKind::Open(file) => {
                    return Next::Open {
                        file: file as usize,
                        drops: invalidate,
                    };
                }
                ActionKind::Read {
                    file,
                    offset,
                    bytes,
                } => {
                    return Next::Access {
                        file: file as usize,
                        operation: Operation::Read,
                        offset,
                        bytes: u64::from(bytes),
                        begins: false,
                        drops: false,
                    };
                }
                ActionKind::Close(_) | ActionKind::Wait(_) => {}
            }
        }
        Next::End
    }
}
