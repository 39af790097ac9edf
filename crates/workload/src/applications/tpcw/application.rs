//! TPC-W as an application.

use std::io;

use super::files::FILES;
use super::mixes::mixes;
use super::population::fill;
use super::schema::TABLES;
use super::shop::Tpcw;
use crate::applications::application::{Application, Table};
use crate::applications::rows::Rows;
use crate::sessions::Mix;

impl Application for Tpcw {
    fn name(&self) -> &'static str {
        "tpcw"
    }

    fn mixes(&self) -> Vec<Mix> {
        mixes(self)
    }

    fn tables(&self) -> &'static [Table] {
        &TABLES
    }

    fn fill(&self, table: usize, rows: &mut Rows<'_>) -> io::Result<()> {
        fill(self, TABLES[table].name, rows)
    }

    fn files(&self) -> &'static [(&'static str, &'static str)] {
        &FILES
    }
}
