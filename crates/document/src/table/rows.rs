//! Tables with a row for each of some things, written column by column: what a column is called and what stands in it.

use super::{Cell, Column, RowKind, Table};

/// Things that get a row each, and the columns so far.
pub struct Rows<T> {
    things: Vec<T>,
    columns: Vec<Column>,
    cells: Vec<Vec<Cell>>,
    kinds: Vec<RowKind>,
    /// Things that are all others together, the last ones.
    totals: usize,
    hides_unknown: bool,
}

impl Table {
    /// A table with a row for each of `things`, and no column yet.
    pub fn of<T>(things: impl IntoIterator<Item = T>) -> Rows<T> {
        let things: Vec<T> = things.into_iter().collect();
        Rows {
            columns: Vec::new(),
            cells: Vec::new(),
            kinds: vec![RowKind::Plain; things.len()],
            totals: 0,
            hides_unknown: false,
            things,
        }
    }
}

impl<T> Rows<T> {
    /// A column, and what stands in it for each thing. What is unknown is shown as such.
    pub fn column<C: Into<Cell>>(mut self, column: Column, cell: impl Fn(&T) -> C) -> Self {
        self.cells.resize_with(self.things.len(), Vec::new);
        for (thing, cells) in self.things.iter().zip(&mut self.cells) {
            cells.push(cell(thing).into());
        }
        self.columns.push(column);
        self
    }

    /// Words.
    pub fn text<C: Into<Cell>>(self, header: &str, cell: impl Fn(&T) -> C) -> Self {
        self.column(Column::text(header), cell)
    }

    /// Words that are shortened in the middle where the table would be too wide.
    pub fn flexible<C: Into<Cell>>(self, header: &str, cell: impl Fn(&T) -> C) -> Self {
        self.column(Column::flexible(header), cell)
    }

    /// Whole numbers.
    pub fn count<N: Into<Option<u64>>>(self, header: &str, value: impl Fn(&T) -> N) -> Self {
        let cell = |thing: &T| Cell::known(value(thing).into().map(Cell::count));
        self.column(Column::number(header), cell)
    }

    /// Bytes.
    pub fn bytes<N: Into<Option<u64>>>(self, header: &str, value: impl Fn(&T) -> N) -> Self {
        let cell = |thing: &T| Cell::known(value(thing).into().map(Cell::bytes));
        self.column(Column::bytes(header), cell)
    }

    /// Numbers without a unit.
    pub fn plain<N: Into<Option<f64>>>(self, header: &str, value: impl Fn(&T) -> N) -> Self {
        let cell = |thing: &T| Cell::known(value(thing).into().map(Cell::plain));
        self.column(Column::number(header), cell)
    }

    /// Microseconds.
    pub fn duration<N: Into<Option<f64>>>(self, header: &str, value: impl Fn(&T) -> N) -> Self {
        let cell = |thing: &T| Cell::known(value(thing).into().map(Cell::duration));
        self.column(Column::duration(header), cell)
    }

    /// Shares of one.
    pub fn percent<N: Into<Option<f64>>>(self, header: &str, value: impl Fn(&T) -> N) -> Self {
        let cell = |thing: &T| Cell::known(value(thing).into().map(Cell::percent));
        self.column(Column::percent(header), cell)
    }

    /// Events a second.
    pub fn per_second<N: Into<Option<f64>>>(self, header: &str, value: impl Fn(&T) -> N) -> Self {
        let cell = |thing: &T| Cell::known(value(thing).into().map(Cell::per_second));
        self.column(Column::per_second(header), cell)
    }

    /// Figures in their own words, set to the right.
    pub fn figure<C: Into<Cell>>(self, header: &str, cell: impl Fn(&T) -> C) -> Self {
        self.column(Column::number(header), cell)
    }

    /// Hides the last column from people unless it `is_shown`; spreadsheets have it always.
    pub fn shown_if(mut self, is_shown: bool) -> Self {
        if let Some(column) = self.columns.last_mut() {
            column.is_shown = is_shown;
        }
        self
    }

    /// Has the page show the last column right behind the labels.
    pub fn leading(mut self) -> Self {
        if let Some(column) = self.columns.last_mut() {
            column.leads = true;
        }
        self
    }

    /// Has spreadsheets call the last column otherwise.
    pub fn in_sheets(mut self, header: &str) -> Self {
        if let Some(column) = self.columns.last_mut() {
            column.sheet_header = Some(header.to_owned());
        }
        self
    }

    /// Has these rows stand out: the recommended choice.
    pub fn strong(mut self, is_strong: impl Fn(&T) -> bool) -> Self {
        for (thing, kind) in self.things.iter().zip(&mut self.kinds) {
            if is_strong(thing) {
                *kind = RowKind::Strong;
            }
        }
        self
    }

    /// Hides rows from people beyond the first `most`, and says how many they are.
    pub fn first(mut self, most: usize) -> Self {
        let beyond = self.kinds.iter_mut().skip(most);
        beyond.for_each(|kind| *kind = RowKind::Hidden);
        self
    }

    /// Hides the columns from people whose figures are all unknown.
    pub fn without_unknown_columns(mut self) -> Self {
        self.hides_unknown = true;
        self
    }

    /// Adds a row that stands out for all things together, before any column.
    pub fn total(mut self, all: impl Into<Option<T>>) -> Self {
        if let Some(all) = all.into() {
            self.things.push(all);
            self.kinds.push(RowKind::Strong);
            self.totals += 1;
        }
        self
    }
}

impl<T> From<Rows<T>> for Table {
    fn from(rows: Rows<T>) -> Table {
        let single = rows.things.len() - rows.totals;
        let hidden = rows.kinds.iter();
        let hidden = hidden.filter(|kind| **kind == RowKind::Hidden).count();
        let mut table = Table::new(rows.columns);
        for (number, (cells, kind)) in rows.cells.into_iter().zip(rows.kinds).enumerate() {
            if number == single {
                table.say_hidden(hidden);
            }
            table.push(cells, kind);
        }
        if rows.totals == 0 {
            table.say_hidden(hidden);
        }
        if rows.hides_unknown {
            table.hide_unknown_columns();
        }
        table
    }
}
