//! Writing a trace folder batch by batch.

use std::fs::File;
use std::path::Path;

use parquet::file::writer::SerializedFileWriter;

use super::encode;
use super::error::FolderError;
use super::manifest::{FORMAT, MANIFEST_FILE, Manifest, Provenance, VERSION, write_manifest};
use super::schema::{self, CLIENTS_FILE, OBJECTS_FILE, REQUESTS_FILE, ROW_GROUP};
use super::staging::{Existing, Staging};
use crate::{NO_OBJECT, Objects, PathTable, Requests, Trace, TraceOrigin};

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
) -> Result<Manifest, FolderError> {
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
    staging: Staging,
    requests: SerializedFileWriter<File>,
    with_connections: bool,
    pending: Requests,
    pending_connections: Vec<u32>,
    tally: Tally,
}

/// Counts and largest ids, to be held against the tables at the end.
#[derive(Default)]
struct Tally {
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
    /// [`FolderError::Exists`] where the target exists and may not or must not be replaced.
    pub fn create(
        path: &Path,
        existing: Existing,
        with_connections: bool,
    ) -> Result<Self, FolderError> {
        let staging = Staging::begin(path, existing)?;
        let file = staging.folder().join(REQUESTS_FILE);
        let schema = schema::requests(with_connections).map_err(FolderError::write(&file))?;
        let requests = encode::create(&file, schema)?;
        Ok(Self {
            staging,
            requests,
            with_connections,
            pending: Requests::default(),
            pending_connections: Vec::new(),
            tally: Tally::default(),
        })
    }

    /// Appends requests; `connections`, a number for each, exactly where the writer was created so.
    pub fn push(
        &mut self,
        batch: &Requests,
        connections: Option<&[u32]>,
    ) -> Result<(), FolderError> {
        let fits = match connections {
            Some(ids) => self.with_connections && ids.len() == batch.len(),
            None => !self.with_connections,
        };
        if !fits {
            return Err(
                self.inconsistent("the connections do not belong to the requests".to_owned())
            );
        }
        self.tally.add(batch, connections);
        let mut start = 0;
        while start < batch.len() {
            let end = batch.len().min(start + ROW_GROUP - self.pending.len());
            self.pending.extend_from_rows(batch, start..end);
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
    ) -> Result<Manifest, FolderError> {
        self.tally
            .check(&tables)
            .map_err(|detail| self.inconsistent(detail))?;
        if !self.pending.is_empty() {
            self.flush()?;
        }
        let folder = self.staging.folder();
        encode::finish(&mut self.requests, &folder.join(REQUESTS_FILE))?;
        encode::objects(&folder.join(OBJECTS_FILE), tables.objects)?;
        encode::clients(&folder.join(CLIENTS_FILE), tables.clients)?;
        let manifest = self.manifest(&tables, provenance);
        write_manifest(&folder.join(MANIFEST_FILE), &manifest)?;
        self.staging.commit()?;
        Ok(manifest)
    }

    fn flush(&mut self) -> Result<(), FolderError> {
        let connections = self
            .with_connections
            .then_some(self.pending_connections.as_slice());
        encode::requests(&mut self.requests, &self.pending, connections).map_err(
            FolderError::write(&self.staging.target().join(REQUESTS_FILE)),
        )?;
        self.pending.clear();
        self.pending_connections.clear();
        Ok(())
    }

    fn inconsistent(&self, detail: String) -> FolderError {
        FolderError::Inconsistent {
            path: self.staging.target().to_owned(),
            detail,
        }
    }

    fn manifest(&self, tables: &Tables<'_>, provenance: Provenance) -> Manifest {
        Manifest {
            format: FORMAT.to_owned(),
            version: VERSION,
            requests: self.tally.requests,
            accesses: self.tally.accesses,
            objects: tables.objects.len() as u64,
            clients: tables.clients.len() as u64,
            connections: self.with_connections.then_some(self.tally.connection_bound),
            sites: tables.sites.to_vec(),
            origin: tables.origin,
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

impl Tally {
    fn add(&mut self, batch: &Requests, connections: Option<&[u32]>) {
        self.requests += batch.len() as u64;
        self.accesses += batch.access.iter().filter(|access| **access).count() as u64;
        let objects = batch.object.iter().filter(|object| **object != NO_OBJECT);
        raise(&mut self.object_bound, objects);
        raise(&mut self.client_bound, &batch.client);
        raise(&mut self.site_bound, &batch.site);
        raise(&mut self.connection_bound, connections.unwrap_or(&[]));
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
        let mut sites = tables.objects.site.iter();
        match sites.find(|site| usize::from(**site) >= tables.sites.len()) {
            Some(site) => Err(format!("site {site} of an object has no name")),
            None => Ok(()),
        }
    }
}

fn raise<'a, T: Copy + Into<u64> + 'a>(bound: &mut u64, ids: impl IntoIterator<Item = &'a T>) {
    let bounds = ids.into_iter().map(|&id| id.into() + 1);
    *bound = bounds.max().unwrap_or(0).max(*bound);
}
