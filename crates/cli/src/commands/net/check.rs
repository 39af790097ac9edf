//! `hotset net check`: the state space of a net.

use anyhow::Result;
use hotset_actions::net::check;

use super::named::NetArgs;
use crate::progress::Terminal;
use crate::{option_values, output};

/// What `hotset net check` takes.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    net: NetArgs,
    /// Explore at most so many markings
    #[arg(long, value_name = "N", default_value_t = 10_000_000, value_parser = clap::value_parser!(u32).range(1..))]
    max_markings: u32,
    /// Use at most so much memory for them
    #[arg(long, value_name = "SIZE", default_value = "1GiB", value_parser = option_values::size)]
    memory: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    fn options(&self) -> check::Options {
        check::Options {
            max_markings: self.max_markings,
            memory: self.memory,
        }
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let net = args.net.options().build()?;
    let mut checked = check::run(&net, &args.options(), &Terminal::default())?;
    output::print_view(&checked.view(), args.json)?;
    Ok(checked.check()?)
}
