//! Bytes and packets on a link.

use hotset_machine::{MachineError, command};
use serde::Deserialize;
use std::path::PathBuf;

/// What has passed a link, in both directions. Counted by the queueing disciplines, which count what a network card would put on
/// the wire, while the interfaces count the kernel's large segments of up to 64 KiB.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkCounters {
    /// Bytes the node received, frame headers included.
    pub received_bytes: u64,
    /// Packets the node received.
    pub received_packets: u64,
    /// Bytes the node sent.
    pub sent_bytes: u64,
    /// Packets the node sent.
    pub sent_packets: u64,
}

#[derive(Deserialize)]
struct Discipline {
    root: Option<bool>,
    bytes: u64,
    packets: u64,
}

/// The counters of a link between `inside`, an interface of the namespace, and `outside`.
pub(super) fn read(
    namespace: &str,
    inside: &str,
    outside: &str,
) -> Result<LinkCounters, MachineError> {
    let received = root(&["-s", "-j", "qdisc", "show", "dev", outside])?;
    let sent = root(&["-n", namespace, "-s", "-j", "qdisc", "show", "dev", inside])?;
    Ok(LinkCounters {
        received_bytes: received.bytes,
        received_packets: received.packets,
        sent_bytes: sent.bytes,
        sent_packets: sent.packets,
    })
}

fn root(arguments: &[&str]) -> Result<Discipline, MachineError> {
    let text = command::run("tc", arguments)?;
    let unreadable = |problem: String| MachineError::Unreadable {
        path: PathBuf::from("tc qdisc show"),
        problem,
    };
    let all: Vec<Discipline> =
        serde_json::from_str(&text).map_err(|error| unreadable(error.to_string()))?;
    all.into_iter()
        .find(|discipline| discipline.root == Some(true))
        .ok_or_else(|| unreadable(format!("no root discipline in {text}")))
}
