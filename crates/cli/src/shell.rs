//! `hotset completions` and `hotset man`.

use std::path::Path;
use std::{fs, io};

use anyhow::{Context, Result};
use clap::builder::{Resettable, StyledStr};
use clap::{Command, CommandFactory};
use clap_mangen::Man;

use crate::args::Cli;
use crate::output;

/// Prints the completion script for `shell`.
pub fn completions(shell: clap_complete::Shell) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "hotset", &mut script);
    output::print(&String::from_utf8_lossy(&script))
}

/// Prints the manual page, or writes those of all commands into `folder`.
pub fn man(folder: Option<&Path>) -> Result<()> {
    match folder {
        Some(folder) => man_pages(folder),
        None => output::print(&String::from_utf8_lossy(&page(Cli::command())?)),
    }
}

/// Writes the manual pages of all commands into `folder`.
fn man_pages(folder: &Path) -> Result<()> {
    let write = || {
        fs::create_dir_all(folder)?;
        let mut command = Cli::command();
        command.build();
        write_pages(&command, folder)
    };
    write().with_context(|| format!("cannot write {}", folder.display()))
}

/// Writes the page of `command` and those of its subcommands.
fn write_pages(command: &Command, folder: &Path) -> io::Result<()> {
    let shown = command.get_subcommands().filter(|job| !job.is_hide_set());
    for job in shown {
        write_pages(job, folder)?;
    }
    let file = folder.join(Man::new(command.clone()).get_filename());
    fs::write(file, page(command.clone())?)
}

/// The manual page of `command`, which ends with its examples.
fn page(command: Command) -> io::Result<Vec<u8>> {
    let examples = command.get_after_help().map(ToString::to_string);
    let mut page = Vec::new();
    Man::new(command.after_help(Resettable::<StyledStr>::Reset)).render(&mut page)?;
    if let Some(examples) = examples {
        page.extend(b".SH EXAMPLES\n.nf\n");
        for line in examples.lines().skip(1) {
            // Plain hyphens and backslashes (groff_char(7)): the line is to be copied into a shell.
            let line = line.trim().replace('\\', "\\e").replace('-', "\\-");
            page.extend(format!("{line}\n").bytes());
        }
        page.extend(b".fi\n");
    }
    Ok(page)
}
