//! Columns in and out of Parquet.

use std::path::Path;

use parquet::basic::Type as PhysicalType;
use parquet::column::reader::get_typed_column_reader;
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::RowGroupReader;
use parquet::file::writer::SerializedRowGroupWriter;
use parquet::schema::types::{SchemaDescriptor, Type};
use strum::{VariantArray, VariantNames};

use super::error::FolderError;

/// The names of an enum's variants, ready to be repeated without copying.
pub(super) fn names<E: VariantNames>() -> Vec<ByteArray> {
    E::VARIANTS
        .iter()
        .map(|name| ByteArray::from(*name))
        .collect()
}

/// The variant called `name`.
pub(super) fn variant<E: Copy + VariantArray + VariantNames>(name: &[u8]) -> Option<E> {
    let mut names = <E as VariantNames>::VARIANTS.iter();
    let index = names.position(|known| known.as_bytes() == name)?;
    <E as VariantArray>::VARIANTS.get(index).copied()
}

/// Writes the row group's next column. `levels` says for each row whether it has a value (1) or is
/// null (0); `values` then holds the values of the others only.
pub(super) fn write_column<T: DataType>(
    row_group: &mut SerializedRowGroupWriter<'_, std::fs::File>,
    values: &[T::T],
    levels: Option<&[i16]>,
) -> Result<()> {
    let mut column = row_group
        .next_column()?
        .ok_or_else(|| ParquetError::General("more columns than the schema has".into()))?;
    column.typed::<T>().write_batch(values, levels, None)?;
    column.close()
}

/// Where the columns of `expected` are in a file, by name; columns of other names are ignored.
pub(super) fn locate(
    found: &SchemaDescriptor,
    expected: &Type,
    file: &Path,
) -> Result<Vec<usize>, FolderError> {
    expected
        .get_fields()
        .iter()
        .map(|field| {
            let index = found
                .columns()
                .iter()
                .position(|column| column.path().string() == field.name());
            let index = index.ok_or_else(|| {
                FolderError::damaged(file, format!("column `{}` is missing", field.name()))
            })?;
            let column = found.column(index);
            let optional = i16::from(field.is_optional());
            let same = column.physical_type() == field.get_physical_type()
                && column.max_def_level() == optional
                && column.max_rep_level() == 0;
            if same {
                Ok(index)
            } else {
                Err(wrong_type(
                    file,
                    field.name(),
                    field.get_physical_type(),
                    column.physical_type(),
                ))
            }
        })
        .collect()
}

fn wrong_type(file: &Path, name: &str, expected: PhysicalType, found: PhysicalType) -> FolderError {
    FolderError::damaged(
        file,
        format!("column `{name}` should be {expected} as hotset writes it, not {found}"),
    )
}

/// A decoded column of one row group, kept between row groups to use its memory again.
pub(super) struct Column<T: DataType> {
    /// The values of the rows that are not null.
    pub values: Vec<T::T>,
    /// For a nullable column: 1 where the row has a value, else 0.
    pub levels: Vec<i16>,
}

impl<T: DataType> Column<T> {
    pub fn new() -> Self {
        Self {
            values: Vec::new(),
            levels: Vec::new(),
        }
    }

    /// Reads column `index`, of as many rows as the row group has; returns the values that are not null.
    pub fn read(
        &mut self,
        row_group: &dyn RowGroupReader,
        index: usize,
        rows: usize,
    ) -> Result<&[T::T]> {
        self.values.clear();
        self.levels.clear();
        let mut reader = get_typed_column_reader::<T>(row_group.get_column_reader(index)?);
        let mut read = 0;
        while read < rows {
            let levels = Some(&mut self.levels);
            let (records, _, _) =
                reader.read_records(rows - read, levels, None, &mut self.values)?;
            if records == 0 {
                return Err(ParquetError::EOF(format!(
                    "{read} rows where {rows} were promised"
                )));
            }
            read += records;
        }
        Ok(&self.values)
    }

    /// The column with its nulls, a row each.
    pub fn nullable(&self) -> impl Iterator<Item = Option<&T::T>> {
        let mut values = self.values.iter();
        self.levels
            .iter()
            .map(move |level| if *level == 1 { values.next() } else { None })
    }
}
