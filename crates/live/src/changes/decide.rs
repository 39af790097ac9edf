//! What is to be changed.

use super::{Affordable, Change, Hold, Holding, Holdings, Observation};
use crate::room::MAP_BYTES;
use crate::{Identity, Refusal, WantedFile};
use std::collections::HashMap;

/// What is to be changed so that the `wanted` files, the most valuable first, are held as far as they may be and it is
/// `affordable`. `seen` has an entry for each of them.
///
/// What is held and was not changed stays, the most valuable first. Then what was changed is held anew, and what was not held
/// gets what room is left. Every file is held once, however many names it has, and for one site. In no place of the list is
/// more held than is affordable, if that was so before. Where nothing has happened since a list was carried out, the next one
/// is empty.
#[must_use]
pub fn decide(
    wanted: &[WantedFile],
    held: &Holdings,
    seen: &[Observation],
    affordable: Affordable,
) -> Vec<Change> {
    let mut decision = Decision {
        wanted,
        held,
        changes: Vec::new(),
        owners: HashMap::new(),
        held_bytes: held.held_bytes(),
        free_bytes: affordable.free_bytes,
        memory_bytes: affordable.memory_bytes,
    };
    for holding in &held.unwanted {
        decision.drop(None, holding);
    }
    let others = decision.keep(seen);
    let waiting = decision.renew(others, seen);
    for file in waiting {
        decision.add(file, &seen[file]);
    }
    decision.changes
}

/// What has been decided so far.
struct Decision<'d> {
    wanted: &'d [WantedFile],
    held: &'d Holdings,
    changes: Vec<Change>,
    /// Who holds a file, by device and inode: the wanted file, and its number if it has one.
    owners: HashMap<(u64, u64), (usize, Option<u64>)>,
    /// Bytes that are held after these changes.
    held_bytes: u64,
    free_bytes: u64,
    memory_bytes: u64,
}

impl Decision<'_> {
    fn drop(&mut self, file: Option<usize>, holding: &Holding) {
        self.held_bytes = self.held_bytes.saturating_sub(holding.page_bytes());
        self.free_bytes = self.free_bytes.saturating_add(holding.cost_bytes());
        let holding = *holding;
        self.changes.push(Change::Drop { file, holding });
    }

    /// Keeps what was not changed, as far as it is affordable; the others.
    fn keep(&mut self, seen: &[Observation]) -> Vec<usize> {
        let mut kept_bytes = 0_u64;
        let mut others = Vec::new();
        for (file, hold) in self.held.holds.iter().enumerate() {
            let own = hold.holding().filter(|holding| holding.shares.is_none());
            let is_same = matches!(seen[file], Observation::Unseen | Observation::Unchanged);
            let Some(holding) = own.filter(|_| is_same) else {
                others.push(file);
                continue;
            };
            let key = holding.identity.key();
            let bytes = kept_bytes.saturating_add(holding.page_bytes());
            if self.owners.contains_key(&key) {
                others.push(file);
            } else if bytes <= self.memory_bytes {
                kept_bytes = bytes;
                self.owners.insert(key, (file, Some(holding.number)));
            } else {
                self.drop(Some(file), holding);
                let why = self.no_room(holding.page_bytes());
                self.changes.push(Change::LeaveOut { file, why });
            }
        }
        others
    }

    /// Gives up what is out of date, and holds it anew where there is room at once; what is left to be placed.
    fn renew(&mut self, files: Vec<usize>, seen: &[Observation]) -> Vec<usize> {
        let mut waiting = Vec::new();
        for file in files {
            let Some(holding) = self.held.holds[file].holding() else {
                waiting.push(file);
                continue;
            };
            let identity = match &seen[file] {
                Observation::File(identity) => Some(*identity),
                Observation::Unchanged | Observation::Unseen => Some(holding.identity),
                Observation::Refused(_) => None,
            };
            let owner = identity.and_then(|identity| self.owners.get(&identity.key()).copied());
            let is_shared = holding.shares.is_some()
                && owner.is_some_and(|(_, number)| number == holding.shares)
                && identity == Some(holding.identity);
            if is_shared {
                continue;
            }
            self.drop(Some(file), holding);
            let is_placed = identity.is_some_and(|identity| self.place(file, identity, true));
            if !is_placed {
                waiting.push(file);
            }
        }
        waiting
    }

    /// Sees to a file of which nothing is held any more.
    fn add(&mut self, file: usize, seen: &Observation) {
        let identity = match (seen, &self.held.holds[file]) {
            (Observation::Refused(why), _) => return self.leave_out(file, why.clone()),
            (Observation::File(identity), _) => *identity,
            // It was held twice, or what it shared is given up.
            (_, Hold::Held(holding)) => holding.identity,
            (_, Hold::Open | Hold::LeftOut(_)) => return,
        };
        if !self.place(file, identity, false) {
            let why = self.no_room(identity.page_bytes());
            self.leave_out(file, why);
        }
    }

    /// Places a file, as another name of the same file where that is held. Whether there is room.
    fn place(&mut self, file: usize, identity: Identity, replaces: bool) -> bool {
        let owner = self.owners.get(&identity.key()).map(|(owner, _)| *owner);
        if let Some(owner) = owner {
            let site = &self.wanted[owner].site;
            if *site == self.wanted[file].site {
                self.changes.push(Change::Share {
                    file,
                    owner,
                    identity,
                });
            } else {
                self.leave_out(file, Refusal::OtherSite(site.clone()));
            }
            return true;
        }
        let has_room = self.has_room(&identity);
        if has_room {
            self.held_bytes += identity.page_bytes();
            self.free_bytes -= identity.page_bytes() + MAP_BYTES;
            self.owners.insert(identity.key(), (file, None));
            self.changes.push(Change::Place {
                file,
                identity,
                replaces,
            });
        }
        has_room
    }

    fn has_room(&self, file: &Identity) -> bool {
        let bytes = file.page_bytes();
        self.held_bytes.saturating_add(bytes) <= self.memory_bytes
            && bytes.saturating_add(MAP_BYTES) <= self.free_bytes
    }

    fn no_room(&self, needed_bytes: u64) -> Refusal {
        let memory_bytes = self.memory_bytes.saturating_sub(self.held_bytes);
        Refusal::NoRoom {
            needed_bytes,
            room_bytes: memory_bytes.min(self.free_bytes),
        }
    }

    fn leave_out(&mut self, file: usize, why: Refusal) {
        let is_known = match (&self.held.holds[file], &why) {
            // How little room there is makes no difference.
            (Hold::LeftOut(Refusal::NoRoom { .. }), Refusal::NoRoom { .. }) => true,
            (Hold::LeftOut(known), why) => known == why,
            _ => false,
        };
        if !is_known {
            self.changes.push(Change::LeaveOut { file, why });
        }
    }
}
