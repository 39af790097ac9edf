//! The command line: one subcommand a job, grouped by what people come for. What each takes is declared beside what it does,
//! in [`crate::commands`].

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::commands;
use crate::help::{self, Group};

/// Which files of your web sites to hold in memory, and what that buys, from access logs.
#[derive(Parser)]
#[command(
    name = "hotset",
    version,
    max_term_width = 100,
    disable_help_subcommand = true,
    help_template = help::of_groups(&groups()),
    after_help = "Examples:\n  hotset describe access.log\n  hotset plan --memory 2G access.log"
)]
pub struct Cli {
    /// The job to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The jobs, by what people come for.
#[derive(Subcommand)]
pub enum Command {
    #[command(flatten)]
    Look(Look),
    #[command(flatten)]
    Plan(Plan),
    #[command(flatten)]
    Hold(Hold),
    #[command(flatten)]
    Measure(Measure),
    #[command(flatten)]
    WhatIf(WhatIf),
    #[command(flatten)]
    Workloads(Workloads),
    #[command(flatten)]
    Shell(Shell),
}

/// What people come for, and the jobs for it: each is listed where it is declared.
fn groups() -> [Group; 7] {
    [
        Group::of::<Look>("Look at traffic"),
        Group::of::<Plan>("Plan what to hold"),
        Group::of::<Hold>("Hold files under a server"),
        Group::of::<Measure>("Measure"),
        Group::of::<WhatIf>("Try what would be"),
        Group::of::<Workloads>("Make workloads"),
        Group::of::<Shell>("Set up a shell"),
    ]
}

/// Look at traffic.
#[derive(Subcommand)]
pub enum Look {
    /// Describe access logs: rates, popularity, sizes, and memory for the hottest files
    #[command(
        after_help = "Examples:\n  hotset describe access.log\n  hotset describe --html report.html access.log"
    )]
    Describe(commands::describe::Args),
    /// Compare outcomes side by side: measured, simulated or published
    #[command(after_help = "Examples:\n  hotset compare before.json after.json")]
    Compare(commands::compare::Args),
    /// Read the logs of one machine into a part, which merges with those of others
    #[command(
        after_help = "Examples:\n  hotset part --node web1 --client-key 000102030405060708090a0b0c0d0e0f -o web1.part access.log"
    )]
    Part(commands::part::Args),
    /// Describe the logs of all parts as if one machine had read them
    #[command(
        after_help = "Examples:\n  hotset merge web1.part web2.part\n  hotset merge -o web.part web1.part web2.part"
    )]
    Merge(commands::merge::Args),
}

/// Plan what to hold.
#[derive(Subcommand)]
pub enum Plan {
    /// Choose the files to hold in memory, and score the choice on traffic it has not seen
    #[command(
        after_help = "Examples:\n  hotset plan access.log\n  hotset plan --memory 2G access.log\n  hotset plan --memory 10% --html report.html -o plan.json access.log"
    )]
    Plan(Box<commands::plan::Args>),
    /// Generate two sites, plan for them, apply the plan and open the report
    #[command(after_help = "Examples:\n  hotset demo")]
    Demo(commands::demo::Args),
}

/// Hold files under a server.
#[derive(Subcommand)]
pub enum Hold {
    /// Hold the files of a plan in memory under a running server, until they are released
    #[command(
        after_help = "Examples:\n  hotset apply plan.json --root shop=/srv/shop --server unit:nginx\n  hotset apply plan.json --root shop=/srv/shop --dry-run"
    )]
    Apply(commands::apply::Args),
    /// Check that what was applied is in memory, and is what is served now
    #[command(after_help = "Examples:\n  hotset status\n  hotset status --watch")]
    Status(commands::status::Args),
    /// Follow the logs of sites, and hold what is worth holding, until it is stopped
    #[command(
        after_help = "Examples:\n  hotset run sites.toml --server unit:nginx\n  hotset run sites.toml --interval 5m --churn 64M"
    )]
    Run(commands::run::Args),
    /// Take back what was applied
    #[command(after_help = "Examples:\n  hotset release")]
    Release(commands::release::Args),
    /// Print the lines that make a server look up held copies before its own files
    #[command(after_help = "Examples:\n  hotset config nginx --root shop=/srv/shop")]
    Config(commands::config::Args),
    /// Start a server with mounts of its own, so that copies can be mounted over its files
    #[command(after_help = "Examples:\n  hotset exec -- nginx -g 'daemon off;'")]
    Exec(commands::exec::Args),
    /// The processes that hold files
    #[command(subcommand, hide = true)]
    Live(commands::live::Job),
}

