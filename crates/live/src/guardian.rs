//! The process that keeps what `hotset apply` has placed: it starts the workers, starts dead ones anew, and holds again what
//! was replaced. Everything it makes is in its ledger first, so that it may be killed at any moment: `hotset release` kills
//! it on purpose.

use crate::context::Context;
use crate::control::{self, Answer};
use crate::detach::close_standard_streams;
use crate::keeper::Keeper;
use crate::release::ledger_is_locked;
use crate::{LiveError, Request, StateFolder};
use hotset_machine::OnFile;
use hotset_machine::ledger::{self, Ledger};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::ffi::OsString;
use std::fs::{DirBuilder, File};
use std::os::fd::BorrowedFd;
use std::os::unix::fs::DirBuilderExt as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::thread;
use std::time::{Duration, Instant};

/// From one look at the room in the server's group to the next: what the server takes meanwhile has to fit into the headroom.
const ROOM_INTERVAL: Duration = Duration::from_millis(100);

/// The kernel closes the files of a process that was killed within milliseconds, if the machine is not busy.
const LOCK_PATIENCE: Duration = Duration::from_secs(30);
const LOCK_PAUSE: Duration = Duration::from_millis(5);

/// Whoever starts a guardian asks it at once. One that is not asked for so long was started by a command that was killed.
const FIRST_REQUEST: Duration = Duration::from_secs(10);

/// Keeps the files of a state folder until it is killed. `worker` are the arguments of this program that start a worker.
///
/// # Errors
/// When the folder has a guardian already, or what a dead one left cannot be taken back.
pub fn guard(folder: &StateFolder, worker: &[OsString]) -> Result<(), LiveError> {
    // Without a terminal of its own it is not ended with one. It may lead a session already.
    let _session = rustix::process::setsid();
    folder.check()?;
    let _lock = lock(folder)?;
    take_back(folder)?;
    let runs = folder.runs();
    // It says which files of all sites are held, and that is not for everybody.
    let make = DirBuilder::new().recursive(true).mode(0o700).create(&runs);
    make.on("make", &runs)?;
    let ledger = Ledger::open(&folder.run())?;
    let listener = control::listen(folder)?;
    // It does not keep a file system busy that its caller happened to be in.
    std::env::set_current_dir("/").on("enter", "/")?;
    close_standard_streams()?;
    let mut guardian = Guardian {
        folder,
        listener,
        context: Context {
            ledger: &ledger,
            worker,
            folder,
        },
        keeper: None,
        is_unsaved: false,
    };
    let unanswered = guardian.run();
    // Whoever asks now is not to find a guardian that ends.
    drop(guardian);
    ledger.teardown();
    folder.remove_empty();
    if let Some((stream, answer)) = unanswered {
        control::reply(stream, &answer);
    }
    Ok(())
}

/// One guardian a folder; the lock goes with the process, which may take a moment.
fn lock(folder: &StateFolder) -> Result<File, LiveError> {
    let give_up = Instant::now() + LOCK_PATIENCE;
    loop {
        if let Some(lock) = folder.lock()? {
            return Ok(lock);
        }
        if Instant::now() > give_up {
            return Err(folder.refused("has a guardian already"));
        }
        thread::sleep(LOCK_PAUSE);
    }
}

/// Undoes what a dead guardian has left.
fn take_back(folder: &StateFolder) -> Result<(), LiveError> {
    let recovery = ledger::recover(&folder.runs())?;
    if !recovery.live.is_empty() {
        return Err(ledger_is_locked(folder));
    }
    let left: Vec<String> = (recovery.dead.into_iter())
        .flat_map(|(_, teardown)| teardown.left)
        .collect();
    match left.is_empty() {
        true => Ok(()),
        false => Err(folder.refused(format!(
            "what was held before cannot be released: {}",
            left.join("; ")
        ))),
    }
}

/// Why a guardian does something.
enum WakeReason {
    Asked,
    ForRoom,
    /// Something has happened in a folder that is watched.
    ForNews,
    ForPass,
}

struct Guardian<'l> {
    folder: &'l StateFolder,
    listener: UnixListener,
    context: Context<'l>,
    /// None until it was asked to hold something.
    keeper: Option<Keeper<'l>>,
    /// Whether what is held is other than what is written down.
    is_unsaved: bool,
}

