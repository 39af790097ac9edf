//! `hotset lab down`.

use std::path::Path;

use anyhow::{Result, bail};
use hotset_lab::LEDGERS;
use hotset_report::TeardownView;

use crate::{interrupt, output};

/// What `hotset lab down` takes.
#[derive(clap::Args)]
pub struct Args {
    /// Which data-centre, as `hotset lab up` printed it; not needed where only one is up
    #[arg(value_name = "TAG")]
    tag: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let _guard = interrupt::Guard::new();
    let (tag, teardown) = hotset_lab::down(Path::new(LEDGERS), args.tag.as_deref())?;
    let view = TeardownView::new(tag, teardown);
    output::print_view(&view, args.json)?;
    if !view.left.is_empty() {
        bail!(
            "part of data-centre {} is still there; the next start of the lab tries again",
            view.tag
        );
    }
    Ok(())
}
