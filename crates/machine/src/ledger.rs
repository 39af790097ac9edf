//! The ledger: everything a deployment makes is written down, and on the disk, before it is made.
//!
//! A ledger is a file of JSON lines. The first names its owner; then one line for each thing that is about to be
//! made and one for each that is gone again. It is undone from its end, by its owner or, when the owner is
//! dead, by the next deployment's [`recover`]. Undoing a thing that is not there is no error, so that it does
//! not matter between which two steps the owner died. Nothing that no ledger names is ever removed.
//!
//! An owner may leave on purpose what it made ([`Ledger::leave`]), which its ledger then says. That stands, without an
//! owner, until somebody takes the ledger over ([`take_over`]) or the machine starts anew.

use crate::OnFile;
use crate::resource::{Removal, Resource, remove_tree};
use crate::{MachineError, ProcessIdentity};
use rustix::fs::{FlockOperation, flock};
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Name of a ledger's file in the folder of its deployment.
pub const FILE_NAME: &str = "ledger";
/// Whoever can open a ledger can lock it, and so keep it from being undone.
const PRIVATE: u32 = 0o600;
/// Longer than it takes from making a deployment's folder to naming its owner. Who takes longer finds its ledger gone, before
/// anything was made.
const START_PATIENCE: Duration = Duration::from_millis(500);
/// How long to wait for the lock of a dead owner's ledger.
const CLAIM_PATIENCE: Duration = Duration::from_secs(10);
/// How long to wait before a ledger is looked at again.
const PAUSE: Duration = Duration::from_millis(10);

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    Owner(ProcessIdentity),
    Make {
        id: u64,
        resource: Resource,
    },
    Gone(u64),
    /// What stands is to stay when the owner ends.
    Left,
}

/// One entry of a ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Entry(u64);

/// The ledger of one deployment; see the module's text.
#[derive(Debug)]
pub struct Ledger {
    directory: PathBuf,
    state: Mutex<State>,
}

/// What was made and is not gone, in order.
type Standing = Vec<(u64, Resource)>;

/// What a ledger's file says.
#[derive(Debug, Default)]
struct Record {
    /// The last one: a ledger may have been taken over.
    owner: Option<ProcessIdentity>,
    left: bool,
    standing: Standing,
}

impl Record {
    /// Whether it was left on purpose and is still there: nothing outlives the machine's start.
    fn is_left(&self) -> bool {
        let is_of_this_boot = |owner: &ProcessIdentity| owner.is_of_this_boot();
        self.left && self.owner.as_ref().is_some_and(is_of_this_boot)
    }

    fn is_owned(&self) -> bool {
        !self.left && self.owner.as_ref().is_some_and(ProcessIdentity::is_alive)
    }
}

#[derive(Debug)]
struct State {
    file: File,
    next: u64,
    standing: Standing,
    /// Nothing more is made.
    closed: bool,
    /// What was made is no longer this value's to undo.
    left: bool,
}

/// What undoing a ledger came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Teardown {
    /// What was there and is gone now.
    pub removed: Vec<String>,
    /// What could only be removed in part or late, and why.
    pub notes: Vec<String>,
    /// What is still there, and why.
    pub left: Vec<String>,
}

impl Ledger {
    /// Starts the ledger of the calling process in a new directory, which is gone again after [`Ledger::teardown`].
    ///
    /// # Errors
    /// When the directory exists or the file cannot be written.
    pub fn open(directory: &Path) -> Result<Self, MachineError> {
        fs::create_dir(directory).on("make", directory)?;
        let path = directory.join(FILE_NAME);
        let file = OpenOptions::new()
            .append(true)
            .create_new(true)
            .mode(PRIVATE)
            .open(&path)
            .on("make", &path)?;
        // A recovery may have it for a moment.
        flock(&file, FlockOperation::LockExclusive).on("lock", &path)?;
        if !is_at(&file, &path) {
            let problem = format!("{} was taken for one of a dead process", path.display());
            return Err(MachineError::unusable(problem));
        }
        let state = State {
            file,
            next: 1,
            standing: Vec::new(),
            closed: false,
            left: false,
        };
        let ledger = Self {
            directory: directory.to_owned(),
            state: Mutex::new(state),
        };
        ledger.write_owner()?;
        File::open(directory)
            .and_then(|opened| opened.sync_all())
            .on("sync", directory)?;
        Ok(ledger)
    }

