//! One look at all wanted files, and what is decided about them carried out.

use super::Keeper;
use super::look_schedule::LookResult;
use crate::changes::{Affordable, Change, Hold, Observation, decide};
use crate::file_system::is_in_memory;
use crate::pacing::Workplace;
use crate::placer::Candidate;
use crate::state::Charge;
use crate::survey::Survey;
use crate::{Identity, LiveError, PlacerKind, Refusal, Room, Sites};
use hotset_machine::Residency;
use std::time::Duration;

/// How often it is decided anew in a look about files that change meanwhile.
const ROUNDS: usize = 3;

/// What a look has come to.
#[derive(Default)]
struct Tally {
    placed_bytes: u64,
    released_bytes: u64,
    changed: bool,
    /// What placing files took that were not held before.
    placing_took: Duration,
}

/// A look while it goes on.
struct Visit<'v, 'l, 's> {
    keeper: &'v mut Keeper<'l>,
    survey: Survey<'s>,
    seen: Vec<Observation>,
    /// Decides about files that have changed since they were seen.
    rounds_left: usize,
    /// Whether something came otherwise than it was decided.
    is_void: bool,
    tally: Tally,
}

impl Keeper<'_> {
    /// Looks at all files. Whether anything has changed.
    ///
    /// # Errors
    /// When the roots or the machine's memory cannot be looked at.
    pub(super) fn look(&mut self) -> Result<bool, LiveError> {
        let sites = Sites::open(&self.request.folders, &self.request.owners)?;
        self.missing_roots = sites.missing().collect();
        let room = Room::of(self.group())?;
        let before = self.counted_bytes();
        let was_unfinished = self.pacing.is_unfinished();
        let began = self.now();
        self.schedule.begin(began);
        self.placer.begin(&sites);
        let mut survey = Survey::new(&sites, self.heeds_rules());
        let files = &self.request.files;
        let mut visit = Visit {
            seen: survey.observe_all(files, &self.holdings, self.request.placer),
            survey,
            keeper: self,
            rounds_left: ROUNDS,
            is_void: false,
            tally: Tally::default(),
        };
        visit.bring_in_line(room);
        let Visit { survey, tally, .. } = visit;
        let look = LookResult {
            changes_unseen: survey.has_changes_unseen(),
            is_unbounded: survey.is_unbounded(),
            took: Duration::ZERO,
            placing_took: tally.placing_took,
        };
        self.placer.settle();
        self.holdings.note_held();
        let now = self.now();
        let took = (now - began).saturating_sub(tally.placing_took);
        self.schedule.finish(LookResult { took, ..look }, now);
        if tally.placed_bytes > 0 {
            // What was given up meanwhile does not count against what was placed.
            let before = before.map(|bytes| bytes.saturating_sub(tally.released_bytes));
            let first = self.charge.take().filter(|_| was_unfinished);
            let proof = self.proof(before, tally.placed_bytes);
            self.charge = proof.map(|proof| proof.after(first, tally.released_bytes));
        }
        Ok(tally.changed || was_unfinished != self.pacing.is_unfinished())
    }

    /// Gives up what is dropped or left out. Whether what is held is another to whoever asks.
    pub(super) fn give_up(&mut self, change: &Change) -> bool {
        if let Change::Drop { holding, .. } = change {
            self.placer.release(holding.number);
        }
        self.holdings.apply(change)
    }

    fn proof(&self, before: Option<u64>, placed_bytes: u64) -> Option<Charge> {
        Some(Charge {
            group: self.group()?.path().to_owned(),
            before_bytes: before?,
            after_bytes: self.counted_bytes()?,
            placed_bytes,
            lay_in_memory: self.request.placer == PlacerKind::Pin
                && self.request.folders.iter().any(is_in_memory),
        })
    }
}

