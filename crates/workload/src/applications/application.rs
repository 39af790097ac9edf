//! What all applications have in common.

use std::io;

use super::rows::Rows;
use crate::sessions::Mix;

/// A web application of a benchmark: its database, its pages, and how its visitors move.
pub trait Application {
    /// Its name, as `hotset generate` takes it.
    fn name(&self) -> &'static str;

    /// How its visitors move, a mix each.
    fn mixes(&self) -> Vec<Mix>;

    /// Its tables, in the order in which they are loaded.
    fn tables(&self) -> &'static [Table];

    /// Writes the rows of the table of this number.
    ///
    /// # Errors
    /// Those of writing.
    fn fill(&self, table: usize, rows: &mut Rows<'_>) -> io::Result<()>;

    /// Its scripts, by their paths below the database's folder.
    fn files(&self) -> &'static [(&'static str, &'static str)];
}

/// A table of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// Its columns and its primary key, as SQL.
    pub columns: &'static str,
    /// Its other indexes, which are made when its rows are there: a column or several, with commas.
    pub indexes: &'static [&'static str],
}
