//! Writing a trace folder.

use std::fs::{self, File};
use std::ops::Range;
use std::path::{Path, PathBuf};

use parquet::data_type::{BoolType, ByteArray, ByteArrayType, Int32Type, Int64Type};
use parquet::errors::Result as ParquetResult;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::TypePtr;
use tempfile::TempDir;

use super::columns::{METHODS, PROTOCOLS, names, write_column};
use super::manifest::{FORMAT, VERSION};
use super::schema::{self, ROW_GROUP};
use super::{
    CLIENTS_FILE, MANIFEST_FILE, Manifest, OBJECTS_FILE, Provenance, REQUESTS_FILE, StoreError,
};
use crate::objects::display_text;
use crate::{NO_OBJECT, Objects, PathTable, Requests, Trace, TraceOrigin};

/// What to do when the target exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Refuse.
    Refuse,
    /// Replace it if it is a trace folder; refuse anything else.
    Replace,
}

/// What the columns of a trace refer to; known only when the last request has been read.
#[derive(Clone, Copy, Debug)]
pub struct Tables<'a> {
    /// Site names.
    pub sites: &'a [String],
    /// Client pseudonyms or addresses; empty where the source names none.
    pub clients: &'a PathTable,
    /// Files.
    pub objects: &'a Objects,
    /// Where the times come from.
    pub origin: TraceOrigin,
}

impl<'a> Tables<'a> {
    /// The tables of a trace in memory.
    pub fn of(trace: &'a Trace) -> Self {
        Self {
            sites: &trace.sites,
            clients: &trace.clients,
            objects: &trace.objects,
            origin: trace.origin,
        }
    }
}

/// Writes `trace`, and its connections where they were rebuilt, as the folder `path`.
///
/// # Errors
/// See [`TraceWriter`].
pub fn write(
    trace: &Trace,
    connections: Option<&[u32]>,
    path: &Path,
    existing: Existing,
    provenance: Provenance,
) -> Result<Manifest, StoreError> {
    let mut writer = TraceWriter::create(path, existing, connections.is_some())?;
    writer.push(&trace.requests, connections)?;
    writer.finish(Tables::of(trace), provenance)
}

/// Writes a trace folder batch by batch, holding one row group of requests in memory.
///
/// Nothing appears at the target before [`TraceWriter::finish`] has succeeded; dropping the writer
/// removes what it wrote.
///
/// # Errors
/// Every step reports the file it could not write and why (a full disk, missing rights).
pub struct TraceWriter {
    target: PathBuf,
    existing: Existing,
    staging: TempDir,
    requests: SerializedFileWriter<File>,
    with_connections: bool,
    pending: Requests,
    pending_connections: Vec<u32>,
    seen: Seen,
}

/// Counts and largest ids, to be held against the tables at the end.
#[derive(Default)]
struct Seen {
    requests: u64,
    accesses: u64,
    object_bound: u64,
    client_bound: u64,
    site_bound: u64,
    connection_bound: u64,
}

impl TraceWriter {
    /// Starts writing the folder `path`.
    ///
    /// # Errors
    /// [`StoreError::Exists`] where the target exists and may not or must not be replaced.
    pub fn create(
        path: &Path,
        existing: Existing,
        with_connections: bool,
    ) -> Result<Self, StoreError> {
        refuse_foreign(path, existing)?;
        let staging = stage(path)?;
        let folder = staging.path().join(NEW);
        fs::create_dir(&folder).map_err(StoreError::io(&folder, "create"))?;
        let file = folder.join(REQUESTS_FILE);
        let schema = schema::requests(with_connections).map_err(StoreError::write(&file))?;
        let requests = open(&file, schema)?;
        Ok(Self {
            target: path.to_owned(),
            existing,
            staging,
            requests,
            with_connections,
            pending: Requests::default(),
            pending_connections: Vec::new(),
            seen: Seen::default(),
        })
    }

    /// Appends requests; `connections`, a number for each, exactly where the writer was created so.
    pub fn push(
        &mut self,
        batch: &Requests,
        connections: Option<&[u32]>,
    ) -> Result<(), StoreError> {
        let fits = match connections {
            Some(ids) => self.with_connections && ids.len() == batch.len(),
            None => !self.with_connections,
        };
        if !fits {
            return Err(
                self.inconsistent("the connections do not belong to the requests".to_owned())
            );
        }
        self.seen.add(batch, connections);
        let mut start = 0;
        while start < batch.len() {
            let end = batch.len().min(start + ROW_GROUP - self.pending.len());
            extend(&mut self.pending, batch, start..end);
            self.pending_connections
                .extend(connections.iter().flat_map(|ids| &ids[start..end]));
            if self.pending.len() == ROW_GROUP {
                self.flush()?;
            }
            start = end;
        }
        Ok(())
    }

