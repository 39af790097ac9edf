//! B figures 11 and 12: disks file by file.

use super::centres_of_b::{self, Centres, DISKS, cold_class, ratio, with_disk};
use crate::reproduce::asked::Layout;
use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::centre::Centre;
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::document_study::DocumentStudy;
use crate::reproduce::sources::{KnownExperiment, Sources, known_experiment};

/// First accesses.
pub(super) struct Figure11;

const EXPERIMENT: KnownExperiment = known_experiment!("disks/cold.toml");
const CLASSES: [usize; 2] = [0, 1];

impl DocumentStudy for Figure11 {
    fn name(&self) -> &'static str {
        "char-figure11"
    }

    fn title(&self) -> &'static str {
        "Mean response from empty caches by disk system and class, µs"
    }

    fn section(&self) -> &'static str {
        "B figures 11 and 12"
    }

    fn notes(&self) -> Vec<&'static str> {
        vec![
            "The document only draws it, file by file",
            centres_of_b::SIMULATED,
            "Simulated with 640,000 requests of class 0, as in the document, and 320,000 of class 1",
        ]
    }

    fn experiments(&self) -> Vec<KnownExperiment> {
        vec![EXPERIMENT]
    }

    fn cells(&self, sources: &Sources) -> Vec<ReproducedCell> {
        let places = CLASSES
            .into_iter()
            .flat_map(|class| DISKS.map(|disk| (class, disk)));
        let places: Vec<(usize, &str)> = places.collect();
        let centres: Vec<Centre> = places.iter().map(|&place| centre(place)).collect();
        let simulated = Centres::of(sources, &centres);
        let cells = places
            .iter()
            .zip(&centres)
            .filter_map(|((class, disk), centre)| {
                let mean_us = simulated.mean_us(centre)?;
                let cell = ReproducedCell::new(format!("class {class}"), *disk, None);
                Some(cell.simulated(Some(mean_us)))
            });
        cells.collect()
    }

    fn claims(&self, cells: &[ReproducedCell], sources: &Sources) -> Vec<DocumentClaim> {
        let of = |class: &str, disk: &str| {
            let mut cells = cells.iter();
            let cell = cells.find(|cell| cell.row == class && cell.column == disk);
            cell?.simulated
        };
        sources.claims_and_simulated(EXPERIMENT, |says| {
            let (class, _) = says.split_once(':')?;
            ratio(of(class, "IDE"), of(class, "RAID"))
        })
    }
}

fn centre((class, disk): (usize, &str)) -> Centre {
    let name = format!("class-{class}-cold");
    with_disk(&name, disk, cold_class(class, Layout::One))
}
