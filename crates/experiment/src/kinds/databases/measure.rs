//! Measures a point: copies databases, starts servers, warms them up, and has visitors come.

use std::net::SocketAddr;
use std::time::Duration;

use hotset_lab::server::RunningApplication;
use hotset_lab::{Control, go_on};
use hotset_outcome::Outcome;
use hotset_replay::{
    Endpoint, Observer, Progress, SessionOptions, SessionsResult, replay_sessions,
};
use hotset_workload::applications::Engine;
use hotset_workload::sessions::Mix;

use super::bench::{Bench, Order};
use super::result::{Detail, Settings, TierTime};
use super::section::Size;
use crate::clients::at_once;
use crate::kept::Measurement;
use crate::readings::Readings;
use crate::session::{QuietWatch, Session};
use crate::{ExperimentError, Point};

/// Names of the applications.
const FOREGROUND: &str = "foreground";
const BACKGROUND: &str = "background";
/// The mix of the background's visitors.
const BACKGROUND_MIX: &str = "shopping";
/// A page that waits longer has failed.
const PAGE_TIMEOUT: Duration = Duration::from_secs(60);

/// A point that is measured.
pub(super) struct PointRun<'m> {
    pub session: &'m Session<'m>,
    pub point: &'m Point,
    pub settings: &'m Settings,
    /// How large the applications are: the foreground, and the background where there is one.
    pub foreground: Size,
    pub background: Option<Size>,
    pub engine: Engine,
    /// Number of the run.
    pub run: u64,
}

/// Who visits an application.
struct Visitors {
    mix: Mix,
    server: SocketAddr,
    seed: u64,
}

/// Ends visits when the run is to end.
struct Interruptions<'c>(&'c dyn Control);

impl Observer for Interruptions<'_> {
    fn progress(&self, _: &Progress) {}

    fn interrupted(&self) -> bool {
        self.0.interrupted()
    }
}

