//! A's parallel file systems on its three I/O nodes, as scenarios follow them message by message. Costs that no document prints are fitted to A table 2,
//! and to nothing else.
//!
//! | free cost | fitted to |
//! | --- | --- |
//! | a call of PVFS, the same at both ends | reading 4 KB from memory |
//! | a byte of PVFS at the client | reading 1 MB from memory |
//! | a call of Lustre, the same at both ends | opening and closing |
//! | a disk's delay and rate, of each file system | reading 4 KB and 1 MB that are not in memory |
//!
//! Costs are found by going on from what is simulated to what is published, as each takes about as much time as it is said to take.

use hotset_models::remote::CallCosts;

use super::bare_reads::NodeCosts;
pub(super) use super::bare_reads::OnNodes;
use super::machine_file::{LARGE, Line, MADE, MachineFile, SMALL};
use super::published_table::PublishedTable;

/// How often costs are mended. Each changes what the others come to.
const ROUNDS: usize = 6;
/// Parts of 1 MB that the first node has of it: six stripes of sixteen.
const FIRST_PART: f64 = 6.0 / 16.0;
/// Between these lie the rates of disks, bytes in a microsecond. At the higher one the delays alone take as long as published, or longer.
const RATES: [f64; 2] = [2.0, 200.0];

/// What A table 2 has of a file system, microseconds: with 4 KB and with 1 MB.
#[derive(Clone, Copy)]
struct Bare {
    open: f64,
    cached: [f64; 2],
    uncached: [f64; 2],
}

impl Bare {
    fn of(latencies: &PublishedTable, file_system: &str) -> Self {
        let of = |column: &str| latencies.figure(file_system, column).unwrap_or(f64::NAN);
        Self {
            open: of("open_close_4k"),
            cached: [of("read_cached_4k"), of("read_cached_1m")],
            uncached: [of("read_uncached_4k"), of("read_uncached_1m")],
        }
    }
}

/// What is published over what is simulated, microseconds; nothing where that cannot be simulated.
fn missing_us(published_us: f64, simulated_us: Option<f64>) -> f64 {
    let missing = simulated_us.map_or(0.0, |it| published_us - it);
    if missing.is_finite() { missing } else { 0.0 }
}

/// The costs of a file system with which the bare reads take as long as published. Nodes send bytes at so many in a microsecond.
fn fitted(on: OnNodes, bare: Bare, (ext3, sent_bytes_per_us): (Bare, f64)) -> NodeCosts {
    let (small, large) = (SMALL as u64, LARGE as u64);
    let call = |ns_per_byte: f64| CallCosts {
        call_ns: 0,
        ns_per_byte,
        stack_ns_per_byte: [0.0; 2],
    };
    let sent = call(1e3 / sent_bytes_per_us);
    let mut costs = NodeCosts {
        client: sent,
        server: sent,
        memory: memory(ext3),
        disk: Line::through(ext3.uncached[0], ext3.uncached[1]),
    };
    for _ in 0..ROUNDS {
        // A call is at both ends, and an open and a close are two.
        let more_us = match on {
            OnNodes::Pvfs => missing_us(bare.cached[0], costs.read_us(on, small, true)) / 2.0,
            OnNodes::Lustre => missing_us(bare.open, costs.open_us(on)) / 4.0,
        };
        let call_ns = (costs.client.call_ns as f64 + more_us * 1e3).max(0.0) as u64;
        (costs.client.call_ns, costs.server.call_ns) = (call_ns, call_ns);
        if on == OnNodes::Pvfs {
            let more_us = missing_us(bare.cached[1], costs.read_us(on, large, true));
            let ns_per_byte = costs.client.ns_per_byte + more_us * 1e3 / LARGE;
            costs.client.ns_per_byte = ns_per_byte.max(0.0);
        }
    }
    for _ in 0..ROUNDS {
        let more_us = missing_us(bare.uncached[0], costs.read_us(on, small, false));
        costs.disk.fixed_us = (costs.disk.fixed_us + more_us).max(0.0);
        let more_us = missing_us(bare.uncached[1], costs.read_us(on, large, false));
        let us_per_byte = 1.0 / costs.disk.bytes_per_us + more_us / (LARGE * FIRST_PART);
        let [least, most] = RATES;
        costs.disk.bytes_per_us = 1.0 / us_per_byte.clamp(1.0 / most, 1.0 / least);
    }
    costs
}

/// Files in a node's memory: the I/O nodes have ext3 (A §4.1).
fn memory(ext3: Bare) -> Line {
    Line::through(ext3.cached[0], ext3.cached[1])
}

