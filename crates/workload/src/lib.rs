//! Generated workloads, one generator a file behind [`Generator`].
//!
//! Every generator is a plain struct of parameters; the same parameters and seed give the same trace.
//! A generated trace can be written as an access log ([`access_log`]) and its objects as real files
//! ([`file_tree`]).
//!
//! | deed | place |
//! | --- | --- |
//! | arrivals and clients of a site | `arrivals.rs`, `single_site.rs` |
//! | several sites in one trace | `mix.rs` |
//! | sizes of files; which file has which | `sizes.rs`, `average_size.rs`; `size_order.rs` |
//! | published data-centres with their measured shapes; a site's published rates | `twins`; `world_cup` |
//! | a trace as an access log; its files; those that a log implies | `access_log.rs`; `file_tree.rs`; `implied_files.rs` |
//! | sessions of emulated browsers | `sessions` |
//! | web applications with databases | `applications` |

pub mod access_log;
pub mod applications;
mod arrivals;
mod average_size;
mod bisection;
mod error;
pub mod file_tree;
mod generator;
mod implied_files;
mod load;
mod mix;
pub mod sessions;
mod shifting;
mod single_file;
mod single_site;
mod size_order;
mod sizes;
mod specweb99;
pub mod twins;
mod world_cup;
mod zipf;

pub use average_size::AverageSize;
pub use error::GenerateError;
pub use generator::Generator;
pub use implied_files::{ImpliedFiles, implied_by};
pub use load::Load;
pub use mix::Mix;
pub use shifting::Shifting;
pub use single_file::SingleFile;
pub use size_order::SIZE_CORRELATION_TOLERANCE;
pub use specweb99::{SpecWeb99, directories, directory_files};
pub use twins::{Twin, Workload};
pub use world_cup::{WorldCup, WorldCupDay, WorldCupFiles};
pub use zipf::{CLASS_ALPHA, CLASS_SIZE_CORRELATION, CLASSES, Zipf, ZipfClass};
