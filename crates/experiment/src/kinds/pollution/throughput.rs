//! Several clients of each site at once: what the foreground gets done.

use std::time::Duration;

use hdrhistogram::Histogram;
use hotset_outcome::{Distribution, Latencies, Outcome, Score, Times};
use hotset_replay::{HostHeader, ReplayResult, Schedule};

use super::phases::End;
use super::result::{Counts, Throughput};
use super::stage::{Stage, StageReadings};
use super::subject::Subject;
use super::workload::SITES;
use crate::ExperimentError;
use crate::clients::{Clients, Watch, at_once};
use hotset_lab::{LabError, go_on};

/// Significant digits of the times: within 1 %, less than two runs differ, in a tenth of the room that three take.
const DIGITS: u8 = 2;

/// Times of one site or of both.
struct PooledTimes {
    histogram: Histogram<u64>,
    sum_us: f64,
}

impl PooledTimes {
    fn of<'a>(parts: impl IntoIterator<Item = &'a Times>) -> Result<Self, ExperimentError> {
        let failed = |error: &dyn std::fmt::Display| {
            ExperimentError::Unusable(format!("no histogram of the times: {error}"))
        };
        let mut times = Self {
            histogram: Histogram::new(DIGITS).map_err(|error| failed(&error))?,
            sum_us: 0.0,
        };
        for part in parts {
            let added = times.histogram.add(part.histogram());
            added.map_err(|error| failed(&error))?;
            times.sum_us += part.mean_us().unwrap_or(0.0) * part.count() as f64;
        }
        Ok(times)
    }

    fn distribution(&self) -> Distribution {
        Distribution::of(&self.histogram).with_mean(self.sum_us / self.histogram.len() as f64)
    }
}

/// Measures: the clients of a site share a cursor over its held-out requests and begin again at their end.
pub(super) fn measure(
    stage: &Stage,
    subject: &Subject,
    end: End,
) -> Result<(Throughput, Outcome), ExperimentError> {
    let schedules = schedules(stage, stage.workload.held_out());
    let duration = Duration::from_secs(subject.settings.throughput_seconds);
    let before = StageReadings::take(stage)?;
    let replayed = replay(stage, &schedules, subject, duration, end)?;
    let (counts, counted) = before.counted()?;
    let all = score(&replayed)?;
    let counts = Counts {
        requests: all.requests.unwrap_or(0),
        bytes: all.bytes.unwrap_or(0),
        ..counts
    };
    let mut outcome = subject.outcome("throughput", all, counted);
    let mut rates = [0.0; 2];
    for ((site, _), replayed) in schedules.iter().zip(&replayed) {
        outcome = outcome.with_site(SITES[*site], score(std::slice::from_ref(replayed))?);
        rates[*site] = replayed.achieved_rate;
    }
    let throughput = Throughput {
        clients: subject.settings.clients,
        counts,
        foreground_per_s: rates[0],
        background_per_s: rates[1],
    };
    Ok((throughput, outcome))
}

/// Asks for these accesses over and over for so long, and measures nothing.
pub(super) fn ask(
    stage: &Stage,
    subject: &Subject,
    accesses: &[u32],
    duration: Duration,
) -> Result<(), ExperimentError> {
    replay(
        stage,
        &schedules(stage, accesses),
        subject,
        duration,
        End::OnTime,
    )
    .map(drop)
}

/// Accesses of each site that has any.
fn schedules(stage: &Stage, accesses: &[u32]) -> Vec<(usize, Schedule)> {
    let sites = 0..SITES.len();
    let schedules = sites.map(|site| (site, schedule(stage, accesses, site)));
    schedules
        .filter(|(_, schedule)| !schedule.site.is_empty())
        .collect()
}

/// A site's accesses among those.
fn schedule(stage: &Stage, accesses: &[u32], site: usize) -> Schedule {
    let workload = stage.workload;
    let objects: Vec<u32> = stage
        .served(accesses)
        .filter(|&object| workload.site(object) == site)
        .collect();
    let target = |object: &u32| workload.target(*object).into_bytes().into();
    let rows = objects.len();
    Schedule {
        posts_to: None,
        sites: vec![SITES[site].to_owned()],
        targets: objects.iter().map(target).collect(),
        site: vec![0; rows],
        target: (0..rows as u32).collect(),
        connection: vec![0; rows],
        start_us: vec![0],
        offset_us: vec![0; rows],
        expected_bytes: objects
            .iter()
            .map(|object| workload.size(*object))
            .collect(),
    }
}

/// Replays all sites at once.
fn replay(
    stage: &Stage,
    schedules: &[(usize, Schedule)],
    subject: &Subject,
    duration: Duration,
    end: End,
) -> Result<Vec<ReplayResult>, ExperimentError> {
    let settings = subject.settings;
    let watch = Watch::new(subject.session.control);
    let watch = match end {
        End::WithAnswers => watch,
        End::OnTime => watch.until(duration),
    };
    let one = |(site, schedule): &(usize, Schedule)| {
        let clients = Clients {
            name: SITES[*site],
            server: stage.addresses[*site],
            host: HostHeader::Site,
            schedule,
            clients: settings.clients,
            duration: Some(duration),
        };
        clients.run(&watch)
    };
    let replayed = at_once(schedules, "a replay broke", one)?;
    go_on(subject.session.control)?;
    let is_cut = replayed.iter().any(|replayed| replayed.interrupted);
    if is_cut && end == End::WithAnswers {
        return Err(LabError::Interrupted.into());
    }
    Ok(replayed)
}

/// Score of one site or of both.
fn score(parts: &[ReplayResult]) -> Result<Score, ExperimentError> {
    let of = |latency: fn(&ReplayResult) -> &Times| {
        let times = PooledTimes::of(parts.iter().map(latency))?;
        Ok::<_, ExperimentError>(Some(times.distribution()))
    };
    Ok(Score {
        requests: Some(parts.iter().map(|part| part.total.answered()).sum()),
        bytes: Some(parts.iter().map(|part| part.total.bytes).sum()),
        throughput_per_s: Some(parts.iter().map(|part| part.achieved_rate).sum()),
        latencies: Latencies {
            total: of(|part| &part.total.total)?,
            first_byte: of(|part| &part.total.first_byte)?,
            ..Latencies::default()
        },
        ..Score::default()
    })
}
