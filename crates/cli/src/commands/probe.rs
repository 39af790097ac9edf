//! `hotset probe`: measure what a directory's file system costs.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use hotset_probe::{Findings, Probe};
use hotset_report::ProbeView;
use hotset_scenario::Profile;

use crate::progress::Bar;
use crate::{interrupt, output};

/// What `hotset probe` takes.
#[derive(clap::Args)]
pub struct Args {
    /// Folder on the file system to be measured
    #[arg(value_name = "FOLDER")]
    directory: PathBuf,
    /// Write the store's profile here, as `hotset plan --backing` reads it
    #[arg(short, long, value_name = "FILE.toml")]
    output: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let files = [args.output.as_ref()];
    output::check_files(&files, args.json)?;
    let findings = measure(args)?;
    let profile = findings.profile();
    let view = ProbeView {
        findings: &findings,
        profile: profile.as_ref(),
    };
    output::print_beside(&files, &view, args.json)?;
    match (&args.output, &profile) {
        (Some(path), Some(profile)) => write(&findings, profile, path),
        _ => Ok(()),
    }
}

fn measure(args: &Args) -> Result<Findings> {
    let _guard = interrupt::Guard::new();
    let bar = RefCell::new(Bar::share("measuring"));
    let goes_on = |done| {
        bar.borrow_mut().set_share(done);
        !interrupt::pending()
    };
    Ok(Probe::default().measure(&args.directory, &goes_on)?)
}

/// Writes the profile under the name of its file, with what is doubtful about it.
fn write(findings: &Findings, profile: &Profile, path: &Path) -> Result<()> {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy());
    let profile = Profile {
        name: stem.map_or_else(|| profile.name.clone(), |stem| stem.into_owned()),
        ..profile.clone()
    };
    let costs = profile.to_toml().context("cannot write the profile")?;
    let text = findings.comments(&profile) + &costs;
    output::write_file(path, text.as_bytes())
}
