//! The file-systems experiment: what each file system of a scenario costs, read by plain calls on its node, and
//! through a proxy and a web server.
//!
//! Every phase has files of its own, so that one drop of all caches, proven, stands before all uncached accesses:
//! each file is asked for once, then all of them again.

mod bench;
mod result;
mod served;

use std::ffi::OsString;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hotset_outcome::{
    Distribution, GroupKey, GroupKind, Latencies, Outcome, Provenance, ProvenanceKind, Score,
};
use hotset_scenario::{StoreKind, StoreSpec};
use rustix::time::{ClockId, clock_gettime};

use crate::experiment::{Experiment, FileSystems};
use crate::shared_node::Surroundings;
use bench::{Bench, Nodes, Site};
use hotset_lab::LabError;
use hotset_lab::{Control, go_on};
use hotset_machine::{Watch, file};
use served::{Asked, ask};

pub use result::{Access, Bare, Settings, StoreResult, Summary};

/// Folders of the files read bare, asked for by one client, and by several.
const PHASES: [&str; 3] = ["bare", "response", "throughput"];
/// How often each cached file is read bare, and asked for by one client.
const ROUNDS: usize = 5;

/// File systems of the documents or of Debian that no result is for, and why.
pub const NOT_BROUGHT_UP: [(&str, &str); 4] = [
    (
        "nfs",
        "Debian's server is in user space, but the client is a kernel module; without it nothing can be mounted for a \
         web server to read",
    ),
    ("pvfs", "its successor OrangeFS is not packaged by Debian"),
    (
        "lustre",
        "needs kernel modules that Debian does not package",
    ),
    ("sshfs", "not built into the lab"),
];

/// One store of an experiment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its name.
    pub store: String,
    /// Whether it has been measured already, under the same settings.
    pub done: bool,
}

/// How a run starts its helpers.
#[derive(Clone, Debug)]
pub struct Helpers {
    /// Ledgers, images and the program that plays a disk.
    pub surroundings: Surroundings,
    /// Program and first arguments that read files, see [`hotset_probe::Job`].
    pub reader: Vec<OsString>,
}

/// The stores of an experiment in the order in which they are run; only those named in `wanted` where it names any.
///
/// # Errors
/// A result that cannot be read; a name that is no store; a scenario without web node, proxy or stores.
pub fn items(
    experiment: &Experiment,
    plan: &FileSystems,
    wanted: &[String],
) -> Result<Vec<Item>, LabError> {
    let selected = selected(experiment, wanted)?;
    let item = |&(store, kind): &(&StoreSpec, StoreKind)| {
        let settings = settings(experiment, plan, store, kind)?;
        let path = result::path(&experiment.results, &store.name);
        let found: Option<StoreResult> = file::read_json(&path)?;
        Ok(Item {
            store: store.name.clone(),
            done: found.is_some_and(|found| found.settings == settings),
        })
    };
    selected.iter().map(item).collect()
}

fn selected<'e>(
    experiment: &'e Experiment,
    wanted: &[String],
) -> Result<Vec<(&'e StoreSpec, StoreKind)>, LabError> {
    let mut stores = bench::stores(experiment)?;
    let known = |name: &&String| stores.iter().any(|(store, _)| store.name == **name);
    if let Some(name) = wanted.iter().find(|name| !known(name)) {
        let names: Vec<&str> = stores
            .iter()
            .map(|(store, _)| store.name.as_str())
            .collect();
        return Err(LabError::Unusable(format!(
            "the scenario has no store `{name}` with a kind; there are: {}",
            names.join(", ")
        )));
    }
    stores.retain(|(store, _)| wanted.is_empty() || wanted.contains(&store.name));
    Ok(stores)
}

fn settings(
    experiment: &Experiment,
    plan: &FileSystems,
    store: &StoreSpec,
    kind: StoreKind,
) -> Result<Settings, LabError> {
    let nodes = Nodes::of(experiment)?;
    Ok(Settings {
        store: format!("{} on {:?}", kind.name(), store.disk),
        memory_bytes: nodes.memory_bytes,
        cpus: nodes.web.cpus,
        link_bits_per_s: nodes.link_bits_per_s,
        bare_bytes: plan.bare_bytes.clone(),
        served_bytes: plan.served_bytes.clone(),
        files: plan.files,
        clients: plan.clients,
        throughput_seconds: plan.throughput_seconds,
    })
}

