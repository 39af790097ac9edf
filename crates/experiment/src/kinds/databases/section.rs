//! `[databases]`: which applications share a node's memory, and how it is used.

use std::fmt;
use std::str::FromStr;

use hotset_trace::not_one_of;
use hotset_workload::CLASSES;
use hotset_workload::applications::{Application, Engine, Rubbos, Rubis, Tpcw};
use serde::{Deserialize, Deserializer};
use strum::{EnumString, IntoStaticStr, VariantNames};

use super::warming::LEAST_SECONDS;
use super::ways::{Restart, Way};
use crate::section_values::{bytes, count, list, read};

/// What is measured.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct Section {
    /// Name of the store that the servers' data lies on.
    pub store: String,
    /// Class of Zipf-like workloads whose working set the foreground's tables fill.
    #[serde(deserialize_with = "count::<_, 0, 4>")]
    pub class: u64,
    /// The foreground's benchmark. The background is a shop of TPC-W.
    #[serde(default, deserialize_with = "read")]
    pub application: Benchmark,
    /// Items of the foreground, or stories, which decide what of its tables is hot. Without it as `hotset generate` has them.
    #[serde(default, deserialize_with = "items")]
    pub items: Option<u64>,
    /// File of what pages of the foreground take, by which runs without a background are simulated.
    pub application_profile: Option<String>,
    /// File of what pages of the background take, by which runs with it are simulated as well.
    pub background_profile: Option<String>,
    /// Engine of all tables.
    #[serde(default, deserialize_with = "read")]
    pub engine: Engine,
    /// Mixes of the foreground's visitors.
    #[serde(deserialize_with = "list")]
    pub mixes: Vec<String>,
    /// What shares the node with it.
    #[serde(default = "alone", deserialize_with = "list")]
    pub backgrounds: Vec<Background>,
    /// Ways of using the node's memory, where the file names them.
    #[serde(default, deserialize_with = "several_arms")]
    arms: Option<Vec<Arm>>,
    /// Servers are restarted after they were measured, in several ways which stand in the place of arms.
    #[serde(default)]
    pub restart: Option<Restart>,
    /// Buffer pool of each server, bytes, where an arm does not have the large one.
    #[serde(deserialize_with = "bytes")]
    pub pool: u64,
    /// Buffer pool of the foreground's server in the arm pool, bytes.
    #[serde(deserialize_with = "bytes")]
    pub large_pool: u64,
    /// The foreground's tables that are locked in the arm pin.
    pub pinned: Vec<String>,
    /// Name of the store in memory that the arm ramfs copies tables to.
    pub memory_store: Option<String>,
    /// The foreground's tables that it copies.
    #[serde(default = "documented_tables")]
    pub copied: Vec<String>,
    /// How InnoDB reads and writes files. What is pinned is of use only where it reads through the page cache.
    #[serde(default = "usual_flush_method")]
    pub flush_method: String,
    /// When a commit is on disk (`innodb_flush_log_at_trx_commit`).
    #[serde(default = "usual_durability", deserialize_with = "count::<_, 0, 2>")]
    pub durability: u64,
    /// Emulated browsers of each application.
    #[serde(deserialize_with = "count::<_, 1, 100_000>")]
    pub clients: u64,
    /// Mean of their think times, milliseconds.
    #[serde(deserialize_with = "count::<_, 0, 600_000>")]
    pub think_ms: u64,
    /// How long caches are warmed up, the disk without delays, seconds.
    #[serde(deserialize_with = "count::<_, 1, 36_000>")]
    pub warm_up_seconds: u64,
    /// Whether that is the most: visitors then do not think, and it ends once the disk's reads for a page no longer fall.
    #[serde(default)]
    pub steady_warm_up: bool,
    /// How long is measured, seconds.
    #[serde(deserialize_with = "count::<_, 1, 36_000>")]
    pub seconds: u64,
    /// How often everything is measured.
    #[serde(default = "usual_runs", deserialize_with = "count::<_, 1, 1000>")]
    pub runs: u64,
}

/// A benchmark with a database.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    EnumString,
    IntoStaticStr,
    VariantNames,
)]
#[strum(serialize_all = "lowercase", parse_err_ty = String, parse_err_fn = not_a_benchmark)]
pub(crate) enum Benchmark {
    /// A bookshop.
    #[default]
    Tpcw,
    /// An auction site.
    Rubis,
    /// A news site.
    Rubbos,
}

/// How large an application with a database is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Size {
    /// The benchmark.
    pub benchmark: Benchmark,
    /// The class whose working set its tables fill.
    pub class: u64,
    /// Its items, or stories.
    pub items: Option<u64>,
}