/// The profile of the servers with a file system, and that of a disk of its I/O nodes. `before` is the profile of the proxy; a request costs Apache so much.
pub(super) fn files(
    on: OnNodes,
    latencies: &PublishedTable,
    (before, (apache_us, apache_from), sent_bytes_per_us): (MachineFile, (f64, String), f64),
) -> [MachineFile; 2] {
    let (bare, ext3) = (Bare::of(latencies, on.name()), Bare::of(latencies, "ext3"));
    let costs = fitted(on, bare, (ext3, sent_bytes_per_us));
    let (line, bytes_from) = match on {
        // What has come from a node is in the web server's buffer.
        OnNodes::Pvfs => (
            1e3 / sent_bytes_per_us,
            "Each byte is sent at 200 MB/s (A §4.2)".to_owned(),
        ),
        OnNodes::Lustre => {
            let [small_us, large_us] = bare.cached;
            let read = Line::through(small_us, large_us).and_sent_at(sent_bytes_per_us);
            (
                1e3 / read.bytes_per_us,
                format!(
                    "A table 2: {small_us} µs for 4 KB in the client's memory, {large_us} µs for 1 MB. Each byte is sent at 200 MB/s besides (A §4.2)"
                ),
            )
        }
    };
    let text = format!(
        "{}\n\
         [apache]\n\
         # {apache_from}.\n\
         request_us = {apache_us:.3}\n\
         # {bytes_from}.\n\
         ns_per_byte = {line:.3}\n\n\
         [files]\n\
         # Free: {}. The same at both ends.\n\
         request_us = {:.3}\n\
         # Each byte is sent at 200 MB/s (A §4.2).\n\
         ns_per_byte = {:.3}\n\n\
         [files-client]\n\
         request_us = {:.3}\n\
         # {}.\n\
         ns_per_byte = {:.3}\n",
        before.text,
        call_from(on, bare),
        costs.server.call_ns as f64 / 1e3,
        costs.server.ns_per_byte,
        costs.client.call_ns as f64 / 1e3,
        client_bytes_from(on, bare),
        costs.client.ns_per_byte
    );
    [
        MachineFile {
            name: format!("a-on-{}-servers.toml", on.name()),
            text,
        },
        disk_file(on, bare, (ext3, costs)),
    ]
}

/// What a call is fitted to, in words.
fn call_from(on: OnNodes, bare: Bare) -> String {
    match on {
        OnNodes::Pvfs => format!(
            "fitted to A table 2, {} µs for 4 KB in the nodes' memory",
            bare.cached[0]
        ),
        OnNodes::Lustre => format!("fitted to A table 2, {} µs to open and close", bare.open),
    }
}

fn client_bytes_from(on: OnNodes, bare: Bare) -> String {
    match on {
        OnNodes::Pvfs => format!(
            "Free: fitted to A table 2, {} µs for 1 MB in the nodes' memory",
            bare.cached[1]
        ),
        OnNodes::Lustre => "Each byte is received at 200 MB/s (A §4.2)".to_owned(),
    }
}

/// What A table 2 comes to with these costs, in words: how well they fit.
fn simulated_with(on: OnNodes, costs: &NodeCosts) -> String {
    let us =
        |simulated: Option<f64>| simulated.map_or_else(|| "?".to_owned(), |it| format!("{it:.0}"));
    let read = |bytes: f64, is_cached: bool| us(costs.read_us(on, bytes as u64, is_cached));
    let cached = match on {
        OnNodes::Pvfs => format!(
            "{} and {} µs for 4 KB and 1 MB in memory, ",
            read(SMALL, true),
            read(LARGE, true)
        ),
        OnNodes::Lustre => String::new(),
    };
    format!(
        "Simulated with this and a-on-{}-servers.toml: {} µs to open and close, {cached}{} and {} µs for 4 KB and 1 MB that are not",
        on.name(),
        us(costs.open_us(on)),
        read(SMALL, false),
        read(LARGE, false)
    )
}

fn disk_file(on: OnNodes, bare: Bare, (ext3, costs): (Bare, NodeCosts)) -> MachineFile {
    let text = format!(
        "# The disk of an I/O node of A under {}. {MADE}\n\
         source = \"micro-benchmarks of the documents, named beside each figure\"\n\
         # A table 2, ext3.\n\
         open_us = {:.3}\n\n\
         [cached]\n\
         # A table 2, ext3: {} µs for 4 KB, {} µs for 1 MB.\n\
         fixed_us = {:.3}\n\
         bytes_per_us = {:.3}\n\n\
         [uncached]\n\
         # Free: fitted to A table 2, {} µs for 4 KB that are not in memory, {} µs for 1 MB.\n\
         # {}.\n\
         fixed_us = {:.3}\n\
         bytes_per_us = {:.3}\n",
        on.name(),
        ext3.open,
        ext3.cached[0],
        ext3.cached[1],
        costs.memory.fixed_us,
        costs.memory.bytes_per_us,
        bare.uncached[0],
        bare.uncached[1],
        simulated_with(on, &costs),
        costs.disk.fixed_us,
        costs.disk.bytes_per_us
    );
    MachineFile {
        name: format!("a-on-{}-disk.toml", on.name()),
        text,
    }
}
