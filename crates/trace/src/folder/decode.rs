//! Reading a trace folder.

use std::cell::Cell;
use std::fs::{self, File};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use parquet::data_type::{BoolType, ByteArray, ByteArrayType, Int32Type, Int64Type};
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};
use parquet::schema::types::TypePtr;

use super::columns::{Column, METHODS, PROTOCOLS, locate, variant};
use super::manifest::{FORMAT, VERSION};
use super::{
    CLIENTS_FILE, MANIFEST_FILE, Manifest, OBJECTS_FILE, REQUESTS_FILE, StoreError, schema,
};
use crate::{MAX_TOTAL_BYTES, NO_OBJECT, Objects, PathTable, Requests, Trace, totals};

/// What a cache scan needs of a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Accesses {
    /// Object ids of the accesses, in log order.
    pub objects: Vec<u32>,
    /// Bytes of each object; the index is the object id.
    pub sizes: Vec<u64>,
}

/// Reads the manifest of the trace folder `path`.
///
/// # Errors
/// [`StoreError::NotATrace`] where there is none, [`StoreError::Damaged`] where it makes no sense.
pub fn read_manifest(path: &Path) -> Result<Manifest, StoreError> {
    let file = path.join(MANIFEST_FILE);
    let text = fs::read(&file).map_err(|error| StoreError::NotATrace {
        path: path.to_owned(),
        detail: format!("{MANIFEST_FILE}: {error}"),
    })?;
    let manifest: Manifest =
        serde_json::from_slice(&text).map_err(|error| StoreError::damaged(&file, error))?;
    if manifest.format != FORMAT {
        let detail = format!("{MANIFEST_FILE} says `{}`, not `{FORMAT}`", manifest.format);
        return Err(StoreError::NotATrace {
            path: path.to_owned(),
            detail,
        });
    }
    if manifest.version != VERSION {
        let detail = format!(
            "layout {} where this hotset reads {VERSION}",
            manifest.version
        );
        return Err(StoreError::damaged(&file, detail));
    }
    Ok(manifest)
}

/// Reads the trace folder `path` into memory.
///
/// # Errors
/// Names the file that is missing, damaged or contradicts another.
pub fn read(path: &Path) -> Result<Trace, StoreError> {
    let manifest = read_manifest(path)?;
    let objects = read_objects(path, &manifest)?;
    let clients = read_clients(path, &manifest)?;
    let requests = read_requests(path, &manifest, &objects.size)?;
    Ok(Trace {
        sites: manifest.sites,
        clients,
        objects,
        requests,
        origin: manifest.origin.into(),
    })
}

/// Reads only the accessed objects and the sizes: the columns a cache scan needs.
///
/// # Errors
/// As [`read`].
pub fn read_accesses(path: &Path) -> Result<Accesses, StoreError> {
    let manifest = read_manifest(path)?;
    let sizes = read_sizes(path, &manifest)?;
    let table = Table::open(
        path,
        REQUESTS_FILE,
        schema::requests(false),
        manifest.requests,
    )?;
    let (mut object, mut access) = (Column::<Int32Type>::new(), Column::<BoolType>::new());
    let mut objects = Vec::new();
    table.for_each_group(|group, columns, rows| {
        object.read(group, columns[OBJECT], rows)?;
        access.read(group, columns[ACCESS], rows)?;
        push_accessed(&object, &access.values, &mut objects);
        Ok(())
    })?;
    table.check_ids(&objects, sizes.len(), "object")?;
    table.check_totals(totals::files_fit(&sizes, &objects))?;
    Ok(Accesses { objects, sizes })
}

