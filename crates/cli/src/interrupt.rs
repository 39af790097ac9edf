//! Ctrl-C: leave nothing half-written.
//!
//! Reading and planning hold no unfinished file, so they end at once. While a [`Guard`] is alive (a
//! folder or file is being written) the flag is raised instead and the writing loop, which polls it,
//! stops and removes what it wrote. A replay does the same and reports what it measured. Whoever presses Ctrl-C again does not want to wait for that.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static WRITERS: AtomicUsize = AtomicUsize::new(0);
static LEFT: OnceLock<String> = OnceLock::new();

/// Exit code of a command ended by SIGINT: 128 + 2, as shells report it.
pub const EXIT_CODE: u8 = 130;

/// Something is being written that must be removed or finished before the process ends.
pub struct Guard;

impl Guard {
    /// Marks the beginning of a write.
    pub fn new() -> Guard {
        WRITERS.fetch_add(1, Ordering::SeqCst);
        Guard
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        WRITERS.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Whether Ctrl-C was pressed while something was being written.
pub fn pending() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// Takes an interrupt as answered: what it was to end has ended, and its result is still to be told.
pub fn forget() {
    INTERRUPTED.store(false, Ordering::SeqCst);
}

/// What goes on without this process, for whoever ends it.
pub fn leaves(what: String) {
    // The first one is told; a command has one.
    let _known = LEFT.set(what);
}

/// Installs the handler.
pub fn install() {
    // Only fails when a handler is already there; this is the only one.
    let _ = ctrlc::set_handler(|| {
        let again = INTERRUPTED.swap(true, Ordering::SeqCst);
        if again || WRITERS.load(Ordering::SeqCst) == 0 {
            end();
        }
    });
}

#[allow(
    clippy::exit,
    clippy::print_stderr,
    reason = "nothing unfinished is on disk, or it was asked for twice; what goes on is told"
)]
fn end() -> ! {
    if let Some(left) = LEFT.get() {
        eprintln!("hotset: {left}");
    }
    std::process::exit(EXIT_CODE.into())
}
