//! The columns of a trace as the columns of its folder's files.

use std::fs::File;
use std::ops::Range;
use std::path::Path;

use parquet::data_type::{BoolType, ByteArray, ByteArrayType, Int32Type, Int64Type};
use parquet::errors::Result as ParquetResult;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::TypePtr;
use strum::VariantNames;

use super::columns::{names, write_column};
use super::error::FolderError;
use super::schema::{self, ROW_GROUP};
use crate::objects::display_text;
use crate::{Method, NO_OBJECT, Objects, PathTable, Protocol, Requests};

/// A new, empty file of these columns.
pub(super) fn create(
    file: &Path,
    schema: TypePtr,
) -> Result<SerializedFileWriter<File>, FolderError> {
    let created = File::create_new(file).map_err(FolderError::io(file, "create"))?;
    let properties = schema::properties().map_err(FolderError::write(file))?;
    SerializedFileWriter::new(created, schema, properties).map_err(FolderError::write(file))
}

/// Writes what is left of `file` and makes sure of it: some file systems report a full disk only here.
pub(super) fn finish(
    writer: &mut SerializedFileWriter<File>,
    file: &Path,
) -> Result<(), FolderError> {
    writer.finish().map_err(FolderError::write(file))?;
    let written = writer.inner().sync_all();
    written.map_err(FolderError::io(file, "write"))
}

/// Appends a row group to `requests.parquet`.
pub(super) fn requests(
    writer: &mut SerializedFileWriter<File>,
    rows: &Requests,
    connections: Option<&[u32]>,
) -> ParquetResult<()> {
    let mut group = writer.next_row_group()?;
    write_column::<Int64Type>(&mut group, &rows.time_us, None)?;
    write_u32(&mut group, &rows.client)?;
    write_u16(&mut group, &rows.site)?;
    write_object_ids(&mut group, &rows.object)?;
    write_u64(&mut group, &rows.bytes)?;
    write_u16(&mut group, &rows.status)?;
    write_names::<Method>(&mut group, rows.method.iter().map(|it| *it as usize))?;
    write_names::<Protocol>(&mut group, rows.protocol.iter().map(|it| *it as usize))?;
    write_column::<BoolType>(&mut group, &rows.access, None)?;
    if let Some(ids) = connections {
        write_u32(&mut group, ids)?;
    }
    group.close().map(drop)
}

type Group<'a> = SerializedRowGroupWriter<'a, File>;

fn write_u32(group: &mut Group<'_>, values: &[u32]) -> ParquetResult<()> {
    let values: Vec<i32> = values.iter().map(|value| value.cast_signed()).collect();
    write_column::<Int32Type>(group, &values, None)
}

fn write_u16(group: &mut Group<'_>, values: &[u16]) -> ParquetResult<()> {
    let values: Vec<i32> = values.iter().map(|value| i32::from(*value)).collect();
    write_column::<Int32Type>(group, &values, None)
}

fn write_u64(group: &mut Group<'_>, values: &[u64]) -> ParquetResult<()> {
    let values: Vec<i64> = values.iter().map(|value| value.cast_signed()).collect();
    write_column::<Int64Type>(group, &values, None)
}

fn write_object_ids(group: &mut Group<'_>, ids: &[u32]) -> ParquetResult<()> {
    let levels: Vec<i16> = ids.iter().map(|id| i16::from(*id != NO_OBJECT)).collect();
    let present = ids.iter().filter(|id| **id != NO_OBJECT);
    let values: Vec<i32> = present.map(|id| id.cast_signed()).collect();
    write_column::<Int32Type>(group, &values, Some(&levels))
}

fn write_names<E: VariantNames>(
    group: &mut Group<'_>,
    variants: impl Iterator<Item = usize>,
) -> ParquetResult<()> {
    let names = names::<E>();
    let values: Vec<ByteArray> = variants.map(|variant| names[variant].clone()).collect();
    write_column::<ByteArrayType>(group, &values, None)
}

/// Two columns: the bytes as text, and the bytes themselves where the text differs from them.
fn write_texts<'a>(
    group: &mut Group<'_>,
    texts: impl Iterator<Item = &'a [u8]>,
) -> ParquetResult<()> {
    let (mut shown, mut raw, mut levels) = (Vec::new(), Vec::new(), Vec::new());
    for bytes in texts {
        let text = display_text(bytes);
        let differs = text.as_bytes() != bytes;
        levels.push(i16::from(differs));
        if differs {
            raw.push(ByteArray::from(bytes.to_vec()));
        }
        shown.push(ByteArray::from(text.into_bytes()));
    }
    write_column::<ByteArrayType>(group, &shown, None)?;
    write_column::<ByteArrayType>(group, &raw, Some(&levels))
}

/// Writes `objects.parquet`.
pub(super) fn objects(file: &Path, objects: &Objects) -> Result<(), FolderError> {
    let schema = schema::objects().map_err(FolderError::write(file))?;
    write_table(file, schema, objects.len(), |group, rows| {
        write_ids(group, rows.clone())?;
        write_u16(group, &objects.site[rows.clone()])?;
        write_texts(group, rows.clone().map(|row| objects.path.get(row)))?;
        write_u64(group, &objects.size[rows])
    })
}

/// Writes `clients.parquet`.
pub(super) fn clients(file: &Path, clients: &PathTable) -> Result<(), FolderError> {
    let schema = schema::clients().map_err(FolderError::write(file))?;
    write_table(file, schema, clients.len(), |group, rows| {
        write_ids(group, rows.clone())?;
        write_texts(group, rows.map(|row| clients.get(row)))
    })
}

fn write_ids(group: &mut Group<'_>, rows: Range<usize>) -> ParquetResult<()> {
    let ids: Vec<i32> = rows.map(|row| (row as u32).cast_signed()).collect();
    write_column::<Int32Type>(group, &ids, None)
}

fn write_table(
    file: &Path,
    schema: TypePtr,
    rows: usize,
    write_rows: impl Fn(&mut Group<'_>, Range<usize>) -> ParquetResult<()>,
) -> Result<(), FolderError> {
    let mut writer = create(file, schema)?;
    for start in (0..rows).step_by(ROW_GROUP) {
        let mut group = writer.next_row_group().map_err(FolderError::write(file))?;
        write_rows(&mut group, start..rows.min(start + ROW_GROUP))
            .map_err(FolderError::write(file))?;
        group.close().map_err(FolderError::write(file))?;
    }
    finish(&mut writer, file)
}
