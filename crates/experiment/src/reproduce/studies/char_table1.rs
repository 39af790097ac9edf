//! B table 1 and figures 3 to 5: bandwidth of file systems.

use hotset_models::remote::CallCosts;

use super::benches::{job, mb_per_s};
use super::published_cells;
use crate::reproduce::bench::{Bench, Pvfs, Store};
use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::document_study::DocumentStudy;
use crate::reproduce::plain_study::{Contradiction, contradictions};
use crate::reproduce::sources::Sources;

/// Sequential bandwidth.
pub(super) struct Table1;

const PROFILE: &str = "documents/b1-bare-ide.toml";
const FILE: &str = "512m";
/// Small memory has reads come from the disks; in all memory of a node a part of the file has room.
const SMALL_MEMORY: u64 = 64 << 20;
const NODE_MEMORY: u64 = 450 << 20;
/// A buffer of a stripe, and one of three.
const ONE_STRIPE: &str = "64k";
const THREE_STRIPES: &str = "192k";
const LARGE: &str = "1m";
/// "almost three times".
const ALMOST_THREE: f64 = 2.5;

/// What sendfile asks for at a time of files of which nothing is read ahead: a page (`do_generic_file_read`, `mm/filemap.c` of Linux 2.4). PVFS caches none.
const PAGE: &str = "4k";
/// One is faster than another at so many times its rate.
const FASTER: f64 = 1.1;

const CONTRADICTIONS: [Contradiction; 2] = [
    Contradiction {
        passages: [
            "The IDE disk reads 39 MB/s (table 1)",
            "the IDE disk reads 35 MB/s (table 3)",
        ],
        section: "B tables 1 and 3",
        why: "A profile of the disk fits one of them: 11 % lie between. The machines of experiments/documents take table 3 for disks.",
    },
    Contradiction {
        passages: [
            "ramfs writes 800 MB/s (table 1)",
            "ramfs writes 91 MB/s (text of figure 3)",
        ],
        section: "B table 1, §4.1",
        why: "The same text calls the bandwidth of ramfs very high; 91 is no faster than PVFS.",
    },
];

impl DocumentStudy for Table1 {
    fn name(&self) -> &'static str {
        "char-table1"
    }

    fn title(&self) -> &'static str {
        "Sequential bandwidth of file systems, MB/s"
    }

    fn section(&self) -> &'static str {
        "B table 1"
    }

    fn notes(&self) -> Vec<&'static str> {
        vec![
            "The bandwidth of ramfs is an input. ext3 is simulated on the disk of table 3, which is 10 % slower than that of table 1",
            "sendfile on PVFS is taken to ask for a page after the other, as Linux 2.4 does where nothing is read ahead. Local file systems are in experiments/local-read-sendfile",
            "PVFS is simulated on three such disks, over TCP of 1748 Mbit/s and 27 µs (§6.1). Reads come from the disks, writes go to the servers' memory",
        ]
    }

    fn cells(&self, sources: &Sources) -> Vec<ReproducedCell> {
        let benches: Vec<Bench> = BENCHES.iter().map(Row::bench).collect();
        let figures = sources.benches(&benches);
        let rows = BENCHES.iter().zip(&benches);
        let simulated = |file_system: &str, operation: &str, buffer: &str| {
            let mut rows = rows.clone();
            let (_, bench) = rows.find(|(row, _)| row.is(file_system, operation, buffer))?;
            mb_per_s(&figures, &bench.name, "job")
        };
        let mut cells = published_cells::of(include_str!("../published/char-table1.csv"), "");
        for cell in &mut cells {
            let figure = simulated(&cell.row, &cell.column, LARGE);
            *cell = cell.clone().simulated(figure);
        }
        for buffer in [PAGE, ONE_STRIPE, THREE_STRIPES] {
            let cell = ReproducedCell::new("pvfs", column(buffer), None);
            let figure = simulated("pvfs", "read", buffer);
            cells.extend(figure.map(|figure| cell.simulated(Some(figure))));
        }
        cells
    }

    fn claims(&self, cells: &[ReproducedCell], _sources: &Sources) -> Vec<DocumentClaim> {
        let mut claims = vec![three_disks(cells), beats_sendfile(cells)];
        claims.extend(contradictions(&CONTRADICTIONS));
        claims
    }
}

