//! Files asked for through proxy and web server.

use std::time::Duration;

use hotset_outcome::Score;
use hotset_replay::{HostHeader, Replayed, Schedule};

use super::reader::spread;
use crate::LabError;
use crate::closed_loop::{ClosedLoop, Watch};
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

/// Asks for them in a closed loop without thinking.
///
/// # Errors
/// When a response is not what was asked for; [`LabError::Interrupted`].
pub(super) fn ask(
    proxy: SocketAddr,
    asked: Asked,
    control: &dyn Control,
) -> Result<Score, LabError> {
    let name = format!("{} files of {} bytes", asked.phase, asked.bytes);
    let closed_loop = ClosedLoop {
        name: &name,
        server: proxy,
        host: HostHeader::Url,
        schedule: &schedule(asked),
        clients: asked.clients,
        duration: asked.duration,
    };
    let replayed = closed_loop.run(&Watch::new(control))?;
    if replayed.interrupted {
        return Err(LabError::Interrupted);
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
