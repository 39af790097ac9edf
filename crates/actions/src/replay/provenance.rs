//! The replay as an outcome, and how it came about.

use std::time::Duration;

use hotset_outcome::{Outcome, Provenance, ProvenanceKind};
use hotset_replay::{Header, ReplayResult};
use hotset_trace::read::ReadSummary;

use super::options::Options;
use crate::{name_of, provenance};

/// What was done, (what, value).
pub(super) fn provenance(args: &Options) -> Vec<(String, String)> {
    provenance::of_result([
        ("Machine", hotset_machine::summary()),
        ("URL", args.url.clone()),
        ("Trace", name_of(&args.logs.paths)),
        ("Load", load(args)),
        ("Seed", args.seed.to_string()),
        ("Arguments", arguments(&args.asked, &args.headers)),
    ])
}

/// What was asked for, without the values of headers: they may be secrets, and reports are passed on.
pub(super) fn arguments(asked: &[String], headers: &[Header]) -> String {
    let hidden = |argument: String| {
        let of = |header: &&Header| {
            !header.value().is_empty()
                && argument.contains(header.name())
                && argument.trim_end().ends_with(header.value())
        };
        match headers.iter().find(of) {
            Some(header) => format!("{}: …", header.name()),
            None => argument,
        }
    };
    let arguments: Vec<String> = asked.iter().cloned().map(hidden).collect();
    arguments.join(" ")
}

fn load(args: &Options) -> String {
    let load = load_after_ramp(args);
    match args.ramp {
        Duration::ZERO => load,
        ramp => format!("{load}, ramp {} s", ramp.as_secs_f64()),
    }
}

fn load_after_ramp(args: &Options) -> String {
    match args.clients {
        None => format!("open loop, scale {}", args.scale),
        Some(clients) if args.specweb99 => {
            format!("closed loop, {clients} connections of SPECweb99")
        }
        Some(clients) => format!(
            "closed loop, {clients} clients, think time {} s",
            args.think.as_secs_f64()
        ),
    }
}

/// The replay as `hotset compare` reads it.
pub(super) fn outcome(
    args: &Options,
    replayed: &ReplayResult,
    reading: &ReadSummary,
    settings: &[(String, String)],
) -> Outcome {
    let provenance = Provenance {
        machine: Some(hotset_machine::summary()),
        seed: Some(args.seed),
        settings: settings.to_vec(),
        date: Some(provenance::now()),
        traffic: Some(provenance::traffic(reading)),
        ..Provenance::new(ProvenanceKind::Measured)
    };
    replayed.outcome(&args.url, provenance)
}
