//! `hotset completions` and `hotset man`.

use anyhow::Result;
use clap::CommandFactory;

use crate::{args::Cli, output};

/// What `hotset completions` takes.
#[derive(clap::Args)]
pub struct CompletionsArgs {
    /// The shell to complete for
    shell: clap_complete::Shell,
}

/// Prints the completion script.
pub fn completions(args: CompletionsArgs) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "hotset", &mut script);
    output::print(&String::from_utf8_lossy(&script))
}

/// Prints the manual page.
pub fn man() -> Result<()> {
    let mut page = Vec::new();
    clap_mangen::Man::new(Cli::command()).render(&mut page)?;
    output::print(&String::from_utf8_lossy(&page))
}
