//! What a plan file contains, and why a plan cannot be written.

/// A plan file, and what its reader has to know of it.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct PlanFile {
    /// What stands in it.
    pub contents: Vec<u8>,
    /// Files that go by URL path, because their site has no root.
    pub by_url: u64,
    /// Files left out, because they are not under their site's root any more.
    pub left_out: u64,
}

impl PlanFile {
    /// Adds a path and what ends it.
    pub(super) fn push(&mut self, path: &[u8], end: u8) {
        self.contents.extend_from_slice(path);
        self.contents.push(end);
    }
}

/// Why a plan cannot be written in a format.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlanFileError {
    /// A list of paths does not say which node a file is for.
    #[error("a list of paths is for one node, and this plan is for {}; write json", .0.join(", "))]
    SeveralNodes(Vec<String>),
    /// Nothing is known of a site's files on disk.
    #[error("vmtouch reads paths on disk, and site `{0}` has no document root; name its root")]
    NoRoot(String),
    /// A path that a line cannot hold.
    #[error(
        "{path} has a line break in its name, which a list of lines cannot hold; write vmtouch or json"
    )]
    LineBreak {
        /// The path, the line break escaped.
        path: String,
    },
    /// JSON that cannot be written.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}
