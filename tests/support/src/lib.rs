//! What tests of several crates need: to say that they cannot run here, and to take turns at the machine.

use std::cell::RefCell;
use std::env;
use std::fmt::Display;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::thread;

/// Reports the calling test as skipped, whole or in part. The test returns by itself.
///
/// A line with the test's name and the reason goes to the file that `HOTSET_SKIPPED` names. `./check` counts
/// and shows them.
///
/// # Panics
///
/// If the file cannot be written.
#[expect(clippy::print_stdout, reason = "a skipped test says why")]
pub fn skip(reason: impl Display) {
    println!("skipped: {reason}");
    let Some(list) = env::var_os("HOTSET_SKIPPED") else {
        return;
    };
    let package = env::var("CARGO_PKG_NAME").unwrap_or_default();
    let test = thread::current().name().unwrap_or("a test").to_owned();
    let line = format!("{package} {test}: {reason}\n");
    OpenOptions::new()
        .create(true)
        .append(true)
        .open(list)
        .and_then(|mut list| list.write_all(line.as_bytes()))
        .expect("the list of skipped tests takes a line");
}

/// How a test has the machine.
#[derive(Clone, Copy, PartialEq)]
enum Turn {
    Together,
    Alone,
}

thread_local! {
    static TURN: RefCell<Option<(Turn, File)>> = const { RefCell::new(None) };
}

/// Gives the machine to the calling test alone until it ends: each test has a thread of its own.
///
/// Tests that fill memory or measure ask for it. It holds between processes too.
///
/// # Panics
///
/// If there can be no lock in the folder for temporary files.
pub fn alone() {
    take(Turn::Alone);
}

/// Gives the machine to the calling test, and to others that ask for the same, until it ends.
///
/// Tests that build labs, mount, start servers or make memory groups of their own ask for it.
///
/// # Panics
///
/// If there can be no lock in the folder for temporary files.
pub fn together() {
    take(Turn::Together);
}

fn take(wanted: Turn) {
    TURN.with_borrow_mut(|turn| {
        let has = |(had, _): &(Turn, File)| *had == wanted || *had == Turn::Alone;
        if turn.as_ref().is_some_and(has) {
            return;
        }
        *turn = None;
        // Whoever waits to be alone keeps the door closed: those that come together do not pass by.
        let door = locked("hotset-tests.door", wanted);
        *turn = Some((wanted, locked("hotset-tests.lock", wanted)));
        drop(door);
    });
}

fn locked(name: &str, turn: Turn) -> File {
    let path = env::temp_dir().join(name);
    // Opened to read, the lock of another user serves as well.
    let file = File::open(&path)
        .or_else(|_| OpenOptions::new().create(true).append(true).open(&path))
        .expect("a lock among temporary files");
    let taken = match turn {
        Turn::Alone => file.lock(),
        Turn::Together => file.lock_shared(),
    };
    taken.expect("the lock is waited for");
    file
}
