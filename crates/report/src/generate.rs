//! `hotset generate`.

use serde::Serialize;

use crate::{Document, Json, Tone, View, number};

/// A generated workload and where it went. Its fields are the keys of `--json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct WorkloadView {
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
    /// Trace folder written; null without -o.
    pub trace: Option<String>,
    /// Folder of real files written; null without --files.
    pub files: Option<String>,
    /// Access log written; null without --log.
    pub log: Option<String>,
}

impl View for WorkloadView {
    /// What was generated and where it is.
    fn document(&self) -> Document<'_> {
        let headline = format!(
            "{} for {} ({}), seed {}.",
            number::counted(self.requests, "request", "requests"),
            number::counted(self.objects, "file", "files"),
            number::bytes(self.object_bytes),
            self.seed,
        );
        let places = [
            ("trace", &self.trace),
            ("files", &self.files),
            ("log", &self.log),
        ];
        let written = places.into_iter();
        let written =
            written.filter_map(|(what, place)| Some(format!("{what:<6} {}\n", place.as_ref()?)));
        let mut to = Document::new(headline, Tone::Strong);
        to.preformatted(written.collect::<String>());
        to
    }

    fn value(&self) -> impl Json {
        self
    }
}
