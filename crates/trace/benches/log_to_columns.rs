//! Logs to columns: rate, processor time and peak memory.
//!
//! `cargo bench -p hotset-trace --bench log_to_columns [-- [--threads=N] [--block-bytes=N] [--runs=N] [LOG...]]`; without
//! a log, one of two million lines is generated in the temporary folder.

#![allow(clippy::print_stdout, missing_docs)]

use hotset_trace::read::{ReadError, ReadOptions, read_batches};
use rand::{Rng, RngExt, SeedableRng};
use rand_distr::{Distribution, Exp, LogNormal, Zipf};
use rand_pcg::Pcg64Mcg;
use rustix::time::{ClockId, clock_gettime};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

const LINES: u64 = 2_000_000;
const PATHS: usize = 20_000;
const CLIENTS: usize = 30_000;
const RUNS: usize = 5;
const SEED: u64 = 7;

fn main() {
    let (settings, logs): (Vec<String>, Vec<String>) = std::env::args()
        .skip(1)
        .partition(|argument| argument.starts_with("--"));
    let setting = |name: &str| {
        let mut values = settings.iter().filter_map(|text| text.strip_prefix(name));
        values
            .next_back()
            .map(|value| value.parse().expect("a number"))
    };
    let defaults = ReadOptions::default();
    let options = ReadOptions {
        threads: setting("--threads=").unwrap_or(defaults.threads),
        block_bytes: setting("--block-bytes=").map_or(defaults.block_bytes, NonZeroUsize::get),
        ..defaults
    };
    let runs = setting("--runs=").map_or(RUNS, NonZeroUsize::get);
    let logs: Vec<PathBuf> = match logs.is_empty() {
        true => vec![generated_log()],
        false => logs.into_iter().map(PathBuf::from).collect(),
    };
    let length = |log: &PathBuf| std::fs::metadata(log).expect("the log exists").len();
    let bytes = logs.iter().map(length).sum();
    let (mut by_cpu, mut by_wall): (Vec<f64>, Vec<f64>) =
        (0..runs).map(|_| run(&logs, &options, bytes)).unzip();
    println!(
        "median of {runs} runs: {:.3} GB/s of processor time, {:.3} GB/s; peak memory {} KiB",
        median(&mut by_cpu),
        median(&mut by_wall),
        peak_kib()
    );
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// One reading; GB of the files per second of processor time and per second.
fn run(logs: &[PathBuf], options: &ReadOptions, bytes: u64) -> (f64, f64) {
    let (start, cpu) = (Instant::now(), cpu_seconds());
    let mut check = 0u64;
    let (trace, summary) =
        read_batches(logs, options, &mut |_| ControlFlow::Continue(()), |batch| {
            let ids = batch.client.iter().chain(&batch.object);
            let ids: u64 = ids.map(|&id| u64::from(id)).sum();
            check = check.wrapping_add(batch.bytes.iter().sum::<u64>() ^ ids);
            Ok::<(), ReadError>(())
        })
        .expect("the log reads");
    let (wall, cpu) = (start.elapsed().as_secs_f64(), cpu_seconds() - cpu);
    let rate = bytes as f64 / 1e9 / cpu;
    println!(
        "{} lines, {} objects, {} clients, check {check}: wall {wall:.3} s, processor {cpu:.3} s, \
         {rate:.3} GB/s, {:.2} M lines/s",
        summary.lines,
        trace.objects.len(),
        trace.clients.len(),
        summary.lines as f64 / 1e6 / cpu,
    );
    (rate, bytes as f64 / 1e9 / wall)
}

/// Processor time of all threads.
fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

fn peak_kib() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").expect("Linux has status");
    let line = text
        .lines()
        .find(|line| line.starts_with("VmHWM:"))
        .expect("a peak");
    line.split_whitespace()
        .nth(1)
        .and_then(|n| n.parse().ok())
        .expect("a number")
}

fn generated_log() -> PathBuf {
    let path = std::env::temp_dir().join(format!("hotset-bench-{LINES}-{SEED}.log"));
    if !path.exists() {
        println!("generating {}", path.display());
        let part = path.with_extension("part");
        generate(&part);
        std::fs::rename(&part, &path).expect("same folder");
    }
    path
}

