//! What the model says of the kept cells.

use hotset_lab::net::LinkRate;
use hotset_models::remote::nfs::{Mount, RecordJob, UserSpaceSystem, Version, simulate_user_space};
use hotset_models::remote::{CallCosts, Line, NamedLine, Protocol};
use hotset_outcome::{GroupKey, GroupKind, Outcome, Provenance, ProvenanceKind, Score};

use super::cell::Cell;
use super::centre::MTU_BYTES;
use super::costs::EndCosts;
use super::figures::CallFigures;
use super::result::{CellRounds, Detail, NfsDeviation, NfsPredictions, NfsResult, Settings};
use crate::comparison::mean_score;
use crate::quantile::{median, range};
use crate::study::Prediction;
use crate::{Deviation, Metric};

/// Bytes of Ethernet's header, which a token bucket counts.
const ETHERNET_BYTES: u64 = 14;
/// Most bytes of a record.
const MOST_BYTES: u64 = 1 << 20;
/// Calls of a client before those that count, and calls that count.
const WARM_UP: u64 = 50;
const CALLS: u64 = 2000;

/// Simulates the kept cells by the kept costs, and lays each beside its rounds.
pub(super) fn of(kept: &NfsResult) -> Prediction<NfsPredictions> {
    let (settings, detail) = (&kept.settings, &kept.measured.detail);
    let provenance = Provenance::new(ProvenanceKind::Simulated);
    let name = format!("{} simulated", kept.point);
    let mut outcome = Outcome::new(name, provenance, Score::default());
    let mut figures = Vec::new();
    for (cell, measured) in settings.cells().iter().zip(&detail.calls) {
        let simulated = simulated(settings, detail, cell);
        let score = Score {
            throughput_per_s: Some(simulated.calls_per_s),
            ..mean_score(Some(simulated.mean_us))
        };
        let key = GroupKey::new(GroupKind::Job, measured.cell.clone());
        outcome = outcome.with_group(key, score);
        figures.extend(beside(cell, measured, simulated));
    }
    Prediction {
        outcome,
        ratio: None,
        detail: NfsPredictions { figures },
    }
}

/// A cell, simulated.
fn simulated(settings: &Settings, detail: &Detail, cell: &Cell) -> CallFigures {
    let job = RecordJob {
        writes: cell.writes,
        record_bytes: cell.record_bytes,
        warm_up: WARM_UP,
        calls: CALLS,
    };
    let result = simulate_user_space(&system(settings, detail, cell), job);
    CallFigures {
        calls_per_s: result.times.count() as f64 / result.seconds,
        mean_us: result.times.mean_us().unwrap_or_default(),
        p99_us: result.times.histogram().value_at_quantile(0.99) as f64,
    }
}

fn system(settings: &Settings, detail: &Detail, cell: &Cell) -> UserSpaceSystem {
    let costs = &detail.costs;
    let (client, server) = match cell.writes {
        true => (costs.client_writes, costs.server_writes),
        false => (costs.client_reads, costs.server_reads),
    };
    let bits_per_s = settings.link_bits_per_s;
    let link = |name: &str| NamedLine {
        name: name.to_owned(),
        line: Line {
            bits_per_s: Some(bits_per_s * MTU_BYTES / (MTU_BYTES + ETHERNET_BYTES)),
            mtu_bytes: MTU_BYTES,
            ..Line::default()
        },
    };
    UserSpaceSystem {
        mount: Mount {
            version: Version::V3,
            protocol: Protocol::Tcp,
            read_bytes: MOST_BYTES,
            write_bytes: MOST_BYTES,
            attributes_s: None,
            sync: false,
        },
        clients: cell.clients as usize,
        processors: detail.processors,
        client_costs: call_costs(client),
        server_costs: call_costs(server),
        wake_ns: (1e3 * costs.wake_us) as u64,
        client_link: Some(link("client")),
        server_link: Some(link("server")),
        bucket_bytes: LinkRate::BitsPerS(bits_per_s).burst_bytes(),
    }
}

fn call_costs(costs: EndCosts) -> CallCosts {
    CallCosts {
        call_ns: (1e3 * costs.call_us) as u64,
        ns_per_byte: costs.ns_per_byte,
        stack_ns_per_byte: [0.0; 2],
    }
}

/// Throughput and times of a cell; nothing without rounds.
fn beside(
    cell: &Cell,
    measured: &CellRounds,
    simulated: CallFigures,
) -> impl Iterator<Item = NfsDeviation> {
    let bytes = cell.record_bytes as f64;
    let figures: [(Metric, Vec<f64>, f64); 3] = [
        (
            Metric::BytesPerS,
            measured
                .rounds
                .iter()
                .map(|it| it.calls_per_s * bytes)
                .collect(),
            simulated.calls_per_s * bytes,
        ),
        (
            Metric::MeanUs,
            measured.rounds.iter().map(|it| it.mean_us).collect(),
            simulated.mean_us,
        ),
        (
            Metric::P99Us,
            measured.rounds.iter().map(|it| it.p99_us).collect(),
            simulated.p99_us,
        ),
    ];
    let (operation, subject) = (cell.operation(), measured.cell.clone());
    figures
        .into_iter()
        .filter_map(move |(metric, values, simulated)| {
            let middle = median(values.iter().copied())?;
            let [low, high] = range(&values).unwrap_or([middle, middle]);
            let deviation = Deviation {
                subject: subject.clone(),
                operation,
                metric,
                measured: middle,
                low,
                high,
                simulated,
                whole: 1.0,
            };
            Some(NfsDeviation::from(deviation))
        })
}
