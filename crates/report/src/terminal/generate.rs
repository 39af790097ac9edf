//! `hotset generate`.

use super::{style_lines, wrapped};
use crate::{Style, number};
use serde::Serialize;

/// A generated workload and where it went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Generated {
    /// Requests of any kind.
    pub requests: u64,
    /// Requests that read a file's data.
    pub accesses: u64,
    /// Files.
    pub objects: u64,
    /// Bytes of all files.
    pub object_bytes: u64,
    /// Site names.
    pub sites: Vec<String>,
    /// Seed of every random choice.
    pub seed: u64,
    /// The trace folder, where one was written.
    pub trace: Option<String>,
    /// The folder of real files, where one was written.
    pub files: Option<String>,
    /// The access log, where one was written.
    pub log: Option<String>,
}

/// What was generated and where it is.
pub fn generate(generated: &Generated, style: Style) -> String {
    let headline = format!(
        "{} for {} ({}), seed {}.",
        number::counted(generated.requests, "request", "requests"),
        number::counted(generated.objects, "file", "files"),
        number::bytes(generated.object_bytes),
        generated.seed,
    );
    let places = [
        ("trace", &generated.trace),
        ("files", &generated.files),
        ("log", &generated.log),
    ];
    let written = places
        .into_iter()
        .filter_map(|(what, place)| place.as_ref().map(|place| format!("{what:<6} {place}\n")));
    style_lines(style, &wrapped(&headline, style), Style::strong) + &written.collect::<String>()
}
