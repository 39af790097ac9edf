//! `hotset net show`: a net as text, as a drawing, or for another tool.

use std::path::PathBuf;

use anyhow::Result;
use hotset_actions::Results;
use hotset_actions::net::show;

use super::named::NetArgs;
use crate::output;

/// What `hotset net show` takes.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    net: NetArgs,
    #[command(flatten)]
    format: FormatArgs,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The format, where it is not text.
#[derive(clap::Args)]
#[group(multiple = false)]
struct FormatArgs {
    /// Write a drawing for Graphviz
    #[arg(long)]
    dot: bool,
    /// Write a picture (SVG)
    #[arg(long)]
    svg: bool,
    /// Write a place/transition net for other tools (PNML)
    #[arg(long)]
    pnml: bool,
    /// Write a net for CPN Tools
    #[arg(long)]
    cpn: bool,
}

impl FormatArgs {
    fn format(&self) -> show::Format {
        match self {
            FormatArgs { dot: true, .. } => show::Format::Dot,
            FormatArgs { svg: true, .. } => show::Format::Svg,
            FormatArgs { pnml: true, .. } => show::Format::Pnml,
            FormatArgs { cpn: true, .. } => show::Format::Cpn,
            _ => show::Format::Text,
        }
    }
}

impl Args {
    fn options(&self) -> show::Options {
        show::Options {
            net: self.net.options(),
            format: self.format.format(),
            results: Results {
                output: self.output.clone(),
                ..Results::default()
            },
        }
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let text = show::run(&args.options())?;
    match &args.output {
        Some(file) => output::write_file(file, text.as_bytes()),
        None => output::print(&text),
    }
}