impl PointRun<'_> {
    /// Measures it.
    ///
    /// # Errors
    /// What fails on the way.
    pub fn measure(&self, bench: &mut Bench) -> Result<Measurement<Detail>, ExperimentError> {
        let orders = self.orders();
        self.session.step("copying databases")?;
        bench.fill(&orders, self.session.control)?;
        self.session.step("starting servers")?;
        bench.start(&orders)?;
        let visitors = self.visitors(&orders, bench.running())?;
        self.session.step("warming up")?;
        self.visit(&visitors, self.settings.warm_up_seconds, 0)?;
        bench.set_delays(true)?;
        self.session.step("measuring")?;
        let quiet = QuietWatch::begin(self.session.labs_cpu_us()?)?;
        let before = Readings::take(bench.watched()?)?;
        let used = tier_times_us(bench.running())?;
        let visits = self.visit(&visitors, self.settings.seconds, 1)?;
        let now_used = tier_times_us(bench.running())?;
        let counted = before.counted()?;
        drop(before);
        let quietness = quiet.end(self.session.labs_cpu_us()?)?;
        let pinned_bytes = bench.pinned_bytes;
        bench.stop()?;
        let since = used.iter().zip(&now_used);
        let since: Vec<u64> = since.map(|(then, now)| now.saturating_sub(*then)).collect();
        let detail = Detail {
            tiers: tiers(&since, &visits),
            disk_reads: counted.disk_reads,
            disk_read_bytes: counted.disk_read_bytes,
            pinned_bytes,
        };
        let outcomes = visits.iter().zip([FOREGROUND, BACKGROUND]);
        let mut outcomes: Vec<Outcome> = outcomes
            .map(|(visits, name)| self.outcome(visits, name))
            .collect();
        if let Some(first) = outcomes.first_mut() {
            *first = counted.on(first.clone());
        }
        Ok(Measurement {
            detail,
            quietness: Some(quietness),
            base: None,
            outcomes,
        })
    }

    fn orders(&self) -> Vec<Order<'_>> {
        let settings = self.settings;
        let foreground = Order {
            name: FOREGROUND,
            size: self.foreground,
            database_options: options(settings, settings.pool_bytes),
            pinned: &settings.pinned,
            in_memory: &settings.in_memory,
        };
        let background = self.background.map(|size| Order {
            name: BACKGROUND,
            size,
            database_options: options(settings, settings.background_pool_bytes),
            pinned: &[],
            in_memory: &[],
        });
        [foreground].into_iter().chain(background).collect()
    }

    fn visitors(
        &self,
        orders: &[Order<'_>],
        running: &[RunningApplication],
    ) -> Result<Vec<Visitors>, ExperimentError> {
        let seed = self.settings.seed.wrapping_add(self.run);
        let mixes = [self.settings.mix.as_str(), BACKGROUND_MIX];
        let all = orders.iter().zip(running).zip(mixes).zip(0..);
        let visitors = all.map(|(((order, running), name), number)| {
            let mixes = order.size.application(self.engine).mixes();
            let mix = mixes.into_iter().find(|mix| mix.name == name);
            let missing = || ExperimentError::Unusable(format!("there is no mix `{name}`"));
            let mix = mix.ok_or_else(missing)?;
            let mean = Duration::from_millis(self.settings.think_ms);
            Ok(Visitors {
                mix: Mix {
                    think: mix.think.with_mean(mean),
                    ..mix
                },
                server: running.address,
                seed: seed.wrapping_mul(2).wrapping_add(number),
            })
        });
        visitors.collect()
    }

    /// All visitors at once. Each `phase` has visitors of its own.
    fn visit(
        &self,
        visitors: &[Visitors],
        seconds: u64,
        phase: u64,
    ) -> Result<Vec<SessionsResult>, ExperimentError> {
        let control = self.session.control;
        let clients = self.settings.clients as usize;
        let visit = |of: &Visitors| {
            let unusable = |problem: String| {
                ExperimentError::Unusable(format!("http://{}: {problem}", of.server))
            };
            let endpoint = Endpoint::resolve(&format!("http://{}", of.server));
            let options = SessionOptions {
                clients,
                duration: Duration::from_secs(seconds),
                response_timeout: PAGE_TIMEOUT,
                seed: of.seed.wrapping_add(phase << 32),
                ..SessionOptions::new(endpoint.map_err(|error| unusable(error.to_string()))?)
            };
            replay_sessions(&of.mix, &options, &Interruptions(control))
                .map_err(|error| unusable(error.to_string()))
        };
        let visits = at_once(visitors, "visitors broke off", visit)?;
        go_on(control)?;
        Ok(visits)
    }

    fn outcome(&self, visits: &SessionsResult, name: &str) -> Outcome {
        let settings = self.settings;
        let own = [
            ("side", name.to_owned()),
            ("application", settings.application.clone()),
            ("engine", settings.engine.clone()),
            ("class", settings.class.to_string()),
            ("pool_bytes", settings.pool_bytes.to_string()),
            ("pinned", settings.pinned.join(" ")),
            ("in_memory", settings.in_memory.join(" ")),
            ("flush_method", settings.flush_method.clone()),
            ("durability", settings.durability.to_string()),
            ("memory_bytes", settings.memory_bytes.to_string()),
        ];
        let provenance = self.session.provenance(self.point, &own);
        visits.outcome(&format!("{}, {name}", self.point), provenance)
    }
}

/// Options of MariaDB.
fn options(settings: &Settings, pool_bytes: u64) -> Vec<String> {
    vec![
        format!("--innodb-buffer-pool-size={pool_bytes}"),
        format!("--innodb-flush-method={}", settings.flush_method),
        format!("--innodb-flush-log-at-trx-commit={}", settings.durability),
    ]
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
fn tiers(used_us: &[u64], visits: &[SessionsResult]) -> Vec<TierTime> {
    let applications = used_us.chunks(TIERS.len()).zip(visits);
    let applications = applications.zip([FOREGROUND, BACKGROUND]);
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
