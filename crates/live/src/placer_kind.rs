//! Ways to hold files, by name.

use crate::Identity;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A way to hold files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlacerKind {
    /// Locked in the page cache where they are.
    Pin,
    /// Copies in memory, mounted over their files in the server's mount namespace.
    Bind,
    /// Copies in memory that the server looks up before its own files.
    HotRoot,
}

impl PlacerKind {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pin => "pin",
            Self::Bind => "bind",
            Self::HotRoot => "hot-root",
        }
    }
}

impl PlacerKind {
    /// Whether a file that was held as `held` is served as it is `now`. What is written into a locked file is in memory; only its
    /// size and its place matter. A copy is served as it was made: whatever has changed, the file's rights as well, is copied anew.
    pub(crate) fn is_current(self, held: &Identity, now: &Identity) -> bool {
        match self {
            Self::Pin => held.is_same_file(now) && held.size_bytes == now.size_bytes,
            Self::Bind | Self::HotRoot => held == now,
        }
    }
}

impl fmt::Display for PlacerKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The way to hold files that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlacerChoice {
    /// The one that suits the sites' file systems and the server.
    Auto,
    /// This one.
    One(PlacerKind),
}

impl PlacerChoice {
    /// Names of the choices.
    pub const NAMES: [&str; 4] = ["auto", "pin", "bind", "hot-root"];
}

impl FromStr for PlacerChoice {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "auto" => Ok(Self::Auto),
            "pin" => Ok(Self::One(PlacerKind::Pin)),
            "bind" => Ok(Self::One(PlacerKind::Bind)),
            "hot-root" => Ok(Self::One(PlacerKind::HotRoot)),
            _ => Err(format!("write one of {}", Self::NAMES.join(", "))),
        }
    }
}
