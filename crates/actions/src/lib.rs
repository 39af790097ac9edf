//! What hotset can be asked to do: options in, a result out.
//!
//! `hotset` and the Python package both call it, so that an option means the same in both. Nothing here prints, and nothing
//! knows how an option is spelled on a command line.

mod chosen;
mod client_key;
mod error;
mod error_line;
mod format;
mod input;
mod memory_for;
pub mod plan;
pub mod provenance;
pub mod simulate;
mod times;
mod timings;

pub use chosen::Chosen;
pub use client_key::{ClientKey, client_key};
pub use error::JobError;
pub use error_line::one_line;
pub use format::FormatNames;
pub use input::{
    AccessColumns, Input, InputError, NoAccess, has_unused_zone, is_trace_folder, name_of,
    only_folder, summary_of_folder,
};
pub use memory_for::check_memory_for;
pub use times::{WrittenTime, period};
pub use timings::Timings;
