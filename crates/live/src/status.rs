//! `hotset status`: whether what is said to be held is in memory, and is what is served now.
//!
//! What counts as held is what a living process has locked, and copies that are served. Pages that are merely cached are not held:
//! the kernel may evict them at any moment.

use crate::placer::device_of;
use crate::pools;
use crate::state::{FileState, FileStatus};
use crate::{LiveError, PlacerKind, Refusal, ResolvedFile, Sites, State, StateFolder};
use hotset_machine::mount::{MountInfo, is_mount_point};
use hotset_machine::namespace::MountNamespace;
use hotset_machine::{MachineError, Residency, memory};
use hotset_scenario::FilePath;
use serde::Serialize;
use std::collections::HashSet;
use std::fs::{self, File, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt as _;

/// What `st_blocks` counts in (inode(7)). Bytes.
const BLOCK_BYTES: u64 = 512;

/// What a look at everything that is held has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// What is written down; none where nothing is held.
    pub state: Option<State>,
    /// Whether files are being placed for the first time.
    pub is_placing: bool,
    /// Whether each file of the state is held in fact.
    pub held: Vec<bool>,
    /// Memory that the files take which are held in fact, in whole pages. Bytes.
    pub held_bytes: u64,
    /// Files that are not held as they should be.
    pub problems: Vec<Problem>,
    /// What is wrong with the processes that hold them.
    pub faults: Vec<String>,
}

/// A file that is not held as it should be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Problem {
    /// Its site.
    pub site: String,
    /// Its path within the site.
    pub path: FilePath,
    /// What is wrong.
    pub problem: String,
}

impl Status {
    /// Nothing is held, or not yet.
    #[must_use]
    pub fn of_nothing(is_placing: bool) -> Self {
        Self {
            state: None,
            is_placing,
            held: Vec::new(),
            held_bytes: 0,
            problems: Vec::new(),
            faults: Vec::new(),
        }
    }

    /// The files that are held in fact.
    pub fn held_files(&self) -> impl Iterator<Item = &FileState> {
        let files = self.state.iter().flat_map(|state| &state.files);
        let files = files.zip(&self.held);
        files.filter_map(|(file, is_held)| is_held.then_some(file))
    }

    /// Whether every held file is wholly in memory and is the one that is served now, and some file is held where any is wanted.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.state.is_some() && self.problems.is_empty() && self.faults.is_empty()
    }
}

/// Looks at every held file: nobody's word is taken for it.
///
/// # Errors
/// When the state or the roots cannot be read.
pub fn status(folder: &StateFolder) -> Result<Status, LiveError> {
    let Some(state) = folder.load()? else {
        return Ok(Status::of_nothing(folder.has_guardian()?));
    };
    let sites = Sites::open(&state.folders, &state.owners)?;
    let server = state.server.as_ref().map(|name| name.find());
    let place = Place {
        placer: state.placer,
        server: server.and_then(|server| server.ok()?.any_pid()),
        folder,
    };
    let holders = Holders::of(&state);
    let problem = |file: &FileState| holders.problem(file).or_else(|| check(&sites, file, place));
    let problems = state.files.iter().map(problem).collect();
    let of_pools: Vec<String> = state.pools.iter().filter_map(pools::fault).collect();
    let mut status = found(state, problems, &holders, folder)?;
    status.faults.extend(of_pools);
    Ok(status)
}

/// The same without a look at single files, which takes long where there are many: whether those who hold them live, and whether
/// copies are served at all.
///
/// # Errors
/// When the state or the mounts cannot be read.
pub fn glance(folder: &StateFolder) -> Result<Status, LiveError> {
    let Some(state) = folder.load()? else {
        return Ok(Status::of_nothing(folder.has_guardian()?));
    };
    let holders = Holders::of(&state);
    let is_copied = state.placer != PlacerKind::Pin;
    let unserved = is_copied && !are_copies_served(&state, folder)?;
    let problem = |file: &FileState| {
        let unserved = unserved && file.status.identity().is_some();
        let unserved = unserved.then(|| "is not served from a copy: there are none".to_owned());
        unserved.or_else(|| holders.problem(file))
    };
    let problems = state.files.iter().map(problem).collect();
    found(state, problems, &holders, folder)
}