/// Results that are there, in the experiment's order.
///
/// # Errors
/// One that cannot be read.
pub fn results(experiment: &Experiment) -> Result<Vec<StoreResult>, LabError> {
    let mut results = Vec::new();
    for (store, _) in bench::stores(experiment)? {
        results.extend(file::read_json(&result::path(
            &experiment.results,
            &store.name,
        ))?);
    }
    Ok(results)
}

/// Runs the stores that are wanted and not measured yet, each in a lab of its own; a result is written as soon as it
/// is there. Returns how many were measured.
///
/// # Errors
/// What the machine lacks, what fails on the way, [`LabError::Interrupted`]. Nothing is left behind then but results.
pub fn run(
    experiment: &Experiment,
    plan: &FileSystems,
    wanted: &[String],
    helpers: &Helpers,
    date: &str,
    control: &dyn Control,
) -> Result<usize, LabError> {
    let items = items(experiment, plan, wanted)?;
    let mut stores = selected(experiment, wanted)?;
    stores.retain(|(store, _)| {
        items
            .iter()
            .any(|item| item.store == store.name && !item.done)
    });
    if stores.is_empty() {
        return Ok(0);
    }
    let nodes = Nodes::of(experiment)?;
    bench::check(&nodes, plan, &stores, &helpers.surroundings)?;
    for &(store, kind) in &stores {
        go_on(control)?;
        let site = Site {
            nodes,
            plan,
            store,
            kind,
            surroundings: &helpers.surroundings,
            reader: &helpers.reader,
        };
        let found = Run {
            experiment,
            site,
            date,
            control,
        }
        .measure();
        // Ctrl-C reaches the processes of the lab as well, whose end is then no error of theirs.
        let found = found.or_else(|error| go_on(control).and(Err(error)))?;
        file::write_json(&result::path(&experiment.results, &store.name), &found)?;
    }
    Ok(stores.len())
}

struct Run<'r> {
    experiment: &'r Experiment,
    site: Site<'r>,
    date: &'r str,
    control: &'r dyn Control,
}

