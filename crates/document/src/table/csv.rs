//! Tables as comma-separated values, for spreadsheets and programs.

use super::{Cell, Column, RowKind, Table};
use csv::{Terminator, WriterBuilder};

impl Table {
    /// The table by RFC 4180, all its rows: a header with units, then figures in full. A figure with an interval takes three
    /// columns. What stands in the place of a figure, or an unknown one, is empty. The header is the same whatever the rows.
    ///
    /// # Errors
    /// None that writing to memory can cause.
    pub fn csv(&self) -> Result<String, csv::Error> {
        let mut to = WriterBuilder::new()
            .terminator(Terminator::CRLF)
            .from_writer(Vec::new());
        to.write_record(self.columns.iter().flat_map(Column::csv_headers))?;
        for row in self.rows.iter().filter(|row| row.kind != RowKind::Remark) {
            let cells = self.columns.iter().zip(&row.cells);
            to.write_record(cells.flat_map(|(column, cell)| column.csv_fields(cell)))?;
        }
        let bytes = to.into_inner().map_err(|error| error.into_error())?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

impl Column {
    fn csv_headers(&self) -> Vec<String> {
        // What stands in brackets says what follows the figure in its cell.
        let header = self.sheet_header.as_ref().unwrap_or(&self.header);
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

    fn csv_fields(&self, cell: &Cell) -> Vec<String> {
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
    let text = match cell.sheet_text {
        Some(text) => text,
        None if cell.is_unknown() => "",
        None => &cell.text,
    };
    match text.starts_with(['=', '+', '-', '@']) {
        true => format!("'{text}"),
        false => text.to_owned(),
    }
}
