//! `hotset simulate`: traffic on models. A file for each of its subcommands.

mod files;
mod fio;
mod scenario;
mod trace;

use anyhow::Result;

/// The models that traffic can be run through.
#[derive(clap::Subcommand)]
pub enum Model {
    /// Run the file reads through a cache: hit ratios and mean response
    #[command(
        after_help = "Examples:\n  hotset simulate trace --memory 512M --policy sieve access.log"
    )]
    Trace(Box<trace::Args>),
    /// Run jobs of fio on a store of known costs: throughput, latencies, hits, and what limits them
    #[command(
        after_help = "Examples:\n  hotset simulate fio scan.fio --profile ssd\n  hotset simulate fio scan.fio --profile www.toml --set memory=512M"
    )]
    Fio(fio::Args),
    /// Run operations on files of a file server: calls by name, bytes and packets on the link, hits
    #[command(
        after_help = "Examples:\n  hotset simulate files small.work --scenario files.toml --store shared"
    )]
    Files(files::Args),
    /// Run requests through the nodes of a scenario: throughput, responses, and what saturates first
    #[command(
        after_help = "Examples:\n  hotset simulate scenario tiers.toml access.log\n  hotset simulate scenario tiers.toml access.log --set node.web1.memory=1GiB\n  hotset simulate scenario shop.toml --sessions browsing.toml --application pages.toml"
    )]
    Scenario(Box<scenario::Args>),
}

/// Runs the command.
pub fn run(model: &Model) -> Result<()> {
    match model {
        Model::Trace(args) => trace::run(args),
        Model::Fio(args) => fio::run(args),
        Model::Files(args) => files::run(args),
        Model::Scenario(args) => scenario::run(args),
    }
}
