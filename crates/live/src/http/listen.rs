//! Where questions come in, and who may ask.

use super::exchange::{Answer, Question};
use super::token::Token;
use crate::LiveError;
use rustix::net::sockopt::socket_peercred;
use std::fs::{self, Permissions};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// Whoever asks has so long for a question, and for taking its answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// Questions that are answered at a time; further connections are closed.
const MOST: usize = 16;

/// Where questions come in.
#[derive(Debug)]
pub enum Door {
    /// A socket for root and the user of this process.
    Socket(UnixListener),
    /// A port of this machine for whoever knows the token.
    Port(TcpListener, Token),
}

impl Door {
    /// A socket at `path`, in the place of what a dead process has left there.
    ///
    /// # Errors
    /// When it cannot be made; a path has at most 107 bytes (unix(7)).
    pub fn socket(path: &Path) -> Result<Self, LiveError> {
        let make = |error| LiveError::system("listen on", path.display().to_string(), error);
        match fs::remove_file(path) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(make(error)),
            _ => {}
        }
        let listener = UnixListener::bind(path).map_err(make)?;
        fs::set_permissions(path, Permissions::from_mode(0o600)).map_err(make)?;
        Ok(Self::Socket(listener))
    }

    /// A port.
    ///
    /// # Errors
    /// When it cannot be had.
    pub fn port(address: SocketAddr, token: Token) -> Result<Self, LiveError> {
        let make = |error| LiveError::system("listen on", address.to_string(), error);
        Ok(Self::Port(TcpListener::bind(address).map_err(make)?, token))
    }

    fn accept(&self) -> io::Result<Caller> {
        match self {
            Self::Socket(listener) => Ok(Caller::Socket(listener.accept()?.0)),
            Self::Port(listener, token) => Ok(Caller::Port(listener.accept()?.0, token.clone())),
        }
    }
}

/// Whoever asks.
enum Caller {
    Socket(UnixStream),
    Port(TcpStream, Token),
}

impl Caller {
    /// Answers one question by what `answer` says of a path.
    fn serve(self, answer: &dyn Fn(&str) -> Answer) -> io::Result<()> {
        match self {
            Self::Socket(stream) => {
                stream.set_read_timeout(Some(PATIENCE))?;
                stream.set_write_timeout(Some(PATIENCE))?;
                let peer = socket_peercred(&stream)?.uid;
                let may = peer.is_root() || peer == rustix::process::geteuid();
                exchange(&stream, answer, |_| match may {
                    true => Ok(()),
                    false => Err(Answer::problem(
                        403,
                        "only root and the user that runs hotset may ask",
                    )),
                })
            }
            Self::Port(stream, token) => {
                stream.set_read_timeout(Some(PATIENCE))?;
                stream.set_write_timeout(Some(PATIENCE))?;
                exchange(&stream, answer, |question| {
                    let given = question.authorization.as_deref().unwrap_or_default();
                    match token.is_known_to(given) {
                        true => Ok(()),
                        false => Err(Answer::problem(
                            401,
                            "the token is missing or wrong: `curl -H \"Authorization: Bearer TOKEN\"`",
                        )),
                    }
                })
            }
        }
    }
}

fn exchange<S>(
    stream: &S,
    answer: &dyn Fn(&str) -> Answer,
    may: impl FnOnce(&Question) -> Result<(), Answer>,
) -> io::Result<()>
where
    for<'s> &'s S: Read + Write,
{
    let question = Question::read(stream)?;
    let is_head = question.as_ref().is_some_and(|it| it.method == "HEAD");
    let answer = match question {
        None => Answer::problem(400, "that is no question in HTTP"),
        Some(question) => match may(&question) {
            Err(refusal) => refusal,
            Ok(()) if is_head || question.method == "GET" => answer(&question.path),
            Ok(()) => Answer::problem(405, "nothing can be changed here"),
        },
    };
    answer.send(stream, !is_head)
}

/// Answers, from a thread of its own, whoever asks at a door. It goes on until the process ends.
///
/// # Errors
/// When there can be no more threads.
pub fn answer_at(
    door: Door,
    answer: impl Fn(&str) -> Answer + Send + Sync + 'static,
) -> Result<(), LiveError> {
    let answer = Arc::new(answer);
    let asking = Arc::new(AtomicUsize::new(0));
    let listen = move || {
        loop {
            let Ok(caller) = door.accept() else {
                // No more files may be open: some will be closed.
                thread::sleep(Duration::from_millis(100));
                continue;
            };
            if asking.fetch_add(1, Ordering::SeqCst) >= MOST {
                asking.fetch_sub(1, Ordering::SeqCst);
                continue;
            }
            let (answer, place) = (Arc::clone(&answer), Place(Arc::clone(&asking)));
            let serve = move || {
                let _place = place;
                // Whoever went away needs no answer.
                let _served = caller.serve(&*answer);
            };
            let _started = thread::Builder::new().name("answer".into()).spawn(serve);
        }
    };
    let started = thread::Builder::new().name("listen".into()).spawn(listen);
    started
        .map(drop)
        .map_err(|error| LiveError::system("start", "a thread", error))
}

/// One of those who ask, as long as it is there.
struct Place(Arc<AtomicUsize>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}
