//! Operations on files of a file server, simulated call by call.

use std::path::PathBuf;

use hotset_models::files::{FilesResult, Mounted, Work, simulate};
use hotset_models::remote::nfs::Mount;
use hotset_report::FilesView;
use hotset_scenario::Scenario;

use super::export::{Export, client, is_file_server};
use crate::error::refuse;
use crate::{JobError, Watch};

/// Which work, and on what.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Work: a text file with an operation a line.
    pub work: PathBuf,
    /// Scenario with the client, the file server and the store.
    pub scenario: PathBuf,
    /// Name of the store.
    pub store: String,
}

/// A work and what it came to.
#[derive(Debug)]
pub struct FilesAnswer {
    store: String,
    kind: &'static str,
    mount: Mount,
    result: FilesResult,
}

impl FilesAnswer {
    /// What reports show.
    pub fn view(&self) -> FilesView<'_> {
        FilesView {
            store: &self.store,
            kind: self.kind,
            read_bytes: self.mount.read_bytes,
            write_bytes: self.mount.write_bytes,
            result: &self.result,
        }
    }
}

/// Simulates the work.
///
/// # Errors
/// A work or a scenario that cannot be used, and a store that is not on a file server.
pub fn run(options: &Options, watch: &dyn Watch) -> Result<FilesAnswer, JobError> {
    let scenario = Scenario::load(&options.scenario)?;
    let work = Work::load(&options.work)?;
    let export = Export::of(&scenario, &options.store)?;
    let client = client(&scenario)?;
    for name in &work.others {
        if is_file_server(&scenario, name) {
            refuse!(
                "{}: `{name}:` is a file server of {}; name a node without server = \"files\", or another name",
                options.work.display(),
                options.scenario.display()
            );
        }
    }
    let line = |name: &str| export.line(&scenario, name, &client.name);
    let mounted = Mounted {
        mount: export.mount,
        client: &client.name,
        line: &line,
        profile: &export.on.profile,
    };
    let result = simulate(&work, &mounted, &|| !watch.stops())?;
    Ok(FilesAnswer {
        store: export.store.name.clone(),
        kind: export.kind.name(),
        mount: export.mount,
        result,
    })
}
