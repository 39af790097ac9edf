//! Terminal tables, one self-contained HTML page, JSON with schemas.

pub mod number;
pub mod plot;
mod printable;
mod style;
mod table;

pub use printable::{display_width, printable, shorten_middle};
pub use style::{MAX_WIDTH, Style};
pub use table::{Column, Table};
