//! Version 1: it knows no floors, so the groups beside the server's are limited to what the server leaves them.
//!
//! They are those beside the server's group, beside the group above it, and so on, up to the first group with a limit of its
//! own or the root: these share one memory. Never is a group limited to less than it cannot give back, or the kernel would
//! kill its processes. That is looked at again and again. A group that hotset itself runs in is not limited.

use super::group_size::GroupSize;
use super::upkeep::Guarantee;
use crate::group_setting::{GroupSetting, read};
use crate::{LiveError, Room};
use hotset_machine::cgroup::MemoryGroup;
use hotset_machine::ledger::Ledger;
use hotset_machine::lock::{self, Lock};
use hotset_machine::{MachineError, OnFile, memory};
use std::collections::HashMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// Of what a group's processes and the kernel have, what it may grow by until it is looked at again.
const GROWTH_SHARE: u64 = 4;
/// A limit that would change by less than this share of it stays: every change makes the kernel reclaim.
const STEADY_SHARE: u64 = 16;

/// Limits of the groups beside a server's.
pub(super) struct Neighbours<'l> {
    ledger: &'l Ledger,
    group: MemoryGroup,
    floor_bytes: u64,
    /// The group's size, which is no limit: only where memory is short does the kernel take from it what is beyond.
    size: Option<GroupSetting>,
    limits: HashMap<PathBuf, GroupSetting>,
    /// Keeps other states from limiting the same groups.
    #[allow(dead_code, reason = "it is held, not read")]
    claim: File,
}

impl<'l> Neighbours<'l> {
    pub fn limit(
        ledger: &'l Ledger,
        group: &MemoryGroup,
        size: GroupSize,
    ) -> Result<Self, LiveError> {
        let claim = claim(&Pool::top(group).0)?;
        let file = group.path().join("memory.soft_limit_in_bytes");
        let before = read(&file)?;
        let mut neighbours = Self {
            ledger,
            group: group.clone(),
            floor_bytes: size.floor_bytes,
            size: Some(GroupSetting::make(
                ledger,
                &file,
                &before,
                size.memory_bytes,
            )?),
            limits: HashMap::new(),
            claim,
        };
        neighbours.renew()?;
        Ok(neighbours)
    }

    /// Looks whether the groups beside can give back what the floor takes.
    pub fn check(group: &MemoryGroup, size: GroupSize) -> Result<(), LiveError> {
        Pool::around(group, size.floor_bytes)?.check(group)
    }

    /// Limits a neighbour to so many bytes, where that makes a difference.
    fn set(&mut self, group: &MemoryGroup, wanted: u64) -> Result<(), MachineError> {
        let file = group.path().join("memory.limit_in_bytes");
        let now: u64 = read(&file)?.parse().unwrap_or(u64::MAX);
        let ours = self.limits.get(group.path());
        let ours = ours.filter(|setting| setting.value == now);
        let before = ours.map_or(now, |setting| setting.before.parse().unwrap_or(u64::MAX));
        let wanted = wanted.min(before);
        let is_steady = match ours {
            Some(ours) => ours.value.abs_diff(wanted) <= ours.value / STEADY_SHARE,
            None => now == wanted,
        };
        if is_steady {
            return Ok(());
        }
        let setting = GroupSetting::make(self.ledger, &file, &before.to_string(), wanted)?;
        if let Some(old) = self.limits.insert(group.path().to_owned(), setting) {
            // Only its line in the ledger goes: what it wrote does not stand any more.
            self.ledger.undo(old.entry)?;
        }
        Ok(())
    }

    /// Forgets groups that are gone.
    fn forget(&mut self) {
        let ledger = self.ledger;
        self.limits.retain(|path, setting| {
            let is_there = path.exists();
            if !is_there {
                let _gone = ledger.undo(setting.entry);
            }
            is_there
        });
    }
}

impl Guarantee for Neighbours<'_> {
    fn renew(&mut self) -> Result<(), LiveError> {
        if let Some(size) = &self.size {
            size.renew()?;
        }
        self.forget();
        let pool = Pool::around(&self.group, self.floor_bytes)?;
        let limits = pool.limits();
        for (neighbour, limit) in pool.neighbours.iter().zip(limits) {
            match self.set(&neighbour.group, limit) {
                // It may have ended just now.
                Err(_) if !neighbour.group.path().exists() => {}
                other => other?,
            }
        }
        pool.check(&self.group)
    }
}

impl Drop for Neighbours<'_> {
    fn drop(&mut self) {
        let limits = self.limits.values();
        for setting in limits.chain(&self.size) {
            // What cannot be undone stays in the ledger.
            let _undone = self.ledger.undo(setting.entry);
        }
    }
}

/// Keeps other states from limiting the groups that share this folder's memory.
fn claim(top: &Path) -> Result<File, LiveError> {
    // The group itself is locked for the server.
    let holder = format!("process {}", std::process::id());
    match lock::lock(&top.join("memory.stat"), lock::Kind::Alone, &holder)? {
        Lock::Ours(file) => Ok(file),
        Lock::Others(_) => Err(LiveError::Guardian(format!(
            "another state limits the memory groups in {}: with version 1 of control groups, one plan with memory groups \
             can be held there at a time",
            top.display()
        ))),
    }
}