    /// Writes the tables and the manifest, and moves the folder to its place.
    pub fn finish(
        mut self,
        tables: Tables<'_>,
        provenance: Provenance,
    ) -> Result<Manifest, StoreError> {
        self.seen
            .check(&tables)
            .map_err(|detail| self.inconsistent(detail))?;
        if !self.pending.is_empty() {
            self.flush()?;
        }
        let folder = self.staging.path().join(NEW);
        let file = folder.join(REQUESTS_FILE);
        self.requests.finish().map_err(StoreError::write(&file))?;
        sync(self.requests.inner(), &file)?;
        write_objects(&folder.join(OBJECTS_FILE), tables.objects)?;
        write_clients(&folder.join(CLIENTS_FILE), tables.clients)?;
        let manifest = self.manifest(&tables, provenance);
        write_manifest(&folder.join(MANIFEST_FILE), &manifest)?;
        move_into_place(self.staging.path(), &self.target, self.existing)?;
        Ok(manifest)
    }

    fn flush(&mut self) -> Result<(), StoreError> {
        let connections = self
            .with_connections
            .then_some(self.pending_connections.as_slice());
        write_requests(&mut self.requests, &self.pending, connections)
            .map_err(StoreError::write(&self.target.join(REQUESTS_FILE)))?;
        self.pending.clear();
        self.pending_connections.clear();
        Ok(())
    }

    fn inconsistent(&self, detail: String) -> StoreError {
        StoreError::Inconsistent {
            path: self.target.clone(),
            detail,
        }
    }

    fn manifest(&self, tables: &Tables<'_>, provenance: Provenance) -> Manifest {
        Manifest {
            format: FORMAT.to_owned(),
            version: VERSION,
            requests: self.seen.requests,
            accesses: self.seen.accesses,
            objects: tables.objects.len() as u64,
            clients: tables.clients.len() as u64,
            connections: self.with_connections.then_some(self.seen.connection_bound),
            sites: tables.sites.to_vec(),
            origin: tables.origin.into(),
            provenance: Provenance {
                tool: concat!("hotset ", env!("CARGO_PKG_VERSION")).to_owned(),
                date: jiff::Timestamp::now()
                    .strftime("%Y-%m-%dT%H:%M:%SZ")
                    .to_string(),
                ..provenance
            },
        }
    }
}

impl Seen {
    fn add(&mut self, batch: &Requests, connections: Option<&[u32]>) {
        self.requests += batch.len() as u64;
        self.accesses += batch.access.iter().filter(|access| **access).count() as u64;
        let objects = batch.object.iter().filter(|object| **object != NO_OBJECT);
        raise(&mut self.object_bound, objects.map(|id| u64::from(*id)));
        raise(
            &mut self.client_bound,
            batch.client.iter().map(|id| u64::from(*id)),
        );
        raise(
            &mut self.site_bound,
            batch.site.iter().map(|id| u64::from(*id)),
        );
        raise(
            &mut self.connection_bound,
            connections.unwrap_or(&[]).iter().map(|id| u64::from(*id)),
        );
    }

    fn check(&self, tables: &Tables<'_>) -> Result<(), String> {
        let clients = tables.clients.len() as u64;
        if self.object_bound > tables.objects.len() as u64 {
            return Err(format!(
                "object {} is not in the table",
                self.object_bound - 1
            ));
        }
        if clients > 0 && self.client_bound > clients {
            return Err(format!(
                "client {} is not in the table",
                self.client_bound - 1
            ));
        }
        if self.site_bound > tables.sites.len() as u64 {
            return Err(format!("site {} has no name", self.site_bound - 1));
        }
        match tables
            .objects
            .site
            .iter()
            .find(|site| usize::from(**site) >= tables.sites.len())
        {
            Some(site) => Err(format!("site {site} of an object has no name")),
            None => Ok(()),
        }
    }
}

fn raise(bound: &mut u64, ids: impl Iterator<Item = u64>) {
    *bound = ids
        .max()
        .map_or(*bound, |largest| (largest + 1).max(*bound));
}

/// The complete folder inside the staging folder. The latter is readable by its owner only, the
/// former as any new folder is.
const NEW: &str = "new";
/// Where a replaced folder waits for deletion.
const OLD: &str = "old";

fn stage(target: &Path) -> Result<TempDir, StoreError> {
    let parent = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    tempfile::Builder::new()
        .prefix(&format!(".{name}."))
        .tempdir_in(parent)
        .map_err(StoreError::io(target, "create"))
}

