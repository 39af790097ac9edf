//! Database servers that share a node's memory with the files that are planned for.

use std::collections::BTreeSet;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use hotset_cache::PAGE_BYTES;
use hotset_plan::{
    DatabaseDivision, DatabaseQuestion, DividedServer, FileCosts, Plan, PoolPrediction, ServerUse,
    SiteTerms, Workload, divide, used_bytes,
};
use hotset_scenario::{Database, FilePath, PlacedDatabase, ProbedDatabase, Scenario};
use hotset_trace::TraceOrigin;

use crate::error::{refuse, refused};
use crate::{JobError, Message};

/// Where most servers listen.
const USUAL_SOCKET: &str = "/run/mysqld/mysqld.sock";

/// Database servers on the node that is planned for, as they were measured.
pub struct Databases {
    /// The scenario's.
    databases: Vec<Database>,
    /// What divisions are learnt from.
    learnt: Vec<ServerUse>,
    /// What scores them; empty where a server was measured once with its pool.
    held_out: Vec<ServerUse>,
    /// What earlier measurements have predicted of the latest.
    predictions: Vec<PoolPrediction>,
    /// Bytes that files have at least, as sites reserve them.
    least_file_bytes: u64,
    /// Where the scenario is from.
    path: PathBuf,
}

impl Databases {
    /// Those of the scenario in the file at `path` that are on one of the planned `nodes`; none where none is.
    ///
    /// # Errors
    /// What cannot be divided: several nodes, memory groups, and measurements that do not go together.
    pub fn of(
        scenario: &Scenario,
        path: &Path,
        nodes: &[&str],
        has_groups: bool,
    ) -> Result<Option<Self>, JobError> {
        let databases = scenario.databases.iter();
        let here = databases.filter(|it| nodes.contains(&it.node.as_str()));
        let databases: Vec<Database> = here.cloned().collect();
        let Some(first) = databases.first() else {
            return Ok(None);
        };
        let at = |database: &Database, why: &str| {
            let (path, place, name) = (path.display(), database.at, &database.name);
            refused(format!("{path}:{place}: database `{name}`: {why}"))
        };
        if nodes.len() > 1 {
            return Err(at(
                first,
                "memory is divided with databases on one node at a time; write a scenario for each node",
            ));
        }
        if has_groups {
            return Err(at(
                first,
                "memory groups of sites are not divided with databases; leave the groups out, or the [[database]]",
            ));
        }
        for database in &databases {
            check(database).map_err(|why| at(database, &why))?;
        }
        if let Some(twice) = measured_twice(&databases) {
            return Err(at(
                twice,
                "another [[database]] was measured at the same socket; name each server once, with all its sites",
            ));
        }
        let reserved = scenario.sites.iter().map(|site| site.reservation_bytes);
        let reserved = reserved.fold(0, u64::saturating_add);
        let intervals: Vec<Vec<ProbedDatabase>> = databases.iter().map(intervals).collect();
        let are_scored = intervals.iter().all(|it| it.len() > 1);
        let pairs = || databases.iter().zip(&intervals);
        let learnt = pairs().map(|(database, probes)| {
            let last = probes.len() - usize::from(are_scored);
            ServerUse::of(scenario, database, &probes[..last])
        });
        let learnt: Vec<ServerUse> = learnt.collect();
        let held_out = pairs().filter_map(|(database, probes)| {
            let last = probes.last().filter(|_| are_scored)?;
            Some(ServerUse::of(
                scenario,
                database,
                std::slice::from_ref(last),
            ))
        });
        let held_out: Vec<ServerUse> = held_out.collect();
        let predictions = databases.iter().flat_map(|it| predictions(scenario, it));
        let predictions: Vec<PoolPrediction> = predictions.collect();
        Ok(Some(Self {
            learnt,
            held_out,
            predictions,
            // A twentieth of what files have stays page cache.
            least_file_bytes: reserved.saturating_add(reserved / 19 + 2 * PAGE_BYTES),
            databases,
            path: path.to_owned(),
        }))
    }

    /// Refuses traffic without times, whose accesses in an hour nobody knows.
    ///
    /// # Errors
    /// Traffic of this origin has none.
    pub fn check_times(&self, origin: TraceOrigin) -> Result<(), JobError> {
        if origin != TraceOrigin::Timed {
            refuse!(
                "{}: tables are read so often in an hour, and these logs have no times; plan for logs with times, or take the \
                 [[database]] out",
                self.path.display()
            );
        }
        Ok(())
    }

    /// What the servers leave to files of a node's `memory_bytes` as they are, bytes.
    ///
    /// # Errors
    /// They leave too little.
    pub fn left_to_files(&self, memory_bytes: u64) -> Result<u64, JobError> {
        let used = used_bytes(&self.learnt);
        match memory_bytes.checked_sub(used) {
            Some(left) if left >= self.least_file_bytes => Ok(left),
            _ => {
                let names: Vec<&str> = self.learnt.iter().map(|it| it.name.as_str()).collect();
                refuse!(
                    "{}: the buffer pools of {} and their tables in the page cache have {used} bytes of the node's {memory_bytes}, \
                     which leaves too little for files; give the node more memory, or the servers smaller pools",
                    self.path.display(),
                    names.join(", ")
                )
            }
        }
    }

