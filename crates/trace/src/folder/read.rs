//! Reading a trace folder.

use std::path::Path;

use jiff::Timestamp;
use parquet::data_type::{BoolType, Int32Type, Int64Type};
use parquet::file::statistics::Statistics;

use super::columns::Column;
use super::decode::{self, ACCESS, CONNECTION, OBJECT, TIME};
use super::error::FolderError;
use super::manifest::read_manifest;
use super::table::Table;
use crate::{NO_OBJECT, Trace, TraceOrigin, size_limits};

/// What a cache scan needs of a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Accesses {
    /// Object ids of the accesses, in log order.
    pub objects: Vec<u32>,
    /// Bytes of each object; the index is the object id.
    pub sizes: Vec<u64>,
}

/// Reads the trace folder `path` into memory.
///
/// # Errors
/// Names the file that is missing, damaged or contradicts another.
pub fn read(path: &Path) -> Result<Trace, FolderError> {
    let manifest = read_manifest(path)?;
    let objects = decode::objects(path, &manifest)?;
    let clients = decode::clients(path, &manifest)?;
    let requests = decode::requests(path, &manifest, &objects.size)?;
    Ok(Trace {
        sites: manifest.sites,
        clients,
        objects,
        requests,
        origin: manifest.origin,
    })
}

/// Reads only the accessed objects and the sizes: the columns a cache scan needs.
///
/// # Errors
/// As [`read`].
pub fn read_accesses(path: &Path) -> Result<Accesses, FolderError> {
    let manifest = read_manifest(path)?;
    let sizes = decode::sizes(path, &manifest)?;
    let table = Table::of_requests(path, &manifest, false)?;
    let (mut object, mut access) = (Column::<Int32Type>::new(), Column::<BoolType>::new());
    let mut objects = Vec::new();
    table.for_each_group(|group, columns, rows| {
        object.read(group, columns[OBJECT], rows)?;
        access.read(group, columns[ACCESS], rows)?;
        push_accessed(&object, &access.values, &mut objects);
        Ok(())
    })?;
    table.check_ids(&objects, sizes.len(), "object")?;
    table.check_totals(size_limits::files_fit(&sizes, &objects))?;
    Ok(Accesses { objects, sizes })
}

/// Reads the connection of each request; `None` where the folder has no such column.
///
/// # Errors
/// As [`read`].
pub fn read_connections(path: &Path) -> Result<Option<Vec<u32>>, FolderError> {
    let manifest = read_manifest(path)?;
    let Some(connections) = manifest.connections else {
        return Ok(None);
    };
    let table = Table::of_requests(path, &manifest, true)?;
    let mut column = Column::<Int32Type>::new();
    let mut ids = Vec::new();
    table.for_each_group(|group, columns, rows| {
        column.read(group, columns[CONNECTION], rows)?;
        ids.extend(column.values.iter().map(|id| id.cast_unsigned()));
        Ok(())
    })?;
    table.check_ids(
        &ids,
        usize::try_from(connections).unwrap_or(usize::MAX),
        "connection",
    )?;
    Ok(Some(ids))
}

/// First and last time of the requests; `None` where they have no times. Times are decoded only where the file has no
/// statistics of them.
///
/// # Errors
/// As [`read`].
pub fn read_span(path: &Path) -> Result<Option<(Timestamp, Timestamp)>, FolderError> {
    let manifest = read_manifest(path)?;
    if manifest.origin == TraceOrigin::Untimed {
        return Ok(None);
    }
    let table = Table::of_requests(path, &manifest, false)?;
    let mut times = Column::<Int64Type>::new();
    let mut ends = Vec::new();
    table.for_each_group(|group, columns, rows| {
        let metadata = group.metadata().column(columns[TIME]);
        match metadata.statistics() {
            Some(Statistics::Int64(of)) if of.min_opt().is_some() && of.max_opt().is_some() => {
                ends.extend(of.min_opt().into_iter().chain(of.max_opt()));
            }
            _ => ends.extend_from_slice(times.read(group, columns[TIME], rows)?),
        }
        Ok(())
    })?;
    let time = |us: Option<&i64>| Timestamp::from_microsecond(*us?).ok();
    Ok(time(ends.iter().min()).zip(time(ends.iter().max())))
}

fn push_accessed(object: &Column<Int32Type>, access: &[bool], accessed: &mut Vec<u32>) {
    let everything = object.values.len() == access.len() && access.iter().all(|access| *access);
    if everything {
        accessed.extend(object.values.iter().map(|id| id.cast_unsigned()));
        return;
    }
    let rows = object.nullable().zip(access);
    accessed.extend(rows.filter(|(_, access)| **access).map(|(id, _)| {
        // A request without an object is not an access; the sentinel is refused by the check of ids.
        id.map_or(NO_OBJECT, |id| id.cast_unsigned())
    }));
}
