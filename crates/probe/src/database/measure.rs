//! What is asked of a server, in order.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::client::Client;
use super::counters::{Counters, Reads, RowCounting};
use super::error::DatabaseProbeError;
use super::findings::{DatabaseFindings, LeftOutTable, TableFindings};
use super::residency::{Cached, Pool, spaces};
use super::server::Server;
use super::tables::{OWN_DATABASES, Table, tables};

/// How often the caller is asked whether to go on.
const ASKED_EVERY: Duration = Duration::from_millis(100);
const HOUR_SECONDS: f64 = 3600.0;

/// A server, and how long it is looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabaseProbe {
    /// The socket that it listens on.
    pub socket: PathBuf,
    /// How long its reads are counted.
    pub duration: Duration,
}

/// What was seen of a server.
struct Seen {
    server: Server,
    /// What was read meanwhile.
    reads: Reads,
    /// For how long it was looked at.
    seconds: f64,
    pool: Pool,
    cached: Cached,
}

impl DatabaseProbe {
    /// Looks at the server. Its setting `userstat` is on meanwhile, and as it was afterwards. `go_on` is told the share that is
    /// done, and says whether to go on.
    ///
    /// # Errors
    /// [`DatabaseProbeError`].
    pub fn measure(
        &self,
        go_on: &dyn Fn(f64) -> bool,
    ) -> Result<DatabaseFindings, DatabaseProbeError> {
        let client = Client::of(&self.socket)?;
        let server = Server::of(&client)?;
        check_rights(&client)?;
        let seen = self.look(&client, server, go_on)?;
        let (mut found, mut left_out) = (Vec::new(), Vec::new());
        for table in tables(&client)? {
            match seen.finding(table) {
                Ok(finding) => found.push(finding),
                Err(left) => left_out.push(left),
            }
        }
        found.sort_by(by_reads);
        let server = seen.server;
        Ok(DatabaseFindings {
            socket: self.socket.clone(),
            version: server.version,
            pool_bytes: server.pool_bytes,
            page_bytes: server.page_bytes,
            flush_method: server.flush_method,
            observed_seconds: seen.seconds,
            tables: found,
            left_out,
            counts_file_reads: server.counts_file_reads,
        })
    }

    fn look(
        &self,
        client: &Client<'_>,
        server: Server,
        go_on: &dyn Fn(f64) -> bool,
    ) -> Result<Seen, DatabaseProbeError> {
        let counting = RowCounting::begin(client, server.counts_rows)?;
        let before = Counters::now(client, server.counts_file_reads)?;
        let began = Instant::now();
        self.wait(began, go_on)?;
        let passed = began.elapsed();
        let after = Counters::now(client, server.counts_file_reads)?;
        let seconds = began.elapsed().as_secs_f64();
        if after.are_of_another_start(&before, passed) {
            return Err(DatabaseProbeError::Restarted(self.socket.clone()));
        }
        drop(counting);
        Ok(Seen {
            pool: Pool::now(client)?,
            cached: Cached::below(&server.data_folder),
            server,
            reads: after.since(&before),
            seconds,
        })
    }

    fn wait(&self, began: Instant, go_on: &dyn Fn(f64) -> bool) -> Result<(), DatabaseProbeError> {
        loop {
            let elapsed = began.elapsed();
            let left = self.duration.saturating_sub(elapsed);
            let done = elapsed.as_secs_f64() / self.duration.as_secs_f64().max(f64::MIN_POSITIVE);
            if !go_on(done.min(1.0)) {
                return Err(DatabaseProbeError::Interrupted);
            }
            if left.is_zero() {
                return Ok(());
            }
            std::thread::sleep(left.min(ASKED_EVERY));
        }
    }
}

impl Seen {
    /// What was found of a table, or why nothing can be said of it.
    fn finding(&self, table: Table) -> Result<TableFindings, LeftOutTable> {
        let in_pool = self.pool.of(&table.file);
        let in_pool = in_pool.map(|pages| pages * self.server.page_bytes);
        if let Some(reason) = reason_against(&table, in_pool) {
            return Err(LeftOutTable {
                name: table.name.shown(),
                reason: reason.to_owned(),
            });
        }
        let per_hour = |count: u64| count as f64 * HOUR_SECONDS / self.seconds;
        let in_page_cache = self.cached.bytes_of(&table.file);
        let reads = self.reads.pages(&table.file);
        let rows = self.reads.rows(&table.name);
        Ok(TableFindings {
            name: table.name.shown(),
            resident_bytes: match table.engine.as_str() {
                "InnoDB" => in_pool,
                _ => in_page_cache,
            },
            page_cache_bytes: in_page_cache,
            page_reads_per_hour: reads.map(per_hour),
            rows_read_per_hour: per_hour(rows),
            database: table.name.database,
            engine: table.engine,
            bytes: table.bytes,
        })
    }
}

/// Asks once for what needs rights: nobody should wait for long and be refused then.
fn check_rights(client: &Client<'_>) -> Result<(), DatabaseProbeError> {
    let is_servers = |database: &str| OWN_DATABASES.contains(&database);
    let has_tables = spaces(client)?
        .iter()
        .any(|it| !is_servers(&it.table.database));
    match has_tables && tables(client)?.is_empty() {
        true => Err(DatabaseProbeError::NoTables(client.socket().to_owned())),
        false => Ok(()),
    }
}

/// Why nothing can be said of a table.
fn reason_against(table: &Table, in_pool: Option<u64>) -> Option<&'static str> {
    match table.engine.as_str() {
        "InnoDB" if in_pool.is_none() => Some(
            "lies in a tablespace that tables share; set innodb_file_per_table=ON and run ALTER TABLE … ENGINE=InnoDB",
        ),
        "MyISAM" | "Aria" if table.is_elsewhere => {
            Some("has files outside of the server's data folder (DATA DIRECTORY)")
        }
        "InnoDB" | "MyISAM" | "Aria" => None,
        _ => Some("is of an engine that is not measured; InnoDB, MyISAM and Aria are"),
    }
}

/// What reads most comes first, then what has most rows read, then by name.
fn by_reads(one: &TableFindings, other: &TableFindings) -> std::cmp::Ordering {
    let reads = |of: &TableFindings| of.page_reads_per_hour.unwrap_or(0.0);
    (reads(other).total_cmp(&reads(one)))
        .then(other.rows_read_per_hour.total_cmp(&one.rows_read_per_hour))
        .then_with(|| one.name.cmp(&other.name))
}
