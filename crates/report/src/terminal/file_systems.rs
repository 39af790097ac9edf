//! `hotset lab run` of file systems.

use super::{section, wrapped};
use crate::{Column, Style, Table, number};

/// One kind of measurement, file system by file system.
#[derive(Clone, Debug, PartialEq)]
pub struct FileSystemTable {
    /// What it is of.
    pub title: String,
    /// What the columns are of.
    pub columns: Vec<String>,
    /// File systems.
    pub rows: Vec<FileSystemRow>,
}

/// One file system's figures.
#[derive(Clone, Debug, PartialEq)]
pub struct FileSystemRow {
    /// Its name.
    pub name: String,
    /// Where the figures are from.
    pub source: String,
    /// One for each column; nothing where there is none.
    pub figures: Vec<Option<Figure>>,
}

/// A figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Figure {
    /// Microseconds.
    Time(f64),
    /// In a second.
    Rate(f64),
}

/// Table by table, then what else is to be said.
pub fn file_systems(tables: &[FileSystemTable], remarks: &[String], style: Style) -> String {
    let with_rows = tables.iter().filter(|table| !table.rows.is_empty());
    let text: String = with_rows.map(|table| rendered(table, style)).collect();
    if text.is_empty() {
        return "No results yet.\n".to_owned();
    }
    let remarks: String = remarks
        .iter()
        .map(|remark| wrapped(remark, style))
        .collect();
    format!("{}\n{remarks}", text.trim_start())
}

fn rendered(of: &FileSystemTable, style: Style) -> String {
    let first = [Column::text("file system"), Column::text("from")];
    let others = of.columns.iter().map(|name| Column::number(name));
    let mut table = Table::new(first.into_iter().chain(others));
    for row in &of.rows {
        let mut cells = vec![row.name.clone(), row.source.clone()];
        cells.extend(
            row.figures
                .iter()
                .map(|figure| figure.map_or_else(String::new, written)),
        );
        table.row(cells);
    }
    section(style, &of.title, &table.render(style))
}

fn written(figure: Figure) -> String {
    match figure {
        Figure::Time(us) => number::duration(us),
        Figure::Rate(per_s) => format!("{per_s:.0}"),
    }
}
