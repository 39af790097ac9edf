//! How much of a node's memory files and database servers get.

use std::collections::BTreeMap;

use super::findings::{
    DatabaseDivision, DatabaseSite, DividedServer, HeldOutInterval, PinnedTable, RefusedPin,
};
use super::measured::{ServerUse, TableUse};
use super::server::{Choice, Priced};
use crate::CurvePoint;

/// Memory is divided in so many units, of whole mebibytes.
const UNITS: u64 = 512;
const MEBIBYTE: u64 = 1 << 20;
/// What saves a smaller share of the time of reads is left undone: no measurement tells so little.
const LEAST_SAVED: f64 = 0.01;
const US_IN_MS: f64 = 1e3;

/// What reads of files take in an hour, by the memory that files have.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileCosts {
    /// Bytes, rising, and microseconds, never rising.
    points: Vec<(u64, f64)>,
}

impl FileCosts {
    /// Of the points of a curve: bytes, and microseconds of a mean access. `per_hour` are the accesses in an hour, each by its weight.
    #[must_use]
    pub fn new(points: impl IntoIterator<Item = (u64, f64)>, per_hour: f64) -> Self {
        let known = points.into_iter().filter(|(_, us)| us.is_finite());
        let mut points: Vec<(u64, f64)> = known.map(|(at, us)| (at, us * per_hour)).collect();
        points.sort_by_key(|(bytes, _)| *bytes);
        let mut least = f64::INFINITY;
        for (_, us) in &mut points {
            // Files can be held as with less memory.
            least = least.min(*us);
            *us = least;
        }
        Self { points }
    }

    /// As the part of the traffic has it that plans are chosen by.
    #[must_use]
    pub fn chosen_by(curve: &[CurvePoint], per_hour: f64) -> Self {
        let points = curve.iter();
        Self::new(
            points.map(|it| (it.memory_bytes, it.validated.plan_mean_us)),
            per_hour,
        )
    }

    /// As the part of the traffic has it that is held out.
    #[must_use]
    pub fn held_out(curve: &[CurvePoint], per_hour: f64) -> Self {
        let points = curve.iter();
        Self::new(
            points.map(|it| (it.memory_bytes, it.plan.weighted_mean_us)),
            per_hour,
        )
    }

    /// With so many bytes: on the line between two points, and beyond them as at the nearest.
    #[must_use]
    pub fn us(&self, bytes: u64) -> f64 {
        let above = self.points.partition_point(|(at, _)| *at <= bytes);
        match (
            above.checked_sub(1).map(|below| self.points[below]),
            self.points.get(above),
        ) {
            (Some((low, from)), Some(&(high, to))) => {
                let share = (bytes - low) as f64 / (high - low) as f64;
                from + (to - from) * share
            }
            (Some((_, us)), None) | (None, Some(&(_, us))) => us,
            (None, None) => 0.0,
        }
    }
}

/// What is divided.
#[derive(Clone, Copy, Debug)]
pub struct DatabaseQuestion<'a> {
    /// All memory for held files, the page cache, buffer pools and pinned tables, bytes.
    pub memory_bytes: u64,
    /// What of it files have at least, bytes.
    pub least_file_bytes: u64,
    /// What files cost.
    pub files: &'a FileCosts,
    /// What they cost on the accesses held out.
    pub files_held_out: &'a FileCosts,
    /// Servers as they were measured.
    pub servers: &'a [ServerUse],
    /// The same as they were measured last, which nothing is learnt from; empty where they were measured once.
    pub held_out: &'a [ServerUse],
}

/// Divides memory so that reads of files and tables take the least time together, by weight of the sites.
///
/// All sizes of buffer pools and all sets of up to 64 pinned tables of each server are weighed, in 512 parts of the memory of at least a
/// mebibyte: each pool's with a knapsack of pins, all servers' with each other, and what remains with the files' own curve.
#[must_use]
pub fn divide(question: &DatabaseQuestion<'_>) -> DatabaseDivision {
    let servers = priced(question.servers);
    let now: Vec<Choice> = servers.iter().map(Priced::now).collect();
    let found = best(question, &servers);
    let us = |choices: &[Choice]| total_us(question, question.files, &servers, choices);
    let saves = |choices: &Vec<Choice>| us(choices) < us(&now) * (1.0 - LEAST_SAVED);
    let found = found.filter(saves);
    let held_out = (found.as_ref()).and_then(|found| held_out(question, &servers, &now, found));
    let is_given_up = held_out.is_some_and(|it| it.is_given_up);
    let chosen = found.filter(|_| !is_given_up);
    let choices = chosen.as_ref().unwrap_or(&now);
    let refused = refused_pins(question);
    let divided = servers.iter().enumerate().map(|(place, server)| {
        let refused = refused.get(&place).cloned().unwrap_or_default();
        let kept_because = kept_because(server, choices[place], is_given_up, chosen.is_none());
        DividedServer {
            kept_because,
            ..divided(server, now[place], choices[place], refused)
        }
    });
    DatabaseDivision {
        memory_bytes: question.memory_bytes,
        files_bytes_now: files_bytes(question, &servers, &now),
        files_bytes: files_bytes(question, &servers, choices),
        is_left: chosen.is_none(),
        read_ms_per_hour_now: us(&now) / US_IN_MS,
        read_ms_per_hour: us(choices) / US_IN_MS,
        servers: divided.collect(),
        sites: sites(&servers, &now, choices),
        held_out,
        predictions: Vec::new(),
    }
}

