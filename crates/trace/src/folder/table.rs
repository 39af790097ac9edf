//! An open Parquet file of a trace folder, held against what the manifest and the schema promise.

use std::fs::File;
use std::path::{Path, PathBuf};

use parquet::errors::Result as ParquetResult;
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};
use parquet::schema::types::TypePtr;

use super::columns::locate;
use super::damage::guarded;
use super::error::FolderError;
use super::manifest::{MANIFEST_FILE, Manifest};
use super::schema::{self, REQUESTS_FILE};
use crate::size_limits::MAX_TOTAL_BYTES;

/// An open Parquet file of the folder whose columns and row count are as promised.
pub(super) struct Table {
    file: PathBuf,
    reader: SerializedFileReader<File>,
    columns: Vec<usize>,
}

impl Table {
    /// Opens the table of requests; with the column of connections, if `with_connections`.
    pub fn of_requests(
        folder: &Path,
        manifest: &Manifest,
        with_connections: bool,
    ) -> Result<Self, FolderError> {
        let schema = schema::requests(with_connections);
        Self::open(folder, REQUESTS_FILE, schema, manifest.requests)
    }

    pub fn open(
        folder: &Path,
        name: &str,
        schema: ParquetResult<TypePtr>,
        rows: u64,
    ) -> Result<Self, FolderError> {
        let file = folder.join(name);
        let opened = File::open(&file).map_err(FolderError::io(&file, "read"))?;
        let damaged = |error| FolderError::damaged(&file, error);
        let reader = guarded(&file, || SerializedFileReader::new(opened).map_err(damaged))?;
        let schema = schema.map_err(damaged)?;
        let columns = locate(
            reader.metadata().file_metadata().schema_descr(),
            &schema,
            &file,
        )?;
        let table = Self {
            file,
            reader,
            columns,
        };
        table.check_rows(rows)?;
        Ok(table)
    }

    fn check_rows(&self, promised: u64) -> Result<(), FolderError> {
        let mut found = 0u64;
        for group in self.reader.metadata().row_groups() {
            let rows = u64::try_from(group.num_rows()).map_err(|error| self.damaged(error))?;
            found = found.saturating_add(rows);
        }
        if found == promised {
            return Ok(());
        }
        Err(self.damaged(format!(
            "{found} rows where {MANIFEST_FILE} promises {promised}"
        )))
    }

    pub fn for_each_group(
        &self,
        mut decode: impl FnMut(&dyn RowGroupReader, &[usize], usize) -> ParquetResult<()>,
    ) -> Result<(), FolderError> {
        for index in 0..self.reader.num_row_groups() {
            guarded(&self.file, || {
                let group = self
                    .reader
                    .get_row_group(index)
                    .map_err(|error| self.damaged(error))?;
                // `check_rows` refuses negative counts.
                let rows = group.metadata().num_rows() as usize;
                decode(group.as_ref(), &self.columns, rows).map_err(|error| self.damaged(error))
            })?;
        }
        Ok(())
    }

    pub fn damaged(&self, detail: impl ToString) -> FolderError {
        FolderError::damaged(&self.file, detail)
    }

    pub fn check_totals(&self, fit: bool) -> Result<(), FolderError> {
        match fit {
            true => Ok(()),
            false => {
                Err(self.damaged(format!("sizes of more than {MAX_TOTAL_BYTES} bytes in all")))
            }
        }
    }

    pub fn check_ids(&self, ids: &[u32], bound: usize, what: &str) -> Result<(), FolderError> {
        match ids.iter().max() {
            Some(id) if *id as usize >= bound => {
                Err(self.damaged(format!("{what} {id} where there are {bound}")))
            }
            _ => Ok(()),
        }
    }
}
