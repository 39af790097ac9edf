//! A figure 11a: hot files of one of two sites in a memory file system.

use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::document_study::DocumentStudy;
use crate::reproduce::drawing::Drawing;
use crate::reproduce::sources::{KnownExperiment, Sources, known_experiment};

use super::gains::{self, LARGEST};
use super::simulated_gains::{self, Gains, IN_RAMFS, UNPOLLUTED};
use super::two_sites::{Of, Placed, TwoSites};
use crate::reproduce::asked::Popular;

/// Gains by a memory file system over a local one.
pub(super) struct Figure11;

const EXPERIMENT: KnownExperiment = known_experiment!("pollution/experiment.toml");

/// Foreground x background.
const CELLS: [&str; 15] = [
    "0x0", "0x1", "0x2", "0x3", "0x4", "1x0", "1x1", "1x2", "1x3", "1x4", "2x0", "2x1", "2x2",
    "2x3", "2x4",
];
/// The documents' way, the planner's, and memory divided into groups.
const ARMS: [&str; 3] = ["ramfs", "plan", "own-group"];
/// The largest gain that the document has.
const PUBLISHED: f64 = 48.0;
/// Less is no gain of that size: half of it.
const LEAST: f64 = PUBLISHED / 2.0;

impl DocumentStudy for Figure11 {
    fn name(&self) -> &'static str {
        "tr65-figure11"
    }

    fn title(&self) -> &'static str {
        "Gain of a site with much locality by hot files in a memory file system, percent"
    }

    fn section(&self) -> &'static str {
        "A figure 11a"
    }

    fn notes(&self) -> Vec<&'static str> {
        vec![
            "Rows are foreground x background: `0x4` is class 0 beside class 4",
            "ramfs is the documents' way. plan and own-group are those of hotset",
            simulated_gains::SIMULATED,
            "ext3 is a local file system. That opening and closing is avoided is a reason for gains over network file systems: those of figure 14",
            "Measured once each, with sizes that say nothing about popularity; the documents' popular files are small",
        ]
    }

    fn experiments(&self) -> Vec<KnownExperiment> {
        vec![EXPERIMENT]
    }

    fn cells(&self, sources: &Sources) -> Vec<ReproducedCell> {
        let matrix = gains::Matrix {
            results: "pollution/results",
            cells: &CELLS,
            arms: &ARMS,
        };
        let mut cells = matrix.cells(sources, PUBLISHED, &sources.predictions(EXPERIMENT));
        let simulated = on_documents_machines(sources);
        if let Some(gain) = simulated_gains::largest(&simulated, IN_RAMFS)
            && let Some(first) = cells.first_mut()
        {
            *first = first.clone().simulated(Some(gain));
        }
        cells.extend(simulated);
        cells
    }

    fn drawings(&self, cells: &[ReproducedCell]) -> Vec<Drawing> {
        vec![Drawing {
            title: "Figure 11a: gain of the foreground",
            description: "What the foreground gains by hot files in a memory file system, by the class of the background. The document only \
                          draws it, with gains of up to 48 %, which grow with the background.",
            x: "class of the background",
            y: "gain, percent",
            has_times: false,
            lines: lines(cells),
        }]
    }

    fn claims(&self, cells: &[ReproducedCell], _sources: &Sources) -> Vec<DocumentClaim> {
        vec![
            up_to(cells).and_simulated(simulated_gains::largest(cells, IN_RAMFS).map(|gain| {
                let words = format!("Simulated on A's nodes: up to {gain:.0} %.");
                (gain >= LEAST, words)
            })),
            grows(cells).and_simulated(grows_simulated(cells)),
            unpolluted(cells).and_simulated(unpolluted_simulated(cells)),
        ]
    }
}

/// Gains on the machines of A over ext3.
fn on_documents_machines(sources: &Sources) -> Vec<ReproducedCell> {
    let classes = (0..=2).flat_map(|foreground| (0..=4).map(move |it| (foreground, it)));
    let sites = classes.map(|(foreground, background)| {
        let sites = TwoSites {
            of: Of::A,
            backing: "ext3",
            foreground: Popular::Class(foreground),
            background: Popular::Class(background),
        };
        (format!("{foreground}x{background}"), sites)
    });
    let sites: Vec<(String, TwoSites)> = sites.collect();
    let all: Vec<TwoSites> = sites.iter().map(|(_, sites)| *sites).collect();
    let ways = [Placed::HotInRamfs, Placed::HotUnpolluted];
    let gains = &Gains::of(sources, &all, &ways);
    let columns = [IN_RAMFS, UNPOLLUTED].into_iter().zip(ways);
    let cells = sites.iter().flat_map(|(row, sites)| {
        let columns = columns.clone();
        columns.filter_map(move |(column, way)| gains.cell(row, column, (*sites, way)))
    });
    cells.collect()
}

/// Whether simulated gains grow with the background, from class 2 on as those that are measured.
fn grows_simulated(cells: &[ReproducedCell]) -> Option<(bool, String)> {
    let gains = |foreground: u8| -> Option<Vec<f64>> {
        let gain = |background: u8| {
            let row = format!("{foreground}x{background}");
            simulated_gains::simulated(cells, &row, IN_RAMFS)
        };
        (2..=4).map(gain).collect()
    };
    let all: Option<Vec<Vec<f64>>> = (0..=2).map(gains).collect();
    let all = all?;
    let row = |gains: &Vec<f64>| {
        let gains: Vec<String> = gains.iter().map(|gain| format!("{gain:.0} %")).collect();
        gains.join(", ")
    };
    let rows: Vec<String> = all.iter().map(row).collect();
    let words = format!("Simulated on A's nodes, likewise: {}.", rows.join("; "));
    Some((all.iter().all(|gains| gains.is_sorted()), words))
}

