//! What is shown of a result: in the terminal, on one self-contained HTML page, as JSON, and as tables for spreadsheets.
//!
//! A [`View`] is a list of blocks, a [`Document`], and one serialisable value. What a result means is known to its view; how
//! text, tables and plots are set is known here alone, once for all views.
//!
//! Text from logs is attacker-controlled: terminal and page escape it.
//!
//! | deed | place |
//! | --- | --- |
//! | what blocks there are | `document.rs` |
//! | set blocks as lines; break lines | `terminal.rs`, `wrapping.rs` |
//! | set blocks as a page: frame; style, how high lists are; lists are sorted and searched | `page.rs`; `style.css`; `list.js` |
//! | a table's columns and cells; its lines, its HTML, its CSV | `table/rows.rs`; `table/{terminal,html,csv}.rs` |
//! | a bar beside each row | `bars.rs` |
//! | plots: axes, series, SVG | `plot` |
//! | numbers with their units | `number.rs` |
//! | JSON as it is indented | `json.rs` |
//! | characters that are not safe to show | `printable.rs` |

mod bars;
mod document;
pub mod json;
pub mod number;
mod page;
pub mod plot;
mod printable;
mod style;
mod table;
mod terminal;
mod wrapping;

use serde::Serialize;

pub use bars::{Bar, Bars};
pub use document::{Document, TableBlock};
pub use printable::{display_width, printable, shorten_middle};
pub use style::{Style, Tone};
pub use table::{Cell, Column, Rows, Table};

/// How a report came about: (what, value) in the order shown.
pub type Provenance = [(String, String)];

/// What programs are told of a result. It serialises, and with the feature `schemas` has a JSON Schema.
#[cfg(not(feature = "schemas"))]
pub trait Json: Serialize {}

#[cfg(not(feature = "schemas"))]
impl<T: Serialize> Json for T {}

/// What programs are told of a result. It serialises and has a JSON Schema.
#[cfg(feature = "schemas")]
pub trait Json: Serialize + schemars::JsonSchema {}

#[cfg(feature = "schemas")]
impl<T: Serialize + schemars::JsonSchema> Json for T {}

/// A result as people read it in a terminal and as programs read it.
pub trait View {
    /// What is shown, in the order of the terminal.
    fn document(&self) -> Document<'_>;

    /// What `--json` prints; its keys are those of the command's schema in `schemas/`.
    fn value(&self) -> impl Json;

    /// The most important line first, then tables.
    fn terminal(&self, style: Style) -> String {
        self.document().terminal(style)
    }

    /// [`View::value`] as text.
    ///
    /// # Errors
    /// A figure that JSON has no way to write; none of today's views holds one.
    fn json(&self) -> serde_json::Result<String> {
        json::text(&self.value())
    }
}

/// A result whose tables spreadsheets and programs read.
pub trait Sheets: View {
    /// Every table under the name of its file, without the ending `.csv`. The names are the same for every result of a
    /// command. Tables have all their rows, which may be more than people are shown.
    fn sheets(&self) -> Vec<(&'static str, Table)> {
        self.document().sheets()
    }
}

/// A result that has a page of its own.
pub trait Page: View {
    /// One HTML page that opens offline: nothing fetched, plots inside, no script but the one that sorts lists.
    fn page(&self, provenance: &Provenance) -> String {
        self.document().page(provenance)
    }

    /// The same with the beginnings of its lists alone, and without any script.
    fn page_in_short(&self, provenance: &Provenance) -> String {
        self.document().in_short().page(provenance)
    }
}
