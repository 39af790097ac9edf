//! Operations on files of a file server, simulated call by call.

use std::path::PathBuf;

use hotset_models::files::{
    FilesResult, Mounted, OnServer, Work, simulate, simulate_cluster, simulate_parallel,
};
use hotset_models::remote::nfs::Mount;
use hotset_report::FilesView;
use hotset_scenario::{Scenario, StoreKind};

use super::export::{Export, client, is_file_server, not_modelled_links, store_of};
use super::reached_cluster::ReachedCluster;
use super::reached_parallel::ReachedParallel;
use super::reached_store::not_modelled_options;
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
    /// Of NFS.
    mount: Option<Mount>,
    not_modelled: Vec<String>,
    result: FilesResult,
}

impl FilesAnswer {
    /// What reports show.
    pub fn view(&self) -> FilesView<'_> {
        FilesView {
            store: &self.store,
            kind: self.kind,
            read_bytes: self.mount.map(|it| it.read_bytes),
            write_bytes: self.mount.map(|it| it.write_bytes),
            not_modelled: &self.not_modelled,
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
    let store = store_of(&scenario, &options.store)?;
    if let Some(kind) = store.kind.filter(|kind| kind.is_parallel()) {
        return on_parallel((&scenario, &options.store, kind), &work, watch);
    }
    if let Some(kind) = store.kind.filter(|kind| kind.is_cluster()) {
        return on_cluster((&scenario, &options.store, kind), &work, watch);
    }
    let export = Export::of(&scenario, &options.store)?;
    let line = |name: &str| export.line(&scenario, name, &client.name);
    let mounted = Mounted {
        mount: export.mount,
        client: &client.name,
        line: &line,
        profile: &export.on.profile,
        is_async: export.is_async,
    };
    let result = simulate(&work, &mounted, &|| !watch.stops())?;
    let mut not_modelled = not_modelled_links(&scenario, true);
    not_modelled.extend(not_modelled_options(store));
    Ok(FilesAnswer {
        store: export.store.name.clone(),
        kind: export.kind.name(),
        mount: Some(export.mount),
        not_modelled,
        result,
    })
}

/// On a parallel file system.
fn on_parallel(
    (scenario, store, kind): (&Scenario, &str, StoreKind),
    work: &Work,
    watch: &dyn Watch,
) -> Result<FilesAnswer, JobError> {
    let reached = ReachedParallel::of(scenario, store, (1, files_bytes(work)))?;
    let first = &client(scenario)?.name;
    let result = simulate_parallel(work, &reached.system(), first, &|| !watch.stops())?;
    Ok(FilesAnswer {
        store: store.to_owned(),
        kind: kind.name(),
        mount: None,
        not_modelled: reached.told().not_modelled,
        result,
    })
}

/// On Lustre, GlusterFS or MooseFS.
fn on_cluster(
    (scenario, store, kind): (&Scenario, &str, StoreKind),
    work: &Work,
    watch: &dyn Watch,
) -> Result<FilesAnswer, JobError> {
    let reached = ReachedCluster::of(scenario, store, (1, files_bytes(work)))?;
    let first = &client(scenario)?.name;
    let result = simulate_cluster(work, &reached.system(), first, &|| !watch.stops())?;
    Ok(FilesAnswer {
        store: store.to_owned(),
        kind: kind.name(),
        mount: None,
        not_modelled: reached.told().not_modelled,
        result,
    })
}

/// Bytes of all files that a work finds.
fn files_bytes(work: &Work) -> u64 {
    let bytes =
        |sum: u64, files: &OnServer| sum.saturating_add(files.count.saturating_mul(files.bytes));
    work.on_server.iter().fold(0, bytes)
}
