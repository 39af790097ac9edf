//! Points that others simulate, part by part.

use std::collections::{HashMap, HashSet};

use hotset_report::PointFigures;

use super::kept::{Kept, KeptPoint, Key};
use crate::JobError;
use crate::error::refused;

/// Points that come in parts. Where a table is asked for, they are kept beside it.
pub struct Parts {
    /// In the order of the points.
    keys: Vec<Key>,
    wanted: HashSet<Key>,
    found: HashMap<Key, PointFigures>,
    kept: Option<Kept>,
}

impl Parts {
    /// Of the points with these keys, of which some were found in the file where they are kept.
    pub(super) fn new(
        keys: Vec<Key>,
        found: HashMap<Key, PointFigures>,
        kept: Option<Kept>,
    ) -> Self {
        Self {
            wanted: keys.iter().cloned().collect(),
            keys,
            found,
            kept,
        }
    }

    /// Numbers of the points that are still to be had, rising.
    #[must_use]
    pub fn left(&self) -> Vec<usize> {
        let keys = self.keys.iter().enumerate();
        let left = keys.filter(|(_, key)| !self.found.contains_key(*key));
        left.map(|(at, _)| at).collect()
    }

    /// Adds a part, as `Sweep::part` gives it, and keeps it. What has come before changes nothing.
    ///
    /// # Errors
    /// A part of another scenario or other logs, and a full disk.
    pub fn add(&mut self, part: &[u8]) -> Result<(), JobError> {
        for line in part
            .split(|byte| *byte == b'\n')
            .filter(|it| !it.is_empty())
        {
            let point: KeptPoint = serde_json::from_slice(line)?;
            if !self.wanted.contains(&point.key) {
                return Err(other_files());
            }
            let is_new = !self.found.contains_key(&point.key);
            if is_new {
                if let Some(kept) = &self.kept {
                    kept.add(&point)?;
                }
                self.found.insert(point.key, point.figures);
            }
        }
        Ok(())
    }

    /// What each point came to, in their order, and the file where they are kept.
    ///
    /// # Errors
    /// Points that are missing.
    pub(super) fn into_points(self) -> Result<(Vec<PointFigures>, Option<Kept>), JobError> {
        let of_key = |key: &Key| self.found.get(key).cloned().ok_or_else(other_files);
        let figures = self.keys.iter().map(of_key);
        let figures: Result<Vec<PointFigures>, JobError> = figures.collect();
        Ok((figures?, self.kept))
    }
}

fn other_files() -> JobError {
    refused(
        "a point is missing, or a worker has read another scenario or other logs than this process: all have to see the same files",
    )
}
