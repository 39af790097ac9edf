//! Buffer pools of database servers: each is resized while its server runs. A file in the server's configuration keeps it over a new
//! start. Both are in the ledger before they are made. What a server is told goes with it, so a crash is no special case.

use crate::LiveError;
use crate::request::WantedPool;
use hotset_machine::OnFile as _;
use hotset_machine::cgroup::MemoryGroup;
use hotset_machine::database_setting::{DatabaseSetting, number, text};
use hotset_machine::ledger::{Entry, Ledger};
use hotset_machine::resource::Resource;
use std::fs;
use std::path::{Path, PathBuf};

/// Bytes of a pool.
const SIZE: &str = "innodb_buffer_pool_size";
/// How much of a pool a server writes down when it ends, percent, and reads again when it starts.
const DUMPED: &str = "innodb_buffer_pool_dump_pct";
const ALL: u64 = 100;
/// What a pool's size is a multiple of: chunks, of as many instances as there are (MariaDB to 10.11.18), else mebibytes.
const CHUNK: &str = "innodb_buffer_pool_chunk_size";
const INSTANCES: &str = "innodb_buffer_pool_instances";
const MEBIBYTE: u64 = 1 << 20;
/// Name of the file in a server's configuration.
const FILE_NAME: &str = "zz-hotset.cnf";

/// Pools that are set.
pub(crate) struct Pools<'l> {
    ledger: &'l Ledger,
    pools: Vec<Pool>,
}

/// A pool, and what was made for it.
struct Pool {
    wanted: WantedPool,
    /// What its server was told, each setting once.
    told: Vec<Told>,
    /// The file that keeps it over a new start of its server, where there is one.
    file: Option<(PathBuf, Entry)>,
    /// Whether all of it was made.
    is_made: bool,
}

/// What a server was told last.
struct Told {
    setting: DatabaseSetting,
    entry: Entry,
}

impl<'l> Pools<'l> {
    /// Sets none.
    pub fn of_none(ledger: &'l Ledger) -> Self {
        Self {
            ledger,
            pools: Vec::new(),
        }
    }

    /// Has these pools be as they are wanted, and all others as they were.
    ///
    /// # Errors
    /// When a server refuses, or is not there.
    pub fn resize(&mut self, wanted: &[WantedPool]) -> Result<(), LiveError> {
        let is_wanted = |pool: &Pool| wanted.iter().any(|it| it.is_of(&pool.wanted));
        let pools = std::mem::take(&mut self.pools).into_iter();
        let (kept, others): (Vec<Pool>, Vec<Pool>) = pools.partition(is_wanted);
        self.pools = kept;
        for entry in others.iter().flat_map(Pool::entries) {
            self.ledger.undo(entry)?;
        }
        for pool in wanted {
            match self.pools.iter().position(|it| it.wanted.is_of(pool)) {
                Some(at) => self.change(at, pool)?,
                None => self.add(pool)?,
            }
        }
        Ok(())
    }

    fn add(&mut self, wanted: &WantedPool) -> Result<(), LiveError> {
        let mut pool = Pool {
            wanted: wanted.clone(),
            told: Vec::new(),
            file: None,
            is_made: false,
        };
        let made = pool.make(self.ledger);
        // What was made before something failed is undone with the others.
        self.pools.push(pool);
        made
    }

    fn change(&mut self, at: usize, wanted: &WantedPool) -> Result<(), LiveError> {
        let pool = &mut self.pools[at];
        // The server may have been started anew, or somebody may have resized the pool.
        if pool.is_made && pool.wanted == *wanted && fault(wanted).is_none() {
            return Ok(());
        }
        pool.wanted = wanted.clone();
        pool.make(self.ledger)
    }
}

impl Pool {
    /// What was made, the last first.
    fn entries(&self) -> impl Iterator<Item = Entry> {
        let file = self.file.iter().map(|(_, entry)| *entry);
        file.chain(self.told.iter().rev().map(|it| it.entry))
    }

    /// Makes what is not made yet.
    fn make(&mut self, ledger: &Ledger) -> Result<(), LiveError> {
        self.is_made = false;
        check_room(&self.wanted)?;
        self.set(ledger, SIZE, self.wanted.bytes)?;
        self.set(ledger, DUMPED, ALL)?;
        self.keep(ledger)?;
        self.is_made = true;
        Ok(())
    }

    /// Tells the server, unless it has it so.
    fn set(&mut self, ledger: &Ledger, name: &str, value: u64) -> Result<(), LiveError> {
        let socket = &self.wanted.socket;
        let Some(now) = number(socket, name)? else {
            return Err(no_setting(socket, name));
        };
        let value = match name {
            SIZE => whole(socket, value)?,
            _ => value,
        };
        if now == value {
            return Ok(());
        }
        let place = self.told.iter().position(|it| it.setting.name == name);
        let earlier = place.map(|at| &self.told[at].setting);
        // Else somebody has set it since, whose value is the one to go back to.
        let ours = earlier.filter(|it| it.value == now);
        let setting = DatabaseSetting {
            socket: socket.clone(),
            name: name.to_owned(),
            before: ours.map_or(now, |it| it.before),
            value,
        };
        let tell = || setting.tell();
        let (entry, ()) = ledger.make(Resource::DatabaseSetting(setting.clone()), tell)?;
        let told = Told { setting, entry };
        match place {
            Some(at) => ledger.forget(std::mem::replace(&mut self.told[at], told).entry)?,
            None => self.told.push(told),
        }
        Ok(())
    }