impl Visit<'_, '_, '_> {
    /// Decides and does, until nothing comes otherwise than it was decided: what could not be held leaves room for others.
    fn bring_in_line(&mut self, room: Room) {
        let memory_bytes = self.keeper.request.memory_bytes;
        let held_bytes = self.keeper.holdings.held_bytes();
        let cost_bytes = self.keeper.holdings.cost_bytes();
        let mut affordable = Affordable::in_room(memory_bytes, held_bytes, room);
        self.keeper.budget_bytes = affordable.memory_bytes;
        loop {
            self.is_void = false;
            let (files, held) = (&self.keeper.request.files, &self.keeper.holdings);
            let changes = decide(files, held, &self.seen, affordable);
            self.carry_out(changes);
            if !self.is_void || self.keeper.pacing.is_unfinished() {
                return;
            }
            self.rounds_left = self.rounds_left.saturating_sub(1);
            let taken = self.keeper.holdings.cost_bytes();
            affordable.free_bytes = (room.free_bytes + cost_bytes).saturating_sub(taken);
        }
    }

    fn carry_out(&mut self, changes: Vec<Change>) {
        let (mut places, mut shares) = (Vec::new(), Vec::new());
        for change in changes {
            match change {
                Change::Drop { holding, .. } => {
                    self.tally.released_bytes += holding.page_bytes();
                    self.tally.changed |= self.keeper.give_up(&change);
                }
                Change::LeaveOut { .. } => self.tally.changed |= self.keeper.give_up(&change),
                Change::Place {
                    file,
                    identity,
                    replaces: true,
                } => {
                    self.place_one(file, identity);
                }
                Change::Place { file, identity, .. } => places.push((file, identity)),
                Change::Share {
                    file,
                    owner,
                    identity,
                } => {
                    if !self.share(file, owner, identity) {
                        shares.push((file, owner, identity));
                    }
                }
            }
        }
        let mut pacing = self.keeper.pacing;
        let took = pacing.place(self.keeper.request.pace, places, self);
        self.keeper.pacing = pacing;
        self.tally.placing_took += took;
        for (file, owner, identity) in shares {
            self.share(file, owner, identity);
        }
    }

    /// Places a file. Whether it is held then.
    fn place_one(&mut self, file: usize, identity: Identity) -> bool {
        let placed = self.attempt(file, identity, None);
        if let Some(identity) = placed {
            self.keeper.holdings.hold(file, identity, None);
            self.seen[file] = Observation::Unchanged;
            self.tally.placed_bytes += identity.page_bytes();
            self.tally.changed = true;
        }
        placed.is_some()
    }

    /// Has another name of a file served from the same memory. Whether that file is held.
    fn share(&mut self, file: usize, owner: usize, identity: Identity) -> bool {
        let Some(owner) = self.keeper.holdings.holds[owner].holding() else {
            return false;
        };
        let owner = owner.number;
        if self.attempt(file, identity, Some(owner)).is_some() {
            self.keeper.holdings.hold(file, identity, Some(owner));
            self.tally.changed = true;
        }
        true
    }

    /// Has the placer place or share a file that is still what was seen of it; what it was then.
    fn attempt(&mut self, file: usize, seen: Identity, owner: Option<u64>) -> Option<Identity> {
        let keeper = &mut *self.keeper;
        let wanted = &keeper.request.files[file];
        let kind = keeper.request.placer;
        let found = match self.survey.find(wanted) {
            Ok(found) if kind.is_current(&seen, &found.identity) => found,
            _ => {
                self.seen[file] = match self.rounds_left {
                    0 => Observation::Refused(Refusal::Changing),
                    _ => self.survey.observe(wanted, &Hold::Open, kind),
                };
                self.is_void = true;
                return None;
            }
        };
        let candidate = Candidate {
            found: &found,
            number: keeper.holdings.next_number(),
            wanted,
            sites: self.survey.sites(),
        };
        let done = match owner {
            Some(owner) => keeper.placer.share(&candidate, owner).map(|()| seen),
            None => keeper.placer.place(&candidate),
        };
        let refused = |why: Refusal| {
            self.seen[file] = Observation::Refused(why.clone());
            self.is_void = true;
            self.tally.changed |= keeper.holdings.apply(&Change::LeaveOut { file, why });
        };
        done.map_err(refused).ok()
    }
}

impl Workplace for Visit<'_, '_, '_> {
    type File = (usize, Identity);

    fn now(&self) -> Duration {
        self.keeper.now()
    }

    /// Where the kernel does not tell, it is taken not to be.
    fn is_cached(&mut self, &(file, _): &Self::File) -> bool {
        let found = self.survey.find(&self.keeper.request.files[file]);
        // What cannot be found is not waited for.
        found.map_or(true, |found| {
            let open = found.open();
            open.is_ok_and(|open| Residency::of(open).is_ok_and(Residency::is_whole))
        })
    }

    fn place(&mut self, (file, identity): Self::File) -> bool {
        self.place_one(file, identity)
    }
}
