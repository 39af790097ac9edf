//! Works on NFS, held to what a client of Linux 6.1 was counted to do on them (`experiments/nfs-calls`).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use hotset_models::files::{FilesResult, Mounted, Work, simulate};
use hotset_models::remote::nfs::{Mount, Version};
use hotset_models::remote::{Line, Protocol};
use hotset_scenario::Profile;

const EXPERIMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments/nfs-calls");
/// What Linux's server takes with the 1 GiB of the machine that it was counted on.
const MESSAGE_BYTES: u64 = 128 << 10;
/// How far off counts may be, in hundredths.
const MOST_OF_CALLS: u64 = 2;
const MOST_OF_BYTES: u64 = 5;
/// What a client was counted to do.
#[derive(Default)]
struct Counted {
    calls: BTreeMap<String, u64>,
    bytes: u64,
}

/// Counts by work, version and client.
type Cells = BTreeMap<(String, String, String), Counted>;

fn cells() -> Cells {
    let text = fs::read_to_string(Path::new(EXPERIMENT).join("measured.csv")).expect("it is kept");
    let mut cells = Cells::new();
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [work, mount, client, kind, name, count] = fields[..] else {
            panic!("{line}: other fields");
        };
        let cell = (work.to_owned(), mount.to_owned(), client.to_owned());
        let counted = cells.entry(cell).or_default();
        let count: u64 = count.parse().expect("a number");
        match (kind, name) {
            ("calls", _) => {
                counted.calls.insert(name.to_owned(), count);
            }
            ("link", "bytes") => counted.bytes = count,
            _ => {}
        }
    }
    cells
}

fn simulated(work: &str, mount: &str) -> FilesResult {
    let path = Path::new(EXPERIMENT).join(format!("works/{work}.work"));
    let work = Work::load(&path).expect("it is kept");
    let profile = Profile::named_or_file("ssd").expect("it is built in");
    let version = match mount {
        "3" => Version::V3,
        "4.0" => Version::V4 { minor: 0 },
        "4.1" => Version::V4 { minor: 1 },
        _ => Version::V4 { minor: 2 },
    };
    let mounted = Mounted {
        mount: Mount {
            version,
            protocol: Protocol::Tcp,
            read_bytes: MESSAGE_BYTES,
            write_bytes: MESSAGE_BYTES,
            attributes_s: None,
            sync: false,
        },
        client: "web1",
        line: &|_| Line::default(),
        profile: &profile,
        is_async: false,
    };
    simulate(&work, &mounted, &|| true).expect("a work")
}

fn is_off(counted: u64, simulated: u64, hundredths: u64) -> bool {
    counted.abs_diff(simulated) * 100 > counted * hundredths
}

/// Counts of a cell that are too far off.
fn off(cell: &(String, String, String), counted: &Counted, result: &FilesResult) -> Vec<String> {
    let (work, mount, name) = cell;
    let client = result.clients.iter().find(|client| client.name == *name);
    let client = client.expect("the work has this client");
    let simulated = |name: &str| client.calls.get(name).copied().unwrap_or(0);
    let known = client.calls.keys().map(|name| (*name).to_owned());
    let names: BTreeSet<String> = known.chain(counted.calls.keys().cloned()).collect();
    let bytes = client.link_bytes.sent + client.link_bytes.received;
    let counts = names.iter().map(|name| {
        let count = counted.calls.get(name).copied().unwrap_or(0);
        (name.as_str(), count, simulated(name), MOST_OF_CALLS)
    });
    counts
        .chain([("bytes", counted.bytes, bytes, MOST_OF_BYTES)])
        .filter(|(_, counted, simulated, most)| is_off(*counted, *simulated, *most))
        .map(|(what, counted, simulated, _)| {
            format!("{work} over {mount}, {name}: {what} {simulated} instead of {counted}")
        })
        .collect()
}

#[test]
fn calls_are_exact_to_two_and_bytes_to_five_in_a_hundred() {
    let cells = cells();
    assert!(cells.len() >= 24, "twelve works over two versions");
    let mut results: BTreeMap<(&str, &str), FilesResult> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (cell, counted) in &cells {
        let (work, mount, _) = cell;
        let result = results
            .entry((work, mount))
            .or_insert_with(|| simulated(work, mount));
        wrong.extend(off(cell, counted, result));
    }
    assert!(wrong.is_empty(), "of {} cells: {wrong:#?}", cells.len());
}
