//! The columns of a trace folder's files as the columns of a trace.

use std::path::Path;

use parquet::data_type::{BoolType, ByteArray, ByteArrayType, Int32Type, Int64Type};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::reader::RowGroupReader;
use strum::{VariantArray, VariantNames};

use super::columns::{Column, variant};
use super::error::FolderError;
use super::manifest::Manifest;
use super::schema::{self, CLIENTS_FILE, OBJECTS_FILE};
use super::table::Table;
use crate::{NO_OBJECT, Objects, PathTable, Requests, size_limits};

// Positions in the schema of `requests.parquet`.
pub(super) const TIME: usize = 0;
pub(super) const OBJECT: usize = 3;
pub(super) const ACCESS: usize = 8;
pub(super) const CONNECTION: usize = 9;

/// The rows of `requests.parquet`, whose objects have `sizes`.
pub(super) fn requests(
    folder: &Path,
    manifest: &Manifest,
    sizes: &[u64],
) -> Result<Requests, FolderError> {
    let table = Table::of_requests(folder, manifest, false)?;
    let mut numbers = Column::<Int32Type>::new();
    let mut long = Column::<Int64Type>::new();
    let mut names = Column::<ByteArrayType>::new();
    let mut flags = Column::<BoolType>::new();
    let mut to = Requests::default();
    table.for_each_group(|group, columns, rows| {
        to.time_us
            .extend_from_slice(long.read(group, columns[TIME], rows)?);
        push_u32(numbers.read(group, columns[1], rows)?, &mut to.client);
        push_u16(numbers.read(group, columns[2], rows)?, &mut to.site)?;
        numbers.read(group, columns[OBJECT], rows)?;
        let objects = numbers.nullable();
        to.object
            .extend(objects.map(|id| id.map_or(NO_OBJECT, |id| id.cast_unsigned())));
        push_u64(long.read(group, columns[4], rows)?, &mut to.bytes);
        push_u16(numbers.read(group, columns[5], rows)?, &mut to.status)?;
        let methods = names.read(group, columns[6], rows)?;
        push_variants(methods, &mut to.method)?;
        let protocols = names.read(group, columns[7], rows)?;
        push_variants(protocols, &mut to.protocol)?;
        to.access
            .extend_from_slice(flags.read(group, columns[ACCESS], rows)?);
        Ok(())
    })?;
    check_requests(&table, &to, manifest)?;
    table.check_totals(
        size_limits::files_fit(sizes, &to.object) && size_limits::responses_fit(&to),
    )?;
    Ok(to)
}

fn check_requests(
    table: &Table,
    requests: &Requests,
    manifest: &Manifest,
) -> Result<(), FolderError> {
    let objects = manifest.objects as usize;
    let unknown = |id: &&u32| **id != NO_OBJECT && **id as usize >= objects;
    if let Some(id) = requests.object.iter().find(unknown) {
        return Err(table.damaged(format!("object {id} where there are {objects}")));
    }
    let nothing_read = |(object, access): (&u32, &bool)| *access && *object == NO_OBJECT;
    if requests
        .object
        .iter()
        .zip(&requests.access)
        .any(nothing_read)
    {
        return Err(table.damaged("an access without an object"));
    }
    // Ids are dense even where clients have no names, so that tables by client stay small.
    let clients = if manifest.clients > 0 {
        manifest.clients
    } else {
        manifest.requests
    };
    table.check_ids(&requests.client, clients as usize, "client")?;
    check_sites(table, &requests.site, manifest)
}

fn check_sites(table: &Table, sites: &[u16], manifest: &Manifest) -> Result<(), FolderError> {
    let count = manifest.sites.len();
    match sites.iter().find(|site| usize::from(**site) >= count) {
        Some(site) => Err(table.damaged(format!("site {site} where there are {count}"))),
        None => Ok(()),
    }
}

fn push_u32(values: &[i32], to: &mut Vec<u32>) {
    to.extend(values.iter().map(|value| value.cast_unsigned()));
}

