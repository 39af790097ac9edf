//! B figure 7: small files of one of two sites in a memory file system.

use super::centres_of_b::{self, ratio};
use super::simulated_gains::Gains;
use super::two_sites::{Of, Placed, TwoSites};
use crate::reproduce::asked::Popular;
use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::document_study::DocumentStudy;
use crate::reproduce::sources::{KnownExperiment, Sources, known_experiment};

/// Gains by the rule that files below 1 MB are in memory.
pub(super) struct Figure7;

/// A backing file system.
struct Row {
    name: &'static str,
    /// As scenarios call it.
    backing: &'static str,
    experiment: KnownExperiment,
    /// The largest factor that the document has.
    published: f64,
}

const ROWS: [Row; 2] = [
    Row {
        name: "ext3",
        backing: "ide",
        experiment: known_experiment!("hybrid/ext4.toml"),
        published: 1.4,
    },
    Row {
        name: "PVFS",
        backing: "pvfs",
        experiment: known_experiment!("hybrid/glusterfs.toml"),
        published: 4.5,
    },
];

/// Classes of foreground and background, as the experiments have them.
const CELLS: [(usize, usize); 7] = [(0, 0), (0, 2), (0, 3), (1, 2), (1, 3), (2, 2), (2, 3)];
const LARGEST: &str = "largest gain";

impl DocumentStudy for Figure7 {
    fn name(&self) -> &'static str {
        "char-figure7"
    }

    fn title(&self) -> &'static str {
        "Gain of a site by files below 1 MB in a memory file system, as a factor"
    }

    fn section(&self) -> &'static str {
        "B figure 7"
    }

    fn notes(&self) -> Vec<&'static str> {
        vec![
            centres_of_b::SIMULATED,
            "Columns are foreground x background: `0x3` is class 0 beside class 3",
            "ext4 is measured for ext3, and GlusterFS for PVFS",
        ]
    }

    fn experiments(&self) -> Vec<KnownExperiment> {
        ROWS.iter().map(|row| row.experiment).collect()
    }

    fn cells(&self, sources: &Sources) -> Vec<ReproducedCell> {
        ROWS.iter().flat_map(|row| row.cells(sources)).collect()
    }

    fn claims(&self, cells: &[ReproducedCell], sources: &Sources) -> Vec<DocumentClaim> {
        let claims = ROWS.iter().flat_map(|row| {
            let simulated = |says: &str| row.judged(says, cells);
            sources.claims_and_simulated(row.experiment, simulated)
        });
        claims.collect()
    }
}

impl Row {
    fn cells(&self, sources: &Sources) -> Vec<ReproducedCell> {
        let claims = sources.measured_claims(self.experiment.file);
        // The first claim of both files is that of the largest gain.
        let measured = claims.and_then(|claims| claims.first()?.measured);
        let sites = CELLS.map(|(foreground, background)| TwoSites {
            of: Of::B,
            backing: self.backing,
            foreground: Popular::Class(foreground),
            background: Popular::Class(background),
        });
        let gains = Gains::of(sources, &sites, &[Placed::SmallInRamfs]);
        let single = CELLS.into_iter().zip(sites).filter_map(|(cell, sites)| {
            let factor = gains.ratio(sites, Placed::SmallInRamfs)?;
            let own = ReproducedCell::new(self.name, column(cell), None);
            Some(own.simulated(Some(factor)))
        });
        let single: Vec<ReproducedCell> = single.collect();
        let largest = single.iter().filter_map(|cell| cell.simulated);
        let largest = largest.max_by(f64::total_cmp);
        let mut cells = vec![
            ReproducedCell::new(self.name, LARGEST, Some(self.published))
                .simulated(largest)
                .measured(measured),
        ];
        cells.extend(single);
        cells
    }

    /// The simulated figure of a claim of the experiment.
    fn judged(&self, says: &str, cells: &[ReproducedCell]) -> Option<f64> {
        let simulated = |name: &str| {
            let mut cells = cells.iter();
            let cell = cells.find(|cell| cell.row == self.name && cell.column == name);
            cell?.simulated
        };
        let of = |cell: (usize, usize)| simulated(&column(cell));
        if says.starts_with("small files") {
            simulated(LARGEST)
        } else if says.contains("larger the background") {
            ratio(of((0, 3)), of((0, 0)))
        } else if says.contains("larger the foreground") {
            ratio(of((0, 3)), of((2, 3)))
        } else {
            None
        }
    }
}

fn column((foreground, background): (usize, usize)) -> String {
    format!("{foreground}x{background}")
}
