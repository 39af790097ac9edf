//! What is sent, how, and where the result goes.

use std::time::Duration;

use hotset_replay::schedule::{DEFAULT_SORT_WINDOW, Pace, ScheduleOptions};
use hotset_replay::{
    CONFORMING_BYTES_PER_SECOND, ClosedLoad, Condition, Endpoint, Header, HostHeader, Load,
    Options as Sending, Pause, WarmUp,
};
use hotset_trace::Zone;
use hotset_trace::read::{CountingRule, QueryRule, ReadSummary};

use super::moment::WrittenMoment;
use crate::{JobError, Logs, Results};

/// How long a connection may take to open, where it is not said.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a response may take, where it is not said.
pub const RESPONSE_TIMEOUT: Duration = Duration::from_secs(30);

/// What is sent, how, and where the result goes.
#[derive(Clone, Debug)]
pub struct Options {
    /// The trace.
    pub logs: Logs,
    /// On whose clocks times are.
    pub time_zone: Zone,
    /// Sites whose requests are sent; all where empty.
    pub sites: Vec<String>,
    /// The server.
    pub url: String,
    /// Connections start this many times as often as in the trace.
    pub scale: f64,
    /// Requests before this are skipped.
    pub from: Option<WrittenMoment>,
    /// Requests at this moment and later are skipped.
    pub to: Option<WrittenMoment>,
    /// Requests whose times step back by at most this are sorted; those further behind are skipped. Where it is not said,
    /// a minute; by the rule c1, which takes every request, all are sorted.
    pub sort_window: Option<Duration>,
    /// Longest pause between connections.
    pub gap_max: Option<Duration>,
    /// How long the load grows at the start.
    pub ramp: Duration,
    /// Clients of a closed loop, each of which sends its next request when the last is answered.
    pub clients: Option<u32>,
    /// How long each client waits between an answer and its next request.
    pub think: Duration,
    /// Whether operations of SPECweb99 are sent as such, by clients that each receive what a conforming connection does.
    pub specweb99: bool,
    /// How long clients send the trace over and over; once where it is not said.
    pub duration: Option<Duration>,
    /// Seed of the arrivals within a logged second.
    pub seed: u64,
    /// Host header; the URL's host where none is given.
    pub host: Option<HostHeader>,
    /// Headers that every request has.
    pub headers: Vec<Header>,
    /// Most connections open at a time.
    pub connections_max: Option<u32>,
    /// First requests that are not recorded.
    pub warm_up: Option<WarmUp>,
    /// How long a connection may take to open.
    pub connect_timeout: Duration,
    /// How long a response may take.
    pub response_timeout: Duration,
    /// Whether any TLS certificate is accepted.
    pub insecure: bool,
    /// Threads that send.
    pub threads: u16,
    /// Conditions that the figures are not to meet.
    pub fail_if: Vec<Condition>,
    /// Where the result goes.
    pub results: Results,
    /// Whether whoever is warned reads the report in the same place, which says what was skipped.
    pub is_report_beside: bool,
    /// What was asked for, word by word, as the report is to say it.
    pub asked: Vec<String>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            logs: Logs::default(),
            time_zone: Zone::default(),
            sites: Vec::new(),
            url: String::new(),
            scale: 1.0,
            from: None,
            to: None,
            sort_window: None,
            gap_max: None,
            ramp: Duration::ZERO,
            clients: None,
            think: Duration::ZERO,
            specweb99: false,
            duration: None,
            seed: 0,
            host: None,
            headers: Vec::new(),
            connections_max: None,
            warm_up: None,
            connect_timeout: CONNECT_TIMEOUT,
            response_timeout: RESPONSE_TIMEOUT,
            insecure: false,
            threads: 1,
            fail_if: Vec::new(),
            results: Results::default(),
            is_report_beside: false,
            asked: Vec::new(),
        }
    }
}

impl Options {
    /// What is sent of a trace that was read so.
    pub(super) fn schedule(&self, reading: &ReadSummary) -> Result<ScheduleOptions, JobError> {
        let moment =
            |time: Option<WrittenMoment>| time.map(|time| time.moment(&self.time_zone)).transpose();
        Ok(ScheduleOptions {
            pace: match self.clients {
                Some(_) => Pace::AsAnswered,
                None => Pace::Trace(self.scale),
            },
            from: moment(self.from)?,
            to: moment(self.to)?,
            sites: self.sites.clone(),
            sort_window: self.sort_window.unwrap_or(match reading.counting_rule {
                CountingRule::Default => DEFAULT_SORT_WINDOW,
                CountingRule::C1 => Duration::MAX,
            }),
            gap_max: self.gap_max,
            ramp: self.ramp,
            counting: reading.counting_rule,
            specweb99: self.specweb99,
            queries: reading.query_rule == QueryRule::Keep,
        })
    }

    /// How it is sent to `endpoint`.
    pub(super) fn sending(&self, endpoint: Endpoint) -> Sending {
        Sending {
            host: self.host.clone().unwrap_or_default(),
            headers: self.headers.clone(),
            load: self.load(),
            ramp: self.ramp,
            connections_max: self.connections_max.map(|connections| connections as usize),
            connect_timeout: self.connect_timeout,
            response_timeout: self.response_timeout,
            warm_up: self.warm_up.unwrap_or_default(),
            insecure: self.insecure,
            threads: self.threads.into(),
            ..Sending::new(endpoint)
        }
    }

    /// Whether requests are sent at their times, or by clients that wait for answers.
    fn load(&self) -> Load {
        self.clients.map_or(Load::Open, |clients| {
            Load::Closed(ClosedLoad {
                clients: clients as usize,
                pause: match self.specweb99 {
                    true => Pause::Rate(*CONFORMING_BYTES_PER_SECOND.end()),
                    false => Pause::Think(self.think),
                },
                duration: self.duration,
            })
        })
    }
}
