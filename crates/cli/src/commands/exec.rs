//! `hotset exec`: start a server that sees mounts of its own, so that copies can be bound over its files.

use std::ffi::OsString;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

use anyhow::{Context, Result};
use hotset_machine::namespace;

/// What `hotset exec` takes.
#[derive(clap::Args)]
pub struct Args {
    /// The program and its arguments
    #[arg(value_name = "COMMAND", required = true, last = true)]
    command: Vec<OsString>,
}

/// Becomes the program.
pub fn run(args: &Args) -> Result<()> {
    namespace::leave_shared()?;
    let [program, arguments @ ..] = args.command.as_slice() else {
        return Ok(());
    };
    let error = Command::new(program).args(arguments).exec();
    Err(error).with_context(|| format!("cannot start {}", program.display()))
}