impl Run<'_> {
    fn measure(&self) -> Result<StoreResult, LabError> {
        self.step("building it")?;
        let mut bench = Bench::create(self.site)?;
        let lab = Arc::clone(&bench.lab);
        let found = self.measure_on(&mut bench);
        drop(bench);
        let left = lab.teardown().left;
        let found = found?;
        if left.is_empty() {
            Ok(found)
        } else {
            Err(LabError::Unusable(format!(
                "could not clean up: {}",
                left.join("; ")
            )))
        }
    }

    fn measure_on(&self, bench: &mut Bench) -> Result<StoreResult, LabError> {
        let plan = self.site.plan;
        self.step("writing files")?;
        let caches_dropped = bench.fill(plan)?;
        let watch = Watch::start()?;
        let own = own_cpu_us();
        self.step("reading uncached files")?;
        let uncached = self.bare(bench, 1, "uncached")?;
        let proxy = bench.serve()?;
        let mut outcomes = self.served(proxy, "uncached", None, 1)?;
        self.step("reading cached files")?;
        let cached = self.bare(bench, ROUNDS, "cached")?;
        let duration = Duration::from_secs(plan.throughput_seconds);
        outcomes.extend(self.served(proxy, "cached", Some(duration), ROUNDS)?);
        let bare = together(&plan.bare_bytes, &uncached, &cached);
        outcomes.insert(0, self.bare_outcome(&bare));
        let own = own_cpu_us().saturating_sub(own) + bench.servers_cpu_us()?;
        Ok(StoreResult {
            experiment: self.experiment.name.clone(),
            store: self.site.store.name.clone(),
            kind: self.site.kind.name().to_owned(),
            settings: settings(self.experiment, plan, self.site.store, self.site.kind)?,
            date: self.date.to_owned(),
            bare,
            caches_dropped,
            quietness: Some(watch.finish(own)?),
            outcomes,
        })
    }

    fn step(&self, what: &str) -> Result<(), LabError> {
        go_on(self.control)?;
        self.control
            .step(&format!("{}: {what}", self.site.store.name));
        Ok(())
    }

    fn bare(&self, bench: &Bench, rounds: usize, name: &str) -> Result<Vec<Access>, LabError> {
        let times = bench.times(&self.site.plan.bare_bytes, rounds, name)?;
        let access = |times| {
            Access::of(times).ok_or_else(|| LabError::Unusable("no file was read".to_owned()))
        };
        times.iter().map(access).collect()
    }

    /// One client, `rounds` times over all files, the sizes in turn; then several, size by size, for `duration` or once
    /// over all files.
    fn served(
        &self,
        proxy: SocketAddr,
        cache: &str,
        duration: Option<Duration>,
        rounds: usize,
    ) -> Result<Vec<Outcome>, LabError> {
        let (plan, store) = (self.site.plan, &self.site.store.name);
        let one = Asked {
            phase: PHASES[1],
            sizes: &plan.served_bytes,
            files: plan.files,
            rounds,
            clients: 1,
            duration: None,
        };
        self.step(&format!("{cache} files, 1 client"))?;
        let responses = ask(proxy, one, self.control)?;
        let name = format!("{store}-{cache}");
        let responses = self.by_size(name, self.provenance(cache, 1), responses);
        self.step(&format!("{cache} files, {} clients", plan.clients))?;
        let mut transactions = Vec::new();
        for size in plan.served_bytes.chunks(1) {
            let several = Asked {
                phase: PHASES[2],
                sizes: size,
                clients: plan.clients,
                duration,
                ..one
            };
            transactions.extend(ask(proxy, several, self.control)?);
        }
        let name = format!("{store}-{cache}-{}-clients", plan.clients);
        let transactions = self.by_size(name, self.provenance(cache, plan.clients), transactions);
        Ok(vec![responses, transactions])
    }

    fn by_size(&self, name: String, provenance: Provenance, scores: Vec<Score>) -> Outcome {
        let sizes = self.site.plan.served_bytes.iter().zip(scores);
        let outcome = Outcome::new(name, provenance, Score::default());
        sizes.fold(outcome, |outcome, (&bytes, score)| {
            outcome.with_group(GroupKey::new(GroupKind::Size, size_name(bytes)), score)
        })
    }

    fn bare_outcome(&self, bare: &[Bare]) -> Outcome {
        let name = format!("{}-bare", self.site.store.name);
        let provenance = self.provenance("both", 1);
        let mut outcome = Outcome::new(name, provenance, Score::default());
        for read in bare {
            let size = GroupKey::new(GroupKind::Size, size_name(read.bytes));
            let operations = [
                ("open and close", read.cached.open_close),
                ("read cached", read.cached.read),
                ("open and close uncached", read.uncached.open_close),
                ("read uncached", read.uncached.read),
            ];
            for (operation, summary) in operations {
                outcome =
                    outcome.with_group(size.clone().with_operation(operation), score(summary));
            }
        }
        outcome
    }

    fn provenance(&self, cache: &str, clients: usize) -> Provenance {
        let settings = [
            ("experiment", self.experiment.name.clone()),
            ("file_system", self.site.kind.name().to_owned()),
            ("disk", format!("{:?}", self.site.store.disk)),
            ("cache", cache.to_owned()),
            ("clients", clients.to_string()),
            ("files", self.site.plan.files.to_string()),
        ];
        Provenance {
            settings: settings
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
            date: Some(self.date.to_owned()),
            ..Provenance::new(ProvenanceKind::Measured)
        }
    }
}

fn together(sizes: &[u64], uncached: &[Access], cached: &[Access]) -> Vec<Bare> {
    let sizes = sizes.iter().zip(uncached).zip(cached);
    let bare = |((&bytes, &uncached), &cached)| Bare {
        bytes,
        uncached,
        cached,
    };
    sizes.map(bare).collect()
}

fn score(summary: Summary) -> Score {
    Score {
        requests: Some(summary.accesses),
        latencies: Latencies {
            total: Some(Distribution {
                count: Some(summary.accesses),
                p50_us: Some(summary.median_us),
                p95_us: Some(summary.p95_us),
                p99_us: Some(summary.p99_us),
                max_us: Some(summary.max_us),
                ..Distribution::of_mean(summary.mean_us)
            }),
            ..Latencies::default()
        },
        ..Score::default()
    }
}

/// A size as the documents' tables write it.
pub fn size_name(bytes: u64) -> String {
    match bytes {
        bytes if bytes > 0 && bytes.is_multiple_of(1 << 20) => format!("{}M", bytes >> 20),
        bytes if bytes > 0 && bytes.is_multiple_of(1 << 10) => format!("{}K", bytes >> 10),
        bytes => bytes.to_string(),
    }
}

/// Processor time of this process, which sends the requests.
fn own_cpu_us() -> u64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as u64 * 1_000_000 + time.tv_nsec as u64 / 1000
}