impl<'l> Guardian<'l> {
    /// Answers requests and looks at the files. It ends when its first request fails or does not come, or when
    /// somebody has removed its ledger: then it holds nothing. The answer that is to be given in the end.
    fn run(&mut self) -> Option<(UnixStream, Answer)> {
        let mut next_pass = Instant::now() + FIRST_REQUEST;
        loop {
            match self.wait(next_pass) {
                WakeReason::Asked => {
                    let unanswered = self.answer();
                    if unanswered.is_some() {
                        return unanswered;
                    }
                }
                WakeReason::ForRoom => {
                    self.keep(Keeper::make_room);
                    continue;
                }
                WakeReason::ForNews if !self.keeper.as_mut().is_some_and(Keeper::has_news) => {
                    continue;
                }
                // What is written down nowhere could not be released.
                WakeReason::ForPass if !self.folder.run().join("ledger").exists() => return None,
                WakeReason::ForNews | WakeReason::ForPass => self.keep(Keeper::pass),
            }
            // Without one, nothing was asked for in time.
            let keeper = self.keeper.as_mut()?;
            // What has been done is told first. What cannot be watched now is tried again.
            let _watched = keeper.watch_paths();
            next_pass = Instant::now() + keeper.interval();
        }
    }

    /// Does something about what is held, and writes down what has changed.
    fn keep(&mut self, deed: impl FnOnce(&mut Keeper<'l>) -> Result<bool, LiveError>) {
        if let Some(keeper) = &mut self.keeper {
            // What fails now is tried again by the next pass. Whoever asks is told meanwhile.
            self.is_unsaved |= match deed(&mut *keeper) {
                Ok(has_changed) => has_changed,
                Err(error) => keeper.note_failure(&error),
            };
            if self.is_unsaved {
                // A full disk leaves the state as it was; the next pass tries again.
                let _saved = self.save();
            }
        }
    }

    /// Writes down what is held.
    fn save(&mut self) -> Result<(), LiveError> {
        let Some(keeper) = &self.keeper else {
            return Ok(());
        };
        self.is_unsaved = true;
        self.folder.save(&keeper.state()?)?;
        self.is_unsaved = false;
        Ok(())
    }

    /// Waits until there is a request or news, a worker is gone, or it is time for a pass, or to look at the group's room.
    fn wait(&self, pass_at: Instant) -> WakeReason {
        let has_group = (self.keeper.as_ref()).is_some_and(|keeper| keeper.group().is_some());
        let room_at = has_group.then(|| Instant::now() + ROOM_INTERVAL);
        let room_at = room_at.filter(|room_at| *room_at < pass_at);
        let until = room_at.unwrap_or(pass_at);
        loop {
            // News may come by the thousand, so they are not listened to all the time.
            let news = self.keeper.as_ref().and_then(Keeper::news);
            let quiet_until = news
                .map(|news| news.from)
                .filter(|from| Instant::now() < *from);
            let listened = news.filter(|_| quiet_until.is_none());
            let wake_at = quiet_until.map_or(until, |quiet| quiet.min(until));
            if let Some(woken) = self.hear(listened.map(|news| news.descriptor), wake_at) {
                return woken;
            }
            if Instant::now() >= until {
                return room_at.map_or(WakeReason::ForPass, |_| WakeReason::ForRoom);
            }
        }
    }

    /// Waits for requests, workers that are gone, and news; nothing where none come in time.
    fn hear(&self, news: Option<BorrowedFd<'_>>, until: Instant) -> Option<WakeReason> {
        let sockets = self.keeper.as_ref().map(Keeper::sockets);
        let mut watched = vec![PollFd::new(&self.listener, PollFlags::IN)];
        watched.extend(news.map(|news| PollFd::from_borrowed_fd(news, PollFlags::IN)));
        // A hang-up is told without being asked for.
        let gone = sockets.iter().flatten();
        watched.extend(gone.map(|socket| PollFd::from_borrowed_fd(*socket, PollFlags::empty())));
        let left = until.saturating_duration_since(Instant::now());
        let polled = poll(&mut watched, Timespec::try_from(left).ok().as_ref());
        let is_readable = |at: usize| watched[at].revents().contains(PollFlags::IN);
        match polled {
            Ok(0) => None,
            Ok(_) if is_readable(0) => Some(WakeReason::Asked),
            Ok(_) if news.is_some() && is_readable(1) => Some(WakeReason::ForNews),
            _ => Some(WakeReason::ForPass),
        }
    }

    /// Answers a request, or leaves that for the end where there is nothing to go on with.
    fn answer(&mut self) -> Option<(UnixStream, Answer)> {
        // Who says nothing that can be read gets no answer.
        let (stream, request) = control::receive(&self.listener).ok()?;
        let answer = match self.place(request) {
            Ok(()) => Answer::Placed,
            Err(error) => Answer::Failed(error.to_string()),
        };
        match self.keeper.is_some() {
            true => {
                control::reply(stream, &answer);
                None
            }
            false => Some((stream, answer)),
        }
    }

    fn place(&mut self, request: Request) -> Result<(), LiveError> {
        match &mut self.keeper {
            Some(keeper) => keeper.change(request)?,
            None => self.keeper = Some(Keeper::new(request, self.context)?),
        }
        let Some(keeper) = &mut self.keeper else {
            return Ok(());
        };
        keeper.pass()?;
        self.save()
    }
}
