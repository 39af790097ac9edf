//! The replay as an outcome, and how it came about.

use std::time::Duration;

use hotset_actions::name_of;
use hotset_outcome::{Outcome, Provenance, ProvenanceKind};
use hotset_replay::{Header, Replayed};
use hotset_trace::read::ReadSummary;

use super::args::Args;
use hotset_actions::provenance;

/// What was done, (what, value).
pub fn provenance(args: &Args) -> Vec<(String, String)> {
    provenance::of_result([
        ("Machine", hotset_machine::summary()),
        ("URL", args.url.clone()),
        ("Trace", name_of(&args.input.logs)),
        ("Load", load(args)),
        ("Seed", args.what.seed.to_string()),
        ("Arguments", arguments(args)),
    ])
}

/// The command line without the values of headers: they may be secrets, and reports are passed on.
fn arguments(args: &Args) -> String {
    let hidden = |argument: String| {
        let of = |header: &&Header| {
            !header.value().is_empty()
                && argument.contains(header.name())
                && argument.trim_end().ends_with(header.value())
        };
        match args.how.headers.iter().find(of) {
            Some(header) => format!("{}: …", header.name()),
            None => argument,
        }
    };
    let arguments: Vec<String> = std::env::args().skip(1).map(hidden).collect();
    arguments.join(" ")
}

fn load(args: &Args) -> String {
    let load = load_after_ramp(args);
    match args.what.ramp {
        Duration::ZERO => load,
        ramp => format!("{load}, ramp {} s", ramp.as_secs_f64()),
    }
}

fn load_after_ramp(args: &Args) -> String {
    match args.what.clients {
        None => format!("open loop, scale {}", args.what.scale),
        Some(clients) => format!(
            "closed loop, {clients} clients, think time {} s",
            args.what.think.as_secs_f64()
        ),
    }
}

/// The replay as `hotset compare` reads it.
pub fn outcome(
    args: &Args,
    replayed: &Replayed,
    reading: &ReadSummary,
    settings: &[(String, String)],
) -> Outcome {
    let provenance = Provenance {
        machine: Some(hotset_machine::summary()),
        seed: Some(args.what.seed),
        settings: settings.to_vec(),
        date: Some(provenance::now()),
        traffic: Some(provenance::traffic(reading)),
        ..Provenance::new(ProvenanceKind::Measured)
    };
    replayed.outcome(&args.url, provenance)
}
