//! `hotset generate tree`.

use hotset_trace::Zone;
use hotset_trace::read::ReadSummary;
use serde::Serialize;

use crate::reading::Reading;
use crate::{Document, Json, Tone, View, number};

/// Files that were written for the requests of logs. Its fields are the keys of `--json`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct FileTreeView<'a> {
    /// Requests that read one of the files.
    pub requests: u64,
    /// Paths that they ask for; several may lead to one file.
    pub paths: u64,
    /// Files.
    pub objects: u64,
    /// Bytes of all files.
    pub object_bytes: u64,
    /// Site names.
    pub sites: &'a [String],
    /// Seed of the files' contents; null where they are sparse.
    pub seed: Option<u64>,
    /// Folder written, which has a folder for each site.
    pub files: String,
    /// How the logs were read.
    pub reading: &'a ReadSummary,
    /// The zone of the times shown.
    #[serde(skip)]
    pub zone: &'a Zone,
}

impl View for FileTreeView<'_> {
    /// What was written, for which requests, and what was left out.
    fn document(&self) -> Document<'_> {
        let content = match self.seed {
            Some(seed) => format!("seed {seed}"),
            None => "sparse".to_owned(),
        };
        let paths = match self.paths == self.objects {
            true => String::new(),
            false => format!(" to {}", number::counted(self.paths, "path", "paths")),
        };
        let headline = format!(
            "{} ({}) for {}{paths}, {content}.",
            number::counted(self.objects, "file", "files"),
            number::bytes(self.object_bytes),
            number::counted(self.requests, "request", "requests"),
        );
        let mut to = Document::new(headline, Tone::Strong);
        to.preformatted(format!("files  {}\n", self.files));
        Reading::new(self.reading, self.zone).show(&mut to);
        to
    }

    fn value(&self) -> impl Json {
        self
    }
}
