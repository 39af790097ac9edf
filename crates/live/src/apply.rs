//! `hotset apply`: hands a request to the guardian of a state folder, which is started where there is none.

use crate::control::{self, Answer};
use crate::{LiveError, Request, State, StateFolder};
use hotset_machine::{OnFile, systemd};
use rustix::fs::Mode;
use std::ffi::{OsStr, OsString};
use std::fs::DirBuilder;
use std::io::{ErrorKind, Read as _};
use std::os::unix::fs::DirBuilderExt as _;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

/// How often it is looked whether a new guardian listens yet. It takes a few milliseconds.
const LISTEN_PAUSE: Duration = Duration::from_millis(5);
/// Others may look up what is in the folder, as servers do that read copies in it, but not list it or write to it.
const FOLDER_MODE: Mode = Mode::from_raw_mode(0o711);

/// Brings what is held in line with the request, and returns when that is so: what is held then. `guardian` is the command
/// that starts a guardian of the folder.
///
/// # Errors
/// When the server does not run or the folder cannot be used; what was held before stays held.
pub fn apply(
    folder: &StateFolder,
    request: &Request,
    guardian: &[OsString],
) -> Result<State, LiveError> {
    if let Some(server) = &request.server {
        server.find()?;
    }
    prepare(folder)?;
    match control::ask(folder, request)? {
        Some(answer) => placed(folder, answer),
        None => placed(folder, ask_new(folder, request, guardian)?),
    }
}

fn placed(folder: &StateFolder, answer: Answer) -> Result<State, LiveError> {
    match answer {
        Answer::Failed(problem) => Err(LiveError::Guardian(problem)),
        Answer::Placed => folder
            .load()?
            .ok_or_else(|| folder.refused("its state is gone: it was released meanwhile")),
    }
}

/// Makes the folder where there is none.
fn prepare(folder: &StateFolder) -> Result<(), LiveError> {
    let path = folder.path();
    let mode = FOLDER_MODE.bits();
    match DirBuilder::new().recursive(true).mode(mode).create(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            return Err(folder.cannot_be_made(error));
        }
        other => other.on("make", path)?,
    }
    folder.check()
}

/// Starts a guardian and asks it.
fn ask_new(
    folder: &StateFolder,
    request: &Request,
    guardian: &[OsString],
) -> Result<Answer, LiveError> {
    let mut child = start(guardian)?;
    loop {
        if let Some(answer) = control::ask(folder, request)? {
            return Ok(answer);
        }
        let status = child.try_wait();
        if status.is_ok_and(|status| status.is_some()) {
            return Err(LiveError::Guardian(last_words(child)));
        }
        thread::sleep(LISTEN_PAUSE);
    }
}

fn start(guardian: &[OsString]) -> Result<Child, LiveError> {
    let scope = match systemd::obeys() {
        true => systemd::OWN_SCOPE.as_slice(),
        false => &[],
    };
    let mut words = scope
        .iter()
        .map(OsStr::new)
        .chain(guardian.iter().map(OsString::as_os_str));
    let Some(program) = words.next() else {
        return Err(LiveError::Guardian(
            "no command starts a guardian".to_owned(),
        ));
    };
    Command::new(program)
        .args(words)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| LiveError::system("start", "a guardian", error))
}

/// What a guardian that could not begin has said.
fn last_words(mut child: Child) -> String {
    let mut said = String::new();
    if let Some(mut errors) = child.stderr.take() {
        // What it said so far is told.
        let _read = errors.read_to_string(&mut said);
    }
    let said = said.trim().trim_start_matches("hotset: ");
    match said.is_empty() {
        true => "the guardian ended before it could be asked".to_owned(),
        false => said.to_owned(),
    }
}
