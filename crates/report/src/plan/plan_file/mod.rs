//! The plan file: what `hotset plan -o` writes, for programs that place the files.

mod contents;
mod list;
mod vmtouch;

use strum::{EnumCount, EnumString, VariantNames};

use super::view::PlanView;
pub use contents::{PlanFile, PlanFileError};

/// How a plan file is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumCount, EnumString, VariantNames)]
#[strum(serialize_all = "lowercase", parse_err_fn = unknown, parse_err_ty = String)]
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
    pub const NAMES: [&str; Self::COUNT] = *Self::VARIANTS.first_chunk().unwrap();
}

fn unknown(_: &str) -> String {
    format!("write one of {}", PlanFileFormat::NAMES.join(", "))
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
