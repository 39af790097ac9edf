//! Tables as comma-separated values, for spreadsheets and programs.

use super::cell::Unit;
use super::{Cell, Row, RowKind, Table};
use csv::{Terminator, WriterBuilder};

impl Table {
    /// The table by RFC 4180, all its rows: a header with units, then figures in full. A figure with an interval takes three
    /// columns. An unknown figure is empty.
    ///
    /// # Errors
    /// None that writing to memory can cause.
    pub fn csv(&self) -> Result<String, csv::Error> {
        let mut to = WriterBuilder::new()
            .terminator(Terminator::CRLF)
            .from_writer(Vec::new());
        let kinds: Vec<Kind> = (0..self.columns.len()).map(|i| self.kind(i)).collect();
        let columns = self.columns.iter().zip(&kinds);
        to.write_record(columns.flat_map(|(column, kind)| kind.headers(&column.header)))?;
        for row in self.rows.iter().filter(|row| row.kind != RowKind::Remark) {
            to.write_record(
                row.cells
                    .iter()
                    .zip(&kinds)
                    .flat_map(|(cell, kind)| kind.fields(cell)),
            )?;
        }
        let bytes = to.into_inner().map_err(|error| error.into_error())?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// What the cells of a column are.
    fn kind(&self, column: usize) -> Kind {
        let cells = || self.rows.iter().map(|row: &Row| &row.cells[column]);
        let figures = cells().map(|cell| cell.figures.len()).max().unwrap_or(0);
        let with_figures = cells().find(|cell| !cell.figures.is_empty());
        Kind {
            figures,
            unit: with_figures.map_or(Unit::Plain, |cell| cell.unit),
        }
    }
}

/// What the cells of a column are.
struct Kind {
    /// 0 for words, 1 for a figure, 3 for a figure and the bounds of its interval.
    figures: usize,
    unit: Unit,
}

impl Kind {
    fn headers(&self, header: &str) -> Vec<String> {
        // What stands in brackets says what follows the figure in its cell.
        let name = match header.split_once(" (") {
            Some((name, _)) if self.figures > 1 => name,
            _ => header,
        };
        let unit = self.unit.in_words().filter(|unit| *unit != name);
        let unit = unit.map_or_else(String::new, |unit| format!(" ({unit})"));
        match self.figures {
            0 => vec![name.to_owned()],
            1 => vec![format!("{name}{unit}")],
            _ => ["", " low", " high"]
                .map(|bound| format!("{name}{bound}{unit}"))
                .into(),
        }
    }

    fn fields(&self, cell: &Cell) -> Vec<String> {
        if self.figures == 0 {
            return vec![as_text(cell)];
        }
        let figures = cell.figures.iter().map(ToString::to_string);
        let mut fields: Vec<String> = figures.collect();
        fields.resize(self.figures, String::new());
        fields
    }
}

/// Words as they are, unless a spreadsheet would take them for a formula: what strangers send stands behind an apostrophe then
/// (OWASP, "CSV Injection").
fn as_text(cell: &Cell) -> String {
    if cell.is_unknown() {
        return String::new();
    }
    match cell.text.starts_with(['=', '+', '-', '@']) {
        true => format!("'{}", cell.text),
        false => cell.text.clone(),
    }
}
