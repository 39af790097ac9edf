//! Ways to hold files, by name.

use crate::Identity;
use serde::{Deserialize, Serialize};
use std::str::FromStr;
use strum::{Display, EnumString};

/// A way to hold files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Display, EnumString)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum PlacerKind {
    /// Locked in the page cache where they are.
    Pin,
    /// Copies in memory, mounted over their files in the server's mount namespace.
    Bind,
    /// Copies in memory that the server looks up before its own files.
    HotRoot,
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
        let unknown = |_| format!("write one of {}", Self::NAMES.join(", "));
        match name {
            "auto" => Ok(Self::Auto),
            _ => name.parse().map(Self::One).map_err(unknown),
        }
    }
}
