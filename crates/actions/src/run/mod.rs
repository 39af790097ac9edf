//! The logs of sites followed, and what is worth holding held.

mod answers;
mod event;
mod options;
mod patterns;
mod pools;
mod service;
mod spec;

use std::thread;
use std::time::Duration;

use hotset_machine::memory;

use crate::{JobError, Watch};
use service::Service;

pub use event::{Event, Listener};
pub use options::{INTERVAL, Options};

/// How often logs are looked at; no choice of files stays for less.
pub const LOOK_PAUSE: Duration = Duration::from_millis(200);

/// Follows and holds until `watch` stops it, and then lets go of everything. `tell` hears what happens; where `reloads` says so,
/// the scenario is read anew.
///
/// # Errors
/// A scenario that cannot be followed, a state that another holds, or what is left in the end.
pub fn run(
    options: &Options,
    watch: &dyn Watch,
    reloads: &dyn Fn() -> bool,
    tell: Listener<'_>,
) -> Result<(), JobError> {
    memory::give_back_at_once();
    let _held = watch.hold_interrupts();
    let mut service = Service::start(options, tell)?;
    while !watch.stops() {
        if reloads() {
            service.reload();
        }
        service.step();
        thread::sleep(LOOK_PAUSE);
    }
    watch.has_stopped();
    service.end()
}
