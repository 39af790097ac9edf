//! `hotset generate tpcw`, `rubis` and `rubbos`.

use serde::Serialize;

use crate::{Document, Json, Table, Tone, View, number};

/// A database that was populated. Its fields are the keys of `--json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct DatabaseView {
    /// The benchmark.
    pub application: String,
    /// Engine of its tables.
    pub engine: String,
    /// The class of Zipf-like workloads whose working set its tables fill.
    pub class: u64,
    /// Its tables, in the order in which they are loaded.
    pub tables: Vec<DatabaseTable>,
    /// What the tables are estimated to take in the server, with their indexes.
    pub estimated_bytes: u64,
    /// Files of the sessions, one a mix.
    pub sessions: Vec<String>,
    /// Seed of every random choice.
    pub seed: u64,
    /// Folder written.
    pub folder: String,
}

/// A table as a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct DatabaseTable {
    /// Its name.
    pub name: String,
    /// Its rows.
    pub rows: u64,
    /// Bytes of the file.
    pub bytes: u64,
    /// SHA-256 of the file, in hexadecimal digits.
    pub checksum: String,
}

impl View for DatabaseView {
    /// What was populated and where it is.
    fn document(&self) -> Document<'_> {
        let rows = self.tables.iter().map(|table| table.rows).sum();
        let headline = format!(
            "{} for {}: {} in {}, about {} in the server, seed {}.",
            self.application,
            self.engine,
            number::counted(rows, "row", "rows"),
            number::counted(self.tables.len() as u64, "table", "tables"),
            number::bytes(self.estimated_bytes),
            self.seed,
        );
        let mut to = Document::new(headline, Tone::Strong);
        to.preformatted(format!("folder  {}\n", self.folder));
        to.table(move |_| self.table()).heading("Tables");
        to.lines("Sessions", &self.sessions);
        to
    }

    fn value(&self) -> impl Json {
        self
    }
}

impl DatabaseView {
    fn table(&self) -> impl Into<Table> {
        Table::of(&self.tables)
            .text("table", |it| &it.name)
            .count("rows", |it| it.rows)
            .bytes("file", |it| it.bytes)
            .flexible("SHA-256", |it| &it.checksum)
    }
}
