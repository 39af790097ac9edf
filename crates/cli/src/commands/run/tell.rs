//! What a daemon prints: a line for each event.

use hotset_live::{RunEvent, State};
use hotset_trace::read::follow::LogEvent;
use jiff::Timestamp;

use crate::output;

/// Tells of an event of the daemon.
pub fn tell(event: RunEvent) {
    match event {
        RunEvent::Log { log, event } => tell_of_log(log, event),
        RunEvent::ClientsPassedOver(requests) => {
            say("clients passed over", &[("requests", requests.to_string())]);
        }
        RunEvent::NamesPassedOver(requests) => {
            say(
                "new names passed over",
                &[("requests", requests.to_string())],
            );
        }
        RunEvent::Root { folder, is_there } => {
            let event = match is_there {
                true => "root is there",
                false => "root is missing",
            };
            say(event, &[("root", folder.display().to_string())]);
        }
        RunEvent::Refused { files, why } => {
            say("not held", &[("files", files.to_string()), ("why", why)]);
        }
        RunEvent::OtherSites(requests) => {
            say(
                "requests of other sites",
                &[("requests", requests.to_string())],
            );
        }
        RunEvent::TooManyFiles(most) => say("too many files", &[("most", most.to_string())]),
        RunEvent::Target {
            site,
            target,
            is_met,
        } => {
            let event = match is_met {
                true => "target is met",
                false => "target is missed",
            };
            say(event, &[("site", site), ("target", target.to_string())]);
        }
        RunEvent::LearnsAnew(why) => say("learns anew", &[("why", why.to_owned())]),
        _ => {}
    }
}

fn tell_of_log(log: String, event: LogEvent) {
    let log = ("log", log);
    match event {
        LogEvent::Began(file) => say("reads file", &[log, ("file", file.display().to_string())]),
        LogEvent::Format(name) => say("reads format", &[log, ("format", name.to_owned())]),
        LogEvent::LostLines => say("lines were lost", &[log]),
        LogEvent::Missing => say("log is missing", &[log]),
        LogEvent::Unreadable(why) => say("log cannot be read", &[log, ("why", why)]),
        _ => {}
    }
}

/// Prints a line of `key=value` pairs, as log collectors read them.
pub fn say(event: &str, pairs: &[(&str, String)]) {
    let mut line = format!("time={:.3} event={}", Timestamp::now(), quoted(event));
    for (key, value) in pairs {
        line.push_str(&format!(" {key}={}", quoted(value)));
    }
    line.push('\n');
    // Whoever reads the lines may have gone.
    let _printed = output::print(&line);
}

/// A value, between quotes where it has to be.
fn quoted(value: &str) -> String {
    let is_plain =
        |c: char| !c.is_whitespace() && !c.is_control() && !matches!(c, '"' | '=' | '\\');
    match !value.is_empty() && value.chars().all(is_plain) {
        true => value.to_owned(),
        false => format!("{value:?}"),
    }
}

/// Tells what is held, and whether more is on its way.
pub fn held(state: &State, moved_bytes: u64) {
    let event = match state.is_unfinished {
        true => "placing",
        false => "held",
    };
    let held = state
        .files
        .iter()
        .filter(|file| file.status.identity().is_some());
    let held = held.count();
    say(
        event,
        &[
            ("files", held.to_string()),
            ("left_out", (state.files.len() - held).to_string()),
            ("held_bytes", state.held_bytes().to_string()),
            ("moved_bytes", moved_bytes.to_string()),
        ],
    );
}
