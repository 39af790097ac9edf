//! `hotset net show`: a net as text, as a drawing, or for another tool.

use std::path::PathBuf;

use anyhow::Result;
use hotset_petri_exchange::export::{CpnTools, Dot, Exporter, Pnml, Svg, Text};

use super::NetArgs;
use crate::output;

/// What `hotset net show` takes.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    net: NetArgs,
    #[command(flatten)]
    format: Format,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The format, where it is not text.
#[derive(clap::Args)]
#[group(multiple = false)]
struct Format {
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

impl Format {
    fn exporter(&self) -> &dyn Exporter {
        match self {
            Format { dot: true, .. } => &Dot,
            Format { svg: true, .. } => &Svg,
            Format { pnml: true, .. } => &Pnml,
            Format { cpn: true, .. } => &CpnTools,
            _ => &Text,
        }
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    output::check_files(&[args.output.as_ref()], false)?;
    let net = args.net.build()?;
    let text = args.format.exporter().export(&net)?;
    match &args.output {
        Some(file) => output::write_file(file, text.as_bytes()),
        None => output::print(&text),
    }
}
