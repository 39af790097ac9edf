//! Files asked for through proxy and web server.

use std::time::Duration;

use hotset_outcome::Score;
use hotset_replay::{HostHeader, Metrics, Schedule};

use super::size::size_name;
use crate::ExperimentError;
use crate::clients::{Clients, Watch};
use hotset_lab::Control;
use hotset_lab::LabError;
use hotset_probe::spread;
use std::net::SocketAddr;

/// The files of a phase, and who asks for them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Requests<'a> {
    pub phase: &'static str,
    /// Asked for in turn, bytes.
    pub sizes: &'a [u64],
    /// Of each size.
    pub files: usize,
    /// How often each is asked for where there is no duration.
    pub rounds: usize,
    pub clients: usize,
    /// Over and over until it has passed.
    pub duration: Option<Duration>,
}

/// Asks for them in a closed loop without thinking: the score of each size.
///
/// # Errors
/// When a response is not what was asked for; [`LabError::Interrupted`].
pub(super) fn ask(
    proxy: SocketAddr,
    requests: Requests,
    control: &dyn Control,
) -> Result<Vec<Score>, ExperimentError> {
    let name = format!("{} files of {:?} bytes", requests.phase, requests.sizes);
    let clients = Clients {
        name: &name,
        server: proxy,
        host: HostHeader::Url,
        schedule: &schedule(requests),
        clients: requests.clients,
        duration: requests.duration,
    };
    let replayed = clients.run(&Watch::new(control))?;
    if replayed.interrupted {
        return Err(LabError::Interrupted.into());
    }
    // What sizes in turn get done in a second is no size's rate.
    let seconds = (requests.sizes.len() == 1).then_some(replayed.elapsed.as_secs_f64());
    let sites = replayed.sites.iter();
    Ok(sites.map(|(_, size)| score(size, seconds)).collect())
}

fn score(size: &Metrics, seconds: Option<f64>) -> Score {
    Score {
        requests: Some(size.answered()),
        errors: Some(0),
        bytes: Some(size.bytes),
        throughput_per_s: seconds.map(|seconds| size.answered() as f64 / seconds),
        latencies: size.latencies(),
        ..Score::default()
    }
}

fn schedule(requests: Requests) -> Schedule {
    let Requests {
        phase,
        sizes,
        files,
        rounds,
        ..
    } = requests;
    let order = (0..rounds).flat_map(|_| spread(files));
    let rows: Vec<(usize, usize)> = order
        .flat_map(|number| (0..sizes.len()).map(move |size| (size, number)))
        .collect();
    let target =
        |(size, number): (usize, usize)| format!("/{phase}/{}/{number}", sizes[size]).into_bytes();
    let targets = (0..sizes.len()).flat_map(|size| (0..files).map(move |number| (size, number)));
    Schedule {
        posts_to: None,
        sites: sizes.iter().copied().map(size_name).collect(),
        targets: targets.map(|row| target(row).into()).collect(),
        site: rows.iter().map(|&(size, _)| size as u16).collect(),
        target: rows
            .iter()
            .map(|&(size, number)| (size * files + number) as u32)
            .collect(),
        connection: vec![0; rows.len()],
        start_us: vec![0],
        offset_us: vec![0; rows.len()],
        expected_bytes: rows.iter().map(|&(size, _)| sizes[size]).collect(),
    }
}
