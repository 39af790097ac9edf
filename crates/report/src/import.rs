//! `hotset import`.

use hotset_trace::Zone;
use hotset_trace::folder::Manifest;
use hotset_trace::read::ReadSummary;
use serde::Serialize;

use crate::reading::Reading;
use crate::{Document, Json, ResourceUsage, Tone, View, number};

/// A trace folder and the logs it was made of.
pub struct ImportView<'a> {
    /// Name of the folder.
    pub folder: &'a str,
    /// What is in it.
    pub manifest: &'a Manifest,
    /// How the logs were read.
    pub reading: &'a ReadSummary,
    /// Seed of the arrivals within a second, where they were spread.
    pub seed: Option<u64>,
    /// The zone of the times shown.
    pub zone: &'a Zone,
    /// What importing took.
    pub usage: ResourceUsage,
}

/// What `--json` prints.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct Value<'a> {
    #[serde(flatten)]
    reading: &'a ReadSummary,
    /// Trace folder written.
    trace: &'a str,
    /// Files in the trace.
    objects: u64,
    /// Distinct clients; 0 where the source names none.
    clients: u64,
    /// Connections rebuilt with --connections; else null.
    connections: Option<u64>,
    /// Seed of the arrivals within a second, with --connections; else null.
    seed: Option<u64>,
    #[serde(flatten)]
    usage: &'a ResourceUsage,
}

impl View for ImportView<'_> {
    /// What was imported, and what was left out.
    fn document(&self) -> Document<'_> {
        let manifest = self.manifest;
        let connections = manifest.connections.map_or_else(String::new, |count| {
            let connections = number::counted(count, "connection", "connections");
            format!(" over {connections}")
        });
        let headline = format!(
            "{}: {} ({} of them file reads) from {}{connections} for {}.",
            self.folder,
            number::counted(manifest.requests, "request", "requests"),
            number::count(manifest.accesses),
            number::counted(manifest.clients, "client", "clients"),
            number::counted(manifest.objects, "file", "files"),
        );
        let mut to = Document::new(headline, Tone::Strong);
        Reading::new(self.reading, self.zone).show(&mut to);
        self.usage.show(&mut to);
        to
    }

    fn value(&self) -> impl Json {
        Value {
            reading: self.reading,
            trace: self.folder,
            objects: self.manifest.objects,
            clients: self.manifest.clients,
            connections: self.manifest.connections,
            seed: self.seed,
            usage: &self.usage,
        }
    }
}
