//! Scans one of libCacheSim's oracleGeneral traces, to compare hit counts with it.
//!
//!     cargo run --release -p hotset-cache --example oracle_general -- POLICY CAPACITY_BYTES TRACE
//!
//! A record has 24 bytes, little endian: time u32, object id u64, size u32, time of next access
//! i64. Prints the requests and the hits, and the seconds that reading and scanning took.
#![allow(clippy::print_stdout, missing_docs)]

use std::collections::HashMap;
use std::error::Error;
use std::time::Instant;

use hotset_cache::{PolicyKind, simulate};

const RECORD: usize = 24;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [policy, capacity, trace] = &arguments[..] else {
        return Err("usage: oracle_general POLICY CAPACITY_BYTES TRACE".into());
    };
    let kind: PolicyKind = policy.parse()?;
    let start = Instant::now();
    let (requests, sizes) = read(trace)?;
    let reading = start.elapsed();
    let counts = simulate(kind, capacity.parse()?, &requests, &sizes, None, |_, _| {})?;
    let scanning = start.elapsed() - reading;
    println!("{} requests, {} hits", counts.requests, counts.hits);
    println!(
        "read in {:.3} s, scanned in {:.3} s",
        reading.as_secs_f64(),
        scanning.as_secs_f64()
    );
    Ok(())
}

/// Dense ids in order of first request, and the size of each object at its first request.
fn read(path: &str) -> Result<(Vec<u32>, Vec<u64>), Box<dyn Error>> {
    let bytes = std::fs::read(path)?;
    let mut ids = HashMap::new();
    let (mut requests, mut sizes) = (vec![], vec![]);
    for record in bytes.chunks_exact(RECORD) {
        let id = u64::from_le_bytes(record[4..12].try_into()?);
        let dense = *ids.entry(id).or_insert(sizes.len() as u32);
        if dense as usize == sizes.len() {
            sizes.push(u64::from(u32::from_le_bytes(record[12..16].try_into()?)));
        }
        requests.push(dense);
    }
    Ok((requests, sizes))
}
