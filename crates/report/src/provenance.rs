//! How a result came about and what it took.

#[cfg(feature = "schemas")]
use std::collections::BTreeMap;

use serde::Serialize;

use crate::{Document, json};

/// What making a result took.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ResourceUsage {
    /// Most memory the process had resident, bytes; nothing where the system does not tell.
    pub peak_memory_bytes: Option<u64>,
    /// Seconds of each part in the order they were done; nothing where nobody asked.
    #[serde(serialize_with = "json::as_map", skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schemas", schemars(with = "BTreeMap<String, f64>"))]
    pub timings_seconds: Vec<(String, f64)>,
}

impl ResourceUsage {
    /// Adds a line for each part; nothing where nobody asked.
    pub(crate) fn show(&self, to: &mut Document) {
        let timings = self.timings_seconds.iter();
        let lines: String = timings
            .map(|(name, seconds)| format!("  {name:<24} {seconds:>8.3} s\n"))
            .collect();
        let timings = (!lines.is_empty()).then(|| format!("\nTimings\n{lines}"));
        to.in_terminal(|to| _ = to.preformatted(timings));
    }
}
