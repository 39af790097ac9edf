//! What happens in a data-centre at a time, as its scenario has it.

use crate::deed::Deed;
use crate::lab::Lab;
use crate::net::LinkRate;
use crate::store::Store;
use crate::{Control, LabError};
use hotset_machine::process::Program;
use hotset_scenario::{Change, Event, LinkEnds, Scenario};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// How long to sleep before asking again whether to go on.
const PAUSE: Duration = Duration::from_millis(50);
const MBIT: f64 = 1e6;

/// What happens at a time, and what has to be done for that.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Due {
    /// When, nanoseconds since the first one's time zero.
    pub at_ns: u64,
    /// What happens, in words.
    pub what: String,
    deeds: Vec<Deed>,
}

/// The events of a scenario in its data-centre, in the order of time. Those that nothing can be done for are left out; see
/// [`not_honoured`](crate::not_honoured()). `servers` are those of nodes by their names.
///
/// # Errors
/// A lab of another scenario, and a disk that the machine cannot slow down.
pub fn due(
    scenario: &Scenario,
    lab: &Lab,
    servers: &[(String, Program)],
) -> Result<Vec<Due>, LabError> {
    let due = scenario.events.iter().map(|event| {
        Ok(Due {
            at_ns: event.at_ns,
            what: in_words(event),
            deeds: deeds(&event.change, lab, servers)?,
        })
    });
    let mut due = due.collect::<Result<Vec<Due>, LabError>>()?;
    due.retain(|it| !it.deeds.is_empty());
    Ok(due)
}

/// Has each happen at its time, counted from now; how many have, which are all unless `control` ends it.
///
/// # Errors
/// When one cannot be done.
pub fn happen(due: &[Due], control: &dyn Control) -> Result<usize, LabError> {
    let began = Instant::now();
    for (number, event) in due.iter().enumerate() {
        let time = began + Duration::from_nanos(event.at_ns);
        loop {
            if control.interrupted() {
                return Ok(number);
            }
            let left = time.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            thread::sleep(left.min(PAUSE));
        }
        control.step(&event.what);
        event.deeds.iter().try_for_each(Deed::perform)?;
    }
    Ok(due.len())
}

/// What happens, in words.
fn in_words(event: &Event) -> String {
    let state = |is_up: bool| if is_up { "up" } else { "down" };
    match &event.change {
        Change::Node { name, is_up } => format!("node {name} is {}", state(*is_up)),
        Change::Link { link, is_up } => format!("link {link} is {}", state(*is_up)),
        Change::LinkRate { link, bits_per_s } => {
            format!("link {link} has {} Mbit/s", *bits_per_s as f64 / MBIT)
        }
        Change::StoreSpeed { name, speed } => format!("store {name} has {speed} of its speed"),
    }
}

fn deeds(change: &Change, lab: &Lab, servers: &[(String, Program)]) -> Result<Vec<Deed>, LabError> {
    match change {
        Change::Node { name, is_up } => {
            let found = servers.iter().find(|(node, _)| node == name);
            let deed = found.map(|(_, program)| match is_up {
                true => Deed::Start(program.clone()),
                false => Deed::End(program.clone()),
            });
            Ok(deed.into_iter().collect())
        }
        Change::Link { link, is_up } => match link {
            LinkEnds::Switch(node) => Ok(lab.node(node)?.namespace.whole(*is_up)),
            LinkEnds::Nodes(_) => Ok(lab.direct(link)?.whole(*is_up)),
        },
        Change::LinkRate { link, bits_per_s } => {
            let rate = LinkRate::BitsPerS(*bits_per_s);
            match link {
                LinkEnds::Switch(node) => Ok(lab.node(node)?.namespace.at_rate(rate)),
                LinkEnds::Nodes(_) => Ok(lab.direct(link)?.at_rate(rate)),
            }
        }
        Change::StoreSpeed { name, speed } => at_speed(lab, name, *speed),
    }
}

/// What makes all disks of a store so many times as fast. Nodes may have one store in common.
fn at_speed(lab: &Lab, name: &str, speed: f64) -> Result<Vec<Deed>, LabError> {
    let mut seen: Vec<&Arc<dyn Store>> = Vec::new();
    let mut deeds = Vec::new();
    for store in lab.stores().iter().filter(|store| store.name == name) {
        if seen.iter().any(|it| Arc::ptr_eq(it, &store.store)) {
            continue;
        }
        seen.push(&store.store);
        for disk in store.store.disks() {
            deeds.extend(disk.at_speed(speed)?);
        }
    }
    Ok(deeds)
}
