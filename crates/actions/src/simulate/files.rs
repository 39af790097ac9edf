//! Operations on files of a file server, simulated call by call.

use std::path::PathBuf;

use hotset_models::files::{
    FilesResult, Mounted, OnServer, Work, simulate, simulate_cluster, simulate_parallel,
};
use hotset_models::remote::nfs::Mount;
use hotset_report::FilesView;
use hotset_scenario::{Scenario, StoreKind};
use hotset_topology::local_profile;

use super::export::{Export, client, is_file_server, not_modelled_links, store_of};
use super::reached_cluster::ReachedCluster;
use super::reached_parallel::ReachedParallel;
use super::reached_store::{ToldStore, not_modelled_options};
use super::scenario::refuse_any;
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
    /// Whether keys of the scenario that nothing follows are refused.
    pub strict_keys: bool,
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
    let in_file = |error| JobError::at(options.scenario.display(), error);
    let client = client(&scenario).map_err(in_file)?;
    for name in &work.others {
        if is_file_server(&scenario, name) {
            refuse!(
                "{}: `{name}:` is a file server of {}; name a node without server = \"files\", or another name",
                options.work.display(),
                options.scenario.display()
            );
        }
    }
    let store = store_of(&scenario, &options.store).map_err(in_file)?;
    let each = (1, files_bytes(&work));
    let check = |keys: &[String]| match options.strict_keys {
        true => refuse_any(keys).map_err(in_file),
        false => Ok(()),
    };
    if let Some(kind) = store.kind.filter(|kind| kind.is_parallel()) {
        let reached = ReachedParallel::of(&scenario, &options.store, each).map_err(in_file)?;
        check(&reached.told().not_modelled)?;
        return on_parallel((&reached, kind), &work, &client.name, watch);
    }
    if let Some(kind) = store.kind.filter(|kind| kind.is_cluster()) {
        let reached = ReachedCluster::of(&scenario, &options.store, each).map_err(in_file)?;
        check(&reached.told().not_modelled)?;
        return on_cluster((&reached, kind), &work, &client.name, watch);
    }
    let export = Export::of(&scenario, &options.store).map_err(in_file)?;
    let profile = local_profile(export.on, files_bytes(&work));
    let profile = profile.map_err(|error| in_file(error.into()))?;
    let line = |name: &str| export.line(&scenario, name, &client.name);
    let mounted = Mounted {
        mount: export.mount,
        client: &client.name,
        line: &line,
        profile: &profile,
        is_async: export.is_async,
    };
    let mut not_modelled = not_modelled_links(&scenario, true);
    not_modelled.extend(not_modelled_options(store));
    check(&not_modelled)?;
    let result = simulate(&work, &mounted, &|| !watch.stops())?;
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
    (reached, kind): (&ReachedParallel<'_>, StoreKind),
    work: &Work,
    first: &str,
    watch: &dyn Watch,
) -> Result<FilesAnswer, JobError> {
    let result = simulate_parallel(work, &reached.system(), first, &|| !watch.stops())?;
    Ok(on_servers(reached.told(), kind, result))
}

/// On Lustre, GlusterFS or MooseFS.
fn on_cluster(
    (reached, kind): (&ReachedCluster<'_>, StoreKind),
    work: &Work,
    first: &str,
    watch: &dyn Watch,
) -> Result<FilesAnswer, JobError> {
    let result = simulate_cluster(work, &reached.system(), first, &|| !watch.stops())?;
    Ok(on_servers(reached.told(), kind, result))
}

/// What it came to on a store that is on several servers.
fn on_servers(told: ToldStore, kind: StoreKind, result: FilesResult) -> FilesAnswer {
    FilesAnswer {
        store: told.store,
        kind: kind.name(),
        mount: None,
        not_modelled: told.not_modelled,
        result,
    }
}

/// Bytes of all files that a work finds.
fn files_bytes(work: &Work) -> u64 {
    let bytes =
        |sum: u64, files: &OnServer| sum.saturating_add(files.count.saturating_mul(files.bytes));
    work.on_server.iter().fold(0, bytes)
}
