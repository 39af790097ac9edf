//! Terminal tables, one self-contained HTML page, JSON with schemas.
//!
//! What is shown is described by [`view`]; [`terminal`] prints it and [`page`] writes it as one HTML
//! page that opens offline. Text from logs is attacker-controlled: both escape it.

mod headline;
mod hours;
pub mod number;
pub mod page;
pub mod plot;
mod printable;
pub mod replay;
mod style;
mod table;
mod tables;
pub mod terminal;
pub mod view;

pub use printable::{display_width, printable, shorten_middle};
pub use style::{MAX_WIDTH, Style};
pub use table::{Column, Table};
