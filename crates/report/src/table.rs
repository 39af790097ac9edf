//! Tables of text with aligned columns.

use crate::printable::{display_width, printable, shorten_middle};
use crate::{Style, number};
use maud::{Markup, html};

const GAP: &str = "  ";
/// A flexible column is not made narrower than this, so that a path stays recognisable.
const NARROWEST: usize = 8;
/// A path in a log can be thousands of characters long; a page shows this many columns of it.
const WIDEST_ON_A_PAGE: usize = 200;

/// Sites that get a row of their own.
pub(crate) const SITES_SHOWN: usize = 200;

/// A cell for a figure that may not be known.
pub(crate) fn optional<T>(value: Option<T>, text: impl FnOnce(T) -> String) -> String {
    value.map_or_else(|| number::NONE.to_owned(), text)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Align {
    Left,
    Right,
}

/// A column: its header and how its cells are set.
pub struct Column {
    header: String,
    align: Align,
    flexible: bool,
}

impl Column {
    /// Words: set to the left.
    pub fn text(header: &str) -> Column {
        Column {
            header: header.to_owned(),
            align: Align::Left,
            flexible: false,
        }
    }

    /// Words that are shortened in the middle where the table would be too wide: paths, names.
    pub fn flexible(header: &str) -> Column {
        Column {
            flexible: true,
            ..Column::text(header)
        }
    }

    /// Numbers: set to the right.
    pub fn number(header: &str) -> Column {
        Column {
            align: Align::Right,
            ..Column::text(header)
        }
    }
}

struct Row {
    cells: Vec<String>,
    strong: bool,
}

/// Rows under headers, at most [`Style::width`] columns wide as long as the flexible columns allow.
#[derive(Default)]
pub struct Table {
    columns: Vec<Column>,
    rows: Vec<Row>,
}

impl Table {
    /// A table without rows.
    pub fn new(columns: impl IntoIterator<Item = Column>) -> Table {
        Table {
            columns: columns.into_iter().collect(),
            rows: Vec::new(),
        }
    }

    /// A table without rows: a column that says what each row is about, then numbers.
    pub(crate) fn of_numbers<const N: usize>(first: Column, numbers: [&str; N]) -> Table {
        Table::new([first].into_iter().chain(numbers.map(Column::number)))
    }

    /// Appends a row. Missing cells are empty, those beyond the last column are not shown. Characters
    /// a terminal would act upon are escaped here.
    pub fn row<S: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = S>) {
        self.push(cells, false);
    }

    /// Appends a row that stands out: a total, the recommended choice.
    pub fn strong_row<S: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = S>) {
        self.push(cells, true);
    }

    fn push<S: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = S>, strong: bool) {
        let mut cells: Vec<String> = cells
            .into_iter()
            .map(|cell| printable(cell.as_ref()).into_owned())
            .collect();
        cells.resize(self.columns.len(), String::new());
        self.rows.push(Row { cells, strong });
    }

    /// Says in a last row how many of `sites` have no row of their own.
    pub(crate) fn count_rest(&mut self, sites: usize) {
        let rest = sites.saturating_sub(SITES_SHOWN);
        if rest > 0 {
            self.row([format!("… {} more", number::count(rest as u64))]);
        }
    }

    /// The same without the columns whose figures are all unknown.
    pub(crate) fn without_unknown_columns(mut self) -> Table {
        let unknown = |cell: &String| cell.is_empty() || cell == number::NONE;
        let known: Vec<bool> = (0..self.columns.len())
            .map(|column| !self.rows.iter().all(|row| unknown(&row.cells[column])))
            .collect();
        let mut of_columns = known.iter();
        self.columns.retain(|_| of_columns.next() == Some(&true));
        for row in &mut self.rows {
            let mut of_cells = known.iter();
            row.cells.retain(|_| of_cells.next() == Some(&true));
        }
        self
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table as lines, each ended by a line feed; nothing where there is no row.
    pub fn render(&self, style: Style) -> String {
        if self.is_empty() {
            return String::new();
        }
        let widths = self.widths(style.width);
        let headers: Vec<String> = self.columns.iter().map(|c| c.header.clone()).collect();
        let mut text = String::new();
        if headers.iter().any(|header| !header.is_empty()) {
            text += &style.faint(&self.aligned(&headers, &widths));
            text.push('\n');
        }
        for row in &self.rows {
            let cells = self.aligned(&row.cells, &widths);
            text += &if row.strong {
                style.strong(&cells)
            } else {
                cells
            };
            text.push('\n');
        }
        text
    }

    fn aligned(&self, cells: &[String], widths: &[usize]) -> String {
        let set: Vec<String> = self
            .columns
            .iter()
            .zip(cells)
            .zip(widths)
            .map(|((c, cell), &w)| c.set(cell, w))
            .collect();
        set.join(GAP).trim_end().to_owned()
    }

    /// Width of each column: what its cells need, less what the flexible ones must give up.
    fn widths(&self, available: usize) -> Vec<usize> {
        let mut widths: Vec<usize> = (0..self.columns.len())
            .map(|i| self.natural_width(i))
            .collect();
        let gaps = GAP.len() * widths.len().saturating_sub(1);
        let mut excess = (widths.iter().sum::<usize>() + gaps).saturating_sub(available);
        while excess > 0 {
            let flexible = (0..widths.len()).filter(|&i| self.columns[i].flexible);
            let Some(widest) = flexible.max_by_key(|&i| widths[i]) else {
                break;
            };
            if widths[widest] <= NARROWEST {
                break;
            }
            widths[widest] -= 1;
            excess -= 1;
        }
        widths
    }

    fn natural_width(&self, column: usize) -> usize {
        let cells = self
            .rows
            .iter()
            .map(|row| display_width(&row.cells[column]))
            .max();
        cells
            .unwrap_or(0)
            .max(display_width(&self.columns[column].header))
    }
}

impl Column {
    fn set(&self, cell: &str, width: usize) -> String {
        let cell = if self.flexible {
            shorten_middle(cell, width)
        } else {
            cell.into()
        };
        let padding = " ".repeat(width.saturating_sub(display_width(&cell)));
        match self.align {
            Align::Left => format!("{cell}{padding}"),
            Align::Right => format!("{padding}{cell}"),
        }
    }
}

impl Table {
    /// The table as HTML, the first column as row headers, with a caption that says what it shows;
    /// nothing where there is no row.
    pub fn html(&self, caption: &str) -> Markup {
        if self.is_empty() {
            return Markup::default();
        }
        html! {
            div.scroll {
                table {
                    caption { span { (caption) } }
                    thead { tr {
                        @for column in &self.columns { th scope="col" class=[column.class()] { (column.header) } }
                    } }
                    tbody { @for row in &self.rows { (self.html_row(row)) } }
                }
            }
        }
    }

    fn html_row(&self, row: &Row) -> Markup {
        html! {
            tr.strong[row.strong] {
                @for (i, (column, cell)) in self.columns.iter().zip(&row.cells).enumerate() {
                    @let text = shorten_middle(cell, WIDEST_ON_A_PAGE);
                    @if i == 0 { th scope="row" class=[column.class()] { (text) } }
                    @else { td class=[column.class()] { (text) } }
                }
            }
        }
    }
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
