//! What a runner tells: an event, and what belongs to it.

use hotset_live::{FileStatus, RunEvent, State, WantedPool};
use hotset_report::{BEYOND_NAMES, BEYOND_SHARE, OF_OTHER_SITES, payoff_reason};
use hotset_trace::read::follow::LogEvent;

use crate::Message;
use crate::free_memory::Fit;

/// Something that has happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// What it is called.
    pub name: &'static str,
    /// What belongs to it, each under its name.
    pub pairs: Vec<(&'static str, Message)>,
}

/// Whoever hears of events.
pub type Listener<'t> = &'t dyn Fn(&Event);

/// An event called `name`.
pub(super) fn event<const N: usize>(
    name: &'static str,
    pairs: [(&'static str, impl Into<Message>); N],
) -> Event {
    Event {
        name,
        pairs: pairs.map(|(key, value)| (key, value.into())).into(),
    }
}

/// What buffer pools are to be.
pub(super) fn pools(pools: &[WantedPool]) -> Event {
    let sizes: Vec<String> = pools.iter().map(|it| it.bytes.to_string()).collect();
    event("resizes buffer pools", [("pool_bytes", sizes.join(" "))])
}

/// The event of the runner as it is told; nothing for one that is not.
pub(super) fn of_runner(happened: RunEvent) -> Option<Event> {
    Some(match happened {
        RunEvent::Log { log, event } => return of_log(log, event),
        RunEvent::ClientsPassedOver { site, requests } => {
            passed_over("clients passed over", site, requests, BEYOND_SHARE)
        }
        RunEvent::NamesPassedOver { site, requests } => {
            passed_over("new names passed over", site, requests, BEYOND_NAMES)
        }
        RunEvent::Root { folder, is_there } => {
            let name = match is_there {
                true => "root is there",
                false => "root is missing",
            };
            event(name, [("root", folder.display().to_string())])
        }
        RunEvent::Refused { files, why } => {
            event("not held", [("files", files.to_string()), ("why", why)])
        }
        RunEvent::OtherSites(requests) => event(
            "requests of other sites",
            [
                ("requests", requests.to_string()),
                ("why", OF_OTHER_SITES.to_owned()),
            ],
        ),
        RunEvent::TooManyFiles(most) => event("too many files", [("most", most.to_string())]),
        RunEvent::Target {
            site,
            target,
            is_met,
        } => {
            let name = match is_met {
                true => "target is met",
                false => "target is missed",
            };
            event(name, [("site", site), ("target", target.to_string())])
        }
        RunEvent::Payoff(payoff) => {
            let name = match payoff.pays {
                Some(false) => "holding does not pay",
                _ => "holding pays",
            };
            event(name, [("why", payoff_reason(&payoff))])
        }
        RunEvent::LearnsAnew(why) => event("learns anew", [("why", why.to_owned())]),
        _ => return None,
    })
}

/// Requests of a site that nothing was learnt from.
fn passed_over(name: &'static str, site: String, requests: u64, why: &str) -> Event {
    event(
        name,
        [
            ("site", site),
            ("requests", requests.to_string()),
            ("why", why.to_owned()),
        ],
    )
}

fn of_log(log: String, happened: LogEvent) -> Option<Event> {
    let log = ("log", log);
    Some(match happened {
        LogEvent::Began(file) => event("reads file", [log, ("file", file.display().to_string())]),
        LogEvent::Format(name) => event("reads format", [log, ("format", name.to_owned())]),
        LogEvent::LostLines => event("lines were lost", [log]),
        LogEvent::Missing => event("log is missing", [log]),
        LogEvent::Unreadable(why) => event("log cannot be read", [log, ("why", why)]),
        _ => return None,
    })
}

/// Whether the page cache alone would keep all known files. Where it would, holding brings nothing until so many bytes of other
/// files are read between two reads of a file.
pub(super) fn fit(fit: &Fit) -> Event {
    let bytes = [
        ("known_bytes", fit.all_files_bytes.to_string()),
        ("free_bytes", fit.free_bytes.to_string()),
    ];
    match fit.scan_bytes() {
        None => event("known files do not fit in free memory", bytes),
        Some(scan_bytes) => {
            let [known, free] = bytes;
            let name = "known files fit in free memory";
            event(name, [known, free, ("scan_bytes", scan_bytes.to_string())])
        }
    }
}

/// What is held, and whether more is on its way.
pub(super) fn held(state: &State, moved_bytes: u64) -> Event {
    let name = match state.is_unfinished {
        true => "placing",
        false => "held",
    };
    let held = state
        .files
        .iter()
        .filter(|file| file.status.identity().is_some());
    let held = held.count();
    let mut event = event(
        name,
        [
            ("files", held.to_string()),
            ("left_out", (state.files.len() - held).to_string()),
            ("held_bytes", state.held_bytes().to_string()),
            ("moved_bytes", moved_bytes.to_string()),
        ],
    );
    // The most valuable one stands for all.
    let left_out = state.files.iter().find_map(|file| match &file.status {
        FileStatus::LeftOut(why) => Some(why),
        FileStatus::Held(_) | FileStatus::Shared(_) => None,
    });
    let why = left_out.filter(|_| !state.is_unfinished);
    (event.pairs).extend(why.map(|why| ("why", why.as_str().into())));
    event
}
