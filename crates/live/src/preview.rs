//! `hotset apply --dry-run`: what would change, without changing anything.

use crate::apache;
use crate::guarantee::Guarantee;
use crate::look::{Checked, Look};
use crate::placer;
use crate::state::{FileState, FileStatus};
use crate::{Identity, LiveError, Request, Room, Server, Sites, State, StateFolder, WantedFile};
use std::collections::HashMap;

/// What would change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preview {
    /// Every wanted file, and what would become of it.
    pub files: Vec<FileState>,
    /// To be held that is not.
    pub added: Tally,
    /// Held already.
    pub kept: Tally,
    /// Held, and not to be held.
    pub dropped: Tally,
}

/// Files and their bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Files.
    pub objects: u64,
    /// Their bytes.
    pub bytes: u64,
}

impl Tally {
    fn count(&mut self, file: &Identity) {
        self.objects += 1;
        self.bytes += file.size_bytes;
    }
}

/// Looks at everything as [`crate::apply`] would.
///
/// # Errors
/// Those of [`crate::apply`]: when the server does not run, say, or has no mounts of its own to bind copies in.
pub fn preview(folder: &StateFolder, request: &Request) -> Result<Preview, LiveError> {
    let server = request
        .server
        .as_ref()
        .map(|name| name.find())
        .transpose()?;
    let state = folder.load()?;
    check(folder, request, server.as_ref(), state.as_ref())?;
    let held_bytes = state.as_ref().map_or(0, |state| state.held_bytes());
    let room = Room::of(server.as_ref().and_then(|server| server.group.as_ref()))?;
    let sites = Sites::open(&request.folders, &request.owners)?;
    let free_bytes = request.memory_bytes.min(held_bytes + room.free_bytes);
    let heeds_rules = apache::may_serve_copies(request, server.as_ref());
    let mut look = Look::new(&sites, free_bytes, heeds_rules);
    let mut before = held_before(state.map(|state| state.files).unwrap_or_default());
    let mut preview = Preview::default();
    for wanted in &request.files {
        let status = would_become(&mut look, wanted);
        if let FileStatus::Held(now) = &status {
            match before.remove(wanted) {
                Some(held) if held.is_same_file(now) => preview.kept.count(now),
                _ => preview.added.count(now),
            }
        }
        preview.files.push(FileState {
            site: wanted.site.clone(),
            path: wanted.path.clone(),
            lost: false,
            status,
        });
    }
    before
        .values()
        .for_each(|dropped| preview.dropped.count(dropped));
    Ok(preview)
}

/// What would be refused as a whole.
fn check(
    folder: &StateFolder,
    request: &Request,
    server: Option<&Server>,
    state: Option<&State>,
) -> Result<(), LiveError> {
    let group = server.and_then(|server| server.group.as_ref());
    match state {
        Some(state) if (state.placer, &state.server) != (request.placer, &request.server) => {
            return Err(folder.holds_otherwise());
        }
        // Its own guardian keeps others from the server.
        Some(_) => {}
        None => {
            let claim = server.map(|server| server.claim(folder.path()));
            drop(claim.transpose()?);
        }
    }
    placer::check(request.placer, server)?;
    match (group, request.group) {
        (Some(group), Some(size)) => Guarantee::check(group, size),
        _ => Ok(()),
    }
}

fn held_before(files: Vec<FileState>) -> HashMap<WantedFile, Identity> {
    let held = files.into_iter().filter_map(|file| match file.status {
        FileStatus::Held(identity) => Some((
            WantedFile {
                site: file.site,
                path: file.path,
            },
            identity,
        )),
        FileStatus::Shared(_) | FileStatus::LeftOut(_) => None,
    });
    held.collect()
}

fn would_become(look: &mut Look, wanted: &WantedFile) -> FileStatus {
    let found = look.find(wanted);
    match found.and_then(|found| look.check(wanted, found)) {
        Ok(Checked::New(found)) => {
            look.take(wanted, &found.identity, 0);
            FileStatus::Held(found.identity)
        }
        Ok(Checked::Shared(found, _)) => FileStatus::Shared(found.identity),
        Err(refusal) => FileStatus::LeftOut(refusal.to_string()),
    }
}
