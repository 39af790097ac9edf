//! What a request, a byte and a connection cost a server's processors, by cells in which it is asked for files that are in memory.

use std::collections::BTreeMap;

use hotset_scenario::{CostLine, ServerCosts, ServerProfile, ServerSpec};

use super::result::{ArrivalSettings, TiersResult};
use crate::Axis;
use crate::quantile::median;

/// Files are in memory if the disks read at most such a share of the bytes that are sent.
const FROM_DISKS: f64 = 0.01;

/// A run, as the server saw it that was asked.
pub(super) struct AskedServer<'k> {
    kept: &'k TiersResult,
    kind: Kind,
    /// Mean bytes of an answer.
    bytes: f64,
    /// Processor time of a request, microseconds.
    us: f64,
}

/// A server of a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Nginx,
    NginxProxy,
    Apache,
}

impl Kind {
    /// None for a proxy that keeps answers: what its requests cost depends on how many of them it has.
    fn of(server: &ServerSpec) -> Option<Self> {
        match server {
            ServerSpec::Nginx => Some(Self::Nginx),
            ServerSpec::Apache => Some(Self::Apache),
            ServerSpec::NginxProxy { cache: false, .. } => Some(Self::NginxProxy),
            ServerSpec::NginxProxy { cache: true, .. } | ServerSpec::Files | ServerSpec::None => {
                None
            }
        }
    }
}

impl<'k> AskedServer<'k> {
    /// That of a kept run in which `server` was asked; nothing where it was not measured, and where disks were read.
    pub fn of(kept: &'k TiersResult, server: &ServerSpec) -> Option<Self> {
        let total = &kept.compared()?.total;
        let requests = total.requests.filter(|&requests| requests > 0)?;
        let sent = total.bytes?;
        let detail = &kept.measured.detail;
        let read = detail.disk_read_bytes.unwrap_or(0);
        if read as f64 > FROM_DISKS * sent as f64 {
            return None;
        }
        Some(Self {
            kept,
            kind: Kind::of(server)?,
            bytes: sent as f64 / requests as f64,
            us: *detail.server_us.get(&kept.settings.asks)?,
        })
    }

    /// Whether each request has a connection of its own.
    fn opens_connections(&self) -> bool {
        matches!(self.kept.settings.arrivals, ArrivalSettings::Open { .. })
    }
}

/// A cell: medians of its runs.
struct Measured {
    bytes: f64,
    us: f64,
}

/// The cells of a server, those whose clients keep their connections or the others.
fn cells(runs: &[&AskedServer<'_>]) -> Vec<Measured> {
    let mut cells: BTreeMap<&str, Vec<&AskedServer<'_>>> = BTreeMap::new();
    for &run in runs {
        let cell = run.kept.point.on(Axis::Cell);
        cells.entry(cell).or_default().push(run);
    }
    let measured = cells.values().filter_map(|runs| {
        Some(Measured {
            bytes: median(runs.iter().map(|run| run.bytes))?,
            us: median(runs.iter().map(|run| run.us))?,
        })
    });
    measured.collect()
}

/// The costs of a server: the line through its cells of different sizes, and what connections take beyond it.
fn costs(runs: &[AskedServer<'_>], kind: Kind) -> Option<ServerCosts> {
    let own = runs.iter().filter(|run| run.kind == kind);
    let (opened, kept): (Vec<_>, Vec<_>) = own.partition(|run| run.opens_connections());
    let sizes = cells(&kept);
    let line = CostLine::fit(sizes.iter().map(|cell| (cell.bytes as u64, cell.us)))?;
    let beyond = cells(&opened);
    let beyond = beyond
        .iter()
        .map(|cell| cell.us - line.us(cell.bytes as u64));
    Some(ServerCosts {
        request_us: line.fixed_us,
        ns_per_byte: 1e3 / line.bytes_per_us,
        connection_us: median(beyond).unwrap_or(0.0).max(0.0),
    })
}

/// What these runs say of the servers that were asked. A server is left out that was not asked for files of two sizes over connections
/// that are kept.
pub(super) fn profile(runs: &[AskedServer<'_>]) -> ServerProfile {
    let first = runs.first().map(|run| run.kept.experiment.as_str());
    let date = runs.iter().map(|run| run.kept.date.as_str()).max();
    let source = first.zip(date);
    ServerProfile {
        source: source.map_or_else(String::new, |(experiment, date)| {
            format!("experiment {experiment}, measured {date}")
        }),
        nginx: costs(runs, Kind::Nginx),
        nginx_proxy: costs(runs, Kind::NginxProxy),
        apache: costs(runs, Kind::Apache),
        ..ServerProfile::default()
    }
}
