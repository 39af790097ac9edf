//! `hotset replay`: a trace against a server.

mod args;
mod how;
mod live;
mod what;

use anyhow::Result;
use hotset_actions::replay;
use hotset_report::View;

use crate::output;
use crate::progress::Terminal;
pub use args::Args;
use live::Live;

/// Runs the command; the report says what was `asked`.
pub fn run(args: &Args, asked: &[String]) -> Result<()> {
    let options = args.options(asked)?;
    let mut done = replay::run(&options, &Terminal::default(), Live::new)?;
    let report = done.view(output::flag);
    if let Some(path) = &options.results.output {
        output::write_file(path, report.json()?.as_bytes())?;
    }
    output::deliver(report, &options.results, &report.provenance)?;
    Ok(done.verdict?)
}
