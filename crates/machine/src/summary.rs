//! The machine in a few words.

use std::fs;

/// This machine in short: processor, how many of them, kernel; what the system does not tell is left out.
#[must_use]
pub fn summary() -> String {
    let read = |path| fs::read_to_string(path).unwrap_or_default();
    let cpus = read("/proc/cpuinfo");
    let model = cpus.lines().find(|line| line.starts_with("model name"));
    let model = model.and_then(|line| Some(line.split_once(':')?.1.trim().to_owned()));
    let count = std::thread::available_parallelism().ok();
    let kernel = read("/proc/sys/kernel/osrelease");
    let parts = [
        model,
        count.map(|count| format!("{count} processors")),
        (!kernel.is_empty()).then(|| format!("Linux {}", kernel.trim())),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}
