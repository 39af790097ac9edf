//! The tables, figures and claims of the documents that hotset answers, beside what is simulated and what was measured here.
//!
//! A table or figure is a `DocumentStudy`, a file of `studies`. It is a view over experiments and models: it measures
//! nothing itself. Published figures are embedded, from `published`.
//!
//! | deed | place |
//! | --- | --- |
//! | all studies, or those that are named; what they come to together | `reproduction` |
//! | what a study has to say; one that is made of parts alone | `document_study`; `plain_study` |
//! | a figure; a claim; which of two is the greater; what is drawn | `cell`; `document_claim`; `ordering`; `drawing` |
//! | published figures are read | `published_table` |
//! | kept results of experiments are found; predictions of them are kept; kept sweeps are read | `sources`; `predictions`; `sweep_table` |
//! | the documents' machines: profiles of what their micro-benchmarks say; as files | `machines`; `machine_file` |
//! | A's I/O nodes: what is fitted; what is simulated for it | `io_nodes`; `bare_reads` |
//! | their data-centres, simulated; what is asked of them; jobs of fio; on all processors | `centre`; `asked`; `bench`; `turns` |
//! | what took time to make is kept | `kept_file` |
//! | what has not been measured is measured | `measuring` |

mod asked;
mod bare_reads;
mod bench;
mod cell;
mod centre;
mod document_claim;
mod document_study;
mod drawing;
mod error_words;
mod io_nodes;
mod kept_file;
mod machine_file;
mod machines;
mod measuring;
mod ordering;
mod plain_study;
mod predictions;
mod published_table;
mod reproduction;
mod sources;
mod studies;
mod sweep_table;
mod turns;

pub use cell::ReproducedCell;
pub use document_claim::{ClaimKind, DocumentClaim};
pub use drawing::Drawing;
pub use machine_file::MachineFile;
pub use machines::machine_files;
pub use measuring::measure;
pub use ordering::Orderings;
pub use published_table::{published, published_names};
pub use reproduction::{
    CellsWithin, DocumentClaims, ReproducedStudy, Reproduction, names, reproduce,
};