fn refuse_foreign(target: &Path, existing: Existing) -> Result<(), StoreError> {
    if fs::symlink_metadata(target).is_err() {
        return Ok(());
    }
    if existing == Existing::Refuse {
        return Err(StoreError::Exists(target.to_owned()));
    }
    super::read_manifest(target).map(drop)
}

fn move_into_place(staging: &Path, target: &Path, existing: Existing) -> Result<(), StoreError> {
    refuse_foreign(target, existing)?;
    let (new, old) = (staging.join(NEW), staging.join(OLD));
    let replaced = target.exists();
    if replaced {
        fs::rename(target, &old).map_err(StoreError::io(target, "replace"))?;
    }
    fs::rename(&new, target).map_err(|source| {
        if replaced {
            // The first failure is the one to report; the old folder is still in `old` if this one fails too.
            let _ = fs::rename(&old, target);
        }
        StoreError::Io {
            path: target.to_owned(),
            action: "create",
            source,
        }
    })
}

fn open(file: &Path, schema: TypePtr) -> Result<SerializedFileWriter<File>, StoreError> {
    let created = File::create_new(file).map_err(StoreError::io(file, "create"))?;
    let properties = schema::properties().map_err(StoreError::write(file))?;
    SerializedFileWriter::new(created, schema, properties).map_err(StoreError::write(file))
}

/// Some file systems report a full disk only here.
fn sync(written: &File, file: &Path) -> Result<(), StoreError> {
    written.sync_all().map_err(StoreError::io(file, "write"))
}

fn extend(to: &mut Requests, from: &Requests, rows: Range<usize>) {
    to.time_us.extend_from_slice(&from.time_us[rows.clone()]);
    to.client.extend_from_slice(&from.client[rows.clone()]);
    to.site.extend_from_slice(&from.site[rows.clone()]);
    to.object.extend_from_slice(&from.object[rows.clone()]);
    to.bytes.extend_from_slice(&from.bytes[rows.clone()]);
    to.status.extend_from_slice(&from.status[rows.clone()]);
    to.method.extend_from_slice(&from.method[rows.clone()]);
    to.protocol.extend_from_slice(&from.protocol[rows.clone()]);
    to.access.extend_from_slice(&from.access[rows]);
}

fn write_requests(
    writer: &mut SerializedFileWriter<File>,
    rows: &Requests,
    connections: Option<&[u32]>,
) -> ParquetResult<()> {
    let mut group = writer.next_row_group()?;
    let (methods, protocols) = (names(&METHODS), names(&PROTOCOLS));
    write_column::<Int64Type>(&mut group, &rows.time_us, None)?;
    write_u32(&mut group, &rows.client)?;
    write_u16(&mut group, &rows.site)?;
    write_object_ids(&mut group, &rows.object)?;
    write_u64(&mut group, &rows.bytes)?;
    write_u16(&mut group, &rows.status)?;
    write_names(
        &mut group,
        &methods,
        rows.method.iter().map(|method| *method as usize),
    )?;
    write_names(
        &mut group,
        &protocols,
        rows.protocol.iter().map(|protocol| *protocol as usize),
    )?;
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

fn write_names(
    group: &mut Group<'_>,
    names: &[ByteArray; 4],
    variants: impl Iterator<Item = usize>,
) -> ParquetResult<()> {
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

fn write_objects(file: &Path, objects: &Objects) -> Result<(), StoreError> {
    let schema = schema::objects().map_err(StoreError::write(file))?;
    write_table(file, schema, objects.len(), |group, rows| {
        write_ids(group, rows.clone())?;
        write_u16(group, &objects.site[rows.clone()])?;
        write_texts(group, rows.clone().map(|row| objects.path.get(row)))?;
        write_u64(group, &objects.size[rows])
    })
}

fn write_clients(file: &Path, clients: &PathTable) -> Result<(), StoreError> {
    let schema = schema::clients().map_err(StoreError::write(file))?;
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
) -> Result<(), StoreError> {
    let mut writer = open(file, schema)?;
    for start in (0..rows).step_by(ROW_GROUP) {
        let mut group = writer.next_row_group().map_err(StoreError::write(file))?;
        write_rows(&mut group, start..rows.min(start + ROW_GROUP))
            .map_err(StoreError::write(file))?;
        group.close().map_err(StoreError::write(file))?;
    }
    writer.finish().map_err(StoreError::write(file))?;
    sync(writer.inner(), file)
}

fn write_manifest(file: &Path, manifest: &Manifest) -> Result<(), StoreError> {
    let mut text = serde_json::to_string_pretty(manifest)
        .map_err(|error| StoreError::io(file, "write")(error.into()))?;
    text.push('\n');
    fs::write(file, text).map_err(StoreError::io(file, "write"))
}