/// Measure.
#[derive(Subcommand)]
pub enum Measure {
    /// Measure what reading and writing files costs in a folder, as a store's profile
    #[command(
        after_help = "Examples:\n  hotset probe /srv/www\n  hotset probe /srv/www -o www.toml\n  hotset probe /mnt/nfs -o nfs.toml --server-profile servers.toml"
    )]
    Probe(commands::probe::Args),
    /// Send a trace's requests to a server at their logged times; measure what clients see
    #[command(
        after_help = "Examples:\n  hotset replay --scale 2 access.log http://localhost:8080/\n  hotset replay --ramp 30s --fail-if 'p99>200ms' access.log http://localhost:8080/\n  hotset replay --sessions shopping.toml --clients 64 --duration 10m http://localhost:8080/"
    )]
    Replay(Box<commands::replay::Args>),
    /// Run jobs of fio for real and simulated, and measure how far apart they are
    #[command(after_help = "Examples:\n  hotset validate scan.fio --on /srv/data")]
    Validate(commands::validate::Args),
    /// Measure on nodes, disks and networks made for it here, and compare with predictions
    #[command(
        subcommand,
        after_help = "Examples:\n  hotset experiment show experiments/pollution/experiment.toml --cell 2x2"
    )]
    Experiment(commands::experiment::Job),
    /// Lay published tables, figures and claims beside what is simulated and measured
    #[command(
        after_help = "Examples:\n  hotset reproduce diskless-specweb99\n  hotset reproduce --html documents.html"
    )]
    Reproduce(commands::reproduce::Args),
    /// Stand the data-centre of a scenario up on this machine, to be tried
    #[command(
        subcommand,
        after_help = "Examples:\n  hotset lab up scenario.toml\n  hotset lab list\n  hotset lab down"
    )]
    Lab(commands::lab::Job),
}

/// Try what would be.
#[derive(Subcommand)]
pub enum WhatIf {
    /// Simulate traffic on a model
    #[command(
        subcommand,
        after_help = "Examples:\n  hotset simulate trace --memory 512M --policy sieve access.log\n  hotset simulate fio scan.fio --profile ssd"
    )]
    Simulate(commands::simulate::Model),
    /// Calculate by formulas what a simulation of a scenario would come to, in milliseconds
    #[command(
        after_help = "Examples:\n  hotset model tiers.toml access.log\n  hotset model tiers.toml access.log --set node.web1.memory=1GiB"
    )]
    Model(Box<commands::model::Args>),
    /// Simulate a scenario at many points: a table, the best point, where more buys less
    #[command(
        after_help = "Examples:\n  hotset sweep tiers.toml access.log --vary node.web1.memory=16MiB..64MiB:x2 -o memory.parquet\n  hotset sweep tiers.toml access.log --vary store.disk.kind=ext3,ext4,xfs -o kinds.parquet\n  hotset sweep tiers.toml access.log --by model --vary node.web1.cpus=1..8:+1 -o cpus.parquet"
    )]
    Sweep(Box<commands::sweep::Args>),
    /// Run Petri nets: queues, networks of them, and other systems of a small library
    #[command(
        subcommand,
        after_help = "Examples:\n  hotset net list\n  hotset net run mm1 --set rho=0.5"
    )]
    Net(commands::net::Job),
}

/// Make workloads.
#[derive(Subcommand)]
pub enum Workloads {
    /// Convert access logs into a trace folder
    #[command(after_help = "Examples:\n  hotset import -o access.trace access.log")]
    Import(commands::import::Args),
    /// Generate a workload: a trace folder and, on request, the files and an access log
    #[command(
        after_help = "Examples:\n  hotset generate zipf --requests 10000 -o zipf.trace --log zipf.log"
    )]
    Generate(commands::generate::Args),
}

/// Set up a shell.
#[derive(Subcommand)]
pub enum Shell {
    /// Print a shell completion script
    #[command(
        after_help = "Examples:\n  hotset completions bash > ~/.local/share/bash-completion/completions/hotset"
    )]
    Completions {
        /// The shell to complete for
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or write the pages of all commands
    #[command(after_help = "Examples:\n  hotset man --dir ~/.local/share/man/man1")]
    Man {
        /// Write hotset.1, hotset-plan.1 and the others into this folder
        #[arg(long, value_name = "FOLDER")]
        dir: Option<PathBuf>,
    },
}
