//! Jobs of fio on a model of the store, a local one or one that a file server has.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use hotset_models::fio::{
    Job, JobFile, JobResult, System, simulate, simulate_cluster, simulate_parallel, simulate_remote,
};
use hotset_report::{ClusterView, FileServerView, FioView, StripingView};
use hotset_scenario::{Profile, ProfileSetting, Scenario, StoreKind, parse_bytes};

use super::export::store_of;
use super::reached_cluster::ReachedCluster;
use super::reached_parallel::ReachedParallel;
use super::reached_store::{ReachedStore, ToldStore};
use super::scenario::refuse_any;
use crate::error::{misuse, refuse, refused};
use crate::{Field, JobError, Watch};

/// The name of what no profile has: memory is a matter of the machine.
const MEMORY: &str = "memory";
/// A name this many letters away from it, or fewer, is taken for a slip of the pen: every key of a profile is further away.
const SLIPS: usize = 2;

/// More clients than this are taken for a typing error: each has a page cache.
const MOST_CLIENTS: usize = 1000;

/// Which jobs, and on what.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Job file of fio.
    pub jobs: PathBuf,
    /// Costs of the store: a built-in profile or a file. Either this is given, or a scenario with a store.
    pub profile: Option<String>,
    /// Scenario with the client, the file server and the store.
    pub scenario: Option<PathBuf>,
    /// Name of the store of the scenario.
    pub store: Option<String>,
    /// How many machines like the scenario's first client run the jobs, each on files of its own; one where it is not given.
    pub clients: Option<NonZeroUsize>,
    /// What the jobs run on instead: `memory`, or a key of the profile.
    pub set: Vec<ProfileSetting>,
    /// Seed of the places that are read at random.
    pub seed: u64,
    /// Whether keys of the scenario that nothing follows are refused.
    pub strict_keys: bool,
}

impl Options {
    /// Refuses what is not followed of the scenario at `path`, where that is asked for.
    fn check(&self, path: &Path, told: &ToldStore) -> Result<(), JobError> {
        match self.strict_keys {
            true => {
                refuse_any(&told.not_modelled).map_err(|error| JobError::at(path.display(), error))
            }
            false => Ok(()),
        }
    }
}

/// Jobs and what they came to.
#[derive(Debug)]
pub struct FioResult {
    profile: Profile,
    memory_bytes: Option<u64>,
    server: Option<ToldStore>,
    seed: u64,
    jobs: Vec<Job>,
    results: Vec<JobResult>,
}

impl FioResult {
    /// What reports show.
    pub fn view(&self) -> FioView<'_> {
        FioView {
            profile: &self.profile,
            memory_bytes: self.memory_bytes,
            server: self.server.as_ref().map(|it| FileServerView {
                store: &it.store,
                kind: it.kind,
                client: &it.client,
                clients: it.clients,
                server: &it.server,
                read_bytes: it.read_bytes,
                write_bytes: it.write_bytes,
                server_memory_bytes: it.server_memory_bytes,
                are_costs_measured: it.are_costs_measured,
                not_modelled: &it.not_modelled,
                striping: it.striping.as_ref().map(|it| StripingView {
                    servers: &it.servers,
                    metadata: &it.metadata,
                    strip_bytes: it.strip_bytes,
                    stripes: it.stripes,
                }),
                cluster: it.cluster.as_ref().map(|it| ClusterView {
                    servers: &it.servers,
                    metadata: it.metadata.as_deref(),
                    are_own: it.are_own,
                }),
            }),
            seed: self.seed,
            jobs: &self.jobs,
            results: &self.results,
        }
    }

    /// What jobs came to on a store of file servers.
    fn on_servers(
        jobs: Vec<Job>,
        system: &System<'_>,
        server: ToldStore,
        results: Vec<JobResult>,
    ) -> Self {
        Self {
            profile: system.profile.clone(),
            memory_bytes: system.memory_bytes,
            server: Some(server),
            seed: system.seed,
            jobs,
            results,
        }
    }
}

impl Options {
    /// Memory for pages of files, and what is set of the profile.
    fn memory_and_others(&self) -> Result<(Option<u64>, Vec<ProfileSetting>), JobError> {
        let settings = self.set.iter().cloned();
        let (memory, others): (Vec<ProfileSetting>, Vec<ProfileSetting>) =
            settings.partition(|setting| setting.key() == MEMORY);
        let is_slip = |key: &str| strsim::damerau_levenshtein(key, MEMORY) <= SLIPS;
        if let Some(slip) = others.iter().find(|setting| is_slip(setting.key())) {
            refuse!(
                "{} {slip}: `{}` is not known; did you mean `{MEMORY}`?",
                Field::Set,
                slip.key()
            );
        }
        let bytes = memory.last().map(|setting| {
            parse_bytes(&setting.value())
                .map_err(|why| refused(format!("{} {setting}: {why}", Field::Set)))
        });
        Ok((bytes.transpose()?, others))
    }
}

/// Simulates the jobs.
///
/// # Errors
/// Jobs that cannot be read or are not modelled, a profile or a scenario that cannot be used, and a store that is on no file server.
pub fn run(options: &Options, watch: &dyn Watch) -> Result<FioResult, JobError> {
    match (&options.profile, &options.scenario, &options.store) {
        (Some(_), None, None) if options.clients.is_some() => misuse!(
            "{} is of machines that a file server has; give {} in place of a profile, or leave it out",
            Field::Clients,
            Field::Scenario
        ),
        (Some(profile), None, None) => on_profile(options, profile, watch),
        (None, Some(scenario), Some(store)) => on_server(options, scenario, store, watch),
        _ => misuse!(
            "jobs run on a profile, or on a store of {} that is named; give one of both",
            Field::Scenario
        ),
    }
}

