//! Databases of benchmarks, with the sessions of their visitors.

use std::path::PathBuf;

use hotset_report::{DatabaseTable, DatabaseView};
use hotset_workload::CLASSES;
use hotset_workload::applications::{
    Application, Database, DatabaseError, Engine, Rubbos, Rubis, Tpcw, WrittenTable,
};

use crate::error::{JobError, misuse, usage};
use crate::{Part, Watch};

/// The class of the working set, where it is not said.
pub const CLASS: usize = 1;
/// Items of TPC-W up to class 1, and above.
pub const ITEMS: [u64; 2] = [10_000, 100_000];

/// A benchmark with a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Benchmark {
    /// A bookshop.
    Tpcw,
    /// An auction site.
    Rubis,
    /// A news site.
    Rubbos,
}

/// Which database is made, and where it goes.
#[derive(Clone, Debug)]
pub struct DatabaseOptions {
    /// The benchmark.
    pub benchmark: Benchmark,
    /// The class of Zipf-like workloads whose working set its tables fill.
    pub class: usize,
    /// Items on sale, or stories; [`ITEMS`] or in proportion where it is not said.
    pub items: Option<u64>,
    /// Engine of the tables.
    pub engine: Engine,
    /// The folder.
    pub output: PathBuf,
    /// Whether it may take the place of one that is there.
    pub replace: bool,
    /// Seed of every random choice.
    pub seed: u64,
}

/// An application of a size, and what its tables are estimated to take.
struct SizedApplication {
    application: Box<dyn Application>,
    estimated_bytes: u64,
}

impl DatabaseOptions {
    fn application(&self) -> Result<SizedApplication, JobError> {
        let Some(class) = CLASSES.get(self.class) else {
            misuse!(
                "class {}: there are classes 0 to {}",
                self.class,
                CLASSES.len() - 1
            );
        };
        if self.items == Some(0) {
            misuse!("0 items sell nothing; make at least 1");
        }
        let (bytes, items, engine) = (class.working_set_bytes, self.items, self.engine);
        Ok(match self.benchmark {
            Benchmark::Tpcw => {
                let items = items.unwrap_or(ITEMS[usize::from(self.class > CLASS)]);
                let shop = Tpcw::of_bytes(bytes, items, engine);
                SizedApplication {
                    estimated_bytes: shop.estimated_bytes(engine),
                    application: Box::new(shop),
                }
            }
            Benchmark::Rubis => {
                let site = Rubis::of_bytes(bytes, items, engine);
                SizedApplication {
                    estimated_bytes: site.estimated_bytes(engine),
                    application: Box::new(site),
                }
            }
            Benchmark::Rubbos => {
                let site = Rubbos::of_bytes(bytes, items, engine);
                SizedApplication {
                    estimated_bytes: site.estimated_bytes(engine),
                    application: Box::new(site),
                }
            }
        })
    }
}

/// Writes a database's folder; what was written.
///
/// # Errors
/// Sizes that there are not, or a folder that cannot be written.
pub fn database(options: &DatabaseOptions, watch: &dyn Watch) -> Result<DatabaseView, JobError> {
    let sized = options.application()?;
    let database = Database {
        application: &*sized.application,
        engine: options.engine,
        seed: options.seed,
        folder: &options.output,
        replace: options.replace,
    };
    database.check()?;
    watch.begin(Part::Uncounted("populating"));
    let held = watch.hold_interrupts();
    let tables = database.write(&|| !watch.stops())?;
    drop(held);
    watch.end();
    Ok(view(options, &sized, tables))
}

fn view(
    options: &DatabaseOptions,
    sized: &SizedApplication,
    tables: Vec<WrittenTable>,
) -> DatabaseView {
    let table = |table: WrittenTable| DatabaseTable {
        name: table.name.to_owned(),
        rows: table.written.rows,
        bytes: table.written.bytes,
        checksum: table.written.checksum,
    };
    let folder = options.output.display();
    let session = |name: String| format!("{folder}/sessions/{name}.toml");
    let mixes = sized.application.mixes().into_iter();
    DatabaseView {
        application: sized.application.name().to_owned(),
        engine: options.engine.name().to_owned(),
        class: options.class as u64,
        tables: tables.into_iter().map(table).collect(),
        estimated_bytes: sized.estimated_bytes,
        sessions: mixes.map(|mix| session(mix.name)).collect(),
        seed: options.seed,
        folder: folder.to_string(),
    }
}

impl From<DatabaseError> for JobError {
    fn from(error: DatabaseError) -> JobError {
        match error {
            DatabaseError::Interrupted => JobError::Interrupted("interrupted"),
            DatabaseError::Exists(_) | DatabaseError::Other(_) => usage(error.to_string()),
            error => JobError::Library(Box::new(error)),
        }
    }
}
