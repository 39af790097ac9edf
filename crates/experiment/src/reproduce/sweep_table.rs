//! Tables of `hotset sweep`, which are Parquet files.

use std::fs::File;
use std::path::Path;

use hotset_machine::OnFile as _;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::record::{Field, Row};

use crate::ExperimentError;

/// A site at a point of a sweep.
#[derive(Clone, Debug)]
pub(crate) struct SweepRow(Row);

impl SweepRow {
    /// A value in words; nothing in a column that has figures, or is not there.
    pub fn text(&self, column: &str) -> Option<&str> {
        match self.field(column)? {
            Field::Str(text) => Some(text.as_str()),
            _ => None,
        }
    }

    /// A figure; nothing where it is not known.
    pub fn figure(&self, column: &str) -> Option<f64> {
        match self.field(column)? {
            Field::Double(figure) => Some(*figure),
            _ => None,
        }
    }

    fn field(&self, column: &str) -> Option<&Field> {
        let mut fields = self.0.get_column_iter();
        fields.find(|(name, _)| *name == column).map(|it| it.1)
    }
}

/// The rows of the table at `path`.
///
/// # Errors
/// A file that cannot be read, or is no such table.
pub(crate) fn read(path: &Path) -> Result<Vec<SweepRow>, ExperimentError> {
    let file = File::open(path).on("read", path)?;
    rows(file).map_err(|error| {
        ExperimentError::Unusable(format!(
            "{}: is no table of `hotset sweep`: {error}",
            path.display()
        ))
    })
}

fn rows(file: File) -> Result<Vec<SweepRow>, ParquetError> {
    let reader = SerializedFileReader::new(file)?;
    let rows = reader.get_row_iter(None)?;
    rows.map(|row| row.map(SweepRow)).collect()
}
