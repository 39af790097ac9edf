//! `hotset lab`: a data-centre on this machine.

use std::path::PathBuf;

use anyhow::Result;
use hotset_actions::lab;

use crate::progress::Terminal;
use crate::work::WorkArgs;
use crate::{interrupt, output, program};

/// What `hotset lab` does.
#[derive(clap::Subcommand)]
pub enum Job {
    /// Build a scenario's data-centre, serve its sites and leave it up; needs root
    #[command(after_help = "Examples:\n  hotset lab up scenario.toml")]
    Up(UpArgs),
    /// Have the events of a scenario happen in its data-centre, from now on; needs root
    #[command(after_help = "Examples:\n  hotset lab play")]
    Play(PlayArgs),
    /// Take down what `hotset lab up` has left up; needs root
    #[command(after_help = "Examples:\n  hotset lab down")]
    Down(DownArgs),
    /// List the data-centres that `hotset lab up` has left up, since when, with their nodes; needs root
    #[command(after_help = "Examples:\n  hotset lab list")]
    List(ListArgs),
    /// Play a disk with head, seeks and rotation; started by the lab
    #[command(hide = true)]
    Disk {
        /// What the lab passes
        options: String,
    },
    /// Write or read files on a node; started by the lab
    #[command(hide = true)]
    Read {
        /// What the lab passes
        options: String,
    },
}

/// What `hotset lab up` takes.
#[derive(clap::Args)]
pub struct UpArgs {
    /// The scenario file
    #[arg(value_name = "SCENARIO.toml")]
    scenario: PathBuf,
    #[command(flatten)]
    work: WorkArgs,
    /// Refuse keys of the scenario that the lab does not follow
    #[arg(long)]
    strict_keys: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What `hotset lab play` takes.
#[derive(clap::Args)]
pub struct PlayArgs {
    /// Which data-centre, as `hotset lab up` printed it
    ///
    /// Not needed where only one is up.
    #[arg(value_name = "TAG")]
    tag: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What `hotset lab down` takes.
#[derive(clap::Args)]
pub struct DownArgs {
    /// Which data-centre, as `hotset lab up` printed it
    ///
    /// Not needed where only one is up.
    #[arg(value_name = "TAG")]
    tag: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What `hotset lab list` takes.
#[derive(clap::Args)]
pub struct ListArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(job: &Job) -> Result<()> {
    match job {
        Job::Up(args) => up(args),
        Job::Play(args) => play(args),
        Job::Down(args) => down(args),
        Job::List(args) => output::print_view(&lab::list()?, args.json),
        Job::Read { options } => Ok(lab::read(options)?),
        Job::Disk { options } => Ok(lab::disk(options)?),
    }
}

fn up(args: &UpArgs) -> Result<()> {
    let options = lab::Options {
        scenario: args.scenario.clone(),
        work: args.work.folder.clone(),
        drive_command: program::command(["lab", "disk"])?,
        strict_keys: args.strict_keys,
    };
    output::print_view(&lab::up(&options, &Terminal::default())?, args.json)
}

fn play(args: &PlayArgs) -> Result<()> {
    let view = lab::play(args.tag.as_deref(), &Terminal::default())?;
    output::print_view(&view, args.json)
}

fn down(args: &DownArgs) -> Result<()> {
    let _guard = interrupt::Guard::new();
    let view = lab::down(args.tag.as_deref())?;
    output::print_view(&view, args.json)?;
    Ok(lab::check_gone(&view)?)
}
