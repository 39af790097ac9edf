//! B figure 10: disks by class.

use super::centres_of_b::{self, Centres, DISKS, cold_class, ratio, with_disk};
use crate::reproduce::asked::Layout;
use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::centre::Centre;
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::document_study::DocumentStudy;
use crate::reproduce::sources::{KnownExperiment, Sources, known_experiment};

/// Throughput of disk systems over that of IDE.
pub(super) struct Figure10;

const EXPERIMENT: KnownExperiment = known_experiment!("disks/classes.toml");

/// Class, disk, and percent that the document has.
const CELLS: [(usize, &str, f64); 4] = [
    (0, "SCSI", 6.0),
    (0, "RAID", 10.0),
    (3, "SCSI", 40.0),
    (3, "RAID", 100.0),
];

impl DocumentStudy for Figure10 {
    fn name(&self) -> &'static str {
        "char-figure10"
    }

    fn title(&self) -> &'static str {
        "Throughput of disk systems over that of IDE, by class, percent more"
    }

    fn section(&self) -> &'static str {
        "B figure 10"
    }

    fn notes(&self) -> Vec<&'static str> {
        vec![
            centres_of_b::SIMULATED,
            "Simulated from empty caches: 640,000 requests of class 0, as in the document, and 40,000 of class 3",
        ]
    }

    fn experiments(&self) -> Vec<KnownExperiment> {
        vec![EXPERIMENT]
    }

    fn cells(&self, sources: &Sources) -> Vec<ReproducedCell> {
        let reports = sources.measured_claims(EXPERIMENT.file).unwrap_or_default();
        let centres = [0, 3]
            .into_iter()
            .flat_map(|class| DISKS.map(|disk| centre(class, disk)));
        let centres: Vec<Centre> = centres.collect();
        let simulated = Centres::of(sources, &centres);
        let cell = |(class, disk, published): (usize, &str, f64)| {
            let (row, begins) = (format!("class {class}"), format!("class {class}: {disk}"));
            let report = reports.iter().find(|it| it.says.starts_with(&begins));
            let measured = report.and_then(|it| it.measured);
            let per_s = |disk: &str| simulated.per_s(&centre(class, disk));
            ReproducedCell::new(row, disk, Some(published))
                .simulated(ratio(per_s(disk), per_s("IDE")).map(percent_more))
                .measured(measured.map(percent_more))
        };
        CELLS.into_iter().map(cell).collect()
    }

    fn claims(&self, cells: &[ReproducedCell], sources: &Sources) -> Vec<DocumentClaim> {
        sources.claims_and_simulated(EXPERIMENT, |says| {
            let begins = |cell: &&ReproducedCell| {
                says.starts_with(&format!("{}: {}", cell.row, cell.column))
            };
            let cell = cells.iter().find(begins)?;
            Some(1.0 + cell.simulated? / 100.0)
        })
    }
}

fn percent_more(ratio: f64) -> f64 {
    100.0 * (ratio - 1.0)
}

fn centre(class: usize, disk: &str) -> Centre {
    let name = format!("class-{class}-cold");
    with_disk(&name, disk, cold_class(class, Layout::One))
}
