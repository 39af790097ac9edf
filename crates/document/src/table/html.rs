//! Tables as HTML.

use super::{Align, Cell, Column, Row, RowKind, Table};
use crate::shorten_middle;
use maud::{Markup, html};

/// A path in a log can be thousands of characters long; a page shows this many columns of it.
const WIDEST_ON_A_PAGE: usize = 200;

impl Table {
    /// The table as HTML, the first column as row headers, with a caption that says what it shows;
    /// nothing where there is no row.
    pub fn html(&self, caption: &str) -> Markup {
        self.markup(caption, false)
    }

    /// The same, or a list to be sorted and searched by the page's script: its cells carry their figures.
    pub(crate) fn markup(&self, caption: &str, list: bool) -> Markup {
        if self.shown().next().is_none() {
            return Markup::default();
        }
        let columns = self.columns_on_page();
        html! {
            div.scroll.tall[list] tabindex=[list.then_some("0")] {
                table.list[list] {
                    caption { span { (caption) } }
                    thead { tr {
                        @for &column in &columns {
                            th scope="col" class=[self.columns[column].class()] { (self.columns[column].header) }
                        }
                    } }
                    tbody { @for row in self.shown() { (self.html_row(row, &columns, list)) } }
                }
            }
        }
    }

    fn html_row(&self, row: &Row, columns: &[usize], list: bool) -> Markup {
        html! {
            tr.strong[row.kind == RowKind::Strong] {
                @for (i, &number) in columns.iter().enumerate() {
                    @let (column, cell) = (&self.columns[number], &row.cells[number]);
                    @let text = shorten_middle(&cell.text, WIDEST_ON_A_PAGE);
                    @let figure = figure(cell).filter(|_| list);
                    @if i == 0 { th scope="row" class=[column.class()] data-figure=[figure] { (text) } }
                    @else { td class=[column.class()] data-figure=[figure] { (text) } }
                }
            }
        }
    }
}

/// What a cell is sorted by, where that is a number.
fn figure(cell: &Cell) -> Option<String> {
    cell.figures.first().map(ToString::to_string)
}

impl Column {
    fn class(&self) -> Option<&'static str> {
        match (self.flexible, self.align) {
            (true, _) => Some("flexible"),
            (false, Align::Right) => Some("number"),
            (false, Align::Left) => None,
        }
    }
}
