//! What people are shown of a choice: the hottest files, and what moved for which reason.

use super::known::KnownFiles;
use super::spec::DaemonSite;
use hotset_plan::{HeldSet, Ranking, Values};
use hotset_scenario::FilePath;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Files that are shown as the hottest.
const HOTTEST: usize = 25;

/// Moves of a choice, in each direction, that are shown.
const MOVES: usize = 20;

/// A file that is asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HotFile {
    /// Its site.
    pub site: String,
    /// Its path within the site.
    pub path: FilePath,
    /// Bytes.
    pub size_bytes: u64,
    /// Requests, as the leading way of counting remembers them.
    pub heat: f64,
    /// Whether it is chosen to be held.
    pub is_held: bool,
}

/// A file that was taken into memory, or given up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Move {
    /// When. Milliseconds since 1970-01-01 UTC.
    pub told_ms: u64,
    /// Its site.
    pub site: String,
    /// Its path within the site.
    pub path: FilePath,
    /// Bytes.
    pub size_bytes: u64,
    /// Whether it was taken; else it was given up.
    pub is_taken: bool,
    /// Requests, as the leading way of counting remembers them.
    pub heat: f64,
    /// What a read from memory saves. Weighted microseconds.
    pub saved_us: f64,
}

/// What a choice says.
pub(super) struct Sight {
    pub hottest: Vec<HotFile>,
    pub moves: Vec<Move>,
    /// The share of all heat that the held files have; none where there is none.
    pub predicted_hit_ratio: Option<f64>,
}

/// A choice between what was held and what is held next.
pub(super) struct Choice<'c> {
    pub known: &'c KnownFiles,
    pub sites: &'c [DaemonSite],
    pub values: &'c Values,
    pub ranking: &'c Ranking,
    pub before: &'c HeldSet,
    pub next: &'c HeldSet,
}

impl Choice<'_> {
    pub fn sight(&self, told_ms: u64) -> Sight {
        let mut heat: Vec<(u32, f64)> = self.ranking.heat(self.values).collect();
        let predicted_hit_ratio = self.share_of_held(&heat);
        let moves = self.moves(&heat, told_ms);
        let hotter = |a: &(u32, f64), b: &(u32, f64)| b.1.total_cmp(&a.1);
        if heat.len() > HOTTEST {
            heat.select_nth_unstable_by(HOTTEST, hotter);
            heat.truncate(HOTTEST);
        }
        heat.sort_by(hotter);
        Sight {
            hottest: heat
                .iter()
                .map(|&(id, heat)| self.hot_file(id, heat))
                .collect(),
            moves,
            predicted_hit_ratio,
        }
    }

    fn share_of_held(&self, heat: &[(u32, f64)]) -> Option<f64> {
        let all: f64 = heat.iter().map(|(_, heat)| heat).sum();
        let held = heat.iter().filter(|(id, _)| self.next.contains(*id));
        let of_held: f64 = held.map(|(_, heat)| heat).sum();
        (all > 0.0).then(|| of_held / all)
    }

    fn moves(&self, heat: &[(u32, f64)], told_ms: u64) -> Vec<Move> {
        let taken = new_in(self.next, self.before).map(|id| (id, true));
        let given_up = new_in(self.before, self.next).map(|id| (id, false));
        let moved: Vec<(u32, bool)> = given_up.take(MOVES).chain(taken.take(MOVES)).collect();
        let ids: HashMap<u32, f64> = moved.iter().map(|&(id, _)| (id, 0.0)).collect();
        let mut of_moved = ids;
        for &(id, heat) in heat.iter().filter(|_| !moved.is_empty()) {
            of_moved.entry(id).and_modify(|of| *of = heat);
        }
        let to_move = |&(id, is_taken): &(u32, bool)| {
            let file = self.hot_file(id, of_moved[&id]);
            Move {
                told_ms,
                site: file.site,
                path: file.path,
                size_bytes: file.size_bytes,
                is_taken,
                heat: file.heat,
                saved_us: self.values.saved_us(id),
            }
        };
        moved.iter().map(to_move).collect()
    }

    fn hot_file(&self, id: u32, heat: f64) -> HotFile {
        HotFile {
            site: self.sites[usize::from(self.known.site(id))].name.clone(),
            path: FilePath(self.known.path(id).to_vec()),
            size_bytes: self.known.sizes[id as usize],
            heat,
            is_held: self.next.contains(id),
        }
    }
}

/// Those of one set that the other has not.
fn new_in<'s>(set: &'s HeldSet, other: &'s HeldSet) -> impl Iterator<Item = u32> + 's {
    let objects = set.objects().iter().copied();
    objects.filter(|&id| !other.contains(id))
}
