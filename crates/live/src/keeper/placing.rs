//! One look at all wanted files: what is held is checked, and what is not is placed.

use super::{Entry, Keeper, REST, Status, UNASKED_LOOK, description};
use crate::file_system::is_in_memory;
use crate::look::{Checked, Look};
use crate::placer::Candidate;
use crate::state::Charge;
use crate::{Identity, LiveError, Pace, PlacerKind, Refusal, ResolvedFile, Room, Sites};
use hotset_machine::Residency;
use std::time::{Duration, Instant};

/// Placing without haste is interrupted after so long, to look at what is held already and to write down what is.
const SLICE: Duration = Duration::from_millis(500);
/// Of that, so long for files that are not in memory. Longer turns would make those wait who are served from the same disk.
const READ_SLICE: Duration = Duration::from_millis(100);

/// What a look has come to.
#[derive(Default)]
struct Placed {
    bytes: u64,
    released_bytes: u64,
    changed: bool,
    /// What placing files took that were not held before.
    took: Duration,
}

impl Keeper<'_> {
    /// Looks at all files. Whether anything has changed.
    ///
    /// # Errors
    /// When the roots or the machine's memory cannot be looked at.
    pub(super) fn look(&mut self) -> Result<bool, LiveError> {
        let sites = Sites::open(&self.request.folders, &self.request.owners)?;
        let room = Room::of(self.group())?;
        let before = self.counted_bytes();
        let was_unfinished = self.is_unfinished;
        let started = Instant::now();
        self.next_look = Instant::now() + UNASKED_LOOK;
        self.placer.begin(&sites);
        let placed = self.place_all(&sites, room);
        self.placer.settle();
        self.looked = Instant::now();
        self.placing_took = placed.took;
        self.look_took = started.elapsed().saturating_sub(placed.took);
        if placed.bytes > 0 {
            // What was given up meanwhile does not count against what was placed.
            let before = before.map(|bytes| bytes.saturating_sub(placed.released_bytes));
            let first = self.charge.take().filter(|_| was_unfinished);
            let proof = self.proof(before, placed.bytes);
            self.charge = proof.map(|proof| proof.after(first, placed.released_bytes));
        }
        Ok(placed.changed || was_unfinished != self.is_unfinished)
    }

    fn place_all(&mut self, sites: &Sites, room: Room) -> Placed {
        let held = self.held_bytes();
        self.budget_bytes = self.request.memory_bytes.min(held + room.free_bytes);
        let free_bytes = self.budget_bytes.saturating_sub(held);
        let mut look = Look::new(sites, free_bytes, self.heeds_rules());
        let mut placed = Placed::default();
        let is_held =
            |entry: &Entry| matches!(entry.status, Status::Held { .. } | Status::Shared(_));
        let (held, others): (Vec<usize>, Vec<usize>) =
            (0..self.entries.len()).partition(|&at| is_held(&self.entries[at]));
        for at in held {
            self.look_at(at, &mut look, &mut placed);
        }
        match self.request.pace {
            Pace::AtOnce => self.place_at_once(&others, &mut look, &mut placed),
            Pace::Unhurried => self.place_unhurried(&others, &mut look, &mut placed),
        }
        self.changes_unseen = look.has_changes_unseen();
        self.is_unbounded = look.is_unbounded();
        placed
    }

    fn place_at_once(&mut self, others: &[usize], look: &mut Look, placed: &mut Placed) {
        for &at in others {
            self.place_new(at, look, placed);
        }
        self.is_unfinished = false;
    }

    /// Places for a while what is in memory already. Only then, and in a fifth of the time, it reads what is not: a disk that the
    /// server's clients keep busy is theirs.
    fn place_unhurried(&mut self, others: &[usize], look: &mut Look, placed: &mut Placed) {
        let mut absent = Vec::new();
        for &at in others {
            if placed.took >= SLICE {
                self.is_unfinished = true;
                self.goes_on = Instant::now();
                return;
            }
            match self.is_absent(at, look) {
                Some(identity) => {
                    // The more valuable file keeps its room.
                    look.set_aside(&identity);
                    absent.push((at, identity));
                }
                None => self.place_new(at, look, placed),
            }
        }
        let mut absent = absent.into_iter();
        if Instant::now() >= self.reads_from {
            let began = Instant::now();
            for (at, identity) in absent.by_ref() {
                look.give_back(&identity);
                self.place_new(at, look, placed);
                if began.elapsed() >= READ_SLICE {
                    break;
                }
            }
            self.reads_from = Instant::now() + REST * began.elapsed();
        }
        self.is_unfinished = absent.next().is_some();
        self.goes_on = self.reads_from;
    }

    /// A file that could be held and is not in memory.
    fn is_absent(&self, at: usize, look: &mut Look) -> Option<Identity> {
        let wanted = &self.entries[at].wanted;
        let found = look.find(wanted).ok()?;
        match look.check(wanted, found) {
            Ok(Checked::New(found)) if !is_cached(&found) => Some(found.identity),
            _ => None,
        }
    }

    fn place_new(&mut self, at: usize, look: &mut Look, placed: &mut Placed) {
        let (began, bytes) = (Instant::now(), placed.bytes);
        self.look_at(at, look, placed);
        if placed.bytes > bytes {
            placed.took += began.elapsed();
        }
    }

    /// Looks at one file and does what is to be done.
    fn look_at(&mut self, at: usize, look: &mut Look, placed: &mut Placed) {
        let found = look.find(&self.entries[at].wanted);
        let status = std::mem::replace(&mut self.entries[at].status, Status::Open);
        let was = description(&status);
        let status = match (status, found) {
            (Status::Held { number, identity }, Ok(found))
                if self.placer.is_current(&identity, &found.identity)
                    && !look.is_taken(&identity) =>
            {
                look.keep(&self.entries[at].wanted, &identity, number);
                Status::Held { number, identity }
            }
            (status, found) => {
                if let Status::Held { number, identity } = status {
                    self.placer.release(number);
                    look.give_back(&identity);
                    placed.released_bytes += identity.page_bytes();
                }
                self.hold(at, found, look, placed)
            }
        };
        placed.changed |= description(&status) != was;
        self.entries[at].was_held |= description(&status).flatten().is_some();
        self.entries[at].status = status;
    }

    fn hold(
        &mut self,
        at: usize,
        found: Result<ResolvedFile, Refusal>,
        look: &mut Look,
        placed: &mut Placed,
    ) -> Status {
        let wanted = &self.entries[at].wanted;
        let found = match found.and_then(|found| look.check(wanted, found)) {
            Ok(Checked::New(found)) => found,
            Ok(Checked::Shared(found, number)) => {
                let candidate = Candidate {
                    found: &found,
                    number,
                    wanted,
                    sites: look.sites(),
                };
                return match self.placer.share(&candidate) {
                    Ok(()) => Status::Shared(found.identity),
                    Err(refusal) => Status::LeftOut(refusal),
                };
            }
            Err(refusal) => return Status::LeftOut(refusal),
        };
        let number = self.next_number;
        self.next_number += 1;
        let candidate = Candidate {
            found: &found,
            number,
            wanted,
            sites: look.sites(),
        };
        match self.placer.place(&candidate) {
            Ok(identity) => {
                look.take(wanted, &identity, number);
                placed.bytes += identity.page_bytes();
                placed.changed = true;
                Status::Held { number, identity }
            }
            Err(refusal) => Status::LeftOut(refusal),
        }
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

/// Whether all of a file is in memory. Where the kernel does not tell, it is taken not to be.
fn is_cached(found: &ResolvedFile) -> bool {
    let file = found.open();
    file.is_ok_and(|file| Residency::of(file).is_ok_and(Residency::is_whole))
}