/// A memory that groups share.
struct Pool {
    /// What the neighbours may have together. Bytes.
    available_bytes: u64,
    neighbours: Vec<Neighbour>,
}

/// A group beside the server's, or beside one above it. Bytes.
struct Neighbour {
    group: MemoryGroup,
    usage_bytes: u64,
    /// What it cannot give back.
    kept_bytes: u64,
    /// What of that may become more at any moment: all but locked files.
    growing_bytes: u64,
}

impl Pool {
    /// The folder of the group whose memory is shared: the first above with a limit, and that limit; else the root.
    fn top(group: &MemoryGroup) -> (PathBuf, Option<MemoryGroup>) {
        let lineage = group.lineage();
        let mut above = lineage.iter().skip(1);
        let limited = above.find(|group| group.limit_bytes().is_some());
        let highest = lineage.last().unwrap_or(group).path();
        let root = highest.parent().unwrap_or(highest);
        match limited {
            Some(limited) => (limited.path().to_owned(), Some(limited.clone())),
            None => (root.to_owned(), None),
        }
    }

    fn around(group: &MemoryGroup, floor_bytes: u64) -> Result<Self, LiveError> {
        let (top, limited) = Self::top(group);
        let neighbours = neighbours(group, &top)?;
        let (total, taken) = match &limited {
            Some(group) => (
                group.limit_bytes().unwrap_or(u64::MAX),
                group.unreclaimable_bytes()?,
            ),
            None => {
                let total = memory::total_bytes()?;
                (total, total.saturating_sub(memory::available_bytes()?))
            }
        };
        let of_neighbours: u64 = neighbours.iter().map(|it| it.kept_bytes).sum();
        // Of processes in no group of these.
        let elsewhere = taken.saturating_sub(of_neighbours + group.unreclaimable_bytes()?);
        let reserved = Room::headroom_of(total) + floor_bytes + elsewhere;
        Ok(Self {
            available_bytes: total.saturating_sub(reserved),
            neighbours,
        })
    }

    /// What the neighbours have and cannot give back, beyond what they may have.
    fn short_bytes(&self) -> u64 {
        let kept: u64 = self.neighbours.iter().map(|it| it.kept_bytes).sum();
        kept.saturating_sub(self.available_bytes)
    }

    /// Whether the neighbours leave a group its floor.
    fn check(&self, group: &MemoryGroup) -> Result<(), LiveError> {
        match self.short_bytes() {
            0 => Ok(()),
            short_bytes => Err(LiveError::Guardian(format!(
                "{} is not guaranteed all of its floor: the memory groups beside it cannot give back {short_bytes} bytes \
                 of it. Give the machine, or the group above, more memory, or the plan less",
                group.path().display()
            ))),
        }
    }

    /// A limit for each neighbour: what it cannot give back and some more to grow by. What is left goes to all, half of it
    /// alike, half by what they use: who uses little now may need more later.
    fn limits(&self) -> Vec<u64> {
        let page = memory::page_bytes();
        let count = self.neighbours.len().max(1) as u64;
        let growth = Room::headroom_of(self.available_bytes) / count;
        let least = |it: &Neighbour| it.kept_bytes + it.growing_bytes / GROWTH_SHARE + growth;
        let all_least: u64 = self.neighbours.iter().map(least).sum();
        let half = self.available_bytes.saturating_sub(all_least) / 2;
        let used: u64 = self.neighbours.iter().map(|it| it.usage_bytes).sum();
        let by_use = |it: &Neighbour| {
            let share = u128::from(half) * u128::from(it.usage_bytes) / u128::from(used.max(1));
            share as u64
        };
        let limit = |it: &Neighbour| (least(it) + half / count + by_use(it)) / page * page;
        self.neighbours.iter().map(limit).collect()
    }
}

/// The groups beside a group and beside those above it, below `top`. Without those that this process runs in.
fn neighbours(group: &MemoryGroup, top: &Path) -> Result<Vec<Neighbour>, LiveError> {
    let own = MemoryGroup::of_process(std::process::id())?;
    let holds_own = |path: &Path| own.as_ref().is_some_and(|own| own.path().starts_with(path));
    let mut found = Vec::new();
    for above in group.path().ancestors().skip(1) {
        for entry in fs::read_dir(above).on("read", above)?.flatten() {
            let path = entry.path();
            let is_beside = !group.path().starts_with(&path) && !holds_own(&path);
            // Other entries are the kernel's files, and groups that have just ended.
            if is_beside && let Some(neighbour) = Neighbour::at(&path) {
                found.push(neighbour);
            }
        }
        if above == top {
            break;
        }
    }
    Ok(found)
}

impl Neighbour {
    fn at(path: &Path) -> Option<Self> {
        let group = MemoryGroup::at(path).ok()?;
        let usage = group.usage().ok()?;
        let kept_bytes = group.unreclaimable_bytes().ok()?;
        // Processes may have locked memory of their own.
        let locked_files = usage
            .unevictable_bytes
            .saturating_sub(usage.anonymous_bytes);
        Some(Self {
            usage_bytes: usage.total_bytes,
            kept_bytes,
            growing_bytes: kept_bytes.saturating_sub(locked_files),
            group,
        })
    }
}
