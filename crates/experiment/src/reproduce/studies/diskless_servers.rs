//! C sections 6 and 8: how many web servers a file server carries.

use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::document_study::DocumentStudy;
use crate::reproduce::drawing::Drawing;
use crate::reproduce::sources::Sources;

use super::diskless::{RISE, SETTINGS, Shared, shared};
use super::diskless_knees::NOT_SIMULATED;

/// Web servers behind one file server.
pub(super) struct Servers;

/// The workloads, and whether the document expects one file server to carry many web servers, or one (section 8).
const EXPECTED: [(&str, bool); 4] = [
    ("olympics98", true),
    ("nyse", true),
    ("proxy", false),
    ("specweb99", false),
];
/// As many as these are many.
const MANY: u32 = 4;
const US_PER_MS: f64 = 1e3;

/// What one file server carries of a workload.
struct Carried<'s> {
    /// The most web servers with which the 95th percentile is within the bound.
    servers: u32,
    /// What was tried with more; nothing where all that was tried is within.
    beyond: Option<&'s Shared>,
    /// With the most.
    last: &'s Shared,
}

impl DocumentStudy for Servers {
    fn name(&self) -> &'static str {
        "diskless-servers"
    }

    fn title(&self) -> &'static str {
        "Web servers that one file server carries before the 95th percentile rises by 16 %"
    }

    fn section(&self) -> &'static str {
        "C §6, §8"
    }

    fn notes(&self) -> Vec<&'static str> {
        vec![
            "The document asks and expects it; it has no figures. Simulated from experiments/diskless-simulated: content over NFS, each web server at the twin's own rate",
            "Web servers share the site's files and ask for them in orders of their own. SPECweb99 has 40 connections a web server, and memory in the proportion of 320 connections to 1 GB",
        ]
    }

    fn cells(&self, sources: &Sources) -> Vec<ReproducedCell> {
        let all = simulated(sources);
        let cells = EXPECTED.into_iter().filter_map(|(workload, _)| {
            let carried = carried(&all, workload)?;
            let cell = ReproducedCell::new(workload, "web servers", None);
            let cause = carried.in_words();
            let cell = cell.simulated(Some(f64::from(carried.servers)));
            Some(cell.explained(Some(&cause)))
        });
        cells.collect()
    }

    fn drawings(&self, _cells: &[ReproducedCell]) -> Vec<Drawing> {
        Vec::new()
    }

    fn claims(&self, _cells: &[ReproducedCell], sources: &Sources) -> Vec<DocumentClaim> {
        let all = simulated(sources);
        let claims = EXPECTED.into_iter();
        claims
            .map(|(workload, many)| claim(&all, workload, many))
            .collect()
    }
}

fn simulated(sources: &Sources) -> Vec<Shared> {
    let simulated = sources.simulated("diskless-servers", SETTINGS, shared);
    simulated.unwrap_or_default()
}

/// What one file server carries of a workload; nothing where that is not simulated.
fn carried<'s>(all: &'s [Shared], workload: &str) -> Option<Carried<'s>> {
    let of = all.iter().filter(|it| it.workload == workload);
    let of: Vec<&Shared> = of.collect();
    let alone_ms = of.first()?.p95_ms?;
    let is_within = |it: &&&Shared| it.p95_ms.is_some_and(|p95_ms| p95_ms <= RISE * alone_ms);
    let within = of.iter().take_while(is_within).count();
    Some(Carried {
        servers: within.checked_sub(1).map_or(0, |last| of[last].servers),
        beyond: of.get(within).copied(),
        last: of.last().copied()?,
    })
}

impl Carried<'_> {
    /// What gives out.
    fn in_words(&self) -> String {
        let at = self.beyond.unwrap_or(self.last);
        let p95_us = at.p95_ms.unwrap_or_default() * US_PER_MS;
        let found = format!(
            "with {} the 95th percentile is {p95_us:.0} µs, and the file server's {} is the busiest of it, {:.0} % of the time",
            at.servers,
            at.busiest,
            100.0 * at.busy
        );
        match self.beyond {
            Some(_) => found,
            None => format!("more were not tried; {found}"),
        }
    }
}

fn claim(all: &[Shared], workload: &str, many: bool) -> DocumentClaim {
    let carried = carried(all, workload);
    let text = match many {
        true => format!("{workload}: a file server supports many web servers"),
        false => format!("{workload}: a file server supports one web server"),
    };
    let holds = carried.as_ref().map(|it| match many {
        true => it.servers >= MANY,
        false => it.servers <= 1,
    });
    let why = carried.map_or_else(
        || NOT_SIMULATED.to_owned(),
        |it| format!("Simulated: {}; {}.", it.servers, it.in_words()),
    );
    DocumentClaim::new(text, "C §8", holds, why)
}
