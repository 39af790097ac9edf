//! How held files are kept in memory.

use serde::{Deserialize, Serialize};

/// How the held files are kept in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Means {
    /// Not at all.
    Nothing,
    /// Copied into a ramfs of the node, which the server looks into first.
    Ramfs,
    /// Locked into the page cache by `vmtouch -l`.
    Locked,
    /// The foreground's server has a memory group of its own, as large as the held files and the server.
    OwnGroup,
    /// Each site's server has a memory group of its own where the planner parts the memory; held files are in ramfs.
    Groups,
    /// Locked in place by `hotset apply --placer pin`.
    Pin,
    /// Copied by `hotset apply --placer bind`, under a server with mounts of its own.
    Bind,
    /// Copied by `hotset apply --placer hot-root`, under a server that looks there first.
    HotRoot,
    /// As `Groups`, within the node's group: each site's held files are locked in place by a `hotset apply` of its own, which gives the
    /// foreground's group its size.
    PinInGroups,
    /// Locked in place by a `hotset run` that follows the server's access log.
    Run,
}

impl Means {
    /// Whether files are chosen at all. The choice needs to know the memory that the page cache alone has for files.
    pub fn chooses(self) -> bool {
        self != Self::Nothing
    }

    /// Whether a plan may part the memory into groups.
    pub fn may_part(self) -> bool {
        matches!(self, Self::Groups | Self::PinInGroups)
    }
}
