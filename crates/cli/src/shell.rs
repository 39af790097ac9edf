//! `hotset completions` and `hotset man`.

use std::path::Path;

use anyhow::{Context, Result};
use clap::CommandFactory;

use crate::args::Cli;
use crate::output;

/// Prints the completion script for `shell`.
pub fn completions(shell: clap_complete::Shell) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "hotset", &mut script);
    output::print(&String::from_utf8_lossy(&script))
}

/// Prints the manual page.
pub fn man() -> Result<()> {
    let mut page = Vec::new();
    clap_mangen::Man::new(Cli::command()).render(&mut page)?;
    output::print(&String::from_utf8_lossy(&page))
}

/// Writes the manual pages of all commands into `folder`.
pub fn man_pages(folder: &Path) -> Result<()> {
    let write = || {
        std::fs::create_dir_all(folder)?;
        clap_mangen::generate_to(Cli::command(), folder)
    };
    write().with_context(|| format!("cannot write {}", folder.display()))
}
