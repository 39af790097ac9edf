//! What measuring and predicting one store comes to.

use hotset_models::file_system::FilePlaces;
use hotset_scenario::Profile;
use serde::{Deserialize, Serialize};

use crate::kept::Kept;
use crate::kinds::fio_jobs::FileRounds;

/// Everything that decides what is measured. A result with the same settings is not measured again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Settings {
    /// File system and disk, in words.
    pub store: String,
    /// Size of the file, bytes.
    pub file_bytes: u64,
    /// Sizes of blocks, bytes.
    pub block_bytes: Vec<u64>,
    /// Rounds that count.
    pub rounds: usize,
}

/// What is kept of a store beside its outcome.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Detail {
    /// What is known of the store and measured of the machine, for the model.
    pub profile: Profile,
    /// Where the file was.
    pub places: FilePlaces,
    /// What was measured, a cell each.
    pub runs: Vec<FileRounds>,
}

/// The kept result of a store.
pub(super) type KeptStore = Kept<Settings, Detail>;