fn priced(servers: &[ServerUse]) -> Vec<Priced<'_>> {
    servers.iter().map(Priced::new).collect()
}

/// What these ways leave to files, bytes.
fn files_bytes(question: &DatabaseQuestion<'_>, servers: &[Priced<'_>], choices: &[Choice]) -> u64 {
    let used = servers.iter().zip(choices);
    let used = used.map(|(server, choice)| server.bytes(*choice));
    let used = used.fold(0, u64::saturating_add);
    question.memory_bytes.saturating_sub(used)
}

fn total_us(
    question: &DatabaseQuestion<'_>,
    files: &FileCosts,
    servers: &[Priced<'_>],
    choices: &[Choice],
) -> f64 {
    let of_servers: f64 = choices.iter().map(|choice| choice.us).sum();
    of_servers + files.us(files_bytes(question, servers, choices))
}

/// Ways of several servers together, and what they cost.
type Together = Option<(f64, Vec<Choice>)>;

/// The best ways of all servers; none where they leave too little to files whatever is chosen.
fn best(question: &DatabaseQuestion<'_>, servers: &[Priced<'_>]) -> Option<Vec<Choice>> {
    let unit = (question.memory_bytes / UNITS).div_ceil(MEBIBYTE).max(1) * MEBIBYTE;
    let units = (question.memory_bytes / unit) as usize;
    let mut together: Vec<Together> = vec![None; units + 1];
    together[0] = Some((0.0, Vec::new()));
    for server in servers {
        together = with_another(&together, &server.ways(unit, units));
    }
    let mut best: Together = None;
    for (_, choices) in together.into_iter().flatten() {
        if files_bytes(question, servers, &choices) < question.least_file_bytes {
            continue;
        }
        let us = total_us(question, question.files, servers, &choices);
        if best.as_ref().is_none_or(|(least, _)| us < *least) {
            best = Some((us, choices));
        }
    }
    best.map(|(_, choices)| choices)
}

/// All ways of some servers with all of another one.
fn with_another(together: &[Together], ways: &[Option<Choice>]) -> Vec<Together> {
    let mut all: Vec<Together> = vec![None; together.len()];
    for (used, known) in together.iter().enumerate() {
        let Some((us, choices)) = known else {
            continue;
        };
        let fitting = &ways[..ways.len() - used];
        for (more, way) in fitting.iter().enumerate() {
            let Some(way) = way else {
                continue;
            };
            let (at, us) = (&mut all[used + more], us + way.us);
            if at.as_ref().is_none_or(|(least, _)| us < *least) {
                let choices = choices.iter().copied().chain([*way]);
                *at = Some((us, choices.collect()));
            }
        }
    }
    all
}