/// Reads the connection of each request; `None` where the folder has no such column.
///
/// # Errors
/// As [`read`].
pub fn read_connections(path: &Path) -> Result<Option<Vec<u32>>, StoreError> {
    let manifest = read_manifest(path)?;
    let Some(connections) = manifest.connections else {
        return Ok(None);
    };
    let table = Table::open(
        path,
        REQUESTS_FILE,
        schema::requests(true),
        manifest.requests,
    )?;
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

// Positions in the schema of `requests.parquet`.
const OBJECT: usize = 3;
const ACCESS: usize = 8;
const CONNECTION: usize = 9;

fn push_accessed(object: &Column<Int32Type>, access: &[bool], accessed: &mut Vec<u32>) {
    let everything = object.values.len() == access.len() && access.iter().all(|access| *access);
    if everything {
        accessed.extend(object.values.iter().map(|id| id.cast_unsigned()));
        return;
    }
    let rows = object.nullable().zip(access);
    accessed.extend(rows.filter(|(_, access)| **access).map(|(id, _)| {
        // A request without an object is no access; the sentinel is refused by the check of ids.
        id.map_or(NO_OBJECT, |id| id.cast_unsigned())
    }));
}

/// An open Parquet file of the folder whose columns and row count are as promised.
struct Table {
    file: PathBuf,
    reader: SerializedFileReader<File>,
    columns: Vec<usize>,
}

type Decoded = Result<(), parquet::errors::ParquetError>;

impl Table {
    fn open(
        folder: &Path,
        name: &str,
        schema: parquet::errors::Result<TypePtr>,
        rows: u64,
    ) -> Result<Self, StoreError> {
        let file = folder.join(name);
        let opened = File::open(&file).map_err(StoreError::io(&file, "read"))?;
        let damaged = |error| StoreError::damaged(&file, error);
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

    fn check_rows(&self, promised: u64) -> Result<(), StoreError> {
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

    fn for_each_group(
        &self,
        mut decode: impl FnMut(&dyn RowGroupReader, &[usize], usize) -> Decoded,
    ) -> Result<(), StoreError> {
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

    fn damaged(&self, detail: impl ToString) -> StoreError {
        StoreError::damaged(&self.file, detail)
    }

    fn check_totals(&self, fit: bool) -> Result<(), StoreError> {
        match fit {
            true => Ok(()),
            false => {
                Err(self.damaged(format!("sizes of more than {MAX_TOTAL_BYTES} bytes in all")))
            }
        }
    }

    fn check_ids(&self, ids: &[u32], bound: usize, what: &str) -> Result<(), StoreError> {
        match ids.iter().max() {
            Some(id) if *id as usize >= bound => {
                Err(self.damaged(format!("{what} {id} where there are {bound}")))
            }
            _ => Ok(()),
        }
    }
}

thread_local! {
    static DECODING: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread decodes bytes that may be damaged. A panic is then no fault of the program: it is
/// caught and becomes [`StoreError::Damaged`], so that a panic hook has nothing to say about it.
pub fn is_decoding() -> bool {
    DECODING.get()
}

/// Runs a decoder on bytes that may be damaged. The `parquet` crate checks most of what it reads and
/// panics on some of the rest; for the caller both mean the same.
fn guarded<T>(
    file: &Path,
    decode: impl FnOnce() -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    DECODING.set(true);
    let decoded = catch_unwind(AssertUnwindSafe(decode));
    DECODING.set(false);
    decoded.unwrap_or_else(|_| Err(StoreError::damaged(file, "its bytes make no sense")))
}

fn read_requests(
    folder: &Path,
    manifest: &Manifest,
    sizes: &[u64],
) -> Result<Requests, StoreError> {
    let table = Table::open(
        folder,
        REQUESTS_FILE,
        schema::requests(false),
        manifest.requests,
    )?;
    let mut numbers = Column::<Int32Type>::new();
    let mut long = Column::<Int64Type>::new();
    let mut names = Column::<ByteArrayType>::new();
    let mut flags = Column::<BoolType>::new();
    let mut to = Requests::default();
    table.for_each_group(|group, columns, rows| {
        long.read(group, columns[0], rows)?;
        to.time_us.extend_from_slice(&long.values);
        numbers.read(group, columns[1], rows)?;
        to.client
            .extend(numbers.values.iter().map(|id| id.cast_unsigned()));
        numbers.read(group, columns[2], rows)?;
        push_u16(&numbers.values, &mut to.site)?;
        numbers.read(group, columns[OBJECT], rows)?;
        to.object.extend(
            numbers
                .nullable()
                .map(|id| id.map_or(NO_OBJECT, |id| id.cast_unsigned())),
        );
        long.read(group, columns[4], rows)?;
        to.bytes
            .extend(long.values.iter().map(|bytes| bytes.cast_unsigned()));
        numbers.read(group, columns[5], rows)?;
        push_u16(&numbers.values, &mut to.status)?;
        names.read(group, columns[6], rows)?;
        push_variants(&METHODS, &names.values, &mut to.method)?;
        names.read(group, columns[7], rows)?;
        push_variants(&PROTOCOLS, &names.values, &mut to.protocol)?;
        flags.read(group, columns[ACCESS], rows)?;
        to.access.extend_from_slice(&flags.values);
        Ok(())
    })?;
    check_requests(&table, &to, manifest)?;
    table.check_totals(totals::files_fit(sizes, &to.object) && totals::responses_fit(&to))?;
    Ok(to)
}

fn check_requests(
    table: &Table,
    requests: &Requests,
    manifest: &Manifest,
) -> Result<(), StoreError> {
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

fn check_sites(table: &Table, sites: &[u16], manifest: &Manifest) -> Result<(), StoreError> {
    let count = manifest.sites.len();
    match sites.iter().find(|site| usize::from(**site) >= count) {
        Some(site) => Err(table.damaged(format!("site {site} where there are {count}"))),
        None => Ok(()),
    }
}

fn push_u16(values: &[i32], to: &mut Vec<u16>) -> Decoded {
    for value in values {
        to.push(u16::try_from(*value).map_err(|_| out_of_range(value))?);
    }
    Ok(())
}

fn push_variants<E: Copy>(table: &[(&str, E)], names: &[ByteArray], to: &mut Vec<E>) -> Decoded {
    for name in names {
        let name = name.data();
        to.push(variant(table, name).ok_or_else(|| out_of_range(&String::from_utf8_lossy(name)))?);
    }
    Ok(())
}

fn out_of_range(value: &impl std::fmt::Display) -> parquet::errors::ParquetError {
    parquet::errors::ParquetError::General(format!("unexpected value {value}"))
}

fn read_objects(folder: &Path, manifest: &Manifest) -> Result<Objects, StoreError> {
    let table = Table::open(folder, OBJECTS_FILE, schema::objects(), manifest.objects)?;
    let mut objects = Objects::default();
    table.for_each_group(|group, columns, rows| {
        read_ids(group, columns[0], rows, objects.size.len())?;
        let mut site = Column::<Int32Type>::new();
        site.read(group, columns[1], rows)?;
        push_u16(&site.values, &mut objects.site)?;
        read_texts(group, [columns[2], columns[3]], rows, &mut objects.path)?;
        let mut size = Column::<Int64Type>::new();
        size.read(group, columns[4], rows)?;
        objects
            .size
            .extend(size.values.iter().map(|size| size.cast_unsigned()));
        Ok(())
    })?;
    check_sites(&table, &objects.site, manifest)?;
    Ok(objects)
}

fn read_sizes(folder: &Path, manifest: &Manifest) -> Result<Vec<u64>, StoreError> {
    let table = Table::open(folder, OBJECTS_FILE, schema::objects(), manifest.objects)?;
    let mut size = Column::<Int64Type>::new();
    let mut sizes = Vec::new();
    table.for_each_group(|group, columns, rows| {
        size.read(group, columns[4], rows)?;
        sizes.extend(size.values.iter().map(|size| size.cast_unsigned()));
        Ok(())
    })?;
    Ok(sizes)
}

fn read_clients(folder: &Path, manifest: &Manifest) -> Result<PathTable, StoreError> {
    let table = Table::open(folder, CLIENTS_FILE, schema::clients(), manifest.clients)?;
    let mut clients = PathTable::default();
    table.for_each_group(|group, columns, rows| {
        read_ids(group, columns[0], rows, clients.len())?;
        read_texts(group, [columns[1], columns[2]], rows, &mut clients)
    })?;
    Ok(clients)
}

/// Ids are written as the row number; anything else was put there by another program.
fn read_ids(group: &dyn RowGroupReader, column: usize, rows: usize, first: usize) -> Decoded {
    let mut ids = Column::<Int32Type>::new();
    ids.read(group, column, rows)?;
    let wrong = |(row, id): &(usize, &i32)| id.cast_unsigned() as usize != first + row;
    match ids.values.iter().enumerate().find(wrong) {
        Some((row, id)) => Err(out_of_range(&format!("{id} as id of row {}", first + row))),
        None => Ok(()),
    }
}

fn read_texts(
    group: &dyn RowGroupReader,
    columns: [usize; 2],
    rows: usize,
    to: &mut PathTable,
) -> Decoded {
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