/// What a server has beside its tables: its log, its own tables, what it sorts in; bytes.
const SERVER_BYTES: u64 = 512 << 20;
/// Tables grow while they are visited, and a file system has records of its own.
const GROWTH: f64 = 1.6;

/// Items of TPC-W up to class 1, and above, as `hotset generate` has them.
const ITEMS: [u64; 2] = [10_000, 100_000];

impl Size {
    /// Bytes that its tables fill.
    pub fn bytes(self) -> u64 {
        let class = CLASSES.get(self.class as usize);
        class.map_or(0, |class| class.working_set_bytes)
    }

    /// What a copy of its data takes.
    pub fn copy_bytes(self) -> u64 {
        (self.bytes() as f64 * GROWTH) as u64 + SERVER_BYTES
    }

    /// Its items where they do not follow from the size of its tables.
    pub fn known_items(self) -> Option<u64> {
        let usual = ITEMS[usize::from(self.class > 1)];
        let usual = (self.benchmark == Benchmark::Tpcw).then_some(usual);
        self.items.or(usual)
    }

    /// The application whose tables do.
    pub fn application(self, engine: Engine) -> Box<dyn Application> {
        let (bytes, items) = (self.bytes(), self.known_items());
        match self.benchmark {
            Benchmark::Tpcw => Box::new(Tpcw::of_bytes(bytes, items.unwrap_or(ITEMS[0]), engine)),
            Benchmark::Rubis => Box::new(Rubis::of_bytes(bytes, items, engine)),
            Benchmark::Rubbos => Box::new(Rubbos::of_bytes(bytes, items, engine)),
        }
    }
}

/// A way of using the node's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, VariantNames)]
#[strum(serialize_all = "kebab-case", parse_err_ty = String, parse_err_fn = not_an_arm)]
pub(crate) enum Arm {
    /// The page cache has what the small buffer pools leave.
    PageCache,
    /// The foreground's server has a large buffer pool.
    Pool,
    /// Tables of the foreground are locked in the page cache.
    Pin,
    /// Tables of the foreground are copied to a store in memory, and served from there. What is written to them is lost with it.
    Ramfs,
    /// Pools and pins of all servers are what `hotset plan` proposes, by a look at them beforehand.
    Plan,
}

fn not_a_benchmark(text: &str) -> String {
    not_one_of::<Benchmark>(text, "a benchmark")
}

fn not_an_arm(text: &str) -> String {
    not_one_of::<Arm>(text, "an arm")
}

impl Benchmark {
    /// As results and options write it.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl Arm {
    /// As results and options write it.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// What shares the node with the foreground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Background {
    /// Nothing.
    None,
    /// A second shop, whose tables fill the working set of a class.
    Tpcw(u64),
}

/// How a class of a background begins.
const TPCW: &str = "tpcw-";

impl Background {
    /// How large it is; nothing where there is none.
    pub fn size(self) -> Option<Size> {
        match self {
            Self::None => None,
            Self::Tpcw(class) => Some(Size {
                benchmark: Benchmark::Tpcw,
                class,
                items: None,
            }),
        }
    }
}

impl fmt::Display for Background {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Background::None => f.write_str("none"),
            Background::Tpcw(class) => write!(f, "{TPCW}{class}"),
        }
    }
}

impl FromStr for Background {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "none" {
            return Ok(Background::None);
        }
        let class = text.strip_prefix(TPCW).and_then(|class| class.parse().ok());
        match class {
            Some(class) if class <= 4 => Ok(Background::Tpcw(class)),
            _ => Err(format!(
                "`{text}` is not a background: write none, or tpcw-0 to tpcw-4"
            )),
        }
    }
}

fn alone() -> Vec<Background> {
    vec![Background::None]
}

/// Arms of a file that names none.
const USUAL_ARMS: [Arm; 3] = [Arm::PageCache, Arm::Pool, Arm::Pin];

/// "Workload-driven analysis of file systems in shared multi-tier data-centers over InfiniBand" has these in memory.
fn documented_tables() -> Vec<String> {
    ["customer", "item"].map(str::to_owned).to_vec()
}

fn usual_flush_method() -> String {
    "fsync".to_owned()
}

fn usual_durability() -> u64 {
    1
}

fn usual_runs() -> u64 {
    3
}

impl Section {
    /// How large the foreground is.
    pub fn foreground(&self) -> Size {
        Size {
            benchmark: self.application,
            class: self.class,
            items: self.items,
        }
    }

    /// Ways of using the node's memory; none where servers are restarted.
    fn arms(&self) -> &[Arm] {
        match (&self.restart, &self.arms) {
            (Some(_), _) => &[],
            (None, Some(arms)) => arms,
            (None, None) => &USUAL_ARMS,
        }
    }