fn push_u64(values: &[i64], to: &mut Vec<u64>) {
    to.extend(values.iter().map(|value| value.cast_unsigned()));
}

fn push_u16(values: &[i32], to: &mut Vec<u16>) -> ParquetResult<()> {
    for value in values {
        to.push(u16::try_from(*value).map_err(|_| out_of_range(value))?);
    }
    Ok(())
}

fn push_variants<E: Copy + VariantArray + VariantNames>(
    names: &[ByteArray],
    to: &mut Vec<E>,
) -> ParquetResult<()> {
    for name in names {
        let name = name.data();
        to.push(variant(name).ok_or_else(|| out_of_range(&String::from_utf8_lossy(name)))?);
    }
    Ok(())
}

fn out_of_range(value: &impl std::fmt::Display) -> ParquetError {
    ParquetError::General(format!("unexpected value {value}"))
}

/// The rows of `objects.parquet`.
pub(super) fn objects(folder: &Path, manifest: &Manifest) -> Result<Objects, FolderError> {
    let table = Table::open(folder, OBJECTS_FILE, schema::objects(), manifest.objects)?;
    let mut objects = Objects::default();
    table.for_each_group(|group, columns, rows| {
        read_ids(group, columns[0], rows, objects.size.len())?;
        let mut site = Column::<Int32Type>::new();
        push_u16(site.read(group, columns[1], rows)?, &mut objects.site)?;
        read_texts(group, [columns[2], columns[3]], rows, &mut objects.path)?;
        let mut size = Column::<Int64Type>::new();
        push_u64(size.read(group, columns[4], rows)?, &mut objects.size);
        Ok(())
    })?;
    check_sites(&table, &objects.site, manifest)?;
    Ok(objects)
}

/// The sizes in `objects.parquet`.
pub(super) fn sizes(folder: &Path, manifest: &Manifest) -> Result<Vec<u64>, FolderError> {
    let table = Table::open(folder, OBJECTS_FILE, schema::objects(), manifest.objects)?;
    let mut size = Column::<Int64Type>::new();
    let mut sizes = Vec::new();
    table.for_each_group(|group, columns, rows| {
        push_u64(size.read(group, columns[4], rows)?, &mut sizes);
        Ok(())
    })?;
    Ok(sizes)
}

/// The rows of `clients.parquet`.
pub(super) fn clients(folder: &Path, manifest: &Manifest) -> Result<PathTable, FolderError> {
    let table = Table::open(folder, CLIENTS_FILE, schema::clients(), manifest.clients)?;
    let mut clients = PathTable::default();
    table.for_each_group(|group, columns, rows| {
        read_ids(group, columns[0], rows, clients.len())?;
        read_texts(group, [columns[1], columns[2]], rows, &mut clients)
    })?;
    Ok(clients)
}

/// Ids are written as the row number; anything else was put there by another program.
fn read_ids(
    group: &dyn RowGroupReader,
    column: usize,
    rows: usize,
    first: usize,
) -> ParquetResult<()> {
    let mut ids = Column::<Int32Type>::new();
    let ids = ids.read(group, column, rows)?;
    let wrong = |(row, id): &(usize, &i32)| id.cast_unsigned() as usize != first + row;
    match ids.iter().enumerate().find(wrong) {
        Some((row, id)) => Err(out_of_range(&format!("{id} as id of row {}", first + row))),
        None => Ok(()),
    }
}

fn read_texts(
    group: &dyn RowGroupReader,
    columns: [usize; 2],
    rows: usize,
    to: &mut PathTable,
) -> ParquetResult<()> {
    let (mut shown, mut raw) = (
        Column::<ByteArrayType>::new(),
        Column::<ByteArrayType>::new(),
    );
    shown.read(group, columns[0], rows)?;
    raw.read(group, columns[1], rows)?;
    for (text, bytes) in shown.values.iter().zip(raw.nullable()) {
        to.push(bytes.unwrap_or(text).data());
    }
    Ok(())
}