const TYPES: [&str; 7] = [".html", ".css", ".js", ".png", ".jpg", ".pdf", "/"];
const WORDS: [&str; 8] = [
    "blog",
    "images",
    "assets",
    "products",
    "archive",
    "static",
    "documentation",
    "articles",
];
const AGENTS: [&str; 4] = [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_9_1) AppleWebKit/537.36 (KHTML, like Gecko) \
     Chrome/32.0.1700.77 Safari/537.36",
    "Mozilla/5.0 (Windows NT 6.1; WOW64; rv:27.0) Gecko/20100101 Firefox/27.0",
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "Mozilla/5.0 (X11; Linux x86_64; rv:24.0) Gecko/20140205 Firefox/24.0 Iceweasel/24.3.0",
];

fn pick<'a>(from: &[&'a str], rng: &mut impl Rng) -> &'a str {
    from[rng.random_range(0..from.len())]
}

/// A combined log: Zipf over paths and clients, queries, 304, 404, 206, POST and HEAD in shares that
/// sites of files have.
fn generate(path: &Path) {
    let mut rng = Pcg64Mcg::seed_from_u64(SEED);
    let size = LogNormal::new(9.0, 1.4).expect("valid");
    let files: Vec<(String, u64)> = (0..PATHS)
        .map(|i| {
            let (a, b, c) = (
                pick(&WORDS, &mut rng),
                pick(&WORDS, &mut rng),
                pick(&TYPES, &mut rng),
            );
            (
                format!("/{a}/{b}/{i}{c}"),
                size.sample(&mut rng) as u64 + 100,
            )
        })
        .collect();
    let clients: Vec<String> = (0..CLIENTS)
        .map(|_| {
            rng.random::<[u8; 4]>()
                .map(|byte| byte.to_string())
                .join(".")
        })
        .collect();
    let file = Zipf::new(PATHS as f64, 0.9).expect("valid");
    let client = Zipf::new(CLIENTS as f64, 0.8).expect("valid");
    let gap = Exp::new(10.0).expect("valid");
    let mut log = BufWriter::new(File::create(path).expect("the temporary folder is writable"));
    let mut seconds = 0.0;
    for _ in 0..LINES {
        seconds += gap.sample(&mut rng);
        let (path, size) = &files[file.sample(&mut rng) as usize - 1];
        let client = &clients[client.sample(&mut rng) as usize - 1];
        let (method, status, bytes) = match rng.random_range(0..1000) {
            0..50 => ("GET", 304, "-".into()),
            50..80 => ("GET", 404, "512".into()),
            80..90 => ("GET", 206, (size / 2).to_string()),
            90..100 => ("POST", 200, "230".into()),
            100..105 => ("HEAD", 200, "-".into()),
            _ => ("GET", 200, size.to_string()),
        };
        let query = match rng.random_range(0..100) {
            0..4 => format!("?v={}", rng.random_range(0..10_000)),
            4..6 => format!("?id={}&page=2", rng.random_range(0..100_000)),
            _ => String::new(),
        };
        let referrer = match rng.random_bool(0.35) {
            true => "-".into(),
            false => {
                format!(
                    "http://www.example.com{}",
                    files[file.sample(&mut rng) as usize - 1].0
                )
            }
        };
        let agent = pick(&AGENTS, &mut rng);
        writeln!(
            log,
            "{client} - - [{}] \"{method} {path}{query} HTTP/1.1\" {status} {bytes} \"{referrer}\" \
             \"{agent}\"",
            clf_time(seconds as u64)
        )
        .expect("the temporary folder has room");
    }
    log.flush().expect("the temporary folder has room");
}

/// Days of May 2015 and on; two million requests at ten a second take 56 hours.
fn clf_time(seconds: u64) -> String {
    let (day, second) = (17 + seconds / 86_400, seconds % 86_400);
    let (hour, minute) = (second / 3600, second / 60 % 60);
    format!(
        "{day:02}/May/2015:{hour:02}:{minute:02}:{:02} +0000",
        second % 60
    )
}
