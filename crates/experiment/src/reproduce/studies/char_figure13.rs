//! B table 4 and figure 13: how files are laid over disks.

use super::centres_of_b::{self, Centres, ratio, with_disk};
use crate::reproduce::asked::{Asked, Layout, Popular};
use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::centre::Centre;
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::document_study::DocumentStudy;
use crate::reproduce::sources::{KnownExperiment, Sources, known_experiment};

/// Responses by layout.
pub(super) struct Figure13;

const EXPERIMENT: KnownExperiment = known_experiment!("disk-layout/experiment.toml");
const CLASSES: [usize; 2] = [1, 3];

/// Names of layouts, as B table 4 has them, their disks, and how files are laid over them.
const LAYOUTS: [(&str, &str, Layout); 6] = [
    ("single", "SCSI", Layout::One),
    ("random", "SCSI", Layout::Random(3)),
    ("popularity", "SCSI", Layout::ByPopularity(3)),
    ("size", "SCSI", Layout::BySize(3)),
    (ON_ONE_SERVER, "RAID", Layout::One),
    ("raid", "RAID", Layout::One),
];
const ON_ONE_SERVER: &str = "raid-single";

impl DocumentStudy for Figure13 {
    fn name(&self) -> &'static str {
        "char-figure13"
    }

    fn title(&self) -> &'static str {
        "Mean response by how files are laid over disks, µs"
    }

    fn section(&self) -> &'static str {
        "B table 4, figure 13"
    }

    fn notes(&self) -> Vec<&'static str> {
        vec![
            "The document only draws it",
            centres_of_b::SIMULATED,
            "Simulated from empty caches, with 100,000 requests of class 1 and 40,000 of class 3",
        ]
    }

    fn experiments(&self) -> Vec<KnownExperiment> {
        vec![EXPERIMENT]
    }

    fn cells(&self, sources: &Sources) -> Vec<ReproducedCell> {
        let places = CLASSES
            .into_iter()
            .flat_map(|class| LAYOUTS.map(|layout| (class, layout)));
        let places: Vec<(usize, (&str, &str, Layout))> = places.collect();
        let centres = places.iter().map(|&(class, layout)| centre(class, layout));
        let centres: Vec<Centre> = centres.collect();
        let simulated = Centres::of(sources, &centres);
        let cells = places.iter().zip(&centres);
        let cells = cells.filter_map(|((class, (name, ..)), centre)| {
            let mean_us = simulated.mean_us(centre)?;
            let cell = ReproducedCell::new(format!("class {class}"), *name, None);
            Some(cell.simulated(Some(mean_us)))
        });
        cells.collect()
    }

    fn claims(&self, cells: &[ReproducedCell], sources: &Sources) -> Vec<DocumentClaim> {
        sources.claims_and_simulated(EXPERIMENT, |says| judged(says, cells))
    }
}

fn centre(class: usize, (name, disk, on): (&str, &str, Layout)) -> Centre {
    let asked = Asked::Site {
        of: Popular::Class(class),
        on,
        requests: match class {
            1 => 100_000,
            _ => 40_000,
        },
        warm_up_percent: 0,
    };
    let mut centre = with_disk(&format!("class-{class}-{name}"), disk, asked);
    if name == ON_ONE_SERVER {
        let proxies = (0..4).map(|proxy| format!("node.proxy{proxy}.upstream=[\"web0\"]"));
        centre.set.extend(proxies);
    }
    centre
}

/// The quotient of a claim of the experiment.
fn judged(says: &str, cells: &[ReproducedCell]) -> Option<f64> {
    let (class, rest) = says.split_once(": ")?;
    let of = |layout: &str| {
        let mut cells = cells.iter();
        let cell = cells.find(|cell| cell.row == class && cell.column == layout);
        cell?.simulated
    };
    let (one, other) = match rest {
        "RAID wins" => ("single", "raid"),
        "RAID wins even on one server" => ("single", ON_ONE_SERVER),
        "spreading is no better than a single disk" => ("random", "single"),
        dealt => {
            let by = dealt.strip_prefix("dealt by ")?.split(' ').next()?;
            (by, "raid")
        }
    };
    ratio(of(one), of(other))
}
