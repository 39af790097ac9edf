//! `hotset generate tree`.

use anyhow::{Result, bail};
use hotset_actions::generate::{TreeOptions, tree};

use super::output_args::OutputArgs;
use crate::input::InputArgs;
use crate::output::{self, Usage};
use crate::progress::Terminal;
use crate::times::ZoneArgs;

/// What `hotset generate tree` takes.
#[derive(clap::Args)]
pub struct TreeArgs {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    zone: ZoneArgs,
    /// Write zeros that take no room on disk
    ///
    /// Reading them costs a disk nothing, so they are for tests of anything but storage.
    #[arg(long)]
    sparse: bool,
}

impl TreeArgs {
    fn options(&self, output: &OutputArgs) -> Result<TreeOptions> {
        if output.output.is_some() || output.log.is_some() {
            bail!(Usage(
                "`generate tree` writes files alone: leave out -o and --log (`hotset import` makes a trace folder)"
                    .to_owned()
            ));
        }
        let Some(files) = output.files.clone() else {
            bail!(Usage(
                "where are the files to go? give --files FOLDER".to_owned()
            ));
        };
        Ok(TreeOptions {
            logs: self.input.logs()?,
            time_zone: self.zone.time_zone.clone(),
            files,
            is_sparse: self.sparse,
            seed: output.seed,
        })
    }

    /// Writes the files.
    pub fn run(&self, output: &OutputArgs) -> Result<()> {
        let written = tree(self.options(output)?, &Terminal::default())?;
        output::print_view(&written.view(), output.json)
    }
}
