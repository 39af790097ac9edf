//! Published tables as cells, where ours are not there yet.

use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::published_table::PublishedTable;

/// A cell for each figure: rows are called as `what` and their first value, columns as their headers.
pub(super) fn of(text: &'static str, what: &str) -> Vec<ReproducedCell> {
    let table = PublishedTable::of(text);
    let mut cells = Vec::new();
    for row in table.rows() {
        let name = format!("{what}{}", row.name());
        let figures = row.figures(1);
        cells.extend(figures.map(|(header, figure)| {
            ReproducedCell::new(&name, header.replace('_', " "), Some(figure))
        }));
    }
    cells
}

/// The largest figure that a text gives, "up to", as a cell of its own.
pub(super) fn at_most(row: &str, column: &str, published: f64) -> ReproducedCell {
    ReproducedCell::new(row, column, Some(published))
}
