//! What tests of several crates need: to say that they cannot run here, and to take turns at the machine.

use std::cell::RefCell;
use std::env;
use std::fmt::Display;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::Write as _;
use std::thread;
use std::time::{Duration, Instant};

/// So long a test that wants to be alone lets others pass by: about as long as the longest of them take.
const LETS_PASS: Duration = Duration::from_secs(60);
/// How often it looks meanwhile whether it is.
const LOOKS_EVERY: Duration = Duration::from_millis(20);

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
        if wanted == Turn::Alone
            && let Some(lock) = locked_soon(LOCK)
        {
            *turn = Some((wanted, lock));
            return;
        }
        // Whoever has waited to be alone closes the door: those that come together pass by no more.
        let door = locked("hotset-tests.door", wanted);
        *turn = Some((wanted, locked(LOCK, wanted)));
        drop(door);
    });
}

/// Who has it has the machine.
const LOCK: &str = "hotset-tests.lock";

fn opened(name: &str) -> File {
    let path = env::temp_dir().join(name);
    // Opened to read, the lock of another user serves as well.
    File::open(&path)
        .or_else(|_| OpenOptions::new().create(true).append(true).open(&path))
        .expect("a lock among temporary files")
}

/// The lock for one alone, if nobody has it at some moment of a while.
fn locked_soon(name: &str) -> Option<File> {
    let file = opened(name);
    let until = Instant::now() + LETS_PASS;
    while Instant::now() < until {
        match file.try_lock() {
            Ok(()) => return Some(file),
            Err(TryLockError::WouldBlock) => thread::sleep(LOOKS_EVERY),
            Err(TryLockError::Error(error)) => panic!("{name}: {error}"),
        }
    }
    None
}

fn locked(name: &str, turn: Turn) -> File {
    let file = opened(name);
    let taken = match turn {
        Turn::Alone => file.lock(),
        Turn::Together => file.lock_shared(),
    };
    taken.expect("the lock is waited for");
    file
}
