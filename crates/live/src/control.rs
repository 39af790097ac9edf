//! The socket on which a guardian is asked to hold other files.

use crate::{LiveError, Request, StateFolder};
use hotset_machine::OnFile as _;
use rustix::fs::{Mode, OFlags, open};
use serde::{Deserialize, Serialize};
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::Shutdown;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::time::Duration;

/// A request comes whole, from a program that is waiting for its answer: this long without a byte, and it has been stopped.
const REQUEST_PATIENCE: Duration = Duration::from_secs(10);

/// What a guardian says as soon as it has taken a request. JSON may begin with it, so that it is no part of the answer.
const TAKEN: &[u8] = b"\n";

/// What a guardian answers when everything has been placed that can be.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Answer {
    Placed,
    Failed(String),
}

/// The socket by a name that is short enough whatever the folder is called: an address has 108 bytes (unix(7)). None where there is
/// no guardian.
fn short_name(folder: &StateFolder) -> Option<(OwnedFd, PathBuf)> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let run = open(folder.run(), flags, Mode::empty()).ok()?;
    let name = PathBuf::from(format!("/proc/self/fd/{}", run.as_raw_fd()));
    let name = name.join(folder.socket().file_name()?);
    Some((run, name))
}

/// Makes the socket, in the folder of the ledger.
pub(crate) fn listen(folder: &StateFolder) -> Result<UnixListener, LiveError> {
    let (_run, name) = short_name(folder).unzip();
    let name = name.ok_or(ErrorKind::NotFound.into());
    let listener = name.and_then(UnixListener::bind);
    Ok(listener.on("make", folder.socket())?)
}

/// Asks the guardian of a folder to hold these files, and waits until it does. None where there is no guardian, or only one that
/// was killed before it took the request: the kernel has yet to close its socket.
pub(crate) fn ask(folder: &StateFolder, request: &Request) -> Result<Option<Answer>, LiveError> {
    let Some((_run, name)) = short_name(folder) else {
        return Ok(None);
    };
    // A process that is on its way out may still take what nobody will answer.
    if !folder.has_guardian()? {
        return Ok(None);
    }
    let Ok(mut stream) = UnixStream::connect(name) else {
        return Ok(None);
    };
    let request = serde_json::to_vec(request).map_err(talk)?;
    let sent = stream.write_all(&request);
    if sent
        .and_then(|()| stream.shutdown(Shutdown::Write))
        .is_err()
    {
        return Ok(None);
    }
    let mut answer = String::new();
    // Whoever was killed has said nothing.
    let _read = stream.read_to_string(&mut answer);
    match answer.trim().is_empty() {
        // It was killed before it took the request, and has begun nothing.
        true if answer.is_empty() => Ok(None),
        true => Err(LiveError::Guardian(
            "the guardian was killed while it was placing files: apply the plan again, or take back with `hotset release` \
             what it has placed"
                .to_owned(),
        )),
        false => serde_json::from_str(&answer).map(Some).map_err(talk),
    }
}

/// An end of the guardian is no end of the terminal, which a broken pipe is taken for.
fn talk(error: serde_json::Error) -> LiveError {
    LiveError::Guardian(format!("the guardian cannot be talked to: {error}"))
}

/// Takes one request, and says so.
pub(crate) fn receive(listener: &UnixListener) -> Result<(UnixStream, Request), LiveError> {
    let take = || {
        let (mut stream, _) = listener.accept()?;
        stream.set_read_timeout(Some(REQUEST_PATIENCE))?;
        let mut text = String::new();
        stream.read_to_string(&mut text)?;
        let request = serde_json::from_str(&text)?;
        // Whoever has asked may have been stopped meanwhile.
        let _sent = stream.write_all(TAKEN);
        Ok((stream, request))
    };
    take().map_err(|error: std::io::Error| LiveError::system("read", "a request", error))
}

/// Answers it. Whoever has asked may have been stopped meanwhile.
pub(crate) fn reply(mut stream: UnixStream, answer: &Answer) {
    if let Ok(text) = serde_json::to_vec(answer) {
        let _sent = stream.write_all(&text);
    }
}
