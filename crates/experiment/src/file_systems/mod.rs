//! The file-systems experiment: what each file system of a scenario costs, read by plain calls on its node, and
//! through a proxy and a web server.
//!
//! Every phase has files of its own, so that one drop of all caches, proven, stands before all uncached accesses:
//! each file is asked for once, then all of them again.

mod bench;
mod result;
mod section;
mod served;
mod tables;

use std::net::SocketAddr;
use std::time::Duration;

use hotset_lab::data_centre;
use hotset_machine::Need;
use hotset_outcome::{Distribution, GroupKey, GroupKind, Latencies, Outcome, Score};
use hotset_scenario::Scenario;

pub(crate) use section::Section;

use crate::experiment::Header;
use crate::kept::{KeptOf, Results};
use crate::quoted::Quoted;
use crate::session::{Quiet, Session, Tools};
use crate::show::Shown;
use crate::study::{Measured, Prediction, Study};
use crate::table::Table;
use crate::{Axis, ExperimentError, Point};
use bench::{Bench, Nodes, RealStore};
use result::{Access, Bare, Detail, Settings, Summary};
use served::{Asked, ask};

/// Folders of the files read bare, asked for by one client, and by several.
const PHASES: [&str; 3] = ["bare", "response", "throughput"];
/// How often each cached file is read bare, and asked for by one client.
const ROUNDS: usize = 5;

/// An experiment on what every store of a scenario costs.
pub(crate) struct FileSystems {
    section: Section,
    nodes: Nodes,
    stores: Vec<RealStore>,
}

impl FileSystems {
    /// The experiment that `section` describes.
    ///
    /// # Errors
    /// A scenario without web node, proxy or stores that can be used.
    pub fn new(
        section: Section,
        header: &Header,
        scenario: &Scenario,
    ) -> Result<Self, ExperimentError> {
        let unusable = |problem: String| {
            ExperimentError::Unusable(format!(
                "experiment {}: its scenario {problem}",
                header.name
            ))
        };
        Ok(Self {
            section,
            stores: bench::stores(scenario).map_err(unusable)?,
            nodes: Nodes::of(scenario, header.scale).map_err(unusable)?,
        })
    }

    fn store(&self, point: &Point) -> Result<&RealStore, ExperimentError> {
        let name = point.on(Axis::Store);
        let store = self.stores.iter().find(|store| store.spec.name == name);
        store.ok_or_else(|| ExperimentError::Unusable(format!("there is no store `{name}`")))
    }
}

impl Study for FileSystems {
    type Settings = Settings;
    type Detail = Detail;
    type Predicted = ();
    type Bench = Bench;

    const KIND: &'static str = "file-systems";
    const AXES: &'static [Axis] = &[Axis::Store];

    fn points(&self) -> Vec<Point> {
        let point = |store: &RealStore| Point::default().with(Axis::Store, &store.spec.name);
        self.stores.iter().map(point).collect()
    }

    fn settings(&self, point: &Point) -> Result<Settings, ExperimentError> {
        let RealStore { spec, kind } = self.store(point)?;
        Ok(Settings {
            store: format!("{} on {:?}", kind.name(), spec.disk),
            memory_bytes: self.nodes.memory_bytes,
            cpus: self.nodes.web.cpus,
            link_bits_per_s: self.nodes.link_bits_per_s,
            bare_bytes: self.section.bare_bytes.clone(),
            served_bytes: self.section.served_bytes.clone(),
            files: self.section.files as usize,
            clients: self.section.clients as usize,
            throughput_seconds: self.section.throughput_seconds,
        })
    }

    /// Each file system has a lab of its own.
    fn benches(&self, points: Vec<Point>) -> Vec<Vec<Point>> {
        points.into_iter().map(|point| vec![point]).collect()
    }

    fn needs(&self, points: &[Point], tools: &Tools) -> Result<Vec<Need>, ExperimentError> {
        let mut needs = Vec::new();
        for point in points {
            let scenario = self.nodes.scenario(&self.section, self.store(point)?);
            needs.extend(data_centre::needs(&scenario, &tools.directories)?);
        }
        Ok(needs)
    }

    fn build(&self, points: &[Point], session: &Session) -> Result<Bench, ExperimentError> {
        let [point] = points else {
            let message = "file systems are built one at a time".to_owned();
            return Err(ExperimentError::Unusable(message));
        };
        session.begin(point.to_string());
        session.step("building it")?;
        Bench::create(&self.nodes, &self.section, self.store(point)?, session)
    }

    fn measure(
        &self,
        bench: &mut Bench,
        point: &Point,
        session: &Session,
    ) -> Result<Measured<Detail>, ExperimentError> {
        let measurement = Measurement {
            section: &self.section,
            store: self.store(point)?,
            point,
            session,
        };
        measurement.measure(bench)
    }

    fn base(&self, _point: &Point) -> Option<Point> {
        None
    }

    /// No model is of file systems yet.
    fn predict(
        &self,
        kept: &[KeptOf<Self>],
        _results: &Results,
    ) -> Result<Vec<Option<Prediction<()>>>, ExperimentError> {
        Ok(kept.iter().map(|_| None).collect())
    }

