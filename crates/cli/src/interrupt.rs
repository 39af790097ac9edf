//! Ctrl-C, SIGTERM and SIGHUP: leave nothing half-written.
//!
//! Reading and planning hold no unfinished file, so they end at once. While a [`Guard`] is alive (a
//! folder or file is being written) the flag is raised instead and the writing loop, which polls it,
//! stops and removes what it wrote. A replay does the same and reports what it measured. Whoever presses Ctrl-C again does not want to wait for that.

use std::io::{self, Write as _};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static TAKES_HANG_UPS: AtomicBool = AtomicBool::new(false);
static HUNG_UP: AtomicBool = AtomicBool::new(false);
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

/// From now on SIGHUP does not end the process: it asks for something, as it does of daemons.
pub fn take_hang_ups() {
    TAKES_HANG_UPS.store(true, Ordering::SeqCst);
}

/// Whether SIGHUP has come since this was asked last.
pub fn hung_up() -> bool {
    HUNG_UP.swap(false, Ordering::SeqCst)
}

/// Installs the handler.
pub fn install() {
    // Only fails where the system has no more signals or files to give; then signals do what they do by themselves.
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) else {
        return;
    };
    let _started = thread::Builder::new()
        .name("signals".into())
        .spawn(move || signals.forever().for_each(take));
}

fn take(signal: i32) {
    if signal == SIGHUP && TAKES_HANG_UPS.load(Ordering::SeqCst) {
        HUNG_UP.store(true, Ordering::SeqCst);
        return;
    }
    let again = INTERRUPTED.swap(true, Ordering::SeqCst);
    if again || WRITERS.load(Ordering::SeqCst) == 0 {
        end();
    }
}

#[allow(
    clippy::exit,
    reason = "nothing unfinished is on disk, or it was asked for twice; what goes on is told"
)]
fn end() -> ! {
    if let Some(left) = LEFT.get() {
        let _said = writeln!(io::stderr(), "hotset: {left}");
    }
    std::process::exit(EXIT_CODE.into())
}
