//! Measures a point: copies databases, starts servers, warms them up, and has visitors come.

use hotset_lab::server::RunningApplication;
use hotset_machine::Quietness;
use hotset_outcome::Outcome;
use hotset_replay::SessionsResult;
use hotset_scenario::{Node, StoreSpec};
use hotset_workload::applications::Engine;

use super::bench::{Bench, Order};
use super::learning::{COUNTING, Learnt, Lesson};
use super::page_costs::tells_page_costs;
use super::planning::Planner;
use super::result::{Detail, ServerMemory, Settings, TableReads, TierTime, WarmUp};
use super::section::{Arm, Size};
use super::visitors::{NAMES, Visitors};
use super::warming::{STEP_SECONDS, reads_are_steady};
use crate::kept::Measurement;
use crate::readings::{PhaseCounts, Readings};
use crate::session::{QuietWatch, Session};
use crate::{ExperimentError, Point};

/// Numbers of the visitors that warm up, of those that are measured, of those after a restart, of the first that servers are learnt with,
/// and of the first that warm up until that is steady.
const WARM_UP: u64 = 0;
pub(super) const MEASURED: u64 = 1;
pub(super) const AFTER_RESTART: u64 = 2;
const FIRST_LEARNT: u64 = 3;
const FIRST_STEP: u64 = 1000;
/// What a plan is learnt from, and what scores it.
const PLAN_INTERVALS: u64 = 2;

/// A point that is measured.
pub(super) struct PointRun<'m> {
    pub session: &'m Session<'m>,
    pub point: &'m Point,
    pub settings: &'m Settings,
    /// How large the applications are: the foreground, and the background where there is one.
    pub foreground: Size,
    pub background: Option<Size>,
    pub engine: Engine,
    pub arm: Arm,
    pub web: &'m Node,
    pub store: &'m StoreSpec,
    /// Number of the run.
    pub run: u64,
}

/// Servers that are warm, with the disk's delays on.
pub(super) struct Warm<'v> {
    /// Who visits them.
    pub visitors: Visitors<'v>,
    /// How they became warm, where that was until it was steady.
    pub warm_up: Option<WarmUp>,
}

/// What was measured while visitors came.
pub(super) struct Phase {
    /// Of each application.
    pub visits: Vec<SessionsResult>,
    /// What disk and link did.
    pub counted: PhaseCounts,
    /// Processor time that each tier used, microseconds.
    pub used_us: Vec<u64>,
    pub quietness: Quietness,
}

