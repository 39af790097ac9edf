//! B table 5: what a byte costs the network stack, and what network cards spare it.

use hotset_scenario::{Offload, StackCosts};

use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::document_study::DocumentStudy;
use crate::reproduce::published_table::{PublishedRow, PublishedTable};
use crate::reproduce::sources::Sources;

/// What 1 KB costs.
pub(super) struct Table5;

/// Bytes of the table.
const KB: f64 = 1024.0;
/// Cluster 3 of the document in its data-centre.
const DATA_CENTRE: StackCosts = StackCosts::PENTIUM_III_700;
/// The same in a micro-benchmark, which uses one buffer and keeps it in the cache.
const MICRO_BENCHMARK: StackCosts = StackCosts {
    cold: 0.0,
    ..StackCosts::PENTIUM_III_700
};

impl DocumentStudy for Table5 {
    fn name(&self) -> &'static str {
        "char-table5"
    }

    fn title(&self) -> &'static str {
        "What 1 KB costs a network stack, by operation, µs"
    }

    fn section(&self) -> &'static str {
        "B table 5"
    }

    fn notes(&self) -> Vec<&'static str> {
        vec![
            "Nothing is fitted to the table. Costs come from B table 1 (a copy), from latencies and the bandwidth of B §6.1 (packets, and misses \
             of the cache), and from what is known of the processor and its bus",
            "A data-centre's buffers are taken to be out of the cache, those of a micro-benchmark in it",
            "B §3.2 gives Pentium III processors a bus of 400 MHz; their bus has 100 MHz, which is simulated",
        ]
    }

    fn cells(&self, _sources: &Sources) -> Vec<ReproducedCell> {
        let table = PublishedTable::of(include_str!("../published/char-table5.csv"));
        let mut cells = Vec::new();
        for row in table.rows() {
            let name = format!("{}: {}", row.name(), row.text("operation"));
            let figures = row.figures(2);
            cells.extend(figures.map(|(header, figure)| {
                let cell = ReproducedCell::new(&name, header, Some(figure));
                cell.simulated(simulated_us(row, header))
            }));
        }
        cells
    }

    fn claims(&self, _cells: &[ReproducedCell], _sources: &Sources) -> Vec<DocumentClaim> {
        vec![
            gain_in_data_centre(),
            gain_in_micro_benchmark(),
            offload_to_firmware(),
            DocumentClaim::contradiction(
                [
                    "Pentium III processors of 700 MHz have a bus of 400 MHz (§3.2)",
                    "a bus of 400 MHz is that of the Xeons of cluster 1, and that of a Pentium III has 100 or 133 MHz",
                ],
                "B §3.2",
                "A slip. The table is simulated with a bus of 100 MHz.",
            ),
        ]
    }
}

/// What the model says of a row and a column of the table. The sender copies and sums up in one step.
fn simulated_us(row: PublishedRow<'_>, end: &str) -> Option<f64> {
    let costs = match row.name() {
        "microbenchmark" => MICRO_BENCHMARK,
        "datacentre" => DATA_CENTRE,
        _ => return None,
    };
    let ns_per_byte = match (row.text("operation"), end) {
        ("checksum", "sender") => costs.sent_ns_per_byte(Offload::None),
        ("checksum", "receiver") => costs.received_sum_ns_per_byte(Offload::None),
        ("copy without checksum offload", "receiver") => {
            costs.received_copy_ns_per_byte(Offload::None)
        }
        ("copy with checksum offload", "sender") => costs.sent_ns_per_byte(Offload::Checksum),
        ("copy with checksum offload", "receiver") => {
            costs.received_copy_ns_per_byte(Offload::Checksum)
        }
        _ => return None,
    };
    Some(KB * ns_per_byte / 1e3)
}

/// Myrinet 2000 passes 2 Gbit/s each way. Cards and cable take 14 µs of a short message beside processors (see
/// [`StackCosts::PENTIUM_III_700`]), and packets have 9000 bytes.
const NS_PER_BYTE_ON_LINK: f64 = 4.0;
const LATENCY_NS: f64 = 14e3;
const SEGMENT_BYTES: u64 = 8948;
/// Bytes of a request, and of the answer that the document names.
const REQUEST_BYTES: u64 = 128;
const ANSWER_BYTES: u64 = 16 << 10;

/// How long a message takes from one node to another that do nothing else, nanoseconds.
fn message_ns(costs: &StackCosts, bytes: u64, offload: Offload) -> f64 {
    let message = (bytes, bytes.div_ceil(SEGMENT_BYTES));
    let ends_ns = costs.sent_ns(message, offload) + costs.received_ns(message, offload);
    ends_ns + LATENCY_NS + bytes as f64 * NS_PER_BYTE_ON_LINK
}

/// How much sooner something is over where cards sum up, percent.
fn gain_percent(ns: impl Fn(Offload) -> f64) -> f64 {
    100.0 * (1.0 - ns(Offload::Checksum) / ns(Offload::None))
}

fn gain_in_data_centre() -> DocumentClaim {
    // From the client to the proxy and the web server, and back.
    let response = |offload| {
        let both = [REQUEST_BYTES, ANSWER_BYTES];
        let hop_ns = both.map(|bytes| message_ns(&DATA_CENTRE, bytes, offload));
        2.0 * hop_ns.iter().sum::<f64>()
    };
    let gain = gain_percent(response);
    let why = format!(
        "Simulated: {gain:.1} % of the network's part of a response through a proxy. The servers' own work makes it less. It would be 7.5 to \
         22.5."
    );
    DocumentClaim::new(
        "checksum offload gains up to 15 % end to end with messages of 16 KB",
        "B §6.3.1, figure 17b",
        Some((7.5..=22.5).contains(&gain)),
        why,
    )
}

fn gain_in_micro_benchmark() -> DocumentClaim {
    let gain = gain_percent(|offload| message_ns(&MICRO_BENCHMARK, ANSWER_BYTES, offload));
    let why = format!(
        "Simulated: {gain:.1} % of the time of a message of 16 KB. It would be at most 5. By the table itself a byte takes 26 % less in the \
         micro-benchmark, and 30 % less in the data-centre."
    );
    DocumentClaim::new(
        "checksum offload gains hardly anything in a micro-benchmark, as copying then misses the cache",
        "B §6.3.1, figure 16",
        Some(gain <= 5.0),
        why,
    )
}

/// The share of a packet's work that has to be in hardware for the card to take no longer than the host.
fn offload_to_firmware() -> DocumentClaim {
    let of_hardware = |hardware: f64| StackCosts {
        hardware,
        ..DATA_CENTRE
    };
    let host_ns = DATA_CENTRE.packet_us * 1e3;
    let shares = (0..=100).map(|percent| f64::from(percent) / 100.0);
    let mut pays = shares.filter(|&share| of_hardware(share).card_ns(Offload::Full) < host_ns);
    let least = pays.next();
    let why = match least {
        Some(share) => format!(
            "Simulated: a packet takes the card less time than the host once {:.0} % of its work is in hardware, with a host of 700 MHz and \
             firmware of 132 MHz. It would be more than half.",
            100.0 * share
        ),
        None => "Simulated: it never pays.".to_owned(),
    };
    DocumentClaim::new(
        "TCP offload pays only where most of it is in hardware",
        "B §6.3.2, figure 18",
        Some(least.is_some_and(|share| share > 0.5)),
        why,
    )
}
