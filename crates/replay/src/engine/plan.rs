//! What all threads of a replay share: the schedule, made ready to be sent.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::{Duration, Instant};

use rustls::ClientConfig;
use rustls::pki_types::ServerName;

use super::clock::{Clock, ns};
use super::glance::Glance;
use super::request;
use super::tls;
use super::wire::TlsStart;
use crate::{HostHeader, Load, Options, ReplayError, Schedule, SizeClass, UNKNOWN_BYTES};

/// A request's row in the schedule.
pub type Row = u32;

/// The schedule and the options as the threads need them.
pub struct Plan<'a> {
    pub schedule: &'a Schedule,
    pub options: &'a Options,
    /// First row of each connection, and the number of rows.
    pub first_row: Vec<Row>,
    /// Addresses of the server, the one that answered first.
    pub addresses: Vec<SocketAddr>,
    /// Header fields of requests, for each site or the same for all.
    fields: Vec<Vec<u8>>,
    tls: Option<(Arc<ClientConfig>, Vec<ServerName<'static>>)>,
}

impl<'a> Plan<'a> {
    pub fn new(schedule: &'a Schedule, options: &'a Options) -> Result<Self, ReplayError> {
        check(schedule)?;
        let hosts = hosts(schedule, options);
        hosts.iter().try_for_each(|host| check_host(host))?;
        Ok(Self {
            schedule,
            options,
            first_row: first_rows(schedule),
            addresses: options.target.addresses.clone(),
            fields: hosts.iter().map(|host| request::fields(host)).collect(),
            tls: if options.target.tls {
                Some(tls_of(options, &hosts)?)
            } else {
                None
            },
        })
    }

    /// Writes the request of `row` into `request`.
    pub fn write_request(&self, row: Row, request: &mut Vec<u8>) {
        let path = &self.schedule.targets[self.schedule.target[row as usize] as usize];
        let fields = &self.fields[self.host_of(self.site(row))];
        request::write(request, &self.options.target.prefix, path, fields);
    }

    /// What TLS needs for requests to `site`; `None`: they are sent plainly.
    pub fn tls(&self, site: usize) -> Option<TlsStart> {
        let (config, names) = self.tls.as_ref()?;
        Some(TlsStart {
            config: config.clone(),
            name: names[self.host_of(site)].clone(),
        })
    }

    /// When a closed loop sends no more, nanoseconds; an open one ends with its rows.
    pub fn end_ns(&self) -> u64 {
        match &self.options.load {
            Load::Closed(closed) => closed.duration.map_or(u64::MAX, ns),
            Load::Open => u64::MAX,
        }
    }

    fn host_of(&self, site: usize) -> usize {
        if self.fields.len() == 1 { 0 } else { site }
    }

    pub fn site(&self, row: Row) -> usize {
        usize::from(self.schedule.site[row as usize])
    }

    /// Bytes expected of the body, where that is known.
    pub fn expected(&self, row: Row) -> Option<u64> {
        let bytes = self.schedule.expected_bytes[row as usize];
        (bytes != UNKNOWN_BYTES).then_some(bytes)
    }

    /// The class of a request; `received` decides where no size is expected.
    pub fn size_class(&self, row: Row, received: u64) -> SizeClass {
        SizeClass::of(self.expected(row).unwrap_or(received))
    }

    /// When a connection is to start, nanoseconds; a time before the start is the start.
    pub fn start_ns(&self, connection: usize) -> u64 {
        ns_of_us(self.schedule.start_us[connection])
    }

    /// When a row is due, nanoseconds, on the connection it belongs to.
    pub fn due_ns(&self, row: Row) -> u64 {
        let row = row as usize;
        let start_us = self.schedule.start_us[self.schedule.connection[row] as usize];
        ns_of_us(start_us.saturating_add(self.schedule.offset_us[row]))
    }
}

/// State that threads and the one that watches them exchange.
pub struct Shared {
    /// The replay's time zero.
    pub origin: Instant,
    /// Set to end at once.
    pub stop: AtomicBool,
    pub finished: AtomicU64,
    pub errors: AtomicU64,
    pub bytes: AtomicU64,
    pub connections: AtomicU64,
    /// Of the responses without error.
    pub first_bytes: Glance,
    /// Closed loops: requests taken in all, and from the rows of each cursor.
    pub taken: AtomicU64,
    pub cursors: Vec<AtomicU64>,
}

