//! `hotset generate`.

mod database;
mod output_args;
mod tree;
mod workload;

use anyhow::Result;
use hotset_actions::generate::{self, Benchmark};

use crate::output;
use crate::progress::Terminal;
use database::DatabaseArgs;
use output_args::OutputArgs;
use tree::TreeArgs;
use workload::WorkloadArgs;

/// What `hotset generate` takes.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    made: Made,
    #[command(flatten)]
    output: OutputArgs,
}

/// What is made.
#[derive(clap::Subcommand)]
enum Made {
    #[command(flatten)]
    Workload(WorkloadArgs),
    /// The files that a log implies, for replaying a log whose files you lack
    ///
    /// Each file stands at FOLDER/SITE/PATH, where a server whose root is FOLDER/SITE finds what `hotset replay` asks for
    /// by the same --rule and --query.
    #[command(
        after_help = "Examples:\n  hotset generate tree access.log --files www\n  hotset generate tree --rule c1 \
                      --sparse access.log --files www"
    )]
    Tree(Box<TreeArgs>),
    /// TPC-W, a bookshop: its database, its 14 pages, and the sessions of its visitors
    ///
    /// FOLDER has tables as files that MariaDB loads, pages as scripts of PHP, configurations of servers, and a file a mix for
    /// `hotset replay --sessions`. `sh FOLDER/prepare.sh` makes the server's data of it, `sh FOLDER/serve.sh` serves it.
    #[command(
        after_help = "Examples:\n  hotset generate tpcw --class 0 --items 1000 -o shop.database"
    )]
    Tpcw(DatabaseArgs),
    /// RUBiS, an auction site: its database, its 27 pages, and the sessions of its visitors
    ///
    /// FOLDER has the same as that of `hotset generate tpcw`.
    #[command(after_help = "Examples:\n  hotset generate rubis --class 0 -o auctions.database")]
    Rubis(DatabaseArgs),
    /// RUBBoS, a news site: its database, its 24 pages, and the sessions of its visitors
    ///
    /// FOLDER has the same as that of `hotset generate tpcw`.
    #[command(after_help = "Examples:\n  hotset generate rubbos --class 0 -o news.database")]
    Rubbos(DatabaseArgs),
}

impl Args {
    fn options(&self, workload: &WorkloadArgs, asked: &[String]) -> Result<generate::Options> {
        let output = &self.output;
        Ok(generate::Options {
            workload: workload.workload()?,
            output: output.output.clone(),
            replace: output.replace,
            files: output.files.clone(),
            log: output.log.clone(),
            log_style: output.log_style,
            seed: output.seed,
            json: output.json,
            asked: asked.join(" "),
        })
    }
}

/// Runs the command; the trace folder says what was `asked`.
pub fn run(args: &Args, asked: &[String]) -> Result<()> {
    let workload = match &args.made {
        Made::Workload(workload) => workload,
        Made::Tree(tree) => return tree.run(&args.output),
        Made::Tpcw(database) => return database.run(Benchmark::Tpcw, &args.output),
        Made::Rubis(database) => return database.run(Benchmark::Rubis, &args.output),
        Made::Rubbos(database) => return database.run(Benchmark::Rubbos, &args.output),
    };
    let options = args.options(workload, asked)?;
    let view = generate::run(&options, &Terminal::default())?;
    output::print_beside(&options.results(), &view)
}
