//! Measures a file system: first with nothing in memory, then with all files cached.

use std::net::SocketAddr;
use std::time::Duration;

use hotset_outcome::{Distribution, Latencies, Outcome, Score};
use hotset_probe::AccessTimes;

use super::bench::{Bench, FOLDERS};
use super::requests::{Requests, ask};
use super::result::Detail;
use super::section::Section;
use super::size::size_group;
use crate::kept::Measurement;
use crate::node::RealStore;
use crate::readings::Readings;
use crate::session::{QuietWatch, Session};
use crate::{ExperimentError, Point};

/// How often each cached file is read bare, and asked for by one client.
const ROUNDS: usize = 5;

/// A file system that is measured.
pub(super) struct StoreRun<'m> {
    pub section: &'m Section,
    pub store: &'m RealStore,
    pub point: &'m Point,
    pub session: &'m Session<'m>,
}

impl StoreRun<'_> {
    /// Measures it, bare and through proxy and web server.
    ///
    /// # Errors
    /// What fails on the way.
    pub fn measure(&self, bench: &mut Bench) -> Result<Measurement<Detail>, ExperimentError> {
        self.session.step("writing files")?;
        let caches_dropped = bench.fill(self.section)?;
        let quiet = QuietWatch::begin(self.session.labs_cpu_us()?)?;
        self.session.step("reading uncached files")?;
        let sizes = &self.section.bare_bytes;
        let uncached = bench.times(sizes, 1, "uncached")?;
        let proxy = bench.serve()?;
        let mut outcomes = self.served(bench, proxy, "uncached", None, 1)?;
        self.session.step("reading cached files")?;
        let cached = bench.times(sizes, ROUNDS, "cached")?;
        let duration = Duration::from_secs(self.section.throughput_seconds);
        outcomes.extend(self.served(bench, proxy, "cached", Some(duration), ROUNDS)?);
        outcomes.insert(0, self.bare_outcome(&uncached, &cached)?);
        Ok(Measurement {
            detail: Detail {
                kind: self.store.kind.name().to_owned(),
                caches_dropped,
                bare: None,
            },
            quietness: Some(quiet.end(self.session.labs_cpu_us()?)?),
            base: None,
            outcomes,
        })
    }

    /// One client, `rounds` times over all files, the sizes in turn; then several, size by size, for `duration` or once
    /// over all files.
    fn served(
        &self,
        bench: &Bench,
        proxy: SocketAddr,
        cache: &str,
        duration: Option<Duration>,
        rounds: usize,
    ) -> Result<Vec<Outcome>, ExperimentError> {
        let (section, store) = (self.section, self.point);
        let control = self.session.control;
        let one = Requests {
            phase: FOLDERS[1],
            sizes: &section.served_bytes,
            files: section.files as usize,
            rounds,
            clients: 1,
            duration: None,
        };
        let clients = section.clients;
        self.session.step(&format!("{cache} files, 1 client"))?;
        let before = Readings::take(bench.watched()?)?;
        let responses = ask(proxy, one, control)?;
        let responses = self.by_size(format!("{store}-{cache}"), cache, 1, responses);
        let responses = before.counted()?.on(responses);
        self.session
            .step(&format!("{cache} files, {clients} clients"))?;
        let before = Readings::take(bench.watched()?)?;
        let mut transactions = Vec::new();
        for size in section.served_bytes.chunks(1) {
            let several = Requests {
                phase: FOLDERS[2],
                sizes: size,
                clients: clients as usize,
                duration,
                ..one
            };
            transactions.extend(ask(proxy, several, control)?);
        }
        let name = format!("{store}-{cache}-{clients}-clients");
        let transactions = self.by_size(name, cache, clients, transactions);
        Ok(vec![responses, before.counted()?.on(transactions)])
    }

    fn by_size(&self, name: String, cache: &str, clients: u64, scores: Vec<Score>) -> Outcome {
        let sizes = self.section.served_bytes.iter().zip(scores);
        let outcome = self.outcome(name, cache, clients);
        sizes.fold(outcome, |outcome, (&bytes, score)| {
            outcome.with_group(size_group(bytes), score)
        })
    }

    /// Files of each size read on the node: the times of opening and closing, and of reading.
    fn bare_outcome(
        &self,
        uncached: &[AccessTimes],
        cached: &[AccessTimes],
    ) -> Result<Outcome, ExperimentError> {
        let mut outcome = self.outcome(format!("{}-bare", self.point), "both", 1);
        let sizes = self.section.bare_bytes.iter().zip(uncached).zip(cached);
        for ((&bytes, uncached), cached) in sizes {
            let operations = [
                ("open and close", &cached.open_close_ns),
                ("read cached", &cached.read_ns),
                ("open and close uncached", &uncached.open_close_ns),
                ("read uncached", &uncached.read_ns),
            ];
            for (operation, times_ns) in operations {
                let score = score(times_ns)
                    .ok_or_else(|| ExperimentError::Unusable("no file was read".to_owned()))?;
                outcome = outcome.with_group(size_group(bytes).with_operation(operation), score);
            }
        }
        Ok(outcome)
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

/// The score of accesses that took these times; nothing without any.
fn score(times_ns: &[u64]) -> Option<Score> {
    let mut sorted = times_ns.to_vec();
    sorted.sort_unstable();
    let last = sorted.len().checked_sub(1)?;
    let us = |ns: u64| ns as f64 / 1000.0;
    let quantile = |share: f64| Some(us(sorted[(last as f64 * share).round() as usize]));
    let count = sorted.len() as u64;
    let times = Distribution {
        count: Some(count),
        p50_us: quantile(0.5),
        p95_us: quantile(0.95),
        p99_us: quantile(0.99),
        max_us: quantile(1.0),
        ..Distribution::of_mean(us(sorted.iter().sum()) / count as f64)
    };
    Some(Score {
        requests: Some(count),
        latencies: Latencies {
            total: Some(times),
            ..Latencies::default()
        },
        ..Score::default()
    })
}
