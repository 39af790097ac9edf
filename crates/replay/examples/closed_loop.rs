//! Requests of one URL by clients that keep their connections, for `benches/peers`.
//!
//!     closed_loop URL CLIENTS SECONDS [RATE]      with RATE: an open loop instead, so many a second

#![allow(clippy::print_stdout, reason = "an example's result")]

use std::time::Duration;

use hotset_replay::{
    Clients, Closed, Load, Options, ReplayError, Replayed, Schedule, Target, UNKNOWN_BYTES,
    Unobserved, replay,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [url, clients, seconds, rate @ ..] = arguments.as_slice() else {
        return Err("usage: closed_loop URL CLIENTS SECONDS [RATE]".into());
    };
    let (clients, seconds) = (clients.parse()?, seconds.parse()?);
    let replayed = match rate.first() {
        None => closed(url, clients, Duration::from_secs_f64(seconds))?,
        Some(rate) => open(url, clients, seconds, rate.parse()?)?,
    };
    print(&replayed);
    Ok(())
}

fn closed(url: &str, clients: usize, duration: Duration) -> Result<Replayed, ReplayError> {
    let load = Load::Closed(Closed {
        clients: Clients::Shared(clients),
        think: Duration::ZERO,
        duration: Some(duration),
    });
    let (target, path) = target(url)?;
    let options = Options {
        load,
        ..Options::new(target)
    };
    replay(&schedule(path, 1, 1, 0.0), &options, &Unobserved)
}

/// As many connections as clients, their requests at even distances.
fn open(url: &str, connections: usize, seconds: f64, rate: f64) -> Result<Replayed, ReplayError> {
    let (target, path) = target(url)?;
    let each = (rate * seconds) as usize / connections;
    let schedule = schedule(path, connections, each, 1e6 / rate);
    replay(&schedule, &Options::new(target), &Unobserved)
}

/// The server, and the path of the one file.
fn target(url: &str) -> Result<(Target, String), ReplayError> {
    let path = url.splitn(4, '/').nth(3).unwrap_or_default();
    let server = &url[..url.len() - path.len()];
    Ok((Target::resolve(server)?, format!("/{path}")))
}

/// `connections` of `each` requests, one request every `gap_us` over all.
fn schedule(path: String, connections: usize, each: usize, gap_us: f64) -> Schedule {
    let of_each = |connection: usize| (0..each).map(move |index| (connection, index));
    let rows = || (0..connections).flat_map(of_each);
    let count = connections * each;
    Schedule {
        sites: vec!["site".to_owned()],
        targets: vec![path.into_bytes().into()],
        site: vec![0; count],
        target: vec![0; count],
        connection: rows().map(|(connection, _)| connection as u32).collect(),
        start_us: (0..connections)
            .map(|at| (at as f64 * gap_us) as i64)
            .collect(),
        offset_us: rows()
            .map(|(_, index)| (index as f64 * gap_us * connections as f64) as i64)
            .collect(),
        expected_bytes: vec![UNKNOWN_BYTES; count],
    }
}

fn print(replayed: &Replayed) {
    let total = &replayed.total;
    let us = |share| total.first_byte.quantile_us(share).unwrap_or_default();
    println!(
        "requests {} errors {} rate {:.0}/s busy {:.3} first byte mean {:.1} p50 {} p99 {} µs, late p99 {} µs",
        total.requests,
        total.errors.total(),
        replayed.achieved_rate,
        replayed.busy_share,
        total.first_byte.mean_us().unwrap_or_default(),
        us(0.5),
        us(0.99),
        replayed.lateness_us.value_at_quantile(0.99),
    );
}
