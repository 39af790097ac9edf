//! `hotset exec`: start a server that sees mounts of its own, so that copies can be bound over its files.

use std::ffi::OsString;

use anyhow::Result;
use hotset_actions::exec;

/// What `hotset exec` takes.
#[derive(clap::Args)]
pub struct Args {
    /// The program and its arguments
    #[arg(value_name = "COMMAND", required = true, last = true)]
    command: Vec<OsString>,
}

/// Becomes the program.
pub fn run(args: &Args) -> Result<()> {
    match exec::run(&args.command)? {}
}
