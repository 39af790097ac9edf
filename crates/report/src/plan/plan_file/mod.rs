//! The plan file: what `hotset plan -o` writes, for programs that place the files.

mod list;
mod vmtouch;

use std::str::FromStr;

use super::view::PlanView;

/// How a plan file is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlanFileFormat {
    /// Every file with its reason: what `--previous` reads.
    #[default]
    Json,
    /// One path a line.
    List,
    /// Paths on disk, each ended by a NUL byte: what `vmtouch -0 -b` reads.
    Vmtouch,
}

impl PlanFileFormat {
    /// Names of the formats.
    pub const NAMES: [&str; 3] = ["json", "list", "vmtouch"];
}

impl FromStr for PlanFileFormat {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "json" => Ok(Self::Json),
            "list" => Ok(Self::List),
            "vmtouch" => Ok(Self::Vmtouch),
            _ => Err(format!("write one of {}", Self::NAMES.join(", "))),
        }
    }
}

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
    fn push(&mut self, path: &[u8], end: u8) {
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

impl PlanView<'_> {
    /// The plan file in this format.
    ///
    /// # Errors
    /// A plan that the format cannot hold.
    pub fn plan_file(&self, format: PlanFileFormat) -> Result<PlanFile, PlanFileError> {
        if format != PlanFileFormat::Json && self.has_several_nodes() {
            return Err(PlanFileError::SeveralNodes(self.nodes.to_vec()));
        }
        match format {
            PlanFileFormat::Json => Ok(PlanFile {
                contents: serde_json::to_vec_pretty(self.placement)?,
                ..PlanFile::default()
            }),
            PlanFileFormat::List => list::plan_file(self),
            PlanFileFormat::Vmtouch => vmtouch::plan_file(self),
        }
    }
}
