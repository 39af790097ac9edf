//! Profiles that several experiments share: calls on a store are measured once for all that have the same.

use std::path::Path;

use hotset_machine::{file, summary};
use hotset_scenario::Profile;
use serde::{Deserialize, Serialize};

use crate::ExperimentError;

/// What is kept of a store.
#[derive(Serialize, Deserialize)]
struct KeptProfile {
    /// File system, disk and journal, in words.
    store: String,
    /// The machine, and its kernel.
    machine: String,
    /// When it was measured.
    date: String,
    /// What was measured.
    profile: Profile,
}

/// The profile that `folder` keeps of a store of these words, if it was measured on this machine under this kernel. Else what
/// `measure` finds, which is kept from then on.
///
/// # Errors
/// A kept profile that cannot be read or written; those of `measure`.
pub(super) fn kept_or(
    folder: &Path,
    store: &str,
    date: &str,
    measure: impl FnOnce() -> Result<Profile, ExperimentError>,
) -> Result<Profile, ExperimentError> {
    let path = folder.join(file_name(store));
    let machine = summary();
    let kept: Option<KeptProfile> = file::read_json(&path)?;
    if let Some(kept) = kept.filter(|it| it.store == store && it.machine == machine) {
        return Ok(kept.profile);
    }
    let kept = KeptProfile {
        store: store.to_owned(),
        machine,
        date: date.to_owned(),
        profile: measure()?,
    };
    file::write_json(&path, &kept)?;
    Ok(kept.profile)
}

/// The words in small letters, with a hyphen for all that is between them.
fn file_name(store: &str) -> String {
    let words = store.split(|it: char| !it.is_ascii_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(str::to_ascii_lowercase).collect();
    format!("{}.json", words.join("-"))
}
