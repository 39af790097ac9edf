//! A trace sent to a server.

mod moment;
mod options;
mod problems;
mod provenance;
pub mod sessions;

use hotset_replay::schedule::{ScheduleError, ScheduleSummary, schedule};
use hotset_replay::{
    Endpoint, Observer, Options as Sending, ReplayError, ReplayResult, Schedule, replay,
};
use hotset_report::replay::{ReplayView, scale_limit};
use hotset_trace::read::ReadSummary;

use crate::error::{refused, usage};
use crate::{Field, Input, JobError, Message, Watch, name_of};

pub use moment::WrittenMoment;
pub use options::{CONNECT_TIMEOUT, Options, RESPONSE_TIMEOUT};

/// What clients saw.
#[derive(Debug)]
pub struct ReplayReport {
    view: ReplayView,
    client_limit: Option<Message>,
    /// Whether it can be called a replay that meets none of the conditions; to be said after the report.
    pub verdict: Result<(), JobError>,
}

impl ReplayReport {
    /// What reports show, with options as `spell` writes them.
    pub fn view(&mut self, spell: impl Fn(Field) -> String) -> &ReplayView {
        let limit = self.client_limit.as_ref();
        self.view.client_limit = limit.map(|limit| limit.spelt(spell));
        &self.view
    }
}

/// Sends the requests of a trace. What `observe` makes for the schedule follows the sending.
///
/// # Errors
/// What cannot be read, scheduled, sent or written.
pub fn run<O: Observer>(
    options: &Options,
    watch: &dyn Watch,
    observe: impl FnOnce(&Schedule, &Sending) -> O,
) -> Result<ReplayReport, JobError> {
    options.results.check()?;
    let endpoint = Endpoint::resolve(&options.url)?;
    let sending = options.sending(endpoint);
    let input = options.logs.read(watch)?;
    options.results.spare(&input)?;
    let (schedule, summary) = scheduled(options, &input)?;
    let reading = input.into_summary();
    let warn = |warnings: Vec<String>| warnings.into_iter().for_each(|it| watch.warn(it.into()));
    warn(problems::before(&summary, options.is_report_beside));
    let replayed = {
        let _held = watch.hold_interrupts();
        let replayed = replay(&schedule, &sending, &observe(&schedule, &sending));
        // From here on Ctrl-C is answered at once again, and errors speak for themselves.
        watch.has_stopped();
        replayed?
    };
    let view = view(options, &replayed, summary, reading);
    let client_limit = replayed.client_limit.as_ref().map(problems::client_limit);
    warn(problems::after(&view, client_limit.clone()));
    let verdict = problems::verdict(&view)
        .and_then(|()| problems::check(&options.url, &options.fail_if, |it| it.met_by(&replayed)));
    Ok(ReplayReport {
        view,
        client_limit: client_limit.map(Message::from),
        verdict,
    })
}

/// What is sent when.
fn scheduled(options: &Options, input: &Input) -> Result<(Schedule, ScheduleSummary), JobError> {
    let sessions = input.sessions(options.seed);
    let scheduled = schedule(&input.trace, &sessions, &options.schedule(&input.summary)?);
    scheduled.map_err(|error| JobError::at(name_of(&options.logs.paths), error))
}

fn view(
    options: &Options,
    replayed: &ReplayResult,
    schedule: ScheduleSummary,
    reading: ReadSummary,
) -> ReplayView {
    let provenance = provenance::provenance(options);
    let outcome = provenance::outcome(options, replayed, &reading, &provenance);
    ReplayView {
        url: options.url.clone(),
        skipped: schedule.skipped,
        asked_rate: replayed.requested_rate.and(schedule.asked_rate()),
        scale_limit: scale_limit(&schedule),
        schedule,
        reading,
        time_zone: options.time_zone.clone(),
        ramp_us: options.ramp.as_secs_f64() * 1e6,
        provenance,
        outcomes: vec![outcome],
        ..ReplayView::of(replayed)
    }
}

impl From<ScheduleError> for JobError {
    fn from(error: ScheduleError) -> JobError {
        let said = error.to_string();
        match error {
            ScheduleError::EmptyRange { .. } => {
                usage(format!("{} and {}: {said}", Field::From, Field::To))
            }
            ScheduleError::NoTimes | ScheduleError::EqualTimes { .. } => {
                refused(format!("{said} ({} N)", Field::Clients))
            }
            error => JobError::Library(Box::new(error)),
        }
    }
}

impl From<ReplayError> for JobError {
    fn from(error: ReplayError) -> JobError {
        match error {
            ReplayError::Url { .. } | ReplayError::Option { .. } => usage(error.to_string()),
            ReplayError::Certificate { url, why } => refused(format!(
                "{url}: {why}; use {} if you trust the network",
                Field::Insecure
            )),
            error => JobError::Library(Box::new(error)),
        }
    }
}
