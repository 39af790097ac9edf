//! Programs that write beside the servers of nodes.

use serde::Deserialize;
use toml::Spanned;

use crate::names::there_are;
use crate::toml_file::{Bytes, FileError, Place, TomlFile};

/// A program on a node that writes files nobody reads: a backup, a log, an upload. It begins each file anew in place of the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Writer {
    /// Its name.
    pub name: String,
    /// Name of the node that it is on, which reads sites from a store.
    pub node: String,
    /// Index in [`crate::Scenario::stores`] of the store that it writes to.
    pub store: usize,
    /// Bytes that it writes in a second, where nothing slows it down.
    pub bytes_per_s: u64,
    /// Bytes of each file.
    pub file_bytes: u64,
    /// Where the file names it.
    pub at: Place,
}

/// A `[[writer]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct WriterTable {
    pub name: Spanned<String>,
    node: Spanned<String>,
    store: Spanned<String>,
    rate: Bytes,
    file_bytes: Bytes,
}

/// Names that writers may have, in the order of the file.
pub(crate) struct WriterNames<'t> {
    /// Nodes that read sites from a store.
    pub nodes: Vec<&'t str>,
    /// All stores.
    pub stores: Vec<&'t str>,
}

impl WriterTable {
    /// The writer, on one of the nodes and stores of `names`.
    pub fn writer(&self, file: &TomlFile, names: &WriterNames<'_>) -> Result<Writer, FileError> {
        named(
            file,
            "node",
            "[[node]] that reads a store",
            &self.node,
            &names.nodes,
        )?;
        let store = named(file, "store", "[[store]]", &self.store, &names.stores)?;
        Ok(Writer {
            name: self.name.get_ref().clone(),
            node: self.node.get_ref().clone(),
            store,
            bytes_per_s: self.rate.0,
            file_bytes: self.file_bytes.0,
            at: file.place(self.name.span()),
        })
    }
}

/// The place of a name among those that are `known`.
fn named(
    file: &TomlFile,
    key: &str,
    table: &str,
    name: &Spanned<String>,
    known: &[&str],
) -> Result<usize, FileError> {
    let called = name.get_ref();
    let found = known.iter().position(|it| it == called);
    found.ok_or_else(|| {
        let message = format!(
            "`{key}` in [[writer]]: there is no {table} called `{called}`; {}",
            there_are(called, known)
        );
        file.error(name.span(), message)
    })
}