    /// Where the ledger's file is.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Writes down a thing, then makes it; undoes what was begun when making fails.
    ///
    /// # Errors
    /// When something of that name is there already (it is somebody else's), when the ledger cannot be
    /// written, or with the error of `make`.
    pub fn make<T, E: From<MachineError>>(
        &self,
        resource: Resource,
        make: impl FnOnce() -> Result<T, E>,
    ) -> Result<(Entry, T), E> {
        if resource.exists() {
            let problem = format!("{resource} is there already and not this run's");
            return Err(MachineError::unusable(problem).into());
        }
        let entry = self.note(resource.clone())?;
        match make() {
            // It was torn down while this was being made.
            Ok(_) if self.state().closed => {
                resource.undo()?;
                Err(closed().into())
            }
            Ok(made) => Ok((entry, made)),
            Err(error) => {
                // The first error is the one to tell; the entry stays for the teardown when undoing fails too.
                let _undone = self.undo(entry);
                Err(error)
            }
        }
    }

    fn note(&self, resource: Resource) -> Result<Entry, MachineError> {
        let mut state = self.state();
        if state.closed {
            return Err(closed());
        }
        let id = state.next;
        self.write(
            &mut state,
            &Line::Make {
                id,
                resource: resource.clone(),
            },
        )?;
        state.next += 1;
        state.standing.push((id, resource));
        Ok(Entry(id))
    }

    /// Removes one thing now. An entry that is gone already is no error.
    ///
    /// # Errors
    /// When it cannot be removed; it then stays in the ledger.
    pub fn undo(&self, entry: Entry) -> Result<Removal, MachineError> {
        let found = self
            .state()
            .standing
            .iter()
            .find(|(id, _)| *id == entry.0)
            .cloned();
        let Some((id, resource)) = found else {
            return Ok(Removal::Absent);
        };
        let undone = resource.undo()?;
        let mut state = self.state();
        state.standing.retain(|(standing, _)| *standing != id);
        self.write(&mut state, &Line::Gone(id))?;
        Ok(undone)
    }

    /// Forgets one thing, which stays as it is: another entry takes it back as well. An entry that is gone already is no error.
    ///
    /// # Errors
    /// When the ledger cannot be written; the entry then stays in it.
    pub fn forget(&self, entry: Entry) -> Result<(), MachineError> {
        let mut state = self.state();
        if state.standing.iter().any(|(id, _)| *id == entry.0) {
            self.write(&mut state, &Line::Gone(entry.0))?;
            state.standing.retain(|(id, _)| *id != entry.0);
        }
        Ok(())
    }

    /// Removes everything that stands, last made first, and then the ledger itself. What cannot be removed is
    /// told and keeps the ledger, for the next deployment to try. Nothing can be made after it, so that it may be called while
    /// another thread is at work.
    pub fn teardown(&self) -> Teardown {
        let standing = {
            let mut state = self.state();
            if state.left {
                return Teardown::default();
            }
            state.closed = true;
            state.standing.clone()
        };
        let teardown = undo_all(&standing, |id| {
            let mut state = self.state();
            state.standing.retain(|(standing, _)| *standing != id);
            self.write(&mut state, &Line::Gone(id))
        });
        if teardown.left.is_empty() {
            // A directory that cannot be removed names nothing any more; the next deployment tries again.
            let _removed = remove_tree(&self.directory);
        }
        teardown
    }