/// What is to be said of files, each with what is wrong with it.
fn found(
    state: State,
    problems: Vec<Option<String>>,
    holders: &Holders,
    folder: &StateFolder,
) -> Result<Status, LiveError> {
    let held: Vec<bool> = (state.files.iter().zip(&problems))
        .map(|(file, problem)| problem.is_none() && file.status.identity().is_some())
        .collect();
    let is_held = |&(_, &is_held): &(&FileState, &bool)| is_held;
    let of_held = state.files.iter().zip(&held).filter(is_held);
    let held_bytes = of_held
        .map(|(file, _)| file.page_bytes())
        .fold(0, u64::saturating_add);
    let problem = |(file, problem): (&FileState, Option<String>)| {
        Some(Problem {
            site: file.site.clone(),
            path: file.path.clone(),
            problem: problem?,
        })
    };
    Ok(Status {
        problems: (state.files.iter().zip(problems))
            .filter_map(problem)
            .collect(),
        held_bytes: match state.placer {
            PlacerKind::Pin => held_bytes.min(holders.locked_bytes),
            PlacerKind::Bind | PlacerKind::HotRoot => held_bytes,
        },
        faults: faults(&state, holders, folder)?,
        held,
        state: Some(state),
        is_placing: false,
    })
}

/// Whether the server sees any copy, or where it is told where they are, whether they are there.
fn are_copies_served(state: &State, folder: &StateFolder) -> Result<bool, MachineError> {
    let copies = folder.copies();
    if !is_mount_point(&copies)? || state.placer != PlacerKind::Bind {
        return is_mount_point(&copies);
    }
    let server = state.server.as_ref().and_then(|name| name.find().ok());
    let Some(pid) = server.and_then(|server| server.any_pid()) else {
        return Ok(false);
    };
    let device = device_of(&copies)?;
    let mounts = MountNamespace::of_process(pid)?.mounts()?;
    let is_copy = |mounted: &MountInfo| mounted.device == device && mounted.path != copies;
    Ok(mounts.iter().any(is_copy))
}

/// Who of the processes that hold files lives.
struct Holders {
    living: HashSet<u32>,
    /// Workers that are dead.
    dead: usize,
    /// What the living ones have locked. Bytes.
    locked_bytes: u64,
}

impl Holders {
    fn of(state: &State) -> Self {
        let living = state.workers.iter().filter(|worker| worker.is_alive());
        let living: HashSet<u32> = living.map(|worker| worker.pid).collect();
        let locked = living.iter().map(|&pid| memory::locked_bytes(pid));
        Self {
            dead: state.workers.len() - living.len(),
            locked_bytes: locked.filter_map(Result::ok).sum(),
            living,
        }
    }

    /// What is wrong with a file that is locked by nobody any more.
    fn problem(&self, file: &FileState) -> Option<String> {
        let holder = file.holder.filter(|holder| !self.living.contains(holder));
        let problem = "is not locked any more: the process that held it is dead";
        holder.map(|_| problem.to_owned())
    }
}

/// Where what is held is in memory.
#[derive(Clone, Copy)]
struct Place<'a> {
    placer: PlacerKind,
    /// A process of the server.
    server: Option<u32>,
    folder: &'a StateFolder,
}

impl Place<'_> {
    /// How much is in memory of what a server reads of a held file: the file, or its copy.
    fn residency(
        self,
        sites: &Sites,
        file: &FileState,
        found: &ResolvedFile,
    ) -> Result<Residency, Refusal> {
        match self.placer {
            PlacerKind::Pin => residency(&found.open()?),
            // As the server sees it: the copy that is mounted over the file.
            PlacerKind::Bind => {
                let copy = self.seen_by_server(sites, file)?;
                match copy.identity.mtime_ns == found.identity.mtime_ns
                    && copy.identity.size_bytes == found.identity.size_bytes
                    && copy.identity.device != found.identity.device
                {
                    true => residency(&copy.open()?),
                    false => Err(Refusal::Unsuited(
                        "is not what the server sees: its copy is not mounted".to_owned(),
                    )),
                }
            }
            PlacerKind::HotRoot => {
                let (path, _) = sites.place_in_tree(&file.site, &file.path.0, found)?;
                let copy = fs::metadata(self.folder.copies().join(path))
                    .map_err(Refusal::system("look up a copy of"))?;
                Ok(in_memory_file_system(&copy))
            }
        }
    }
}

/// How much is in memory of an open file.
fn residency(file: &File) -> Result<Residency, Refusal> {
    Residency::of(file).map_err(|error| {
        Refusal::Unsuited(format!(
            "the kernel does not tell what is in memory: {error}"
        ))
    })
}

