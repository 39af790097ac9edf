//! What people are shown of a choice: the hottest files, and what moved for which reason.

use super::known::KnownFiles;
use super::spec::RunSite;
use hotset_plan::{HeldSet, Ranking, Values};
use hotset_scenario::FilePath;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Files that are shown as the hottest.
const HOTTEST: usize = 25;

/// Files among which the hottest are sought at a time.
const SIFTED: usize = 1024;

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
    #[serde(rename = "told_ms")]
    pub time_ms: u64,
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
pub(super) struct Overview {
    pub hottest: Vec<HotFile>,
    pub moves: Vec<Move>,
    /// The share of all heat that the held files have; none where there is none.
    pub predicted_hit_ratio: Option<f64>,
}

/// A choice between what was held and what is held next.
pub(super) struct Turnover<'c> {
    pub known: &'c KnownFiles,
    pub sites: &'c [RunSite],
    pub values: &'c Values,
    pub ranking: &'c Ranking,
    pub before: &'c HeldSet,
    pub next: &'c HeldSet,
}

impl Turnover<'_> {
    pub fn overview(&self, time_ms: u64) -> Overview {
        let taken = new_in(self.next, self.before).map(|id| (id, true));
        let given_up = new_in(self.before, self.next).map(|id| (id, false));
        let moved: Vec<(u32, bool)> = given_up.take(MOVES).chain(taken.take(MOVES)).collect();
        let mut of_moved: HashMap<u32, f64> = moved.iter().map(|&(id, _)| (id, 0.0)).collect();
        let (mut all, mut of_held) = (0.0, 0.0);
        let mut hottest: Vec<(u32, f64)> = Vec::new();
        for (id, heat) in self.ranking.heat(self.values) {
            all += heat;
            of_held += if self.next.contains(id) { heat } else { 0.0 };
            of_moved.entry(id).and_modify(|of| *of = heat);
            hottest.push((id, heat));
            if hottest.len() == SIFTED {
                sift(&mut hottest);
            }
        }
        sift(&mut hottest);
        let hot_file = |&(id, heat): &(u32, f64)| self.hot_file(id, heat);
        Overview {
            hottest: hottest.iter().map(hot_file).collect(),
            moves: self.moves(&moved, &of_moved, time_ms),
            predicted_hit_ratio: (all > 0.0).then(|| of_held / all),
        }
    }

    fn moves(&self, moved: &[(u32, bool)], heat: &HashMap<u32, f64>, time_ms: u64) -> Vec<Move> {
        let to_move = |&(id, is_taken): &(u32, bool)| {
            let file = self.hot_file(id, heat[&id]);
            Move {
                time_ms,
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

/// Leaves the hottest, these first.
fn sift(files: &mut Vec<(u32, f64)>) {
    files.sort_by(|a, b| b.1.total_cmp(&a.1));
    files.truncate(HOTTEST);
}

/// Those of one set that the other has not.
fn new_in<'s>(set: &'s HeldSet, other: &'s HeldSet) -> impl Iterator<Item = u32> + 's {
    let objects = set.objects().iter().copied();
    objects.filter(|&id| !other.contains(id))
}
