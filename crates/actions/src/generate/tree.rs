//! The files that a log implies, for replaying a log whose files are not at hand.

use std::path::PathBuf;

use hotset_report::FileTreeView;
use hotset_trace::Zone;
use hotset_trace::read::{QueryRule, ReadSummary};
use hotset_workload::file_tree::Content;
use hotset_workload::{ImpliedFiles, implied_by};

use crate::error::refused;
use crate::input::no_access;
use crate::{JobError, Logs, Part, Watch, name_of};

/// Whose files are written, and where.
#[derive(Clone, Debug)]
pub struct TreeOptions {
    /// The logs.
    pub logs: Logs,
    /// On whose clocks times are shown.
    pub time_zone: Zone,
    /// The folder that gets a folder for each site.
    pub files: PathBuf,
    /// Whether the files are zeros that take no room on disk.
    pub is_sparse: bool,
    /// Seed of their contents.
    pub seed: u64,
}

/// The files that were written, and what they answer.
#[derive(Debug)]
pub struct TreeResult {
    options: TreeOptions,
    implied: ImpliedFiles,
    sites: Vec<String>,
    reading: ReadSummary,
}

impl TreeResult {
    /// What reports show.
    pub fn view(&self) -> FileTreeView<'_> {
        FileTreeView {
            requests: self.reading.accesses,
            paths: self.implied.paths,
            objects: self.implied.tree.files.len() as u64,
            object_bytes: self.implied.tree.bytes(),
            sites: &self.sites,
            seed: (!self.options.is_sparse).then_some(self.options.seed),
            files: self.options.files.display().to_string(),
            reading: &self.reading,
            zone: &self.options.time_zone,
        }
    }
}

/// Writes the files that the requests of logs ask for, at the paths where a server finds them when `hotset replay` asks by
/// the same rules.
///
/// # Errors
/// Logs that cannot be read, paths that no files can have, files that cannot be written.
pub fn tree(options: TreeOptions, watch: &dyn Watch) -> Result<TreeResult, JobError> {
    let input = options.logs.read(watch)?;
    let queries = input.summary.query_rule == QueryRule::Keep;
    let implied = implied_by(&input.trace, queries)?;
    if implied.paths == 0 {
        let name = name_of(&options.logs.paths);
        return Err(refused(no_access(&name, &input.summary)));
    }
    watch.begin(Part::Uncounted("writing"));
    let content = match options.is_sparse {
        true => Content::Sparse,
        false => Content::Random(options.seed),
    };
    let held = watch.hold_interrupts();
    let staged = implied
        .tree
        .stage(&options.files, content, &|| !watch.stops())?;
    staged.place()?;
    drop(held);
    watch.end();
    Ok(TreeResult {
        sites: input.trace.sites.clone(),
        reading: input.into_summary(),
        implied,
        options,
    })
}