    /// Lets everything that stands stay when the process ends. Nothing more can be made or undone through this value.
    ///
    /// # Errors
    /// When that cannot be written down; then nothing has changed.
    pub fn leave(&self) -> Result<(), MachineError> {
        let mut state = self.state();
        self.write(&mut state, &Line::Left)?;
        state.closed = true;
        state.left = true;
        state.standing.clear();
        Ok(())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says that the calling process owns it.
    fn write_owner(&self) -> Result<(), MachineError> {
        let owner = ProcessIdentity::current()?;
        self.write(&mut self.state(), &Line::Owner(owner))
    }

    fn write(&self, state: &mut State, line: &Line) -> Result<(), MachineError> {
        let path = || self.directory.join(FILE_NAME);
        let mut text = serde_json::to_vec(line)
            .map_err(std::io::Error::from)
            .on("write", path())?;
        text.push(b'\n');
        let before = state.file.metadata().on("look up", path())?.len();
        let written = state.file.write_all(&text).on("write", path());
        if written.is_err() {
            // What a full disk has left of a line would make one with the next.
            let _cut = state.file.set_len(before);
        }
        written?;
        state.file.sync_data().on("sync", path())
    }
}

impl Drop for Ledger {
    fn drop(&mut self) {
        if !self.state().standing.is_empty() {
            let _teardown = self.teardown();
        }
    }
}

fn closed() -> MachineError {
    MachineError::unusable("the run is being taken down")
}

fn undo_all(
    standing: &[(u64, Resource)],
    mut gone: impl FnMut(u64) -> Result<(), MachineError>,
) -> Teardown {
    let mut teardown = Teardown::default();
    // A tool at work would make things behind the back of what removes them.
    let is_tools = |entry: &&(u64, Resource)| matches!(entry.1, Resource::Tools(_));
    let tools = standing.iter().filter(is_tools);
    let others = standing.iter().rev().filter(|entry| !is_tools(entry));
    for (id, resource) in tools.chain(others) {
        match resource.undo() {
            Ok(undone) => {
                teardown.count(resource, undone);
                if let Err(error) = gone(*id) {
                    teardown.notes.push(error.to_string());
                }
            }
            Err(error) => teardown.left.push(format!("{resource}: {error}")),
        }
    }
    teardown
}

impl Teardown {
    fn count(&mut self, resource: &Resource, undone: Removal) {
        match undone {
            Removal::Absent => {}
            Removal::Removed => self.removed.push(resource.to_string()),
            Removal::Detached(why) => {
                self.removed.push(resource.to_string());
                self.notes.push(format!("{resource}: {why}"));
            }
        }
    }
}

/// What [`recover`] found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recovery {
    /// Deployments whose owner is dead, by directory, and what came of undoing them.
    pub dead: Vec<(PathBuf, Teardown)>,
    /// Deployments whose owner lives, that were left on purpose, or that another process is recovering; nothing was done to them.
    pub live: Vec<PathBuf>,
}

/// Undoes the ledgers under `directory` whose owners are dead, and touches nothing else.
///
/// # Errors
/// When a ledger cannot be read. A thing that cannot be removed is no error but told in the [`Teardown`].
pub fn recover(directory: &Path) -> Result<Recovery, MachineError> {
    let mut recovery = Recovery::default();
    let Ok(deployments) = fs::read_dir(directory) else {
        return Ok(recovery);
    };
    for deployment in deployments {
        let deployment = deployment.on("read", directory)?.path();
        match recover_one(&deployment)? {
            Found::Dead(teardown) => recovery.dead.push((deployment, teardown)),
            Found::Live => recovery.live.push(deployment),
            Found::Nothing => {}
        }
    }
    Ok(recovery)
}

/// The deployments under `directory` that were left on purpose.
///
/// # Errors
/// When a ledger cannot be read.
pub fn left(directory: &Path) -> Result<Vec<PathBuf>, MachineError> {
    let mut left = Vec::new();
    for deployment in fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = deployment.path().join(FILE_NAME);
        let Ok(text) = fs::read(&path) else { continue };
        if parse(&text, &path)?.is_left() {
            left.push(deployment.path());
        }
    }
    left.sort();
    Ok(left)
}

/// Makes the calling process the owner of a deployment that was left on purpose.
///
/// # Errors
/// When it was not, or another process has taken it over.
pub fn take_over(deployment: &Path) -> Result<Ledger, MachineError> {
    let path = deployment.join(FILE_NAME);
    let file = OpenOptions::new().append(true).open(&path);
    let file = file.on("open", &path)?;
    flock(&file, FlockOperation::NonBlockingLockExclusive).on("lock", &path)?;
    let record = parse(&fs::read(&path).on("read", &path)?, &path)?;
    if !record.is_left() {
        let problem = "names a run that was not left up";
        return Err(MachineError::unreadable(path, problem));
    }
    let last = record.standing.iter().map(|(id, _)| *id).max();
    let ledger = Ledger {
        directory: deployment.to_owned(),
        state: Mutex::new(State {
            file,
            next: last.unwrap_or(0) + 1,
            standing: record.standing,
            closed: false,
            left: false,
        }),
    };
    ledger.write_owner()?;
    Ok(ledger)
}

