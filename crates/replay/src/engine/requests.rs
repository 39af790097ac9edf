//! The requests of a schedule, ready to be sent.

use std::net::SocketAddr;
use std::sync::Arc;

use rustls::ClientConfig;
use rustls::pki_types::ServerName;

use super::clock::ns;
use super::tls;
use super::wire::TlsStart;
use crate::request;
use crate::{HostHeader, Load, Options, ReplayError, Schedule, SizeClass, UNKNOWN_BYTES};

/// A request's row in the schedule.
pub type Row = u32;

/// The schedule and the options as the threads need them.
pub struct Requests<'a> {
    pub schedule: &'a Schedule,
    pub options: &'a Options,
    /// First row of each connection, and the number of rows.
    pub first_row: Vec<Row>,
    /// Addresses of the server, the one that answers first.
    pub addresses: Vec<SocketAddr>,
    /// Header fields of requests, for each site or the same for all.
    fields: Vec<Vec<u8>>,
    tls: Option<(Arc<ClientConfig>, Vec<ServerName<'static>>)>,
}

impl<'a> Requests<'a> {
    pub fn new(schedule: &'a Schedule, options: &'a Options) -> Result<Self, ReplayError> {
        schedule.check()?;
        let hosts = hosts(schedule, options);
        hosts.iter().try_for_each(|host| check_host(host))?;
        Ok(Self {
            schedule,
            options,
            first_row: first_rows(schedule),
            addresses: options.endpoint.addresses.clone(),
            fields: hosts
                .iter()
                .map(|host| request::fields(host, &options.headers))
                .collect(),
            tls: if options.endpoint.tls {
                Some(tls_of(options, &hosts)?)
            } else {
                None
            },
        })
    }

    /// Writes the request of `row` into `request`.
    pub fn write_request(&self, row: Row, request: &mut Vec<u8>) {
        let target = self.schedule.target[row as usize];
        let path = &self.schedule.targets[target as usize];
        let fields = &self.fields[self.host_of(self.site(row))];
        let write = match self.schedule.posts_to == Some(target) {
            true => request::write_post,
            false => request::write,
        };
        write(request, &self.options.endpoint.prefix, path, fields);
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

fn ns_of_us(us: i64) -> u64 {
    u64::try_from(us).unwrap_or(0).saturating_mul(1000)
}

/// Host headers, one for each site or one for all.
fn hosts(schedule: &Schedule, options: &Options) -> Vec<String> {
    match &options.host {
        HostHeader::Url => vec![options.endpoint.host_header()],
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
        url: options.endpoint.url.clone(),
        why,
    };
    let name = |host: &String| match &options.host {
        HostHeader::Url => server_name(&options.endpoint.host),
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
        .map_err(|_| format!("`{host}` is not a name that a certificate can bear"))
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
