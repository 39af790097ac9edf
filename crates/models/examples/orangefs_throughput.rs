//! Throughput of OrangeFS by record size and clients, simulated beside what was measured.
//!
//! `cargo run --release -p hotset-models --example orangefs_throughput -- summary_throughput.csv summary_latency.csv`
//!
//! The file has a line for each cell: path (api or fuse), operation, record size, clients, runs, best and worst run in MB/s. It was measured with one
//! metadata server and four I/O servers on the loopback interface of a machine with two processors, which clients and servers share. Costs are
//! those of `OrangeFs`. They follow from three reads of one client, and from least latencies of writes, reads through FUSE and creates. A cell whose
//! best and worst run differ by more than half is shown, and counts for nothing.
//!
//! The machine had other work, which left a part of the processors. The second file tells which: for each operation on data in the servers'
//! memory, what the least and the median one took. Without that file, all of the processors are taken to be there.
//! The share was brought in when the throughputs had been seen. So were three things of the sources that the model had left out: buffers of a
//! flow cost and not the flow, the client's library has no threads, and servers note that files grow. So this is no independent prediction.

#![expect(clippy::print_stdout, reason = "an example prints what it finds")]

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;

use hotset_models::fio::{JobFile, System, simulate_parallel};
use hotset_models::remote::pvfs::{ClientKind, PvfsSystem};
use hotset_scenario::Profile;

/// Runs of a cell may differ by so much for it to count.
const SPREAD: f64 = 1.5;

/// A line of the file.
struct Cell {
    path: String,
    writes: bool,
    record_bytes: u64,
    clients: usize,
    best: f64,
    worst: f64,
}

impl Cell {
    fn parse(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split(',').collect();
        let [path, operation, record, clients, _, best, worst, ..] = &words[..] else {
            return None;
        };
        Some(Self {
            path: (*path).to_owned(),
            writes: *operation == "seq_write",
            record_bytes: record.parse().ok()?,
            clients: clients.parse().ok()?,
            best: best.parse().ok()?,
            worst: worst.parse().ok()?,
        })
    }

    fn counts(&self) -> bool {
        self.best <= self.worst * SPREAD
    }

    /// MB/s, the mean of best and worst.
    fn measured(&self) -> f64 {
        f64::midpoint(self.best, self.worst)
    }

    /// MB/s of all clients together. Through FUSE they are processes with one daemon.
    fn simulated(&self, profile: &Profile, share: f64) -> Result<f64, Box<dyn Error>> {
        let is_fuse = self.path == "fuse";
        let (clients, processes) = match is_fuse {
            true => (1, self.clients),
            false => (self.clients, 1),
        };
        let mode = if self.writes { "write" } else { "read" };
        let (record, size) = (self.record_bytes, self.record_bytes.max(1 << 20) * 16);
        let job = format!("[a]\nrw={mode}\nbs={record}\nsize={size}\nnumjobs={processes}\n");
        let file = JobFile::parse(&job, Path::new("cell.fio"))?;
        let client = match is_fuse {
            true => ClientKind::FUSE,
            false => ClientKind::Library,
        };
        let place = PvfsSystem::as_measured(profile, (client, clients), share);
        let system = System {
            profile,
            memory_bytes: None,
            seed: 1,
        };
        let results = simulate_parallel(&file.jobs, &system, &place, &|| true)?;
        Ok(results.iter().map(|it| it.bytes_per_s).sum::<f64>() / 1e6)
    }
}

/// How much of the processors was left: the median over operations on data in memory of what the least one takes of the median one.
fn share_left(text: &str) -> Option<f64> {
    let ratio = |line: &str| {
        let words: Vec<&str> = line.split(',').collect();
        let [_, operation, state, _, _, _, least, median, ..] = &words[..] else {
            return None;
        };
        let is_of_data = ["read", "write"].contains(operation);
        let is_in_memory = ["server_cached", "server_page_cache"].contains(state);
        let ratio = least.parse::<f64>().ok()? / median.parse::<f64>().ok()?;
        (is_of_data && is_in_memory).then_some(ratio)
    };
    let mut ratios: Vec<f64> = text.lines().filter_map(ratio).collect();
    ratios.sort_by(f64::total_cmp);
    ratios.get(ratios.len() / 2).copied()
}

fn main() -> Result<(), Box<dyn Error>> {
    let Some(path) = std::env::args().nth(1) else {
        println!("no figures to compare with: name a file such as summary_throughput.csv");
        return Ok(());
    };
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("{path} cannot be read: nothing to compare with");
        return Ok(());
    };
    let latencies = std::env::args().nth(2).map(std::fs::read_to_string);
    let share = latencies.transpose()?.as_deref().and_then(share_left);
    let share = share.unwrap_or(1.0);
    println!("{:.0} % of the processors were left", share * 100.0);
    let profile = Profile::named_or_file("nvme")?;
    let mut errors: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    println!("path  operation    record clients  measured simulated  error");
    for cell in text.lines().filter_map(Cell::parse) {
        let (simulated, measured) = (cell.simulated(&profile, share)?, cell.measured());
        let error = simulated / measured - 1.0;
        let mode = if cell.writes { "write" } else { "read" };
        println!(
            "{:5} {mode:9} {:9} {:7} {measured:9.1} {simulated:9.1} {:+5.0} %{}",
            cell.path,
            cell.record_bytes,
            cell.clients,
            error * 100.0,
            if cell.counts() { "" } else { " (runs differ)" }
        );
        if cell.counts() {
            let of = format!("{} {mode}", cell.path);
            errors.entry(of).or_default().push(error.abs());
            errors
                .entry("all".to_owned())
                .or_default()
                .push(error.abs());
        }
    }
    for (of, mut errors) in errors {
        errors.sort_by(f64::total_cmp);
        let at = |share: f64| errors[((errors.len() - 1) as f64 * share) as usize] * 100.0;
        println!(
            "{of}: {} cells, off by {:.0} % at the median and {:.0} % at the 90th of a hundred",
            errors.len(),
            at(0.5),
            at(0.9)
        );
    }
    Ok(())
}
