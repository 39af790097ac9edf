//! Tables: what stands in them, and how each exporter sets them.

mod cell;
mod csv;
mod html;
mod rows;
mod terminal;

use crate::number;
pub use cell::Cell;
use cell::Unit;
pub use rows::Rows;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Align {
    Left,
    Right,
}

/// A column: its header, how its cells are set, and what their figures are.
#[derive(Clone, Debug)]
pub struct Column {
    header: String,
    align: Align,
    flexible: bool,
    /// Figures of a cell: 0 for words, 1, or 3 with the bounds of an interval.
    figures: usize,
    unit: Unit,
    /// Whether people are shown it.
    is_shown: bool,
    /// Whether the page has it right behind the labels, where a telephone shows it.
    leads: bool,
    /// What spreadsheets call it, where that is something else.
    sheet_header: Option<String>,
}

impl Column {
    /// Words: set to the left.
    pub fn text(header: &str) -> Column {
        Column {
            header: header.to_owned(),
            align: Align::Left,
            flexible: false,
            figures: 0,
            unit: Unit::Plain,
            is_shown: true,
            leads: false,
            sheet_header: None,
        }
    }

    /// Words that are shortened in the middle where the table would be too wide: paths, names.
    pub fn flexible(header: &str) -> Column {
        Column {
            flexible: true,
            ..Column::text(header)
        }
    }

    /// Numbers without a unit: set to the right, as all figures are.
    pub fn number(header: &str) -> Column {
        Column::of(header, Unit::Plain)
    }

    /// Bytes.
    pub fn bytes(header: &str) -> Column {
        Column::of(header, Unit::Bytes)
    }

    /// Microseconds.
    pub fn duration(header: &str) -> Column {
        Column::of(header, Unit::Microseconds)
    }

    /// Shares of one.
    pub fn percent(header: &str) -> Column {
        Column::of(header, Unit::Share)
    }

    /// Events a second.
    pub fn per_second(header: &str) -> Column {
        Column::of(header, Unit::PerSecond)
    }

    /// The same where figures have intervals.
    pub fn with_interval(self) -> Column {
        Column { figures: 3, ..self }
    }

    fn of(header: &str, unit: Unit) -> Column {
        Column {
            align: Align::Right,
            figures: 1,
            unit,
            ..Column::text(header)
        }
    }

    /// Whether a cell is one of this column.
    fn takes(&self, cell: &Cell) -> bool {
        cell.figures.is_empty() || self.figures == 0 || cell.unit == self.unit
    }
}

/// What a row is to its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RowKind {
    Plain,
    /// Stands out: a total, the recommended choice.
    Strong,
    /// One too many for people, who are told how many there are.
    Hidden,
    /// Says how many are hidden.
    Remark,
}

#[derive(Clone, Debug)]
struct Row {
    cells: Vec<Cell>,
    kind: RowKind,
}

/// Rows under headers.
#[derive(Clone, Debug, Default)]
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

    /// Appends a row. Missing cells are empty, those beyond the last column are not shown.
    pub fn row<C: Into<Cell>>(&mut self, cells: impl IntoIterator<Item = C>) {
        self.push(cells, RowKind::Plain);
    }

    /// Appends a row that stands out: a total, the recommended choice.
    pub fn strong_row<C: Into<Cell>>(&mut self, cells: impl IntoIterator<Item = C>) {
        self.push(cells, RowKind::Strong);
    }

    fn push<C: Into<Cell>>(&mut self, cells: impl IntoIterator<Item = C>, kind: RowKind) {
        let mut cells: Vec<Cell> = cells.into_iter().map(Into::into).collect();
        cells.resize(self.columns.len(), Cell::default());
        debug_assert!(
            self.columns.iter().zip(&cells).all(|(of, it)| of.takes(it)),
            "a figure in the unit of its column"
        );
        self.rows.push(Row { cells, kind });
    }

    /// Says how many rows are hidden.
    fn say_hidden(&mut self, hidden: usize) {
        if hidden > 0 {
            let words = format!("… {} more", number::count(hidden as u64));
            self.push([words], RowKind::Remark);
        }
    }

    /// Hides the columns from people whose figures are all unknown.
    fn hide_unknown_columns(&mut self) {
        for (number, column) in self.columns.iter_mut().enumerate() {
            let mut cells = self.rows.iter().map(|row| &row.cells[number]);
            column.is_shown &= !cells.all(Cell::is_unknown);
        }
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The rows that people are shown.
    fn shown(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.kind != RowKind::Hidden)
    }

    /// Which columns the page shows, in its order: what rows are about, what leads, and the rest.
    fn columns_on_page(&self) -> Vec<usize> {
        let mut columns = self.shown_columns();
        let is_label = |&&column: &&usize| self.columns[column].align == Align::Left;
        let labels = columns.iter().take_while(is_label).count().max(1);
        if let Some(rest) = columns.get_mut(labels..) {
            rest.sort_by_key(|&column| !self.columns[column].leads);
        }
        columns
    }

    /// Which columns people are shown.
    fn shown_columns(&self) -> Vec<usize> {
        let columns = self.columns.iter().enumerate();
        let shown = columns.filter(|(_, column)| column.is_shown);
        shown.map(|(number, _)| number).collect()
    }
}
