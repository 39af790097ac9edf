//! The socket on which a guardian is asked to hold other files.

use crate::{LiveError, Request, StateFolder};
use rustix::fs::{Mode, OFlags, open};
use serde::{Deserialize, Serialize};
use std::io::{Read as _, Write as _};
use std::net::Shutdown;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::time::Duration;

/// A request comes whole, from a program that is waiting for its answer: this long without a byte, and it has been stopped.
const REQUEST_PATIENCE: Duration = Duration::from_secs(10);

/// What a guardian answers when everything has been placed that can be.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Answer {
    Placed,
    Failed(String),
}

/// The socket by a name that is short enough whatever the folder is called: an address has 108 bytes (unix(7)).
fn short_name(folder: &StateFolder) -> Result<(OwnedFd, PathBuf), LiveError> {
    let socket = folder.socket();
    let path = folder.path();
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let directory = open(path, flags, Mode::empty())
        .map_err(|error| LiveError::system("open", path.display().to_string(), error))?;
    let name = PathBuf::from(format!("/proc/self/fd/{}", directory.as_raw_fd()))
        .join(socket.file_name().unwrap_or_default());
    Ok((directory, name))
}

/// Makes the socket.
pub(crate) fn listen(folder: &StateFolder) -> Result<UnixListener, LiveError> {
    let (_directory, name) = short_name(folder)?;
    UnixListener::bind(name)
        .map_err(|error| LiveError::system("make", folder.socket().display().to_string(), error))
}

/// Asks the guardian of a folder to hold these files, and waits until it does. None where there is no guardian.
pub(crate) fn ask(folder: &StateFolder, request: &Request) -> Result<Option<Answer>, LiveError> {
    let (_directory, name) = short_name(folder)?;
    let Ok(mut stream) = UnixStream::connect(name) else {
        return Ok(None);
    };
    let talk = |error| LiveError::system("talk to", "the guardian", error);
    serde_json::to_writer(&mut stream, request).map_err(|error| talk(error.into()))?;
    stream.shutdown(Shutdown::Write).map_err(talk)?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).map_err(talk)?;
    match answer.is_empty() {
        true => Err(LiveError::Guardian(
            "the guardian was killed while it was placing files: `hotset release` takes back what it has placed"
                .to_owned(),
        )),
        false => serde_json::from_str(&answer)
            .map(Some)
            .map_err(|error| talk(error.into())),
    }
}

/// Takes one request.
pub(crate) fn receive(listener: &UnixListener) -> Result<(UnixStream, Request), LiveError> {
    let take = || {
        let (mut stream, _) = listener.accept()?;
        stream.set_read_timeout(Some(REQUEST_PATIENCE))?;
        let mut text = String::new();
        stream.read_to_string(&mut text)?;
        Ok((stream, serde_json::from_str(&text)?))
    };
    take().map_err(|error: std::io::Error| LiveError::system("read", "a request", error))
}

/// Answers it. Whoever has asked may have been stopped meanwhile.
pub(crate) fn reply(mut stream: UnixStream, answer: &Answer) {
    if let Ok(text) = serde_json::to_vec(answer) {
        let _sent = stream.write_all(&text);
    }
}
