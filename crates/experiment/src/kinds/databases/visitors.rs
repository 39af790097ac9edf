//! Emulated browsers that visit the applications of a node, all at once.

use std::net::SocketAddr;
use std::time::Duration;

use hotset_lab::server::RunningApplication;
use hotset_lab::{Control, go_on};
use hotset_replay::{
    Endpoint, Observer, Progress, SessionOptions, SessionsResult, replay_sessions,
};
use hotset_workload::applications::Engine;
use hotset_workload::sessions::Mix;

use super::result::Settings;
use super::section::Size;
use crate::ExperimentError;
use crate::clients::at_once;

/// Names of the applications.
pub(super) const NAMES: [&str; 2] = ["foreground", "background"];
/// The mix of the background's visitors.
pub(super) const BACKGROUND_MIX: &str = "shopping";
/// A page that waits longer has failed.
const PAGE_TIMEOUT: Duration = Duration::from_secs(60);

/// Visitors of all applications of a node.
pub(super) struct Visitors<'v> {
    control: &'v dyn Control,
    /// Of each application.
    clients: usize,
    of: Vec<Visited>,
}

/// An application, and who visits it.
struct Visited {
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

/// The mix of this name of an application, whose visitors think for so many milliseconds on average.
///
/// # Errors
/// There is none of this name.
pub(super) fn mix(
    size: Size,
    engine: Engine,
    name: &str,
    think_ms: u64,
) -> Result<Mix, ExperimentError> {
    let mixes = size.application(engine).mixes();
    let mix = mixes.into_iter().find(|mix| mix.name == name);
    let missing = || ExperimentError::Unusable(format!("there is no mix `{name}`"));
    let mix = mix.ok_or_else(missing)?;
    let mean = Duration::from_millis(think_ms);
    Ok(Mix {
        think: mix.think.with_mean(mean),
        ..mix
    })
}

impl<'v> Visitors<'v> {
    /// Visitors of these applications, which are as large as `sizes` say, in the run of this number.
    ///
    /// # Errors
    /// A mix that an application has not.
    pub fn new(
        control: &'v dyn Control,
        settings: &Settings,
        (sizes, engine): (&[Size], Engine),
        running: &[RunningApplication],
        run: u64,
    ) -> Result<Self, ExperimentError> {
        let seed = settings.seed.wrapping_add(run);
        let mixes = [settings.mix.as_str(), BACKGROUND_MIX];
        let all = sizes.iter().zip(running).zip(mixes).zip(0..);
        let of = all.map(|(((&size, running), name), number)| {
            Ok(Visited {
                mix: mix(size, engine, name, settings.think_ms)?,
                server: running.address,
                seed: seed.wrapping_mul(2).wrapping_add(number),
            })
        });
        Ok(Self {
            control,
            clients: settings.clients as usize,
            of: of.collect::<Result<_, ExperimentError>>()?,
        })
    }

    /// All visitors at once. Each `phase` has visitors of its own.
    ///
    /// # Errors
    /// A server that does not answer; when the run is to end.
    pub fn visit(&self, seconds: u64, phase: u64) -> Result<Vec<SessionsResult>, ExperimentError> {
        let visit = |of: &Visited| {
            let unusable = |problem: String| {
                ExperimentError::Unusable(format!("http://{}: {problem}", of.server))
            };
            let endpoint = Endpoint::resolve(&format!("http://{}", of.server));
            let options = SessionOptions {
                clients: self.clients,
                duration: Duration::from_secs(seconds),
                response_timeout: PAGE_TIMEOUT,
                seed: of.seed.wrapping_add(phase << 32),
                ..SessionOptions::new(endpoint.map_err(|error| unusable(error.to_string()))?)
            };
            replay_sessions(&of.mix, &options, &Interruptions(self.control))
                .map_err(|error| unusable(error.to_string()))
        };
        let visits = at_once(&self.of, "visitors broke off", visit)?;
        go_on(self.control)?;
        Ok(visits)
    }
}
