//! What everything that a guardian makes hangs on.

use crate::StateFolder;
use hotset_machine::ledger::Ledger;
use std::ffi::OsString;

/// What placers need of their guardian.
#[derive(Clone, Copy)]
pub(crate) struct Context<'l> {
    /// Where what is made is written down first.
    pub ledger: &'l Ledger,
    /// Arguments of this program that start a worker.
    pub worker: &'l [OsString],
    /// Where all of it is.
    pub folder: &'l StateFolder,
}
