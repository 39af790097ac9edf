//! `hotset demo`: two generated sites, planned for, and the plan applied to a running server.

mod live;

use std::io::{BufWriter, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, bail};
use clap::Parser;
use hotset_workload::access_log::{LogStyle, write_log};

use super::plan;
use crate::output::{self, Usage};
pub use live::inside;

/// What `hotset demo` takes.
#[derive(clap::Args)]
pub struct Args {
    /// Folder for the demo's log, plan and report
    #[arg(value_name = "FOLDER", default_value = "hotset-demo")]
    folder: PathBuf,
    /// Most requests to send before and after the plan is applied; 0 leaves that part out [default: as many as take 12 s]
    #[arg(long, value_name = "N")]
    requests: Option<usize>,
}

/// `hotset plan` by itself.
#[derive(Parser)]
struct PlanCommand {
    #[command(flatten)]
    args: plan::Args,
}

/// Memory of the demo's node: a fraction of both sites' files.
const MEMORY: &str = "96MiB";

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let log = args.folder.join("access.log");
    let page = args.folder.join("report.html");
    let plan = plan_in(&args.folder);
    write_demo_log(args)?;
    let command = [
        "hotset",
        "plan",
        "--memory",
        MEMORY,
        "--html",
        text(&page)?,
        "-o",
        text(&plan)?,
        text(&log)?,
    ];
    output::print(&format!("$ {}\n", command.join(" ")))?;
    plan::run(&PlanCommand::try_parse_from(&command[1..])?.args)?;
    let code = match args.requests {
        Some(0) => ExitCode::SUCCESS,
        most => live::show(&args.folder, most)?,
    };
    output::print(&format!("\nThe report is {}", page.display()))?;
    open_in_browser(&page);
    Ok(code)
}

fn plan_in(folder: &Path) -> PathBuf {
    folder.join("plan.json")
}

/// Opens the page for someone who sits in front of a desktop. Where that fails nothing is lost: its
/// path has been printed.
fn open_in_browser(page: &Path) {
    let has_desktop = ["DISPLAY", "WAYLAND_DISPLAY"]
        .iter()
        .any(|name| std::env::var_os(name).is_some());
    if has_desktop && std::io::stdout().is_terminal() {
        let _ = Command::new("xdg-open")
            .arg(page)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
    }
}

fn text(path: &Path) -> Result<&str> {
    path.to_str()
        .with_context(|| format!("{}: the folder's name is not UTF-8", path.display()))
}

/// Whether the demo may write into `folder`: it is new, empty, or an earlier demo's.
fn is_own(folder: &Path) -> bool {
    match std::fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_none() || folder.join("access.log").is_file(),
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    }
}

fn write_demo_log(args: &Args) -> Result<()> {
    if !is_own(&args.folder) {
        bail!(Usage(format!(
            "{} exists and is not a demo's: name another folder",
            args.folder.display()
        )));
    }
    std::fs::create_dir_all(&args.folder)
        .with_context(|| format!("cannot create {}", args.folder.display()))?;
    let trace = hotset_demo::traffic()?;
    let path = args.folder.join("access.log");
    output::write_with(&path, |file| {
        write_log(
            &trace,
            LogStyle::VhostCombined,
            None,
            &mut BufWriter::new(file),
        )
    })
}
