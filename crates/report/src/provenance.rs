//! How a result came about and what it took.

use serde::Serialize;

use crate::json;

/// What making a result took.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ResourceUsage {
    /// Most memory the process had resident, bytes; nothing where the system does not tell.
    pub peak_memory_bytes: Option<u64>,
    /// Seconds of each part in the order they were done; nothing where nobody asked.
    #[serde(serialize_with = "json::as_map", skip_serializing_if = "Vec::is_empty")]
    pub timings_seconds: Vec<(String, f64)>,
}

impl ResourceUsage {
    /// A line for each part; nothing where nobody asked.
    pub(crate) fn terminal(&self) -> String {
        if self.timings_seconds.is_empty() {
            return String::new();
        }
        let mut text = String::from("\nTimings\n");
        for (name, seconds) in &self.timings_seconds {
            text += &format!("  {name:<24} {seconds:>8.3} s\n");
        }
        text
    }
}