/// Who made the deployment, or took it over; `None` where there is no such deployment.
///
/// # Errors
/// When its ledger cannot be read.
pub fn owner(deployment: &Path) -> Result<Option<ProcessIdentity>, MachineError> {
    let path = deployment.join(FILE_NAME);
    match fs::read(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        read => Ok(parse(&read.on("read", &path)?, &path)?.owner),
    }
}

/// What [`recover`] found of one deployment.
enum Found {
    /// Its owner is dead, and it was undone.
    Dead(Teardown),
    /// It is another's to clean up.
    Live,
    /// Nothing was made, or whoever made or undid it has just removed it.
    Nothing,
}

/// Undoes one deployment if its owner is dead.
fn recover_one(deployment: &Path) -> Result<Found, MachineError> {
    let path = deployment.join(FILE_NAME);
    let (standing, _lock) = match claim(deployment, &path)? {
        Claim::Ours(standing, lock) => (standing, lock),
        Claim::Others => return Ok(Found::Live),
        Claim::Gone => return Ok(Found::Nothing),
    };
    let teardown = undo_all(&standing, |_| Ok(()));
    if teardown.left.is_empty() {
        remove_tree(deployment)?;
    }
    Ok(Found::Dead(teardown))
}

/// Whose a ledger is.
enum Claim {
    /// Ours, for as long as the file is open.
    Ours(Standing, File),
    Others,
    /// Its owner, or another recovery, has just undone it.
    Gone,
}

/// Locks a dead owner's ledger, which keeps two recoveries from it. A program that the owner was about to start when it
/// was killed holds the lock for a moment longer.
///
/// A ledger that is empty, or not there, names nothing, so nothing was made: its owner starts just now, or found the disk
/// full, or lost power. Then an empty one is locked, in the place of the owner that may still come.
fn claim(deployment: &Path, path: &Path) -> Result<Claim, MachineError> {
    let began = Instant::now();
    loop {
        let is_start_over = began.elapsed() > START_PATIENCE;
        let mut options = OpenOptions::new();
        options.append(true).create(is_start_over).mode(PRIVATE);
        let file = match options.open(path) {
            Ok(file) => file,
            Err(_) if !deployment.is_dir() => return Ok(Claim::Gone),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                thread::sleep(PAUSE);
                continue;
            }
            Err(error) => return Err(error).on("open", path),
        };
        let locked = flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok();
        let text = match fs::read(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Claim::Gone),
            read => read.on("read", path)?,
        };
        let record = parse(&text, path)?;
        let is_others = record.is_owned() || record.is_left();
        if is_others || (!locked && began.elapsed() > CLAIM_PATIENCE) {
            return Ok(Claim::Others);
        }
        let may_start = record.owner.is_none() && !is_start_over;
        if locked && !may_start && is_at(&file, path) {
            return Ok(Claim::Ours(record.standing, file));
        }
        drop(file);
        thread::sleep(PAUSE);
    }
}

/// Whether a file is still what its path names.
fn is_at(file: &File, path: &Path) -> bool {
    let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    let opened = file.metadata().map(identity);
    opened.is_ok_and(|opened| fs::metadata(path).is_ok_and(|named| identity(named) == opened))
}

/// What a ledger says. A last line without its end was being written when the owner died: what it names
/// was not made yet.
fn parse(text: &[u8], path: &Path) -> Result<Record, MachineError> {
    let whole = text
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |last| last + 1);
    let mut record = Record::default();
    for (number, line) in text[..whole].split(|byte| *byte == b'\n').enumerate() {
        if line.is_empty() {
            continue;
        }
        let line = serde_json::from_slice(line).map_err(|error| {
            let number = number + 1;
            let problem =
                format!("line {number}: {error}; remove what it names by hand, then the file");
            MachineError::unreadable(path, problem)
        })?;
        match line {
            Line::Owner(owner) => {
                record.owner = Some(owner);
                record.left = false;
            }
            Line::Make { id, resource } => record.standing.push((id, resource)),
            Line::Gone(gone) => record.standing.retain(|(id, _)| *id != gone),
            Line::Left => record.left = true,
        }
    }
    Ok(record)
}
