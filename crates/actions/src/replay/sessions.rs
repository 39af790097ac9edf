//! Sessions of a mix, sent to an application.

use std::path::PathBuf;
use std::time::Duration;

use hotset_outcome::{Outcome, Provenance, ProvenanceKind};
use hotset_replay::{
    Condition, Endpoint, Header, HostHeader, Observer, SessionOptions, SessionsResult,
    replay_sessions,
};
use hotset_report::replay::SessionsView;
use hotset_workload::sessions::{Mix, read};

use super::options::{CONNECT_TIMEOUT, RESPONSE_TIMEOUT};
use super::{problems, provenance as of_replays};
use crate::error::refused;
use crate::{Field, JobError, Results, Watch, provenance};

/// Which sessions are sent, how, and where the result goes.
#[derive(Clone, Debug)]
pub struct Options {
    /// File of the mix.
    pub sessions: PathBuf,
    /// The server.
    pub url: String,
    /// Emulated browsers.
    pub clients: u32,
    /// How long they ask for pages.
    pub duration: Duration,
    /// Mean think time in place of the mix's; none at all sends at full speed.
    pub think: Option<Duration>,
    /// How long browsers take to start.
    pub ramp: Duration,
    /// What is asked for before is not recorded.
    pub warm_up: Duration,
    /// Seed of every random choice.
    pub seed: u64,
    /// Host header; the URL's host where none is given.
    pub host: Option<HostHeader>,
    /// Headers that every request has.
    pub headers: Vec<Header>,
    /// How long a connection may take to open.
    pub connect_timeout: Duration,
    /// How long a page may take.
    pub response_timeout: Duration,
    /// Threads that send.
    pub threads: u16,
    /// Conditions that the figures are not to meet.
    pub fail_if: Vec<Condition>,
    /// Where the result goes.
    pub results: Results,
    /// What was asked for, word by word, as the report is to say it.
    pub asked: Vec<String>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            sessions: PathBuf::new(),
            url: String::new(),
            clients: 1,
            duration: Duration::from_secs(60),
            think: None,
            ramp: Duration::ZERO,
            warm_up: Duration::ZERO,
            seed: 0,
            host: None,
            headers: Vec::new(),
            connect_timeout: CONNECT_TIMEOUT,
            response_timeout: RESPONSE_TIMEOUT,
            threads: 1,
            fail_if: Vec::new(),
            results: Results::default(),
            asked: Vec::new(),
        }
    }
}

/// What visitors saw.
#[derive(Debug)]
pub struct SessionsReport {
    /// What reports show.
    pub view: SessionsView,
    /// Whether it can be called a replay that meets none of the conditions; to be said after the report.
    pub verdict: Result<(), JobError>,
}

impl Options {
    fn sending(&self, endpoint: Endpoint) -> SessionOptions {
        SessionOptions {
            host: self.host.clone().unwrap_or_default(),
            headers: self.headers.clone(),
            clients: self.clients as usize,
            duration: self.duration,
            ramp: self.ramp,
            warm_up: self.warm_up,
            connect_timeout: self.connect_timeout,
            response_timeout: self.response_timeout,
            threads: self.threads.into(),
            seed: self.seed,
            ..SessionOptions::new(endpoint)
        }
    }

    /// The mix, with the think time that is asked for.
    fn mix(&self) -> Result<Mix, JobError> {
        let mut mix = read(&self.sessions)?;
        if let Some(mean) = self.think {
            mix.think = mix.think.with_mean(mean);
        }
        Ok(mix)
    }
}

/// Lets emulated browsers ask for pages as the mix says, with `observer` following.
///
/// # Errors
/// What cannot be read, sent or written.
pub fn run(
    options: &Options,
    watch: &dyn Watch,
    observer: &dyn Observer,
) -> Result<SessionsReport, JobError> {
    options.results.check()?;
    let files = std::iter::once(options.sessions.as_path());
    options.results.spare_files(files)?;
    let mix = options.mix()?;
    let sending = options.sending(Endpoint::resolve(&options.url)?);
    let replayed = {
        let _held = watch.hold_interrupts();
        let replayed = replay_sessions(&mix, &sending, observer);
        // From here on Ctrl-C is answered at once again, and errors speak for themselves.
        watch.has_stopped();
        replayed?
    };
    let view = view(options, &mix, &replayed);
    let verdict = verdict(&view).and_then(|()| {
        let met_by = |it: &Condition| it.met_by_sessions(&replayed);
        problems::check(&options.url, &options.fail_if, met_by)
    });
    Ok(SessionsReport { view, verdict })
}

fn verdict(view: &SessionsView) -> Result<(), JobError> {
    if view.total.requests == 0 && !view.interrupted {
        return Err(refused(format!(
            "nothing was recorded: no page ended after the ramp and the warm-up; make {} or {} shorter",
            Field::Ramp,
            Field::WarmUp
        )));
    }
    problems::verdict_of(&view.url, view.interrupted, &view.total)
}

fn view(options: &Options, mix: &Mix, replayed: &SessionsResult) -> SessionsView {
    let provenance = settings(options, mix);
    let outcome = outcome(options, replayed, &provenance);
    SessionsView {
        url: options.url.clone(),
        mix: mix.name.clone(),
        clients: options.clients.into(),
        think_mean_us: mix.think.mean.as_secs_f64() * 1e6,
        is_paced: mix.think.mean > Duration::ZERO,
        provenance,
        outcomes: vec![outcome],
        ..SessionsView::of(replayed)
    }
}

/// What was done, (what, value).
fn settings(options: &Options, mix: &Mix) -> Vec<(String, String)> {
    let think = match mix.think.mean {
        Duration::ZERO => "full speed".to_owned(),
        mean => format!("mean think time {} s", mean.as_secs_f64()),
    };
    let load = format!(
        "{} emulated browsers, {think}, for {} s",
        options.clients,
        options.duration.as_secs_f64()
    );
    let arguments = of_replays::arguments(&options.asked, &options.headers);
    provenance::of_result([
        ("Machine", hotset_machine::summary()),
        ("URL", options.url.clone()),
        (
            "Sessions",
            format!("{} ({})", options.sessions.display(), mix.name),
        ),
        ("Load", load),
        ("Seed", options.seed.to_string()),
        ("Arguments", arguments),
    ])
}

/// The replay as `hotset compare` reads it.
fn outcome(options: &Options, replayed: &SessionsResult, settings: &[(String, String)]) -> Outcome {
    let provenance = Provenance {
        machine: Some(hotset_machine::summary()),
        seed: Some(options.seed),
        settings: settings.to_vec(),
        date: Some(provenance::now()),
        ..Provenance::new(ProvenanceKind::Measured)
    };
    replayed.outcome(&options.url, provenance)
}
