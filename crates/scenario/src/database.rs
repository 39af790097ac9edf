//! Database servers beside the servers of nodes.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::Spanned;

use crate::names::there_are;
use crate::probed_database::ProbedDatabase;
use crate::toml_file::{Bytes, FileError, OneOrMany, Place, TomlFile};

/// A database server on a node.
#[derive(Clone, Debug, PartialEq)]
pub struct Database {
    /// Its name.
    pub name: String,
    /// Name of the node that it is on.
    pub node: String,
    /// Index in [`crate::Scenario::stores`] of the store that its data lies on.
    pub store: usize,
    /// Engine of its tables.
    pub engine: Engine,
    /// The buffer pool that the file says it has, bytes.
    pub said_pool_bytes: Option<u64>,
    /// How the file says that InnoDB reads and writes files.
    pub said_flush_method: Option<FlushMethod>,
    /// What was measured of it, the latest last, by `hotset probe database --json`.
    pub probes: Vec<ProbedDatabase>,
    /// Indices in [`crate::Scenario::sites`] of the sites whose pages ask it. Of several, each has the database of its name.
    pub sites: Vec<usize>,
    /// The socket that it listens on.
    pub socket: Option<PathBuf>,
    /// The folder that it reads further configuration from.
    pub configuration: Option<PathBuf>,
    /// Where the file names it.
    pub at: Place,
}

impl Database {
    /// The buffer pool of a MariaDB that nobody has told one (`innodb_buffer_pool_size`), bytes.
    pub const USUAL_POOL_BYTES: u64 = 128 << 20;

    /// Its buffer pool, bytes: as the file says, else as it was measured last, else as MariaDB has it.
    #[must_use]
    pub fn pool_bytes(&self) -> u64 {
        let measured = self.probes.last().map(|it| it.pool_bytes);
        let known = self.said_pool_bytes.or(measured);
        known.unwrap_or(Self::USUAL_POOL_BYTES)
    }

    /// Whether InnoDB reads pages through the page cache: as the file says, else as it was measured last. Else it does not, as in MariaDB
    /// since 10.6.
    #[must_use]
    pub fn reads_through_page_cache(&self) -> bool {
        let said = self.said_flush_method.map(FlushMethod::is_buffered);
        let measured = self.probes.last().map(|it| it.reads_through_page_cache);
        said.or(measured).unwrap_or(false)
    }
}

/// An engine of tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Engine {
    /// InnoDB, which has a buffer pool.
    #[default]
    InnoDb,
    /// MyISAM, which keeps rows in the page cache.
    MyIsam,
    /// Aria, which keeps pages in a cache of its own and in the page cache.
    Aria,
}

/// How InnoDB reads and writes files (`innodb_flush_method`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, strum::IntoStaticStr)]
pub enum FlushMethod {
    /// Through the page cache.
    #[serde(rename = "fsync")]
    #[strum(serialize = "fsync")]
    Fsync,
    /// Through the page cache, the log synced with each write.
    #[serde(rename = "O_DSYNC")]
    #[strum(serialize = "O_DSYNC")]
    Dsync,
    /// Past the page cache.
    #[serde(rename = "O_DIRECT")]
    #[strum(serialize = "O_DIRECT")]
    Direct,
    /// Past the page cache, without a sync after each write.
    #[serde(rename = "O_DIRECT_NO_FSYNC")]
    #[strum(serialize = "O_DIRECT_NO_FSYNC")]
    DirectNoFsync,
}

impl FlushMethod {
    /// Whether pages that are read pass the page cache.
    #[must_use]
    pub fn is_buffered(self) -> bool {
        matches!(self, Self::Fsync | Self::Dsync)
    }
}

/// A `[[database]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct DatabaseTable {
    pub name: Spanned<String>,
    node: Spanned<String>,
    store: Spanned<String>,
    #[serde(default)]
    engine: Engine,
    pool: Option<Bytes>,
    flush_method: Option<FlushMethod>,
    probe: Option<Spanned<OneOrMany<String>>>,
    #[serde(default)]
    sites: Option<Spanned<OneOrMany<String>>>,
    socket: Option<String>,
    configuration: Option<String>,
}

/// Names that databases may have, in the order of the file.
pub(crate) struct DatabaseNames<'t> {
    /// All nodes.
    pub nodes: Vec<&'t str>,
    /// All stores.
    pub stores: Vec<&'t str>,
    /// All sites.
    pub sites: Vec<&'t str>,
}

impl DatabaseTable {
    /// The database, on one of the nodes and stores of `names`.
    pub fn database(
        &self,
        file: &TomlFile,
        names: &DatabaseNames<'_>,
    ) -> Result<Database, FileError> {
        let refused = |at: &Spanned<String>, why: String| file.error(at.span(), why);
        let node = &self.node;
        named("node", node.get_ref(), &names.nodes).map_err(|why| refused(node, why))?;
        let store = &self.store;
        let in_folder = |path: &String| file.folder().join(path);
        Ok(Database {
            name: self.name.get_ref().clone(),
            node: node.get_ref().clone(),
            store: named("store", store.get_ref(), &names.stores)
                .map_err(|why| refused(store, why))?,
            engine: self.engine,
            said_pool_bytes: self.pool.map(|it| it.0),
            said_flush_method: self.flush_method,
            probes: self.probes(file)?,
            sites: self.site_numbers(file, &names.sites)?,
            socket: self.socket.as_ref().map(in_folder),
            configuration: self.configuration.as_ref().map(in_folder),
            at: file.place(self.name.span()),
        })
    }

    fn probes(&self, file: &TomlFile) -> Result<Vec<ProbedDatabase>, FileError> {
        let Some(paths) = &self.probe else {
            return Ok(Vec::new());
        };
        let refused = |why| file.error(paths.span(), format!("`probe` in [[database]]: {why}"));
        let files = paths.get_ref().0.iter();
        let files: Vec<_> = files.map(|path| file.folder().join(path)).collect();
        let same = |one: &Path, other: &Path| match (one.canonicalize(), other.canonicalize()) {
            (Ok(one), Ok(other)) => one == other,
            _ => one == other,
        };
        for (at, path) in files.iter().enumerate() {
            if files[..at].iter().any(|before| same(before, path)) {
                // The last one scores what the others teach.
                return Err(refused(format!(
                    "{} is named twice; name each measurement once",
                    path.display()
                )));
            }
        }
        let probes: Result<Vec<_>, _> = files
            .iter()
            .map(|path| ProbedDatabase::load(path))
            .collect();
        probes.map_err(|why| refused(why.to_string()))
    }

    fn site_numbers(&self, file: &TomlFile, known: &[&str]) -> Result<Vec<usize>, FileError> {
        let Some(sites) = &self.sites else {
            return Ok(Vec::new());
        };
        let numbers = sites.get_ref().0.iter();
        let numbers: Result<_, _> = numbers.map(|site| named("sites", site, known)).collect();
        numbers.map_err(|why| file.error(sites.span(), why))
    }
}

/// The place of what `key` calls `name` among those that are `known`, or why there is none.
fn named(key: &str, name: &str, known: &[&str]) -> Result<usize, String> {
    let table = key.trim_end_matches('s');
    let found = known.iter().position(|it| *it == name);
    found.ok_or_else(|| {
        format!(
            "`{key}` in [[database]]: there is no [[{table}]] called `{name}`; {}",
            there_are(name, known)
        )
    })
}