    /// Divides `memory_bytes` between the servers and the files of `plan`, which was made for what they leave as they are.
    ///
    /// # Errors
    /// The accesses take no time, so that nobody knows how many there are in an hour.
    pub fn divide(
        &self,
        memory_bytes: u64,
        plan: &Plan,
        workload: &Workload<'_>,
        terms: &[SiteTerms],
    ) -> Result<DatabaseDivision, JobError> {
        let Some(hours) = workload.hours(0..workload.accesses.len()) else {
            refuse!(
                "{}: all file reads of the logs are at the same time, so that nobody knows how many there are in an hour; plan for \
                 longer logs, or take the [[database]] out",
                self.path.display()
            );
        };
        let per_hour = weight(workload, terms) / hours;
        let division = divide(&DatabaseQuestion {
            memory_bytes,
            least_file_bytes: self.least_file_bytes,
            files: &FileCosts::chosen_by(&plan.curve, per_hour),
            files_held_out: &FileCosts::held_out(&plan.curve, per_hour),
            servers: &self.learnt,
            held_out: &self.held_out,
        });
        Ok(DatabaseDivision {
            predictions: self.predictions.clone(),
            ..division
        })
    }

    /// What a plan file says of them.
    pub fn placed(&self, division: &DatabaseDivision) -> Vec<PlacedDatabase> {
        let servers = self.databases.iter().zip(&division.servers);
        let placed = servers.map(|(database, server)| PlacedDatabase {
            node: database.node.clone(),
            database: database.name.clone(),
            socket: whole_path(&socket_of(database)),
            configuration: database.configuration.as_deref().map(whole_path),
            pool_bytes: given_pool_bytes(server),
            pinned: server.pinned.iter().map(|it| it.table.clone()).collect(),
        });
        placed.collect()
    }
}

/// The pool that a server gets; none where it keeps the one that it has. Where nothing was measured, nobody knows that one.
fn given_pool_bytes(server: &DividedServer) -> Option<u64> {
    let is_kept = server.lacks.is_some() || server.pool_bytes == server.pool_bytes_now;
    (!is_kept).then_some(server.pool_bytes)
}

/// What is to be said of database servers that are on nodes which nothing is planned for.
pub fn passed_over(scenario: &Scenario, nodes: &[&str]) -> Vec<Message> {
    let databases = scenario.databases.iter();
    let elsewhere = databases.filter(|it| !nodes.contains(&it.node.as_str()));
    let said = elsewhere.map(|it| {
        format!(
            "database `{}` is on node `{}`, which reads no site from a store: its memory is not divided",
            it.name, it.node
        )
        .into()
    });
    said.collect()
}

/// Whether what the scenario says of a server goes with what was measured of it.
fn check(database: &Database) -> Result<(), String> {
    let Some(last) = database.probes.last() else {
        return Ok(());
    };
    if let Some(said) = database.said_pool_bytes
        && said != last.pool_bytes
    {
        return Err(format!(
            "`pool` is {said} bytes, and it was measured with {}; take `pool` out, or measure it again",
            last.pool_bytes
        ));
    }
    let said = database.said_flush_method;
    if said.is_some_and(|it| it.is_buffered() != last.reads_through_page_cache) {
        return Err(format!(
            "`flush_method` differs from {}, with which it was measured; take it out, or measure the server again",
            last.flush_method
        ));
    }
    Ok(())
}

/// A server that was measured under the name of another one as well.
fn measured_twice(databases: &[Database]) -> Option<&Database> {
    let mut sockets = BTreeSet::new();
    let mut measured = databases.iter().filter(|it| !it.probes.is_empty());
    measured.find(|it| !sockets.insert(socket_of(it)))
}

/// The socket that a server listens on.
pub(crate) fn socket_of(database: &Database) -> PathBuf {
    let measured = database.probes.last().map(|it| it.socket.clone());
    let known = database.socket.clone().or(measured);
    known.unwrap_or_else(|| USUAL_SOCKET.into())
}

/// A path from the root of the file system: the plan may be applied from another folder.
fn whole_path(path: &Path) -> FilePath {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    FilePath(whole.as_os_str().as_bytes().to_vec())
}

/// Measurements of a server with the buffer pool that it was measured with last.
fn intervals(database: &Database) -> Vec<ProbedDatabase> {
    let last = database.probes.last();
    let has_pool = |it: &&ProbedDatabase| last.is_some_and(|last| last.pool_bytes == it.pool_bytes);
    let probes = database.probes.iter().filter(has_pool);
    probes.cloned().collect()
}

/// What each measurement with a smaller buffer pool has predicted of the latest.
fn predictions(scenario: &Scenario, database: &Database) -> Vec<PoolPrediction> {
    let Some((last, earlier)) = database.probes.split_last() else {
        return Vec::new();
    };
    let server =
        |probe: &ProbedDatabase| ServerUse::of(scenario, database, std::slice::from_ref(probe));
    let last = server(last);
    let predicted = earlier
        .iter()
        .filter_map(|it| PoolPrediction::of(&server(it), &last));
    predicted.collect()
}

/// The accesses, each as often as its site's weight.
fn weight(workload: &Workload<'_>, terms: &[SiteTerms]) -> f64 {
    let files = &workload.files;
    let weight = |&object: &u32| {
        let site = usize::from(files.site_of_object[object as usize]);
        terms.get(site).map_or(1.0, |terms| terms.weight)
    };
    workload.accesses.iter().map(weight).sum()
}
