//! `hotset net`: Petri nets of the library. A file for each of its subcommands.

mod check;
mod run;
mod trace;

use anyhow::{Result, bail};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use hotset_petri::Net;
use hotset_petri::nets::{self, Entry, LIBRARY};
use hotset_report::NetsView;

use crate::output::{self, Usage};

/// What `hotset net` does.
#[derive(clap::Subcommand)]
pub enum Job {
    /// List the nets and what may be set of them
    #[command(after_help = "Examples:\n  hotset net list")]
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Run a net until its monitors are known well enough
    #[command(
        after_help = "Examples:\n  hotset net run mm1 --set rho=0.5\n  hotset net run philosophers --set n=20 --until 1s --replications 10 --json\n  hotset net run token-bucket --trace=40"
    )]
    Run(run::Args),
    /// Explore every marking of a net: bounds of places, dead markings
    #[command(
        after_help = "Examples:\n  hotset net check philosophers\n  hotset net check closed-network --set n=20 --max-markings 100000 --memory 64MiB --json"
    )]
    Check(check::Args),
}

/// Which net, and what is set of it.
#[derive(clap::Args)]
pub struct NetArgs {
    /// The net
    #[arg(value_name = "NET", value_parser = net())]
    net: &'static Entry,
    /// Set a parameter of the net; may be repeated
    #[arg(long, value_name = "NAME=NUMBER", value_parser = setting)]
    set: Vec<(String, f64)>,
}

fn net() -> impl TypedValueParser<Value = &'static Entry> {
    let names = LIBRARY.iter().map(|entry| entry.name);
    PossibleValuesParser::new(names).map(|name| nets::find(&name).expect("the parser knows it"))
}

fn setting(text: &str) -> Result<(String, f64), String> {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    match value.parse() {
        Ok(value) => Ok((name.to_owned(), value)),
        Err(_) => Err("write a parameter and a number, such as rho=0.5".into()),
    }
}

/// Runs the command.
pub fn run(job: &Job) -> Result<()> {
    match job {
        Job::List { json } => output::print_view(&NetsView { nets: LIBRARY }, *json),
        Job::Run(args) => run::run(args),
        Job::Check(args) => check::run(args),
    }
}

impl NetArgs {
    /// The net with its parameters set.
    fn build(&self) -> Result<Net> {
        let known = || self.net.parameters.iter().map(|parameter| parameter.name);
        let mut names = self.set.iter().map(|(name, _)| name);
        if let Some(unknown) = names.find(|name| !known().any(|known| known == *name)) {
            let known: Vec<&str> = known().collect();
            bail!(Usage(format!(
                "{} has no parameter `{unknown}`; it has {}",
                self.net.name,
                known.join(" and ")
            )));
        }
        let set: Vec<(&str, f64)> = self
            .set
            .iter()
            .map(|(name, value)| (name.as_str(), *value))
            .collect();
        self.net
            .build(&set)
            .map_err(|error| Usage(error.to_string()).into())
    }
}
