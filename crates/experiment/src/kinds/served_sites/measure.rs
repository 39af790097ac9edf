//! Measures a point: writes files, warms up, asks as one client, then as several.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use hotset_lab::go_on;
use hotset_outcome::{Outcome, Score};
use hotset_replay::{Client, HostHeader, ReplayResult};

use super::bench::{Bench, HOST};
use super::result::{Detail, Settings};
use super::workload::{Requests, SiteFiles, Tree, site_name};
use crate::answers::Answers;
use crate::clients::{Clients, PATIENCE, Watch, score};
use crate::kept::Measurement;
use crate::quantile::median;
use crate::readings::Readings;
use crate::session::{QuietWatch, Session};
use crate::{ExperimentError, Point};

/// A point that is measured.
pub(super) struct PointRun<'m> {
    pub session: &'m Session<'m>,
    pub point: &'m Point,
    pub settings: &'m Settings,
    pub files: &'m SiteFiles,
    pub tree: &'m Tree,
    pub requests: &'m Requests,
}

impl PointRun<'_> {
    /// Measures it.
    ///
    /// # Errors
    /// What fails on the way.
    pub fn measure(&self, bench: &mut Bench) -> Result<Measurement<Detail>, ExperimentError> {
        self.session.step("writing files")?;
        bench.fill(&self.settings.cell, self.tree)?;
        let name = self.point.to_string().replace(' ', "-");
        let times = bench.times(&name)?;
        let proxy = bench.start()?;
        self.session.step("warming up")?;
        self.warm_up(bench, proxy)?;
        let quiet = QuietWatch::begin(self.session.labs_cpu_us()?)?;
        let paced = self.paced(bench, proxy)?;
        let throughput = self.throughput(bench, proxy)?;
        let open_close_us = times.open_close_ns.iter().map(|&ns| ns as f64 / 1000.0);
        Ok(Measurement {
            detail: Detail {
                files_bytes: self.files.bytes() * self.settings.cell.sites,
                open_close_us: median(open_close_us).unwrap_or(0.0),
            },
            quietness: Some(quiet.end(self.session.labs_cpu_us()?)?),
            base: None,
            outcomes: [paced].into_iter().chain(throughput).collect(),
        })
    }

    /// As the others ask, with the disks' delays off: what is in memory afterwards depends on the requests, not on their times.
    fn warm_up(&self, bench: &Bench, proxy: SocketAddr) -> Result<(), ExperimentError> {
        if self.requests.warm_up.is_empty() {
            return Ok(());
        }
        // Emptying the caches has switched them on.
        bench.set_delays(false)?;
        self.ask(proxy, &self.requests.warm_up, None)?;
        bench.set_delays(true)
    }

    /// One client, one request at a time. A request is a hit when no disk read anything between its sending and its last byte.
    fn paced(&self, bench: &Bench, proxy: SocketAddr) -> Result<Outcome, ExperimentError> {
        self.session.step("1 client")?;
        let mut client = Client::connect(proxy, HOST, PATIENCE)?;
        let mut all = Answers::default();
        let mut by_site: Vec<Answers> = Vec::new();
        by_site.resize_with(self.settings.cell.sites as usize, Answers::default);
        let before = Readings::take(bench.watched()?)?;
        let mut read_bytes = bench.read_bytes()?;
        let end = Instant::now() + Duration::from_secs(self.settings.paced_seconds);
        for &request in &self.requests.paced {
            go_on(self.session.control)?;
            let size = self.tree.size(request);
            let answer = client.get(&self.tree.target(request), size)?;
            let after = bench.read_bytes()?;
            for answers in [&mut all, &mut by_site[request.0 as usize]] {
                answers.record(after == read_bytes, size, &answer);
            }
            read_bytes = after;
            if Instant::now() >= end {
                break;
            }
        }
        let outcome = before.counted()?.on(self.outcome("paced", all.score()));
        let sites = (0..).zip(&by_site).filter(|_| by_site.len() > 1);
        Ok(sites.fold(outcome, |outcome, (site, answers)| {
            outcome.with_site(site_name(site), answers.score())
        }))
    }

    /// Several clients, for a while or once over all files.
    fn throughput(
        &self,
        bench: &Bench,
        proxy: SocketAddr,
    ) -> Result<Option<Outcome>, ExperimentError> {
        let seconds = self.settings.throughput_seconds;
        if seconds == 0 {
            return Ok(None);
        }
        let clients = self.settings.clients;
        self.session.step(&format!("{clients} clients"))?;
        let before = Readings::take(bench.watched()?)?;
        let duration = self.requests.repeats.then(|| Duration::from_secs(seconds));
        let replayed = self.ask(proxy, &self.requests.throughput, duration)?;
        let outcome = self.outcome("throughput", score(&replayed));
        Ok(Some(before.counted()?.on(outcome)))
    }

    fn ask(
        &self,
        proxy: SocketAddr,
        requests: &[(u64, u32)],
        duration: Option<Duration>,
    ) -> Result<ReplayResult, ExperimentError> {
        let control = self.session.control;
        let watch = Watch::new(control);
        // Only rates count, and the last answers of large files take long.
        let watch = match duration {
            Some(duration) => watch.until(duration),
            None => watch,
        };
        let clients = Clients {
            name: &self.point.to_string(),
            server: proxy,
            host: HostHeader::Fixed(HOST.to_owned()),
            schedule: &self.tree.schedule(requests, self.settings.cell.sites),
            clients: self.settings.clients as usize,
            duration,
        };
        let replayed = clients.run(&watch)?;
        go_on(control)?;
        Ok(replayed)
    }

    fn outcome(&self, phase: &str, total: Score) -> Outcome {
        let settings = [
            ("stores", self.settings.stores.join(", ")),
            ("memory_bytes", self.settings.memory_bytes.to_string()),
            ("scale", self.settings.scale.to_string()),
            ("clients", self.settings.clients.to_string()),
        ];
        let provenance = self.session.provenance(self.point, &settings);
        Outcome::new(format!("{}, {phase}", self.point), provenance, total)
    }
}
