//! Where questions come in, and who may ask.

use super::exchange::{Answer, Question};
use super::token::Token;
use crate::LiveError;
use hotset_machine::OnFile as _;
use rustix::net::sockopt::{Timeout, set_socket_timeout, socket_peercred};
use std::fs::{self, File, Permissions};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Whoever asks has so long for a whole question, and for taking all of its answer.
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
        let make = || {
            match fs::remove_file(path) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            let listener = UnixListener::bind(path)?;
            fs::set_permissions(path, Permissions::from_mode(0o600))?;
            Ok(listener)
        };
        Ok(Self::Socket(make().on("listen on", path)?))
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
        let (stream, token) = match self {
            Self::Socket(listener) => (OwnedFd::from(listener.accept()?.0), None),
            Self::Port(listener, token) => (listener.accept()?.0.into(), Some(token.clone())),
        };
        let stream = File::from(stream);
        Ok(Caller { stream, token })
    }
}

/// Whoever asks, and what is to be known where they came in.
struct Caller {
    stream: File,
    token: Option<Token>,
}

impl Caller {
    /// Answers one question by what `answer` says of a path.
    fn serve(self, answer: &dyn Fn(&str) -> Answer) -> io::Result<()> {
        let question = Question::read(Patient::with(&self.stream))?;
        let is_head = question.as_ref().is_some_and(|it| it.method == "HEAD");
        let answer = match question {
            None => Answer::problem(400, "that is no question in HTTP"),
            Some(question) => match self.refusal(&question)? {
                Some(refusal) => refusal,
                None if is_head || question.method == "GET" => answer(&question.path),
                None => Answer::problem(405, "nothing can be changed here"),
            },
        };
        answer.send(Patient::with(&self.stream), !is_head)
    }

    /// Why a question is not answered, if so.
    fn refusal(&self, question: &Question) -> io::Result<Option<Answer>> {
        let given = question.authorization.as_deref().unwrap_or_default();
        let (may, refusal) = match &self.token {
            Some(token) => (
                token.is_known_to(given),
                (
                    401,
                    "the token is missing or wrong: `curl -H \"Authorization: Bearer TOKEN\"`",
                ),
            ),
            None => {
                let peer = socket_peercred(&self.stream)?.uid;
                (
                    peer.is_root() || peer == rustix::process::geteuid(),
                    (403, "only root and the user that runs hotset may ask"),
                )
            }
        };
        Ok((!may).then(|| Answer::problem(refusal.0, refusal.1)))
    }
}

/// A connection that is read from, or written to, for so long and no longer, however little comes at a time.
struct Patient<'s> {
    stream: &'s File,
    until: Instant,
}

impl<'s> Patient<'s> {
    fn with(stream: &'s File) -> Self {
        Self {
            stream,
            until: Instant::now() + PATIENCE,
        }
    }

    /// Has the kernel wait for as long as is left.
    fn wait(&self, timeout: Timeout) -> io::Result<()> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
        Ok(set_socket_timeout(self.stream, timeout, Some(left))?)
    }
}

impl Read for Patient<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.wait(Timeout::Recv)?;
        self.stream.read(buffer)
    }
}

impl Write for Patient<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.wait(Timeout::Send)?;
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
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
