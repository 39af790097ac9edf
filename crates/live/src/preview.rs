//! `hotset apply --dry-run`: what would change, without changing anything.

use crate::apache;
use crate::changes::{Affordable, Hold, Holdings, decide};
use crate::guarantee;
use crate::placer;
use crate::pools;
use crate::state::FileState;
use crate::survey::Survey;
use crate::{
    Identity, LiveError, Request, Room, Server, Sites, State, StateFolder, WantedFile, WantedPool,
};
use serde::Serialize;

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
    /// Buffer pools that database servers would be told to have.
    pub pools: Vec<WantedPool>,
}

/// Files and their bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
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
    let room = Room::of(server.as_ref().and_then(|server| server.group.as_ref()))?;
    let sites = Sites::open(&request.folders, &request.owners)?;
    let before = held_before(state.map(|state| state.files).unwrap_or_default(), request);
    let mut survey = Survey::new(&sites, apache::may_serve_copies(request, server.as_ref()));
    let seen = survey.observe_all(&request.files, &before, request.placer);
    let affordable = Affordable::in_room(request.memory_bytes, before.held_bytes(), room);
    let mut after = before.clone();
    for change in decide(&request.files, &before, &seen, affordable) {
        after.apply(&change);
    }
    Ok(Preview::of(&before, &after, request))
}

fn held_before(files: Vec<FileState>, request: &Request) -> Holdings {
    let holdings = Holdings::of_state(&files);
    let wanted = |file: FileState| WantedFile {
        site: file.site,
        path: file.path,
    };
    let files: Vec<WantedFile> = files.into_iter().map(wanted).collect();
    holdings.carried_over(&files, &request.files)
}

impl Preview {
    fn of(before: &Holdings, after: &Holdings, request: &Request) -> Self {
        let mut preview = Self {
            files: after.file_states(&request.files, |_| None),
            pools: request.pools.clone(),
            ..Self::default()
        };
        let own = |hold: &Hold| hold.holding().copied().filter(|it| it.shares.is_none());
        for (before, after) in before.holds.iter().zip(&after.holds) {
            match (own(before), own(after)) {
                (Some(old), Some(new)) if old.identity.is_same_file(&new.identity) => {
                    preview.kept.count(&new.identity);
                }
                (Some(old), Some(new)) => {
                    preview.dropped.count(&old.identity);
                    preview.added.count(&new.identity);
                }
                (None, Some(new)) => preview.added.count(&new.identity),
                (Some(old), None) => preview.dropped.count(&old.identity),
                (None, None) => {}
            }
        }
        let unwanted = before.unwanted.iter().filter(|it| it.shares.is_none());
        unwanted.for_each(|it| preview.dropped.count(&it.identity));
        preview
    }
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
    pools::check(&request.pools)?;
    match (group, request.group) {
        (Some(group), Some(size)) => guarantee::check(group, size),
        _ => Ok(()),
    }
}