/// What is simulated: file system, operation, buffer.
struct Row(&'static str, &'static str, &'static str);

const BENCHES: [Row; 7] = [
    Row("ext3", "read", LARGE),
    Row("ext3", "write", LARGE),
    Row("pvfs", "read", LARGE),
    Row("pvfs", "write", LARGE),
    Row("pvfs", "read", PAGE),
    Row("pvfs", "read", ONE_STRIPE),
    Row("pvfs", "read", THREE_STRIPES),
];

impl Row {
    fn is(&self, file_system: &str, operation: &str, buffer: &str) -> bool {
        (self.0, self.1, self.2) == (file_system, operation, buffer)
    }

    fn bench(&self) -> Bench {
        let Self(file_system, operation, buffer) = *self;
        let jobs = job(operation, FILE, buffer);
        let is_local = file_system == "ext3";
        let is_read = operation == "read";
        Bench {
            name: format!("b-{file_system}-{operation}-{buffer}"),
            profile: PROFILE,
            memory_bytes: match is_read {
                true => SMALL_MEMORY,
                false => NODE_MEMORY,
            },
            dirty_limit_bytes: None,
            jobs: match is_local && !is_read {
                // As much as the disk takes, and not the memory.
                true => jobs + "end_fsync=1\n",
                false => jobs,
            },
            on: match is_local {
                true => Store::Local,
                false => Store::Pvfs(PVFS),
            },
        }
    }
}

/// B §4.1 and §6.1: three I/O nodes, TCP over Myrinet. Half of the latency is a call at each end, and a byte costs what the bandwidth leaves. Packets are assumed.
const PVFS: Pvfs = Pvfs {
    clients: 1,
    servers: 3,
    bits_per_s: 2_000_000_000,
    delay_ns: 0,
    mtu_bytes: 9000,
    costs: CallCosts {
        stack_ns_per_byte: [0.0; 2],
        call_ns: 13_500,
        ns_per_byte: 8e3 / 1748.0,
    },
    has_linear_buffers: false,
};

fn column(buffer: &str) -> String {
    format!("read, buffers of {buffer}")
}

/// What is simulated of a row and a column.
fn simulated(cells: &[ReproducedCell], row: &str, column: &str) -> Option<f64> {
    let mut cells = cells.iter();
    let cell = cells.find(|cell| cell.row == row && cell.column == column);
    cell?.simulated
}

/// Whether a program that reads buffers of three stripes from PVFS gets more of it than one whose file is sent page by page.
fn beats_sendfile(cells: &[ReproducedCell]) -> DocumentClaim {
    let of = |buffer: &str| simulated(cells, "pvfs", &column(buffer));
    let both = of(PAGE).zip(of(THREE_STRIPES));
    DocumentClaim::new(
        "reading and writing beats sendfile on PVFS",
        "B §4.2, figure 4b",
        both.map(|(page, buffer)| buffer > FASTER * page),
        both.map_or_else(
            || "Not simulated.".to_owned(),
            |(page, buffer)| {
                format!("Simulated: page by page, as sendfile asks, {page:.1} MB/s are read; with buffers of 192 KB {buffer:.1} MB/s.")
            },
        ),
    )
}

/// Whether PVFS reads as fast as three disks with buffers of three stripes, and not with those of one.
fn three_disks(cells: &[ReproducedCell]) -> DocumentClaim {
    let times = |buffer: &str| {
        let disk = simulated(cells, "ext3", "read")?;
        Some(simulated(cells, "pvfs", &column(buffer))? / disk)
    };
    let both = times(ONE_STRIPE).zip(times(THREE_STRIPES));
    DocumentClaim::new(
        "PVFS reads as fast as three disks once the buffer spans three stripes",
        "B §4.1, figure 3a",
        both.map(|(one, three)| three >= ALMOST_THREE && one < ALMOST_THREE),
        both.map_or_else(
            || "Not simulated.".to_owned(),
            |(one, three)| {
                format!("Simulated: {one:.2} times as fast as one disk with buffers of one stripe, and {three:.2} times with those of three.")
            },
        ),
    )
}