    /// Keeps it over a new start of the server, where the folder of its configuration is known.
    fn keep(&mut self, ledger: &Ledger) -> Result<(), LiveError> {
        if let Some((file, _)) = &self.file {
            return Ok(write(file, self.wanted.bytes)?);
        }
        let Some(folder) = &self.wanted.configuration else {
            return Ok(());
        };
        let file = folder.join(FILE_NAME);
        let bytes = self.wanted.bytes;
        let make = || write(&file, bytes);
        let (entry, ()) = ledger.make(Resource::File(file.clone()), make)?;
        self.file = Some((file, entry));
        Ok(())
    }
}

impl Drop for Pools<'_> {
    fn drop(&mut self) {
        for entry in self.pools.iter().flat_map(Pool::entries) {
            // What cannot be undone stays in the ledger.
            let _undone = self.ledger.undo(entry);
        }
    }
}

fn no_setting(socket: &Path, name: &str) -> LiveError {
    LiveError::Guardian(format!(
        "{}: the server has no setting {name}; only MariaDB with InnoDB has a buffer pool",
        socket.display()
    ))
}

/// Whether pools could be set, as far as that can be told without setting them.
///
/// # Errors
/// A server that does not answer, one without a buffer pool, and one whose memory group is too small.
pub(crate) fn check(wanted: &[WantedPool]) -> Result<(), LiveError> {
    for pool in wanted {
        let socket = &pool.socket;
        let size = number(socket, SIZE).map_err(|error| {
            LiveError::Guardian(format!(
                "the server at {} did not answer: {error}",
                socket.display()
            ))
        })?;
        size.ok_or_else(|| no_setting(socket, SIZE))?;
        check_room(pool)?;
    }
    Ok(())
}

/// Refuses a pool that is larger than the memory group of its server may be. The kernel would kill the server once the pool is full. Where
/// nobody may look which process the server is, nothing is refused.
fn check_room(pool: &WantedPool) -> Result<(), LiveError> {
    let limit = group_of(&pool.socket).and_then(|group| {
        let lineage = group.lineage();
        let limits = lineage.iter().filter_map(MemoryGroup::limit_bytes);
        Some((limits.min()?, group))
    });
    match limit {
        Some((limit, group)) if pool.bytes >= limit => Err(LiveError::Guardian(format!(
            "{}: a buffer pool of {} bytes is more than the server's memory group {} may have, {limit} bytes; plan for less memory, or \
             raise the limit",
            pool.socket.display(),
            pool.bytes,
            group.path().display()
        ))),
        _ => Ok(()),
    }
}

/// The memory group of the server behind a socket, by the file that it writes its number to.
fn group_of(socket: &Path) -> Option<MemoryGroup> {
    let file = text(socket, "pid_file").ok()??;
    let folder = text(socket, "datadir").ok()??;
    let pid = fs::read_to_string(Path::new(&folder).join(file)).ok()?;
    MemoryGroup::of_process(pid.trim().parse().ok()?).ok()?
}

/// What is wrong with a pool that was set; nothing where it is as it should be.
pub(crate) fn fault(pool: &WantedPool) -> Option<String> {
    let socket = pool.socket.display();
    match number(&pool.socket, SIZE) {
        Ok(Some(bytes)) if bytes >= pool.bytes => None,
        Ok(Some(bytes)) => Some(format!(
            "the buffer pool of the server at {socket} has {bytes} bytes, not {}: somebody has resized it, or the server was started \
             anew; apply the plan again",
            pool.bytes
        )),
        Ok(None) => Some(format!("the server at {socket} has no buffer pool")),
        Err(error) => Some(format!(
            "the server at {socket} does not say how large its buffer pool is: {error}"
        )),
    }
}

/// The size that a server makes of one: the next whole one.
fn whole(socket: &Path, bytes: u64) -> Result<u64, LiveError> {
    let chunk = number(socket, CHUNK)?.unwrap_or(0);
    let instances = number(socket, INSTANCES)?.unwrap_or(1).max(1);
    let step = chunk.saturating_mul(instances).max(MEBIBYTE);
    Ok(bytes.div_ceil(step).saturating_mul(step))
}

fn write(file: &Path, bytes: u64) -> Result<(), hotset_machine::MachineError> {
    let text = format!(
        "# By `hotset apply`; `hotset release` removes it.\n[mariadb]\n{SIZE}={bytes}\n{DUMPED}={ALL}\n\
         innodb_buffer_pool_dump_at_shutdown=ON\ninnodb_buffer_pool_load_at_startup=ON\n"
    );
    // The server runs as a user of its own.
    hotset_machine::file::write_for_all(file, text.as_bytes()).on("write", file)
}
