//! `hotset generate tpcw`, `rubis` and `rubbos`.

use anyhow::{Result, bail};
use hotset_actions::generate::{Benchmark, CLASS, DatabaseOptions, database};
use hotset_workload::applications::Engine;

use super::output_args::OutputArgs;
use crate::output::{self, Usage};
use crate::progress::Terminal;

/// What the databases of benchmarks take.
#[derive(clap::Args)]
pub struct DatabaseArgs {
    /// Class 0 to 4: tables that fill 25 MiB to 6 GiB in the server
    ///
    /// The working sets of the Zipf-like classes.
    #[arg(long, value_name = "N", default_value_t = CLASS)]
    class: usize,
    /// Number of items, which decides what of the tables is hot
    ///
    /// Of TPC-W 10,000 up to class 1 and 100,000 above by default; of RUBiS items being sold, of RUBBoS stories, by default in
    /// proportion to the tables.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    items: Option<u64>,
    /// Engine of the tables: innodb, myisam or aria
    #[arg(long, value_name = "NAME", default_value = "innodb")]
    engine: Engine,
}

impl DatabaseArgs {
    fn options(&self, benchmark: Benchmark, output: &OutputArgs) -> Result<DatabaseOptions> {
        if output.files.is_some() || output.log.is_some() {
            bail!(Usage(
                "a database has no files and no log: leave out --files and --log".to_owned()
            ));
        }
        let Some(folder) = output.output.clone() else {
            bail!(Usage(
                "where is the database to go? give -o NAME.database".to_owned()
            ));
        };
        Ok(DatabaseOptions {
            benchmark,
            class: self.class,
            items: self.items,
            engine: self.engine,
            output: folder,
            replace: output.replace,
            seed: output.seed,
        })
    }

    /// Writes the database's folder.
    pub fn run(&self, benchmark: Benchmark, output: &OutputArgs) -> Result<()> {
        let options = self.options(benchmark, output)?;
        let view = database(&options, &Terminal::default())?;
        output::print_view(&view, output.json)
    }
}
