//! Where the machine's control groups are mounted, and which controllers they have.

use crate::{MachineError, mount};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Where the machine's control groups are mounted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hierarchies {
    /// The version 2 tree. Processes are kept track of there; that needs no controller.
    pub unified: Option<PathBuf>,
    /// Version 1 trees by controller.
    pub v1: BTreeMap<String, PathBuf>,
}

impl Hierarchies {
    /// Reads /proc/self/mountinfo.
    ///
    /// # Errors
    /// When that is not possible.
    pub fn detect() -> Result<Self, MachineError> {
        let mut found = Self::default();
        for mounted in mount::mounts()? {
            match mounted.kind.as_str() {
                "cgroup2" => found.unified = Some(mounted.path),
                "cgroup" => {
                    for option in mounted.options.split(',') {
                        found.v1.insert(option.to_owned(), mounted.path.clone());
                    }
                }
                _ => {}
            }
        }
        Ok(found)
    }

    /// Where memory is limited: by version 1 if its controller is there.
    #[must_use]
    pub fn has_memory(&self) -> bool {
        self.v1.contains_key("memory")
            || self
                .unified
                .as_deref()
                .is_some_and(|root| controllers(root).contains("memory"))
    }

    pub(crate) fn tracking(&self) -> Result<&Path, MachineError> {
        self.unified.as_deref().ok_or_else(|| {
            MachineError::unusable("no version 2 control groups are mounted: `mount -t cgroup2 none /sys/fs/cgroup/unified`")
        })
    }
}

/// The controllers that a version 2 group may hand on.
pub(crate) fn controllers(group: &Path) -> BTreeSet<String> {
    words(&group.join("cgroup.controllers"))
}

/// The words in a file of the kernel; none where there is no such file.
pub(crate) fn words(path: &Path) -> BTreeSet<String> {
    fs::read_to_string(path)
        .unwrap_or_default()
        .split_whitespace()
        .map(str::to_owned)
        .collect()
}
