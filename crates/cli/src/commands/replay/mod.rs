//! `hotset replay`: a trace, or sessions, against a server.

mod args;
mod how;
mod live;
mod what;

use anyhow::Result;
use hotset_actions::replay::{self, sessions};
use hotset_report::View;

use crate::output;
use crate::progress::Terminal;
pub use args::Args;
use live::Live;

/// Runs the command; the report says what was `asked`.
pub fn run(args: &Args, asked: &[String]) -> Result<()> {
    if let Some(options) = args.sessions(asked)? {
        return run_sessions(&options);
    }
    let options = args.options(asked)?;
    let mut done = replay::run(&options, &Terminal::default(), Live::new)?;
    let report = done.view(output::flag);
    if let Some(path) = &options.results.output {
        output::write_file(path, report.json()?.as_bytes())?;
    }
    output::deliver(report, &options.results, &report.provenance)?;
    Ok(done.verdict?)
}

fn run_sessions(options: &sessions::Options) -> Result<()> {
    let done = sessions::run(options, &Terminal::default(), &Live::of_sessions())?;
    if let Some(path) = &options.results.output {
        output::write_file(path, done.view.json()?.as_bytes())?;
    }
    output::deliver(&done.view, &options.results, &done.view.provenance)?;
    Ok(done.verdict?)
}
