//! The loop of `hotset run`: when logs are looked at, choices made, checkpoints written and scenarios read anew.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use hotset_live::{
    Checkpoint, Choice, Door, LiveError, Pace, PlacerKind, Request, RunEvent, RunStatus, Runner,
    ServerName, SiteFolder, State, StateFolder, Token,
};
use hotset_machine::MachineError;
use hotset_machine::cgroup::MemoryGroup;

use super::answers;
use super::event::{self, Event, Listener, event, of_runner};
use super::options::Options;
use super::patterns::Patterns;
use super::pools::Pools;
use super::spec::{spec, wanted_pools};
use crate::error::refused;
use crate::free_memory::Fit;
use crate::{Field, JobError, Message, apply};

/// Writing down what was learnt may take one part in so many of the time: it takes seconds where a million files are known.
const SAVE_SHARE: u32 = 50;

/// How often it is looked how far the files of a choice are held, and whether those who hold them live.
const HELD_PAUSE: Duration = Duration::from_secs(1);

/// What the socket beside the state folder is called.
const SOCKET: &str = "socket";

/// A runner at work.
pub struct Service<'a> {
    args: &'a Options,
    tell: Listener<'a>,
    runner: Runner,
    folder: StateFolder,
    guardian: Vec<OsString>,
    /// Where what was learnt is kept.
    learnt: PathBuf,
    /// Keeps other runners from the state, as long as it is open.
    _lock: File,
    placer: PlacerKind,
    server: Option<ServerName>,
    /// The memory group of the server, as it was found at the start.
    group: Option<MemoryGroup>,
    /// Whether all known files fit in the memory that is free; none before a file is known.
    fits: Option<bool>,
    folders: Vec<SiteFolder>,
    owners: Vec<u32>,
    interval: Duration,
    /// Buffer pools of databases.
    pools: Pools,
    /// When it told last what the logs say.
    told: Instant,
    /// When what was learnt may be written down again.
    next_save: Instant,
    /// When it was looked last whether the guardian lives that holds files; none where it was given none.
    guarded: Option<Instant>,
    /// The choice whose files are still being placed.
    placing: Option<Placing>,
    /// What could not be done last: it is said once.
    problem: Option<Message>,
}

/// Files that are being placed.
struct Placing {
    moved_bytes: u64,
    /// When it was looked last how many are held.
    looked: Instant,
}

impl<'a> Service<'a> {
    pub fn start(args: &'a Options, tell: Listener<'a>) -> Result<Self, JobError> {
        let folder = args.holding.folder()?;
        let lock = lock(&folder.beside("lock"), &folder)?;
        let spec = spec(args)?;
        let server = args.holding.server()?;
        let placer = args.holding.placer(&spec.folders, server.as_ref())?;
        let learnt = folder.beside("learnt");
        let saved = what_was_learnt(&learnt, &folder, tell)?;
        // Who cannot be asked is not to begin.
        let doors = doors(args, &folder)?;
        let patterns = Patterns::of(&spec);
        let (folders, owners) = (spec.folders.clone(), spec.owners.clone());
        let interval = spec.interval;
        let pools = Pools::new(wanted_pools(args)?, args.churn, interval);
        let mut runner = Runner::start(spec, saved, &mut to(tell))?;
        let left = folder.load()?;
        if let Some(state) = &left {
            runner.take_over(state);
        }
        tell(&event(
            "started",
            [
                ("state", folder.path().display().to_string()),
                ("placer", placer.to_string()),
            ],
        ));
        let mut service = Service {
            args,
            tell,
            runner,
            guardian: apply::guardian(&args.guardian, folder.path()),
            folder,
            learnt,
            _lock: lock,
            placer,
            group: server.as_ref().and_then(|name| name.find().ok()?.group),
            fits: None,
            server,
            folders,
            owners,
            interval,
            pools,
            told: Instant::now(),
            next_save: Instant::now(),
            // What was left may be held by nobody any more.
            guarded: left.map(|_| Instant::now()),
            placing: None,
            problem: None,
        };
        service.tell_of_unused(&patterns);
        service.tell_whether_it_is_worth_it()?;
        service.publish()?;
        for (door, at) in doors {
            service.answer_at(door)?;
            (service.tell)(&event("listening", [at]));
        }
        Ok(service)
    }

    /// Names the patterns that no file and no log matches: they are misspelt, or what they are for is not there yet.
    fn tell_of_unused(&self, patterns: &Patterns) {
        for unused in patterns.unused(self.runner.logs()) {
            (self.tell)(&event("pattern matches nothing", unused));
        }
    }