/// Whether avoided pollution alone gains anything as simulated, in most cells whose background does not fit into memory.
fn unpolluted_simulated(cells: &[ReproducedCell]) -> Option<(bool, String)> {
    let gains =
        polluted_rows().filter_map(|row| simulated_gains::simulated(cells, row, UNPOLLUTED));
    let gains: Vec<f64> = gains.collect();
    let count = gains.iter().filter(|gain| **gain > 0.0).count();
    let most = gains.iter().copied().max_by(f64::total_cmp)?;
    let words = format!(
        "Simulated on A's nodes: it is in {count} of {} cells beside classes 3 and 4, by up to {most:.0} points of percent.",
        gains.len()
    );
    Some((2 * count > gains.len(), words))
}

/// Cells whose background does not fit into memory.
fn polluted_rows() -> impl Iterator<Item = &'static str> {
    CELLS.into_iter().filter(|row| row.ends_with(['3', '4']))
}

/// A line for each foreground, measured and simulated.
fn lines(cells: &[ReproducedCell]) -> Vec<(String, Vec<(f64, f64)>)> {
    let points = |foreground: u8, figure: fn(&ReproducedCell) -> Option<f64>| {
        let backgrounds = (0..=4).filter_map(|background: u8| {
            let row = format!("{foreground}x{background}");
            let mut cells = cells.iter();
            let cell = cells.find(|cell| cell.row == row && cell.column == "ramfs")?;
            Some((f64::from(background), figure(cell)?))
        });
        backgrounds.collect::<Vec<(f64, f64)>>()
    };
    let mut lines = Vec::new();
    for foreground in 0..=2 {
        let name = format!("class {foreground}");
        lines.push((
            format!("{name}, measured here"),
            points(foreground, |cell| cell.measured),
        ));
        lines.push((
            format!("{name}, simulated"),
            points(foreground, |cell| cell.simulated),
        ));
    }
    lines.retain(|(_, points)| !points.is_empty());
    lines
}

fn measured(cells: &[ReproducedCell], row: &str, column: &str) -> Option<f64> {
    let mut cells = cells.iter();
    cells
        .find(|cell| cell.row == row && cell.column == column)?
        .measured
}

fn not_measured() -> String {
    "Not measured yet.".to_owned()
}

/// The largest gain.
fn up_to(cells: &[ReproducedCell]) -> DocumentClaim {
    let gain = measured(cells, LARGEST, "ramfs");
    DocumentClaim::new(
        "hot files in ramfs gain up to 48 %",
        "A §4.5, figure 11a",
        gain.map(|gain| gain >= LEAST),
        gain.map_or_else(not_measured, |gain| {
            format!(
                "Measured here: up to {gain:.0} %, once each. It would be at least {LEAST:.0} %."
            )
        }),
    )
}

/// Whether the gain grows with the background, where files do not all fit: from class 2 on.
fn grows(cells: &[ReproducedCell]) -> DocumentClaim {
    let gains = |foreground: &str| -> Option<Vec<f64>> {
        let backgrounds = ["2", "3", "4"].into_iter();
        let gain =
            |background: &str| measured(cells, &format!("{foreground}x{background}"), "ramfs");
        backgrounds.map(gain).collect()
    };
    let all: Option<Vec<Vec<f64>>> = ["0", "1", "2"].into_iter().map(gains).collect();
    let row = |gains: &Vec<f64>| {
        let gains: Vec<String> = gains.iter().map(|gain| format!("{gain:.0} %")).collect();
        gains.join(", ")
    };
    DocumentClaim::new(
        "the larger the background, the larger the gain",
        "A §4.5, figure 11a",
        all.as_ref()
            .map(|all| all.iter().all(|gains| gains.is_sorted())),
        all.as_ref().map_or_else(not_measured, |all| {
            let rows: Vec<String> = all.iter().map(row).collect();
            format!(
                "Measured here, once each, beside classes 2, 3 and 4: {}, for foregrounds of classes 0, 1 and 2.",
                rows.join("; ")
            )
        }),
    )
}

/// Whether a memory group of its own gains anything over the page cache alone, in most cells whose background does not fit into memory.
fn unpolluted(cells: &[ReproducedCell]) -> DocumentClaim {
    const OWN_GROUP: &str = "own-group";
    let gains = polluted_rows().filter_map(|row| measured(cells, row, OWN_GROUP));
    let more: Vec<bool> = gains.map(|gain| gain > 0.0).collect();
    let count = more.iter().filter(|is_more| **is_more).count();
    DocumentClaim::new(
        "part of the gain is pollution that is avoided",
        "A §4.5",
        (!more.is_empty()).then(|| 2 * count > more.len()),
        match more.len() {
            0 => not_measured(),
            all => format!(
                "Measured here, once each: {OWN_GROUP} gets more done than the page cache in {count} of {all} cells beside classes 3 and 4."
            ),
        },
    )
}
