//! Which program made a result, when and on which machine.

/// Name and version of this program.
pub fn tool() -> String {
    format!("hotset {}", env!("CARGO_PKG_VERSION"))
}

/// Now, as ISO 8601 in UTC with whole seconds.
pub fn now() -> String {
    jiff::Timestamp::now()
        .strftime("%Y-%m-%dT%H:%M:%SZ")
        .to_string()
}

/// How a result came about, as its page says it: the program, the date, then what is its own.
pub fn of_result<const N: usize>(own: [(&str, String); N]) -> Vec<(String, String)> {
    let common = [("Made by", tool()), ("On", now())];
    let pairs = common.into_iter().chain(own);
    pairs
        .map(|(what, value)| (what.to_owned(), value))
        .collect()
}

/// This machine in short: processor, how many of them, kernel; what the system does not tell is left out.
pub fn machine() -> String {
    let read = |path| std::fs::read_to_string(path).unwrap_or_default();
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