impl PointRun<'_> {
    /// Measures it.
    ///
    /// # Errors
    /// What fails on the way.
    pub fn measure(&self, bench: &mut Bench) -> Result<Measurement<Detail>, ExperimentError> {
        let planned = match self.arm {
            Arm::Plan => self.plan(bench)?,
            Arm::PageCache | Arm::Pool | Arm::Pin | Arm::Ramfs => Vec::new(),
        };
        let orders = self.orders(&planned, &[]);
        let warm = self.warm(bench, &orders)?;
        self.session.step("measuring")?;
        let phase = self.visited(bench, &warm.visitors, self.settings.seconds, MEASURED)?;
        let pinned_bytes = bench.pinned_bytes;
        bench.stop()?;
        let outcomes = phase.visits.iter().zip(&orders);
        let mut outcomes: Vec<Outcome> = outcomes
            .map(|(visits, order)| self.outcome(visits, order.name, order))
            .collect();
        let (disk_reads, disk_read_bytes) =
            (phase.counted.disk_reads, phase.counted.disk_read_bytes);
        if let Some(first) = outcomes.first_mut() {
            *first = phase.counted.on(first.clone());
        }
        let tables = match self.arm {
            Arm::PageCache | Arm::Pool if tells_page_costs(self.settings) => self.tables(bench)?,
            _ => Vec::new(),
        };
        let detail = Detail {
            tiers: tiers(&phase.used_us, &phase.visits),
            disk_reads,
            disk_read_bytes,
            pinned_bytes,
            planned,
            tables,
            warm_up: warm.warm_up,
            restart: None,
        };
        Ok(Measurement {
            detail,
            quietness: Some(phase.quietness),
            base: None,
            outcomes,
        })
    }

    /// Has the servers of these orders warm, with the disk's delays on.
    ///
    /// # Errors
    /// What fails on the way.
    pub fn warm(
        &self,
        bench: &mut Bench,
        orders: &[Order<'_>],
    ) -> Result<Warm<'_>, ExperimentError> {
        self.session.step("copying databases")?;
        bench.fill(orders, self.session.control)?;
        self.session.step("starting servers")?;
        bench.start(orders)?;
        self.session.step("warming up")?;
        let visitors = self.visitors(bench, orders, self.settings)?;
        let warm_up = match self.settings.steady_warm_up {
            true => Some(self.warm_until_steady(bench, orders)?),
            false => {
                visitors.visit(self.settings.warm_up_seconds, WARM_UP)?;
                None
            }
        };
        bench.set_delays(true)?;
        Ok(Warm { visitors, warm_up })
    }

    /// Those who visit the servers of these orders, and think as the settings have it.
    fn visitors(
        &self,
        bench: &Bench,
        orders: &[Order<'_>],
        settings: &Settings,
    ) -> Result<Visitors<'_>, ExperimentError> {
        let sizes: Vec<Size> = orders.iter().map(|order| order.size).collect();
        Visitors::new(
            self.session.control,
            settings,
            (&sizes, self.engine),
            bench.running(),
            self.run,
        )
    }

    /// Has visitors come who do not think, until the disk's reads for a page no longer fall.
    fn warm_until_steady(
        &self,
        bench: &Bench,
        orders: &[Order<'_>],
    ) -> Result<WarmUp, ExperimentError> {
        let hurried = Settings {
            think_ms: 0,
            ..self.settings.clone()
        };
        let visitors = self.visitors(bench, orders, &hurried)?;
        let mut reads_per_page = Vec::new();
        let most = self.settings.warm_up_seconds / STEP_SECONDS;
        for step in 0..most {
            let before = Readings::take(bench.watched()?)?;
            let visits = visitors.visit(STEP_SECONDS, FIRST_STEP + step)?;
            let pages: u64 = visits.iter().map(|it| it.total.answered()).sum();
            reads_per_page.push(before.counted()?.disk_reads as f64 / pages.max(1) as f64);
            if reads_are_steady(&reads_per_page) {
                break;
            }
        }
        Ok(WarmUp {
            seconds: reads_per_page.len() as u64 * STEP_SECONDS,
            is_steady: reads_are_steady(&reads_per_page),
        })
    }

    /// Has visitors of this number come for so long, and measures.
    ///
    /// # Errors
    /// What fails on the way.
    pub fn visited(
        &self,
        bench: &Bench,
        visitors: &Visitors<'_>,
        seconds: u64,
        number: u64,
    ) -> Result<Phase, ExperimentError> {
        let quiet = QuietWatch::begin(self.session.labs_cpu_us()?)?;
        let before = Readings::take(bench.watched()?)?;
        let used = tier_times_us(bench.running())?;
        let visits = visitors.visit(seconds, number)?;
        let now_used = tier_times_us(bench.running())?;
        let counted = before.counted()?;
        let since = used.iter().zip(&now_used);
        Ok(Phase {
            visits,
            counted,
            used_us: since.map(|(then, now)| now.saturating_sub(*then)).collect(),
            quietness: quiet.end(self.session.labs_cpu_us()?)?,
        })
    }

    /// What a plan gives the servers, by what they do without it.
    fn plan(&self, bench: &mut Bench) -> Result<Vec<ServerMemory>, ExperimentError> {
        let learnt = self.learn(bench, PLAN_INTERVALS)?;
        let planner = Planner {
            web: self.web,
            store: self.store,
            engine: self.engine,
            settings: self.settings,
        };
        planner.plan(&learnt)
    }

    /// What the foreground's tables have in memory and read.
    fn tables(&self, bench: &mut Bench) -> Result<Vec<TableReads>, ExperimentError> {
        let learnt = self.learn(bench, 1)?;
        let probes = learnt.probes.first().into_iter().flatten();
        let tables = probes.flat_map(|probe| &probe.tables).map(|table| {
            let name = table.name.split_once('.');
            TableReads {
                table: name.map_or(table.name.as_str(), |(_, own)| own).to_owned(),
                bytes: table.bytes,
                resident_bytes: table.resident_bytes,
                page_reads_per_hour: table.page_reads_per_hour,
            }
        });
        Ok(tables.collect())
    }

    /// Looks at servers of their own that count reads of files.
    fn learn(&self, bench: &mut Bench, intervals: u64) -> Result<Learnt, ExperimentError> {
        let orders = self.orders(&[], &COUNTING);
        let warm = self.warm(bench, &orders)?;
        self.session.step("learning")?;
        let lesson = Lesson {
            control: self.session.control,
            visitors: &warm.visitors,
            seconds: self.settings.seconds,
            intervals,
            first_phase: FIRST_LEARNT,
        };
        let learnt = lesson.learn(bench)?;
        bench.stop()?;
        Ok(learnt)
    }

    /// The applications with what is planned for each, or else as the settings have them. Their databases have these options as well.
    pub fn orders<'o>(&'o self, planned: &'o [ServerMemory], options: &[&str]) -> Vec<Order<'o>> {
        let settings = self.settings;
        let sizes = [Some(self.foreground), self.background];
        let pools = [settings.pool_bytes, settings.background_pool_bytes];
        let held: [(&[String], &[String]); 2] = [
            (settings.pinned.as_slice(), settings.in_memory.as_slice()),
            (&[], &[]),
        ];
        let applications = NAMES.into_iter().zip(sizes).zip(pools).zip(held);
        let orders = applications.enumerate().filter_map(|(place, of)| {
            let (((name, size), pool_bytes), (pinned, in_memory)) = of;
            let plan = planned.get(place);
            let pool_bytes = plan.map_or(pool_bytes, |it| it.pool_bytes);
            let own = options.iter().map(|&option| option.to_owned());
            Some(Order {
                name,
                size: size?,
                pool_bytes,
                database_options: database_options(settings, pool_bytes).chain(own).collect(),
                pinned: plan.map_or(pinned, |it| it.pinned.as_slice()),
                in_memory,
            })
        });
        orders.collect()
    }

    /// What visits of an application came to; `what` they were of.
    pub fn outcome(&self, visits: &SessionsResult, what: &str, order: &Order<'_>) -> Outcome {
        let settings = self.settings;
        let own = [
            ("side", order.name.to_owned()),
            ("application", settings.application.clone()),
            ("engine", settings.engine.clone()),
            ("class", settings.class.to_string()),
            ("pool_bytes", order.pool_bytes.to_string()),
            ("pinned", order.pinned.join(" ")),
            ("in_memory", order.in_memory.join(" ")),
            ("flush_method", settings.flush_method.clone()),
            ("durability", settings.durability.to_string()),
            ("memory_bytes", settings.memory_bytes.to_string()),
        ];
        let provenance = self.session.provenance(self.point, &own);
        visits.outcome(&format!("{}, {what}", self.point), provenance)
    }
}