    fn answer_at(&self, door: Door) -> Result<(), LiveError> {
        let folder = self.folder.clone();
        hotset_live::answer_at(door, move |path| answers::answer(&folder, path))
    }

    /// Reads the scenario anew, or says why not and goes on with the old one.
    pub fn reload(&mut self) {
        match self.reloaded() {
            Ok(()) => (self.tell)(&event(
                "reloaded",
                [("scenario", self.args.scenario.display().to_string())],
            )),
            Err(error) => (self.tell)(&event(
                "goes on with the old scenario",
                [("why", error.message())],
            )),
        }
    }

    fn reloaded(&mut self) -> Result<(), JobError> {
        let spec = spec(self.args)?;
        let folders = spec.folders.clone();
        let patterns = Patterns::of(&spec);
        let pools = Pools::new(wanted_pools(self.args)?, self.args.churn, self.interval);
        self.runner.change(spec, &mut to(self.tell))?;
        self.pools = pools;
        self.folders = folders;
        self.tell_of_unused(&patterns);
        // What is not followed any more is let go at once.
        self.hold(self.runner.current())
    }

    /// Takes in what was logged, and holds other files where it is time to. What cannot be done now is no reason to stop: the
    /// next interval tries again.
    pub fn step(&mut self) {
        let done = self.follow();
        let problem = done.err().map(|error| error.message());
        if let Some(problem) = problem.as_ref().filter(|_| problem != self.problem) {
            (self.tell)(&event("cannot go on", [("why", problem.clone())]));
        }
        self.problem = problem;
    }

    fn follow(&mut self) -> Result<(), JobError> {
        self.runner.look(&mut to(self.tell))?;
        if let Some(decision) = self.runner.choose(&mut to(self.tell))? {
            // Whoever comes after a sudden end is to know the files that this one may hold by then.
            let saved = match Instant::now() < self.next_save {
                true => Ok(()),
                false => self.save(),
            };
            self.hold(decision)?;
            saved?;
            self.tell_whether_it_is_worth_it()?;
        }
        if let Some(decision) = self.runner.relieve() {
            (self.tell)(&event(
                "gives memory back",
                [("memory_bytes", decision.memory_bytes.to_string())],
            ));
            self.hold(decision)?;
        }
        if self.pools.step() {
            (self.tell)(&event::pools(&self.pools.now()));
            self.hold(self.runner.current())?;
        }
        self.follow_placing()?;
        self.follow_guardian()?;
        if self.told.elapsed() >= self.interval {
            self.publish()?;
        }
        Ok(())
    }

    /// Tells whether the page cache alone would keep all known files, as soon as one is known and when that changes.
    fn tell_whether_it_is_worth_it(&mut self) -> Result<(), JobError> {
        let (known_bytes, held_bytes) = self.runner.known_and_held_bytes();
        if known_bytes == 0 {
            return Ok(());
        }
        let fit = Fit::of(known_bytes, held_bytes, self.group.as_ref())?;
        if self.fits != Some(fit.scan_bytes().is_some()) {
            self.fits = Some(fit.scan_bytes().is_some());
            (self.tell)(&event::fit(&fit));
        }
        Ok(())
    }

    fn hold(&mut self, decision: Choice) -> Result<(), JobError> {
        let moved_bytes = decision.moved_bytes;
        let state = self.place(decision);
        self.guarded = state.is_ok().then(Instant::now);
        match state {
            Ok(state) => {
                self.note_held(&state, moved_bytes);
                (self.tell)(&event::held(&state, moved_bytes));
            }
            Err(error) => (self.tell)(&event("not held", [("why", error.to_string())])),
        }
        self.publish()
    }

    /// Looks how far the files of the last choice are held.
    fn follow_placing(&mut self) -> Result<(), JobError> {
        let looked = self
            .placing
            .as_ref()
            .map(|placing| placing.looked.elapsed());
        if looked.is_some_and(|looked| looked >= HELD_PAUSE)
            && let Some(placing) = self.placing.take()
            && let Some(state) = self.folder.load()?
        {
            self.note_held(&state, placing.moved_bytes);
            if !state.is_unfinished {
                (self.tell)(&event::held(&state, placing.moved_bytes));
            }
        }
        Ok(())
    }

