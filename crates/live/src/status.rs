//! `hotset status`: whether what is said to be held is in memory, and is what is served now.

use crate::state::{FileState, FileStatus};
use crate::{LiveError, PlacerKind, Refusal, ResolvedFile, Sites, State, StateFolder};
use hotset_machine::mount::is_mount_point;
use hotset_machine::namespace::MountNamespace;
use hotset_machine::{MachineError, ProcessIdentity, Residency, memory};
use hotset_scenario::FilePath;
use serde::Serialize;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt as _;

/// What a look at everything that is held has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// What is written down; none where nothing is held.
    pub state: Option<State>,
    /// Whether files are being placed for the first time.
    pub is_placing: bool,
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
    /// Whether something is held, every held file is wholly in memory, and it is the one that is served now.
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
        return Ok(Status {
            state: None,
            is_placing: folder.has_guardian()?,
            problems: Vec::new(),
            faults: Vec::new(),
        });
    };
    let sites = Sites::open(&state.folders, &state.owners)?;
    let server = state.server.as_ref().map(|name| name.find());
    let place = Place {
        placer: state.placer,
        server: server.and_then(|server| server.ok()?.any_pid()),
        folder,
    };
    let problem = |file: &FileState| {
        let problem = check(&sites, file, place)?;
        Some(Problem {
            site: file.site.clone(),
            path: file.path.clone(),
            problem,
        })
    };
    Ok(Status {
        problems: state.files.iter().filter_map(problem).collect(),
        faults: faults(&state, folder)?,
        state: Some(state),
        is_placing: false,
    })
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
    /// What a server reads of a held file: the file, or its copy.
    fn memory_of(
        self,
        sites: &Sites,
        file: &FileState,
        found: &ResolvedFile,
    ) -> Result<File, Refusal> {
        match self.placer {
            PlacerKind::Pin => found.open(),
            // As the server sees it: the copy that is mounted over the file.
            PlacerKind::Bind => {
                let copy = self.seen_by_server(sites, file)?;
                match copy.identity.mtime_ns == found.identity.mtime_ns
                    && copy.identity.size_bytes == found.identity.size_bytes
                    && copy.identity.device != found.identity.device
                {
                    true => copy.open(),
                    false => Err(Refusal::Unsuited(
                        "is not what the server sees: its copy is not mounted".to_owned(),
                    )),
                }
            }
            PlacerKind::HotRoot => {
                let (path, _) = sites.place_in_tree(&file.site, &file.path.0, found)?;
                File::open(self.folder.copies().join(path))
                    .map_err(Refusal::system("open a copy of"))
            }
        }
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
    let open = match place.memory_of(sites, file, &found) {
        Ok(open) => open,
        Err(refusal) => return Some(refusal.to_string()),
    };
    match Residency::of(&open) {
        Ok(residency) if residency.is_whole() => None,
        Ok(residency) => Some(format!(
            "only {} of {} pages are in memory",
            residency.resident, residency.pages
        )),
        Err(error) => Some(format!(
            "the kernel does not tell what is in memory: {error}"
        )),
    }
}

fn faults(state: &State, folder: &StateFolder) -> Result<Vec<String>, MachineError> {
    let mut faults = state.faults.clone();
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
    let dead = |worker: &&ProcessIdentity| !worker.is_alive();
    let dead = state.workers.iter().filter(dead).count();
    if dead > 0 {
        faults.push(format!(
            "{dead} of {} processes that hold files are dead",
            state.workers.len()
        ));
    }
    let locked = state
        .workers
        .iter()
        .map(|worker| memory::locked_bytes(worker.pid));
    let locked: u64 = locked.filter_map(Result::ok).sum();
    if state.placer == PlacerKind::Pin && dead == 0 && locked < state.held_bytes() {
        faults.push(format!(
            "{locked} bytes are locked, of {} that are held",
            state.held_bytes()
        ));
    }
    Ok(faults)
}