impl Shared {
    /// Time zero lies a little ahead, so that all threads are there.
    pub fn new(cursors: usize) -> Self {
        Self {
            origin: Instant::now() + Duration::from_millis(5),
            stop: AtomicBool::new(false),
            finished: AtomicU64::new(0),
            errors: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            connections: AtomicU64::new(0),
            first_bytes: Glance::new(),
            taken: AtomicU64::new(0),
            cursors: (0..cursors).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// This thread's clock.
    pub fn clock(&self) -> Clock {
        Clock::since(self.origin)
    }
}

fn ns_of_us(us: i64) -> u64 {
    u64::try_from(us).unwrap_or(0).saturating_mul(1000)
}

/// Host headers, one for each site or one for all.
fn hosts(schedule: &Schedule, options: &Options) -> Vec<String> {
    match &options.host {
        HostHeader::Url => vec![options.target.host_header()],
        HostHeader::Fixed(host) => vec![host.clone()],
        HostHeader::Site => schedule.sites.clone(),
    }
}

fn check_host(host: &str) -> Result<(), ReplayError> {
    let fits = !host.is_empty() && host.bytes().all(|byte| byte.is_ascii_graphic());
    fits.then_some(()).ok_or_else(|| ReplayError::Option {
        name: "host",
        why: format!(
            "`{}` cannot stand in a Host header; give a fixed one",
            host.escape_debug()
        ),
    })
}

fn tls_of(
    options: &Options,
    hosts: &[String],
) -> Result<(Arc<ClientConfig>, Vec<ServerName<'static>>), ReplayError> {
    let error = |why: String| ReplayError::Tls {
        url: options.target.url.clone(),
        why,
    };
    let name = |host: &String| match &options.host {
        HostHeader::Url => server_name(&options.target.host),
        _ => server_name(without_port(host)),
    };
    let names: Result<_, _> = hosts.iter().map(name).collect();
    Ok((
        tls::config(options.insecure).map_err(error)?,
        names.map_err(error)?,
    ))
}

fn server_name(host: &str) -> Result<ServerName<'static>, String> {
    ServerName::try_from(host.to_owned())
        .map_err(|_| format!("`{host}` is no name that a certificate can bear"))
}

fn without_port(host: &str) -> &str {
    let digits = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    match host.rsplit_once(':') {
        Some((name, port)) if digits(port) => name,
        _ => host,
    }
}

/// First row of each connection, and behind them the number of rows.
fn first_rows(schedule: &Schedule) -> Vec<Row> {
    let mut first = Vec::with_capacity(schedule.start_us.len() + 1);
    for (row, &connection) in schedule.connection.iter().enumerate() {
        if connection as usize == first.len() {
            first.push(row as Row);
        }
    }
    first.push(schedule.connection.len() as Row);
    first
}

/// Whether the columns fit together, so that nothing later has to ask.
fn check(schedule: &Schedule) -> Result<(), ReplayError> {
    let rows = schedule.site.len();
    let columns = [
        schedule.target.len(),
        schedule.connection.len(),
        schedule.offset_us.len(),
        schedule.expected_bytes.len(),
    ];
    let sites = schedule
        .site
        .iter()
        .all(|&site| usize::from(site) < schedule.sites.len());
    let targets = schedule
        .target
        .iter()
        .all(|&target| (target as usize) < schedule.targets.len());
    let faults = [
        (rows == 0, "it has no requests"),
        (Row::try_from(rows).is_err(), "it has 2^32 requests or more"),
        (
            columns.iter().any(|&length| length != rows),
            "they differ in length",
        ),
        (!sites, "a request's site is not among the sites"),
        (!targets, "a request's target is not among the targets"),
        (
            !connections_rise(schedule),
            "connections are not numbered in order of their rows",
        ),
        (
            !schedule.start_us.is_sorted(),
            "connections are not in order of their start",
        ),
        (
            !schedule
                .targets
                .iter()
                .all(|target| request::is_path(target)),
            "a target is no percent-encoded path",
        ),
    ];
    let fault = faults.iter().find(|(fault, _)| *fault);
    fault.map_or(Ok(()), |(_, why)| Err(ReplayError::Schedule(why)))
}

/// Whether connections are 0, 1, 2 … in order, each with at least one row.
fn connections_rise(schedule: &Schedule) -> bool {
    let numbers = &schedule.connection;
    let steps = numbers
        .windows(2)
        .all(|pair| pair[1].wrapping_sub(pair[0]) <= 1);
    let last = numbers.last().map_or(0, |&last| last as usize + 1);
    steps && numbers.first().is_none_or(|&first| first == 0) && last == schedule.start_us.len()
}