    /// Holds the files again where the process is dead that held them: what is counted as hits is held.
    fn follow_guardian(&mut self) -> Result<(), JobError> {
        let is_time = |looked: &mut Instant| looked.elapsed() >= HELD_PAUSE;
        if self.guarded.take_if(is_time).is_none() {
            return Ok(());
        }
        if self.folder.has_guardian()? {
            self.guarded = Some(Instant::now());
            return Ok(());
        }
        (self.tell)(&event("holds again", [("why", "the guardian is dead")]));
        self.hold(self.runner.current())
    }

    fn note_held(&mut self, state: &State, moved_bytes: u64) {
        self.runner.note_held(state);
        self.placing = state.is_unfinished.then(|| Placing {
            moved_bytes,
            looked: Instant::now(),
        });
    }

    fn place(&self, decision: Choice) -> Result<State, LiveError> {
        let request = Request {
            placer: self.placer,
            server: self.server.clone(),
            folders: self.folders.clone(),
            owners: self.owners.clone(),
            staleness: self.args.holding.staleness,
            pace: Pace::Unhurried,
            memory_bytes: decision.memory_bytes,
            group: None,
            pools: self.pools.now(),
            files: decision.files,
        };
        hotset_live::apply(&self.folder, &request, &self.guardian)
    }

    /// Tells other processes what the logs say.
    fn publish(&mut self) -> Result<(), JobError> {
        self.told = Instant::now();
        let figures = self.runner.figures().clone();
        Ok(RunStatus::now(self.interval, figures)?.write(&self.folder)?)
    }

    fn save(&mut self) -> Result<(), JobError> {
        let began = Instant::now();
        hotset_machine::file::write_private_json(&self.learnt, &self.runner.save())?;
        self.next_save = Instant::now() + SAVE_SHARE * began.elapsed();
        Ok(())
    }

    /// Keeps what was learnt, and lets go of everything.
    pub fn end(mut self) -> Result<(), JobError> {
        // What is held is let go even where nothing can be kept, as on a full disk.
        let saved = self.save();
        hotset_live::release(&self.folder)?;
        RunStatus::remove(&self.folder);
        // What is left is of no use to anybody, and in nobody's way.
        let _removed = fs::remove_file(self.folder.beside(SOCKET));
        (self.tell)(&Event {
            name: "stopped",
            pairs: Vec::new(),
        });
        saved
    }
}

/// What an earlier process has learnt. A file that is damaged, as by a disk, is set aside: files are held all the same.
fn what_was_learnt(
    learnt: &Path,
    folder: &StateFolder,
    tell: Listener<'_>,
) -> Result<Option<Checkpoint<'static>>, JobError> {
    match hotset_machine::file::read_json(learnt) {
        Err(error @ MachineError::Unreadable { .. }) => {
            let aside = folder.beside("learnt.damaged");
            fs::rename(learnt, &aside).map_err(|error| {
                JobError::at(format!("cannot set {} aside", learnt.display()), error)
            })?;
            tell(&event(
                "learns anew",
                [
                    ("why", error.to_string()),
                    ("set_aside", aside.display().to_string()),
                ],
            ));
            Ok(None)
        }
        saved => Ok(saved?),
    }
}

/// A door, and what is told of it.
type NamedDoor = (Door, (&'static str, String));

/// Where root and the user of this process may ask, and on a port whoever knows the token.
fn doors(args: &Options, folder: &StateFolder) -> Result<Vec<NamedDoor>, JobError> {
    let port = match (args.listen, &args.token_file) {
        (Some(address), Some(file)) => {
            let door = Door::port(address, Token::in_file(file)?)?;
            Some((door, ("address", address.to_string())))
        }
        _ => None,
    };
    let socket = folder.beside(SOCKET);
    let name = ("socket", socket.display().to_string());
    Ok([(Door::socket(&socket)?, name)]
        .into_iter()
        .chain(port)
        .collect())
}

fn lock(path: &Path, folder: &StateFolder) -> Result<File, JobError> {
    let cannot = |error: io::Error| match error.kind() {
        ErrorKind::PermissionDenied => folder.cannot_be_made(error).into(),
        _ => JobError::at(format!("cannot make {}", path.display()), error),
    };
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(cannot)?;
    }
    let file = File::create(path).map_err(cannot)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(_) => Err(refused(format!(
            "{}: another `hotset run` holds files with this state: name another one with {}, or \
             stop the other",
            path.display(),
            Field::State
        ))),
    }
}

/// Tells of events of the runner.
fn to(tell: Listener<'_>) -> impl FnMut(RunEvent) {
    move |happened| of_runner(happened).iter().for_each(tell)
}
