//! Measures a point: writes files, empties caches, sends the trace.

use std::num::NonZeroUsize;
use std::thread;

use hotset_lab::{Control, go_on};
use hotset_outcome::{Outcome, Resource, Score};
use hotset_replay::{Endpoint, HostHeader, Observer, Options, Progress, replay};
use hotset_trace::Trace;

use super::bench::Bench;
use super::requests::{Sending, scheduled};
use super::result::{Detail, Settings};
use crate::clients::{limit_in_words, score};
use crate::kept::Measurement;
use crate::readings::Readings;
use crate::session::{QuietWatch, Session};
use crate::{ExperimentError, Point};

/// A point that is measured.
pub(super) struct PointRun<'m> {
    pub session: &'m Session<'m>,
    pub point: &'m Point,
    pub settings: &'m Settings,
    pub trace: &'m Trace,
    /// Name of the folder that its files are in.
    pub folder: &'m str,
    /// How it is sent.
    pub sending: Sending,
}

/// Ends the replay when the run is to end.
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
        let control = self.session.control;
        self.session.step("writing files")?;
        bench.fill(self.folder, self.trace, control)?;
        self.session.step("emptying caches")?;
        bench.start(self.folder, self.trace)?;
        self.session.step("sending")?;
        let (schedule, asked_per_s) = scheduled(self.trace, &self.sending)?;
        let server = bench.server()?;
        let endpoint = Endpoint::resolve(&format!("http://{}", server.address));
        let options = Options {
            host: HostHeader::Site,
            ..Options::new(endpoint.map_err(|error| ExperimentError::Unusable(error.to_string()))?)
        };
        let server_us = server.process.cpu_us()?;
        let quiet = QuietWatch::begin(self.session.labs_cpu_us()?)?;
        let before = Readings::take(bench.watched()?)?;
        let replayed = replay(&schedule, &options, &Interruptions(control))
            .map_err(|error| ExperimentError::Unusable(error.to_string()))?;
        go_on(control)?;
        let counted = before.counted()?;
        let server_us_now = server.process.cpu_us()?;
        let refused = replayed.client_limit.as_ref().map(limit_in_words);
        let mut outcome = counted.clone().on(self.outcome(score(&replayed)));
        let server_s = (server_us_now - server_us) as f64 / 1e6;
        outcome.resources.push(Resource {
            name: "web server's processors".to_owned(),
            utilisation: Some((server_s / counted.seconds / self.processors()).min(1.0)),
            mean_queue_length: None,
            timeline: None,
        });
        Ok(Measurement {
            detail: Detail {
                files_bytes: self.trace.objects.size.iter().sum(),
                requested_per_s: replayed.requested_rate,
                asked_per_s,
                refused: refused.clone(),
            },
            quietness: Some(quiet.end(self.session.labs_cpu_us()?)?),
            base: None,
            outcomes: match refused {
                Some(_) => Vec::new(),
                None => vec![outcome],
            },
        })
    }

    /// Those that the node has.
    fn processors(&self) -> f64 {
        let all = || thread::available_parallelism().map_or(1, NonZeroUsize::get) as u64;
        self.settings.cpus.unwrap_or_else(all) as f64
    }

    fn outcome(&self, total: Score) -> Outcome {
        let settings = [
            ("scale", self.settings.scale.to_string()),
            ("content", self.settings.content.clone()),
            ("system", self.settings.system.clone()),
            ("memory_bytes", self.settings.memory_bytes.to_string()),
        ];
        let provenance = self.session.provenance(self.point, &settings);
        Outcome::new(format!("{}, sent", self.point), provenance, total)
    }
}
