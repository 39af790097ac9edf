//! The slides' table: which file system suits which workload.

use super::file_system_choice::{self, FITTING, SIMULATED, in_words, local_over_network};
use super::tr65_figure5::{self, Figure5};
use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::document_study::DocumentStudy;
use crate::reproduce::plain_study::{OpenClaim, open_claims};
use crate::reproduce::sources::Sources;

/// The choice of a file system.
pub(super) struct Slides;

/// Workloads with little locality, or more files than memory.
const LITTLE_LOCALITY: [&str; 3] = ["class-4", "exponent-0.5", "exponent-0.75"];

const OPEN: [OpenClaim; 2] = [
    OpenClaim {
        text: "PVFS and Lustre use the memory of several nodes, ext3 and ramfs that of one",
        section: "A slides, characterisation",
        missing: "Not judged: it is how these file systems are made, and an input of the simulation.",
    },
    OpenClaim {
        text: "ext3, PVFS and Lustre suffer from polluted caches, ramfs does not",
        section: "A slides, characterisation",
        missing: "Not judged yet. What pollution does to ext4 is with figure 10.",
    },
];

impl DocumentStudy for Slides {
    fn name(&self) -> &'static str {
        "tr65-slides"
    }

    fn title(&self) -> &'static str {
        "Which file system suits which workload, requests a second"
    }

    fn section(&self) -> &'static str {
        "A slides"
    }

    fn notes(&self) -> Vec<&'static str> {
        vec!["The document has words and no figures", SIMULATED]
    }

    fn cells(&self, sources: &Sources) -> Vec<ReproducedCell> {
        let workloads = FITTING.into_iter().chain(LITTLE_LOCALITY);
        workloads
            .flat_map(|workload| file_system_choice::cells(sources, workload))
            .collect()
    }

    fn claims(&self, cells: &[ReproducedCell], sources: &Sources) -> Vec<DocumentClaim> {
        let mut claims = vec![
            traffic(&Figure5.cells(sources)),
            suits(
                "memory and a local file system suit workloads with much locality",
                local_over_network(cells, &FITTING),
                |ratio| ratio > 1.0,
            ),
            suits(
                "memory and a network file system suit workloads with little locality",
                local_over_network(cells, &LITTLE_LOCALITY),
                |ratio| ratio < 1.0,
            ),
        ];
        claims.extend(open_claims(&OPEN));
        claims.push(DocumentClaim::contradiction(
            ["PHP 4.3.1 was used (§4)", "the slides have PHP 4.3.7"],
            "A §4, slides",
            "Nothing that is simulated depends on it.",
        ));
        claims
    }
}

/// Whether PVFS makes more network traffic than Lustre in each class, which makes about as much as a local file system.
fn traffic(figure5: &[ReproducedCell]) -> DocumentClaim {
    let [pvfs, lustre] = ["pvfs", "lustre"].map(|it| tr65_figure5::over_local(figure5, it));
    let holds = pvfs
        .as_deref()
        .zip(lustre.as_deref())
        .map(|(pvfs, lustre)| {
            let mut pairs = pvfs.iter().zip(lustre);
            pairs.all(|(pvfs, lustre)| pvfs > lustre)
        });
    DocumentClaim::new(
        "ext3, ramfs and Lustre make the least network traffic, PVFS more",
        "A slides, characterisation",
        holds,
        match holds {
            None => "Not simulated.".to_owned(),
            Some(_) => format!(
                "{} {}",
                tr65_figure5::in_words(pvfs.as_deref(), "PVFS"),
                tr65_figure5::in_words(lustre.as_deref(), "Lustre")
            ),
        },
    )
}

/// Whether local over network is as it would be for all workloads.
fn suits(text: &str, ratios: Option<Vec<f64>>, would_be: fn(f64) -> bool) -> DocumentClaim {
    DocumentClaim::new(
        text,
        "A slides",
        ratios
            .as_ref()
            .map(|ratios| ratios.iter().all(|ratio| would_be(*ratio))),
        ratios.as_ref().map_or_else(
            || "Not simulated.".to_owned(),
            |ratios| {
                format!(
                    "Simulated: the best local file system gets {} times as much done as the best network one.",
                    in_words(ratios)
                )
            },
        ),
    )
}
