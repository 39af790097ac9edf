//! The processors of clients.

use crate::machine::Machine;
use crate::station::Station;

/// Processors of several clients.
pub(crate) trait Processors {
    /// Has a client's work so long for what comes at `now_ns`; when that is done.
    fn serve(&mut self, client: u32, now_ns: u64, work_ns: u64) -> u64;
}

impl<W> Processors for [Machine<W>] {
    fn serve(&mut self, client: u32, now_ns: u64, work_ns: u64) -> u64 {
        self[client as usize].processors.serve(now_ns, work_ns)
    }
}

impl Processors for [Station] {
    fn serve(&mut self, client: u32, now_ns: u64, work_ns: u64) -> u64 {
        self[client as usize].serve(now_ns, work_ns)
    }
}