/// What the choice comes to by measurements that it has not seen.
fn held_out(
    question: &DatabaseQuestion<'_>,
    learnt: &[Priced<'_>],
    now: &[Choice],
    found: &[Choice],
) -> Option<HeldOutInterval> {
    let seen = priced(question.held_out);
    if seen.len() != learnt.len() {
        return None;
    }
    let us = |choices: &[Choice]| {
        let pairs = seen.iter().zip(learnt).zip(choices);
        let choices: Vec<Choice> = pairs
            .map(|((seen, learnt), choice)| seen.translated(learnt, *choice))
            .collect();
        total_us(question, question.files_held_out, &seen, &choices)
    };
    let (before, after) = (us(now), us(found));
    Some(HeldOutInterval {
        read_ms_per_hour_now: before / US_IN_MS,
        read_ms_per_hour: after / US_IN_MS,
        is_given_up: after >= before,
    })
}

fn divided(
    server: &Priced<'_>,
    now: Choice,
    choice: Choice,
    refused_pins: Vec<RefusedPin>,
) -> DividedServer {
    let reads = |choice| -> f64 { server.store_reads(choice).iter().sum() };
    DividedServer {
        database: server.server.name.clone(),
        pool_bytes_now: now.pool_bytes,
        pool_bytes: choice.pool_bytes,
        pinned: server.pinned(choice).map(pinned).collect(),
        refused_pins,
        store_reads_per_hour_now: reads(now),
        store_reads_per_hour: reads(choice),
        lacks: server.server.lacks.clone(),
        kept_because: None,
    }
}

/// Why the pool of a server is left as it is; none where it is not, or where the measurement lacks something.
fn kept_because(
    server: &Priced<'_>,
    choice: Choice,
    is_given_up: bool,
    is_left: bool,
) -> Option<String> {
    let it = server.server;
    if it.lacks.is_some() || choice.pool_bytes != it.pool_bytes {
        return None;
    }
    let reason = match server.enough_because() {
        Some(enough) => enough,
        None if is_given_up => "a division that changes it saves nothing in the latest measurement",
        None if is_left => {
            "no other division that leaves files enough saves a hundredth of the time of reads"
        }
        None => "another size saves less than the same memory does elsewhere",
    };
    Some(reason.to_owned())
}

fn pinned(table: &TableUse) -> PinnedTable {
    let reason = match table.is_innodb {
        true => "other databases of its server take its pages out of the buffer pool",
        false => "its engine keeps no rows in a buffer pool",
    };
    PinnedTable {
        table: table.name.clone(),
        bytes: table.bytes,
        reason: reason.to_owned(),
    }
}

/// Tables that would be pinned if their servers read through the page cache, by the place of the server.
fn refused_pins(question: &DatabaseQuestion<'_>) -> BTreeMap<usize, Vec<RefusedPin>> {
    let is_direct = |it: &ServerUse| !it.is_buffered && it.lacks.is_none();
    let would = |it: &ServerUse| ServerUse {
        is_buffered: true,
        ..it.clone()
    };
    let buffered: Vec<ServerUse> = question.servers.iter().map(would).collect();
    let mut shared = question.servers.iter();
    if !shared.any(|it| is_direct(it) && it.has_several_databases()) {
        return BTreeMap::new();
    }
    let servers = priced(&buffered);
    let choices = best(question, &servers).unwrap_or_default();
    let places = question.servers.iter().zip(&servers).zip(&choices);
    let refused = places.enumerate().filter_map(|(place, pair)| {
        let ((server, would), choice) = pair;
        let pinned = would.pinned(*choice).filter(|table| table.is_innodb);
        let refused: Vec<RefusedPin> = pinned.map(|table| refused_pin(server, table)).collect();
        (is_direct(server) && !refused.is_empty()).then_some((place, refused))
    });
    refused.collect()
}

fn refused_pin(server: &ServerUse, table: &TableUse) -> RefusedPin {
    RefusedPin {
        table: table.name.clone(),
        reason: format!(
            "with innodb_flush_method={} InnoDB reads past the page cache, so that a pin would save nothing: set \
             innodb_flush_method=fsync (from version 11 on innodb_data_file_buffering=ON), restart the server and measure it \
             again, or give the database a server of its own",
            server.flush_method
        ),
    }
}

/// What it buys the tables of each site.
fn sites(servers: &[Priced<'_>], now: &[Choice], choices: &[Choice]) -> Vec<DatabaseSite> {
    let mut sites: BTreeMap<Option<&str>, DatabaseSite> = BTreeMap::new();
    for ((server, now), choice) in servers.iter().zip(now).zip(choices) {
        let [reads_now, reads] = [now, choice].map(|it| server.store_reads(*it));
        let [us_now, us] = [now, choice].map(|it| server.table_us(*it));
        for (table, it) in server.server.tables.iter().enumerate() {
            let site = it.site.as_deref();
            let sums = sites.entry(site).or_insert_with(|| no_reads(site));
            sums.store_reads_per_hour_now += reads_now[table];
            sums.store_reads_per_hour += reads[table];
            sums.read_ms_per_hour_now += us_now[table] / US_IN_MS;
            sums.read_ms_per_hour += us[table] / US_IN_MS;
        }
    }
    sites.into_values().collect()
}

fn no_reads(site: Option<&str>) -> DatabaseSite {
    DatabaseSite {
        site: site.map(str::to_owned),
        store_reads_per_hour_now: 0.0,
        store_reads_per_hour: 0.0,
        read_ms_per_hour_now: 0.0,
        read_ms_per_hour: 0.0,
    }
}
