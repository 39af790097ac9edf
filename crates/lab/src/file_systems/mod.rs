//! What is done on a node of the file-systems experiment.

pub mod reader;

/// Folders of the files read bare, asked for by one client, and by several.
pub const PHASES: [&str; 3] = ["bare", "response", "throughput"];