/// Options of MariaDB.
fn database_options(settings: &Settings, pool_bytes: u64) -> impl Iterator<Item = String> {
    let options = [
        format!("--innodb-buffer-pool-size={pool_bytes}"),
        format!("--innodb-flush-method={}", settings.flush_method),
        format!("--innodb-flush-log-at-trx-commit={}", settings.durability),
    ];
    options.into_iter()
}

/// Processor time of all tiers until now, microseconds.
fn tier_times_us(running: &[RunningApplication]) -> Result<Vec<u64>, ExperimentError> {
    let mut times = Vec::new();
    for application in running {
        for (_, process) in application.tiers() {
            times.push(process.cpu_us()?);
        }
    }
    Ok(times)
}

/// Tiers of an application, in the order in which their times are read.
const TIERS: [&str; 3] = ["web", "scripts", "database"];

/// Processor times as shares of the pages that they were used for.
pub(super) fn tiers(used_us: &[u64], visits: &[SessionsResult]) -> Vec<TierTime> {
    let applications = used_us.chunks(TIERS.len()).zip(visits);
    let applications = applications.zip(NAMES);
    let times = applications.flat_map(|((used, visits), application)| {
        let pages = visits.total.answered();
        used.iter().zip(TIERS).map(move |(us, tier)| TierTime {
            application: application.to_owned(),
            tier: tier.to_owned(),
            ms_per_page: (pages > 0).then(|| *us as f64 / 1000.0 / pages as f64),
        })
    });
    times.collect()
}