/// On a store that a file server has.
fn on_server(
    options: &Options,
    path: &Path,
    store: &str,
    watch: &dyn Watch,
) -> Result<FioResult, JobError> {
    if let Some(setting) = options.set.first() {
        refuse!(
            "{} {setting}: is of jobs on a profile; change {} in its place",
            Field::Set,
            path.display()
        );
    }
    let scenario = Scenario::load(path)?;
    let file = JobFile::load(&options.jobs)?;
    let clients = options.clients.map_or(1, NonZeroUsize::get);
    if clients > MOST_CLIENTS {
        refuse!(
            "{} {clients}: at most {MOST_CLIENTS} are simulated; give fewer",
            Field::Clients
        );
    }
    let each = (clients, files_bytes(&file.jobs));
    let in_file = |error| JobError::at(path.display(), error);
    let kind = store_of(&scenario, store).map_err(in_file)?.kind;
    if kind.is_some_and(StoreKind::is_parallel) {
        let reached = ReachedParallel::of(&scenario, store, each).map_err(in_file)?;
        options.check(path, &reached.told())?;
        return on_parallel(options, file, &reached, watch);
    }
    if kind.is_some_and(StoreKind::is_cluster) {
        let reached = ReachedCluster::of(&scenario, store, each).map_err(in_file)?;
        options.check(path, &reached.told())?;
        return on_cluster(options, file, &reached, watch);
    }
    let reached = ReachedStore::of(&scenario, store, each).map_err(in_file)?;
    let checked = reached.check_size(largest_bytes(&file.jobs));
    checked.map_err(|error| in_file(error.into()))?;
    options.check(path, &reached.told())?;
    let system = System {
        profile: &reached.client_profile,
        memory_bytes: Some(reached.client_memory_bytes),
        seed: options.seed,
    };
    let results = simulate_remote(&file.jobs, &system, &reached.system(), &|| !watch.stops())?;
    let told = reached.told();
    Ok(FioResult::on_servers(file.jobs, &system, told, results))
}

/// On a parallel file system.
fn on_parallel(
    options: &Options,
    file: JobFile,
    reached: &ReachedParallel<'_>,
    watch: &dyn Watch,
) -> Result<FioResult, JobError> {
    let system = System {
        profile: &reached.client_profile,
        memory_bytes: Some(reached.client_memory_bytes),
        seed: options.seed,
    };
    let results = simulate_parallel(&file.jobs, &system, &reached.system(), &|| !watch.stops())?;
    let told = reached.told();
    Ok(FioResult::on_servers(file.jobs, &system, told, results))
}

/// On Lustre, GlusterFS or MooseFS.
fn on_cluster(
    options: &Options,
    file: JobFile,
    reached: &ReachedCluster<'_>,
    watch: &dyn Watch,
) -> Result<FioResult, JobError> {
    let system = System {
        profile: &reached.client_profile,
        memory_bytes: Some(reached.client_memory_bytes),
        seed: options.seed,
    };
    let results = simulate_cluster(&file.jobs, &system, &reached.system(), &|| !watch.stops())?;
    let told = reached.told();
    Ok(FioResult::on_servers(file.jobs, &system, told, results))
}

/// Bytes of all files of the jobs.
fn files_bytes(jobs: &[Job]) -> u64 {
    let threads = jobs
        .iter()
        .flat_map(|job| (0..job.threads).map(move |thread| job.files(thread)));
    let mut bytes_of: BTreeMap<String, u64> = BTreeMap::new();
    for (name, bytes) in threads.flatten() {
        let known = bytes_of.entry(name).or_default();
        *known = bytes.max(*known);
    }
    bytes_of.into_values().fold(0, u64::saturating_add)
}

/// Bytes of their largest file.
fn largest_bytes(jobs: &[Job]) -> u64 {
    let threads = jobs
        .iter()
        .flat_map(|job| (0..job.threads).map(move |thread| job.files(thread)));
    threads.flatten().map(|(_, bytes)| bytes).max().unwrap_or(0)
}

/// On a store of which a profile says what it costs.
fn on_profile(options: &Options, name: &str, watch: &dyn Watch) -> Result<FioResult, JobError> {
    let (memory_bytes, settings) = options.memory_and_others()?;
    let profile = Profile::named_or_file(name)?.with(&settings)?;
    if let Some(setting) = settings
        .iter()
        .find(|it| it.gives_way_to_device_of(&profile))
    {
        refuse!(
            "{} {setting}: changes nothing, since {} has a device, which says how long reads from it take; set keys of `device`, or take \
             a profile without one, such as hdd",
            Field::Set,
            name
        );
    }
    let file = JobFile::load(&options.jobs)?;
    let system = System {
        profile: &profile,
        memory_bytes,
        seed: options.seed,
    };
    let results = simulate(&file.jobs, &system, &|| !watch.stops())?;
    Ok(FioResult {
        memory_bytes,
        server: None,
        seed: options.seed,
        jobs: file.jobs,
        results,
        profile,
    })
}
