//! Tables: what stands in them, and how each exporter sets them.

mod cell;
mod csv;
mod html;
mod terminal;

use crate::number;
pub use cell::Cell;
pub(crate) use cell::optional;

/// Sites that get a row of their own where people read.
pub(crate) const SITES_SHOWN: usize = 200;

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

/// What a row is to its table.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RowKind {
    Plain,
    /// Stands out: a total, the recommended choice.
    Strong,
    /// One too many for people.
    Hidden,
    /// Says how many are hidden.
    Remark,
}

struct Row {
    cells: Vec<Cell>,
    kind: RowKind,
}

/// Rows under headers.
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
        self.rows.push(Row { cells, kind });
    }

    /// Hides the rows beyond the first `most` from people, and says in a last row how many they are.
    pub(crate) fn hide_beyond(&mut self, most: usize) {
        let hidden = self.rows.len().saturating_sub(most);
        if hidden == 0 {
            return;
        }
        for row in &mut self.rows[most..] {
            row.kind = RowKind::Hidden;
        }
        self.push(
            [format!("… {} more", number::count(hidden as u64))],
            RowKind::Remark,
        );
    }

    /// The same without the columns whose figures are all unknown.
    pub(crate) fn without_unknown_columns(mut self) -> Table {
        let known: Vec<bool> = (0..self.columns.len())
            .map(|column| !self.rows.iter().all(|row| row.cells[column].is_unknown()))
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

    /// The rows that people are shown.
    fn shown(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.kind != RowKind::Hidden)
    }
}