/// The same of a copy in a tmpfs or ramfs, whose blocks are its pages in memory (inode(7), `st_blocks`). It is not opened: whoever
/// watches whether a server opens copies is not to take hotset for one.
fn in_memory_file_system(copy: &Metadata) -> Residency {
    let page = memory::page_bytes();
    let pages = copy.len().div_ceil(page);
    let resident = copy.blocks() * BLOCK_BYTES / page;
    Residency {
        pages,
        resident: resident.min(pages),
    }
}

impl Place<'_> {
    /// What is wrong where a server sees a copy of a file that is left out.
    fn stale_copy(self, sites: &Sites, file: &FileState) -> Option<String> {
        if self.placer != PlacerKind::Bind {
            return None;
        }
        let seen = self.seen_by_server(sites, file).ok()?;
        let copies = fs::metadata(self.folder.copies()).ok()?;
        let is_copy = seen.identity.device == copies.dev();
        is_copy.then(|| "is left out, but the server still sees an old copy of it".to_owned())
    }

    /// What a path leads to in the server's mount namespace.
    fn seen_by_server(self, sites: &Sites, file: &FileState) -> Result<ResolvedFile, Refusal> {
        let unseen = |error: MachineError| Refusal::Unsuited(error.to_string());
        let pid = self
            .server
            .ok_or_else(|| Refusal::Unsuited("the server does not run".to_owned()))?;
        let namespace = MountNamespace::of_process(pid).map_err(unseen)?;
        let (folders, owners) = (sites.folders(), sites.owners());
        let find = || {
            let sites = Sites::open(&folders, owners).map_err(io::Error::other)?;
            Ok(sites.find(&file.site, &file.path.0))
        };
        namespace.run(find).map_err(unseen)?
    }
}

/// What is wrong with a held file.
fn check(sites: &Sites, file: &FileState, place: Place) -> Option<String> {
    let held = match &file.status {
        FileStatus::Held(identity) | FileStatus::Shared(identity) => identity,
        FileStatus::LeftOut(reason) => {
            let lost = || format!("is held no longer: {reason}");
            return (place.stale_copy(sites, file)).or_else(|| file.lost.then(lost));
        }
    };
    let found = match sites.find(&file.site, &file.path.0) {
        Ok(found) => found,
        Err(refusal) => return Some(refusal.to_string()),
    };
    if !place.placer.is_current(held, &found.identity) {
        return Some("was replaced or changed, and is not held again yet".to_owned());
    }
    match place.residency(sites, file, &found) {
        Ok(residency) if residency.is_whole() => None,
        Ok(residency) => Some(format!(
            "only {} of {} pages are in memory",
            residency.resident, residency.pages
        )),
        Err(refusal) => Some(refusal.to_string()),
    }
}

/// That not one of the wanted files could be held, where none is about to be.
fn of_nothing_held(state: &State) -> Option<String> {
    let mut files = state.files.iter();
    if state.is_unfinished || files.any(|file| file.status.identity().is_some()) {
        return None;
    }
    match &state.files.first()?.status {
        FileStatus::LeftOut(why) => Some(format!(
            "no file is held; the most valuable of {} is left out: {why}",
            state.files.len()
        )),
        FileStatus::Held(_) | FileStatus::Shared(_) => None,
    }
}

fn faults(
    state: &State,
    holders: &Holders,
    folder: &StateFolder,
) -> Result<Vec<String>, MachineError> {
    let mut faults = state.faults.clone();
    faults.extend(of_nothing_held(state));
    if !state.guardian.is_alive() {
        faults.push(
            "the guardian is dead: what is replaced is not held again; apply the plan anew"
                .to_owned(),
        );
        if is_mount_point(&folder.copies())? {
            faults.push(
                "copies are served that may be out of date: release them, or apply the plan anew"
                    .to_owned(),
            );
        }
    }
    let Holders {
        dead, locked_bytes, ..
    } = *holders;
    if dead > 0 {
        faults.push(format!(
            "{dead} of {} processes that hold files are dead",
            state.workers.len()
        ));
    }
    if state.placer == PlacerKind::Pin && dead == 0 && locked_bytes < state.held_bytes() {
        faults.push(format!(
            "{locked_bytes} bytes are locked, of {} that are held",
            state.held_bytes()
        ));
    }
    Ok(faults)
}
