//! An experiment: what is measured, on which scenario, how long.

mod file_systems;
mod shared_node;

use std::path::{Path, PathBuf};

use hotset_scenario::document::{self, Document, Section};
use hotset_scenario::{FileError, Scenario};

pub use file_systems::FileSystems;
pub use shared_node::{Cell, SharedNode};

/// An experiment file.
#[derive(Clone, Debug, PartialEq)]
pub struct Experiment {
    /// Its name.
    pub name: String,
    /// The machines it runs on.
    pub scenario: Scenario,
    /// Seed of every random choice.
    pub seed: u64,
    /// Memory of the nodes and sizes of the files are divided by it.
    pub scale: u64,
    /// Folder of its results.
    pub results: PathBuf,
    /// What is measured.
    pub kind: Kind,
}

/// What an experiment measures.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Two sites on one node with too little memory, under several ways of using the memory.
    SharedNode(SharedNode),
    /// What each file system costs, bare and through a server.
    FileSystems(FileSystems),
}

/// The smallest class has files of 43 KB on average.
const SCALE_MAX: u64 = 1000;

const KEYS: [&str; 8] = [
    "name",
    "kind",
    "scenario",
    "seed",
    "scale",
    "results",
    "shared-node",
    "file-systems",
];

impl Experiment {
    /// The experiment in the TOML file at `path`; relative paths in it start at its folder.
    ///
    /// # Errors
    /// A file that cannot be read or used, with line and column.
    pub fn load(path: &Path) -> Result<Self, FileError> {
        Self::parse(&document::read_text(path)?, path)
    }

    /// As [`Experiment::load`], from the `text` of the file at `path`.
    ///
    /// # Errors
    /// Text that is no experiment, with line and column; a scenario that cannot be used.
    pub fn parse(text: &str, path: &Path) -> Result<Self, FileError> {
        let document = Document { path, text };
        let table = document.parse()?;
        let root = Section::new(document, "an experiment", 0..0, table.get_ref(), &KEYS)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let kind = kind(&root)?;
        let scenario = folder.join(root.text("scenario")?);
        if !scenario.is_file() {
            let message = format!("there is no file {}", scenario.display());
            return Err(root.error("scenario", message));
        }
        let results = root.optional_text("results")?;
        Ok(Self {
            name: root.text("name")?,
            scenario: Scenario::load(&scenario)?,
            seed: root.optional_count("seed", 0)?.unwrap_or(0),
            scale: scale(&root)?,
            results: folder.join(results.as_deref().unwrap_or("results")),
            kind,
        })
    }
}

fn scale(root: &Section) -> Result<u64, FileError> {
    let scale = root.optional_count("scale", 1)?.unwrap_or(1);
    if scale > SCALE_MAX {
        let message =
            format!("{scale} is more than {SCALE_MAX}, which leaves files of a few bytes");
        return Err(root.error("scale", message));
    }
    Ok(scale)
}

fn kind(root: &Section) -> Result<Kind, FileError> {
    match root.text("kind")?.as_str() {
        "shared-node" => Ok(Kind::SharedNode(shared_node::parse(root)?)),
        "file-systems" => Ok(Kind::FileSystems(file_systems::parse(root)?)),
        other => Err(root.error(
            "kind",
            format!("`{other}` is neither shared-node nor file-systems"),
        )),
    }
}
