//! Files asked for through proxy and web server.

use std::time::Duration;

use hotset_outcome::Score;
use hotset_replay::{
    Clients, Closed, Load, Observer, Options, Progress, Replayed, Schedule, Target, replay,
};

use super::reader::spread;
use crate::LabError;
use crate::control::Control;
use std::net::SocketAddr;

/// The files of one size of a phase, and who asks for them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    pub phase: &'static str,
    pub bytes: u64,
    pub files: usize,
    /// How often each is asked for where there is no duration.
    pub rounds: usize,
    pub clients: usize,
    /// Over and over until it has passed.
    pub duration: Option<Duration>,
}

struct Follower<'c>(&'c dyn Control);

impl Observer for Follower<'_> {
    fn progress(&self, _: &Progress) {}

    fn interrupted(&self) -> bool {
        self.0.interrupted()
    }
}

/// Asks for them in a closed loop without thinking.
///
/// # Errors
/// When a response is not what was asked for; [`LabError::Interrupted`].
pub(super) fn ask(
    proxy: SocketAddr,
    asked: Asked,
    control: &dyn Control,
) -> Result<Score, LabError> {
    let failed = |problem: String| {
        LabError::Unusable(format!(
            "{} files of {} bytes: {problem}",
            asked.phase, asked.bytes
        ))
    };
    let target =
        Target::resolve(&format!("http://{proxy}")).map_err(|error| failed(error.to_string()))?;
    let options = Options {
        load: Load::Closed(Closed {
            clients: Clients::Shared(asked.clients),
            think: Duration::ZERO,
            duration: asked.duration,
        }),
        ..Options::new(target)
    };
    let replayed = replay(&schedule(asked), &options, &Follower(control))
        .map_err(|error| failed(error.to_string()))?;
    if replayed.interrupted {
        return Err(LabError::Interrupted);
    }
    let total = &replayed.total;
    if let Some((kind, count)) = total.errors.iter().next() {
        return Err(failed(format!("{count} requests failed: {}", kind.name())));
    }
    if total.wrong_length > 0 {
        return Err(failed(format!(
            "{} responses have another length",
            total.wrong_length
        )));
    }
    Ok(score(&replayed))
}

fn score(replayed: &Replayed) -> Score {
    let total = &replayed.total;
    let seconds = replayed.elapsed.as_secs_f64();
    Score {
        requests: Some(total.answered()),
        errors: Some(0),
        bytes: Some(total.bytes),
        throughput_per_s: Some(total.answered() as f64 / seconds),
        latencies: total.latencies(),
        ..Score::default()
    }
}

fn schedule(asked: Asked) -> Schedule {
    let Asked {
        phase,
        bytes,
        files,
        rounds,
        ..
    } = asked;
    let rows = files * rounds;
    let all = (0..rounds).flat_map(|_| spread(files));
    let target = |number: usize| format!("/{phase}/{bytes}/{number}").into_bytes();
    Schedule {
        sites: vec![super::size_name(bytes)],
        targets: (0..files).map(|number| target(number).into()).collect(),
        site: vec![0; rows],
        target: all.map(|number| number as u32).collect(),
        connection: vec![0; rows],
        start_us: vec![0],
        offset_us: vec![0; rows],
        expected_bytes: vec![bytes; rows],
    }
}
