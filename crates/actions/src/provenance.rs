//! Which program made a result, when and on which machine.

use std::time::SystemTime;

use hotset_outcome::Traffic;
use hotset_trace::read::ReadSummary;
use jiff::Timestamp;

/// Name and version of this program; all crates have one version.
pub fn tool() -> String {
    format!("hotset {}", env!("CARGO_PKG_VERSION"))
}

/// Now, as ISO 8601 in UTC with whole seconds.
pub fn now() -> String {
    in_seconds(Timestamp::now())
}

/// A time of this machine's clock, as [`now`]; one that no calendar has is now.
pub fn date(time: SystemTime) -> String {
    in_seconds(Timestamp::try_from(time).unwrap_or_else(|_| Timestamp::now()))
}

fn in_seconds(time: Timestamp) -> String {
    time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// The log that was read. Its times are whole seconds: logs have no others, and a trace folder's are spread within theirs.
pub fn traffic(reading: &ReadSummary) -> Traffic {
    Traffic {
        first: reading.first.map(in_seconds),
        last: reading.last.map(in_seconds),
        requests: reading.requests,
        accesses: reading.accesses,
    }
}

/// How a result came about, as its page says it: the program, the date, then what is its own.
pub fn of_result<const N: usize>(own: [(&str, String); N]) -> Vec<(String, String)> {
    let common = [("Made by", tool()), ("On", now())];
    let pairs = common.into_iter().chain(own);
    pairs
        .map(|(what, value)| (what.to_owned(), value))
        .collect()
}
