//! `trace.json`.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::error::FolderError;
use crate::TraceOrigin;

/// The manifest's file in the folder.
pub(super) const MANIFEST_FILE: &str = "trace.json";

/// The value of [`Manifest::format`].
pub(super) const FORMAT: &str = "hotset trace";
/// The layout of the folder; raised when an older hotset could not read it.
pub(super) const VERSION: u32 = 1;

/// How a trace came about.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// The tool that wrote the folder and its version.
    #[serde(default)]
    pub tool: String,
    /// When, as an ISO 8601 date and time in UTC.
    #[serde(default)]
    pub date: String,
    /// The seed of every random choice, where there was one.
    #[serde(default)]
    pub seed: Option<u64>,
    /// The rules by which requests, accesses, objects and sizes were counted, as text.
    #[serde(default)]
    pub rules: Vec<String>,
    /// What the reader or the generator has to say: counts of rejected lines, parameters.
    #[serde(default)]
    pub summary: serde_json::Value,
}

/// The content of `trace.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Always `hotset trace`.
    pub format: String,
    /// Layout of the folder.
    pub version: u32,
    /// Rows of `requests.parquet`.
    pub requests: u64,
    /// Rows of `requests.parquet` whose `access` is true.
    pub accesses: u64,
    /// Rows of `objects.parquet`.
    pub objects: u64,
    /// Rows of `clients.parquet`; 0 where the source names no clients.
    pub clients: u64,
    /// Number of rebuilt connections; null where `requests.parquet` has no such column.
    pub connections: Option<u64>,
    /// Site names; the index is the site id.
    pub sites: Vec<String>,
    /// Whether times mean anything.
    pub origin: TraceOrigin,
    /// How the trace came about.
    pub provenance: Provenance,
}

/// Reads the manifest of the trace folder `path`.
///
/// # Errors
/// [`FolderError::NotATrace`] where there is none, [`FolderError::Damaged`] where it makes no sense.
pub fn read_manifest(path: &Path) -> Result<Manifest, FolderError> {
    let file = path.join(MANIFEST_FILE);
    let text = fs::read(&file).map_err(|error| FolderError::NotATrace {
        path: path.to_owned(),
        detail: format!("{MANIFEST_FILE}: {error}"),
    })?;
    let manifest: Manifest =
        serde_json::from_slice(&text).map_err(|error| FolderError::damaged(&file, error))?;
    if manifest.format != FORMAT {
        let detail = format!("{MANIFEST_FILE} says `{}`, not `{FORMAT}`", manifest.format);
        return Err(FolderError::NotATrace {
            path: path.to_owned(),
            detail,
        });
    }
    if manifest.version != VERSION {
        let detail = format!(
            "layout {} where this hotset reads {VERSION}",
            manifest.version
        );
        return Err(FolderError::damaged(&file, detail));
    }
    Ok(manifest)
}

/// Writes `manifest` as `file`.
pub(super) fn write_manifest(file: &Path, manifest: &Manifest) -> Result<(), FolderError> {
    let mut text = serde_json::to_string_pretty(manifest)
        .map_err(|error| FolderError::io(file, "write")(error.into()))?;
    text.push('\n');
    fs::write(file, text).map_err(FolderError::io(file, "write"))
}