    fn phases(&self) -> Vec<&'static str> {
        tables::PHASES.map(|phase| phase.name).to_vec()
    }

    fn outcome<'k>(&self, kept: &'k KeptOf<Self>, phase: &str) -> Option<&'k Outcome> {
        let phase = tables::PHASES.iter().find(|known| known.name == phase)?;
        let name = phase.outcome(kept.point.on(Axis::Store), kept.settings.clients);
        kept.outcomes.iter().find(|outcome| outcome.name == name)
    }

    fn tables(&self, points: &[Shown<Self>], quoted: &Quoted) -> Vec<Table> {
        tables::of(self, points, quoted)
    }

    fn remarks(&self, _points: &[Shown<Self>]) -> Vec<String> {
        Vec::new()
    }
}

/// The measuring of one file system.
struct Measurement<'m> {
    section: &'m Section,
    store: &'m RealStore,
    point: &'m Point,
    session: &'m Session<'m>,
}

impl Measurement<'_> {
    fn measure(&self, bench: &mut Bench) -> Result<Measured<Detail>, ExperimentError> {
        self.session.step("writing files")?;
        let caches_dropped = bench.fill(self.section)?;
        let quiet = Quiet::begin(bench.servers_cpu_us()?)?;
        self.session.step("reading uncached files")?;
        let uncached = self.bare(bench, 1, "uncached")?;
        let proxy = bench.serve()?;
        let mut outcomes = self.served(proxy, "uncached", None, 1)?;
        self.session.step("reading cached files")?;
        let cached = self.bare(bench, ROUNDS, "cached")?;
        let duration = Duration::from_secs(self.section.throughput_seconds);
        outcomes.extend(self.served(proxy, "cached", Some(duration), ROUNDS)?);
        let bare = together(&self.section.bare_bytes, &uncached, &cached);
        outcomes.insert(0, self.bare_outcome(&bare));
        Ok(Measured {
            detail: Detail {
                kind: self.store.kind.name().to_owned(),
                bare,
                caches_dropped,
            },
            quietness: quiet.end(bench.servers_cpu_us()?)?,
            base: None,
            outcomes,
        })
    }

    fn bare(
        &self,
        bench: &Bench,
        rounds: usize,
        name: &str,
    ) -> Result<Vec<Access>, ExperimentError> {
        let times = bench.times(&self.section.bare_bytes, rounds, name)?;
        let access = |times| {
            let access = Access::of(times);
            access.ok_or_else(|| ExperimentError::Unusable("no file was read".to_owned()))
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
    ) -> Result<Vec<Outcome>, ExperimentError> {
        let (section, store) = (self.section, self.point);
        let control = self.session.control;
        let one = Asked {
            phase: PHASES[1],
            sizes: &section.served_bytes,
            files: section.files as usize,
            rounds,
            clients: 1,
            duration: None,
        };
        self.session.step(&format!("{cache} files, 1 client"))?;
        let responses = ask(proxy, one, control)?;
        let responses = self.by_size(format!("{store}-{cache}"), cache, 1, responses);
        let clients = section.clients;
        self.session
            .step(&format!("{cache} files, {clients} clients"))?;
        let mut transactions = Vec::new();
        for size in section.served_bytes.chunks(1) {
            let several = Asked {
                phase: PHASES[2],
                sizes: size,
                clients: clients as usize,
                duration,
                ..one
            };
            transactions.extend(ask(proxy, several, control)?);
        }
        let name = format!("{store}-{cache}-{clients}-clients");
        let transactions = self.by_size(name, cache, clients, transactions);
        Ok(vec![responses, transactions])
    }

    fn by_size(&self, name: String, cache: &str, clients: u64, scores: Vec<Score>) -> Outcome {
        let sizes = self.section.served_bytes.iter().zip(scores);
        let outcome = self.outcome(name, cache, clients);
        sizes.fold(outcome, |outcome, (&bytes, score)| {
            outcome.with_group(size_group(bytes), score)
        })
    }

    fn bare_outcome(&self, bare: &[Bare]) -> Outcome {
        let mut outcome = self.outcome(format!("{}-bare", self.point), "both", 1);
        for read in bare {
            let size = size_group(read.bytes);
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

    /// An outcome of the file system's, without its sizes.
    fn outcome(&self, name: String, cache: &str, clients: u64) -> Outcome {
        let settings = [
            ("file_system", self.store.kind.name().to_owned()),
            ("disk", format!("{:?}", self.store.spec.disk)),
            ("cache", cache.to_owned()),
            ("clients", clients.to_string()),
            ("files", self.section.files.to_string()),
        ];
        let provenance = self.session.provenance(self.point, &settings);
        Outcome::new(name, provenance, Score::default())
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

/// The group of files of one size.
fn size_group(bytes: u64) -> GroupKey {
    GroupKey::new(GroupKind::Size, size_name(bytes))
}

/// A size as the documents' tables write it.
fn size_name(bytes: u64) -> String {
    match bytes {
        bytes if bytes > 0 && bytes.is_multiple_of(1 << 20) => format!("{}M", bytes >> 20),
        bytes if bytes > 0 && bytes.is_multiple_of(1 << 10) => format!("{}K", bytes >> 10),
        bytes => bytes.to_string(),
    }
}