    /// What points have on the axis of arms: the arms, or the ways of a restart.
    pub fn arm_names(&self) -> Vec<&'static str> {
        let ways = self.restart.iter().flat_map(|it| &it.ways);
        let arms = self.arms().iter().map(|arm| arm.name());
        ways.map(|way| way.name()).chain(arms).collect()
    }

    /// What pins tables, if anything does.
    fn pinning(&self) -> Option<&'static str> {
        let mut ways = self.restart.iter().flat_map(|it| &it.ways);
        let way = ways.any(|way| *way == Way::Pin);
        let arm = self.arms().contains(&Arm::Pin);
        arm.then_some("the arm pin")
            .or(way.then_some("the way pin"))
    }

    /// Refuses what does not fit together.
    pub fn check(&self) -> Result<(), String> {
        let known = self.foreground().application(self.engine).mixes();
        let known: Vec<String> = known.into_iter().map(|mix| mix.name).collect();
        if let Some(other) = self.mixes.iter().find(|mix| !known.contains(*mix)) {
            return Err(format!(
                "names a mix `{other}`, which {} has not: it has {}",
                self.application.name(),
                known.join(", ")
            ));
        }
        if let Some(pinning) = self.pinning() {
            self.check_pins(pinning)?;
        }
        if let Some(restart) = &self.restart {
            self.check_restart(restart)?;
        }
        if self.steady_warm_up && self.warm_up_seconds < LEAST_SECONDS {
            return Err(format!(
                "has a `steady_warm_up` within `warm_up_seconds` = {}; it takes at least {LEAST_SECONDS}",
                self.warm_up_seconds
            ));
        }
        if self.arms().contains(&Arm::Ramfs) && self.memory_store.is_none() {
            return Err(
                "copies tables to memory: add `memory_store`, or leave out the arm ramfs"
                    .to_owned(),
            );
        }
        self.check_profiles()?;
        if self.large_pool <= self.pool {
            return Err("has a `large_pool` that is not larger than `pool`".to_owned());
        }
        Ok(())
    }
}

impl Section {
    /// Refuses pins that there is nothing of, or that are of no use. `pinning`: who pins.
    fn check_pins(&self, pinning: &str) -> Result<(), String> {
        if self.pinned.is_empty() {
            return Err(format!(
                "names nothing to pin: add `pinned`, or leave out {pinning}"
            ));
        }
        let method = self.flush_method.to_ascii_uppercase();
        if self.engine == Engine::Innodb && method.starts_with("O_DIRECT") {
            return Err(format!(
                "pins tables of InnoDB, which reads past the page cache with `flush_method` = \"{}\"; write \"fsync\", or leave out \
                 {pinning}",
                self.flush_method
            ));
        }
        Ok(())
    }

    /// Refuses what does not go with a restart.
    fn check_restart(&self, restart: &Restart) -> Result<(), String> {
        if self.arms.is_some() {
            return Err(
                "has `arms` beside [databases.restart], whose `ways` stand in their place; leave out one of both"
                    .to_owned(),
            );
        }
        if self.backgrounds != [Background::None] {
            return Err(
                "restarts the foreground alone, and names `backgrounds`; leave them out".to_owned(),
            );
        }
        let dump = restart.ways.iter().find(|way| way.dumps());
        if let Some(way) = dump.filter(|_| self.engine != Engine::Innodb) {
            return Err(format!(
                "restarts with the way {}, which is of InnoDB's buffer pool, and has `engine` = \"{}\"; leave out that way",
                way.name(),
                self.engine.name()
            ));
        }
        if self.application_profile.is_some() {
            return Err(
                "names an `application_profile`, by which no restart is simulated; leave it out"
                    .to_owned(),
            );
        }
        Ok(())
    }

    /// Refuses profiles that nothing is simulated by.
    fn check_profiles(&self) -> Result<(), String> {
        if self.background_profile.is_none() {
            return Ok(());
        }
        if self.application_profile.is_none() {
            return Err(
                "names a `background_profile` alone; add the foreground's `application_profile`"
                    .to_owned(),
            );
        }
        let sizes = self.backgrounds.iter().filter_map(|it| it.size());
        match sizes.count() {
            1 => Ok(()),
            count => Err(format!(
                "names a `background_profile` for {count} backgrounds; it says what pages of one take, so have one in `backgrounds`"
            )),
        }
    }
}

fn items<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    count::<_, 1, 10_000_000>(deserializer).map(Some)
}

fn several_arms<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<Arm>>, D::Error> {
    list(deserializer).map(Some)
}
