//! `hotset demo`: two generated sites, planned for.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use clap::Parser;
use hotset_workload::access_log::{LogStyle, write_log};
use hotset_workload::{Generator, Load, Mix, Zipf};

use super::plan;
use crate::output::{self, Usage};

/// What `hotset demo` takes.
#[derive(clap::Args)]
pub struct Args {
    /// Folder for the demo's log, plan and report
    #[arg(value_name = "FOLDER", default_value = "hotset-demo")]
    folder: PathBuf,
}

/// `hotset plan` by itself.
#[derive(Parser)]
struct PlanCommand {
    #[command(flatten)]
    args: plan::Args,
}

/// Requests of the site with small, hot files.
const SHOP_REQUESTS: u64 = 150_000;
/// Requests of the site with large, rarely read files.
const VIDEO_REQUESTS: u64 = 15_000;
/// Requests a second of the shop; the videos span the same time.
const SHOP_RATE: f64 = 50.0;
/// Memory of the demo's node: a fraction of both sites' files.
const MEMORY: &str = "96MiB";

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let log = args.folder.join("access.log");
    let page = args.folder.join("report.html");
    let plan = args.folder.join("plan.json");
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
    output::print(&format!("\nThe report is {}", page.display()))?;
    open_in_browser(&page);
    Ok(())
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

/// A log of a shop with small, hot files that shares its server with large videos.
fn write_demo_log(args: &Args) -> Result<()> {
    if !is_own(&args.folder) {
        bail!(Usage(format!(
            "{} exists and is not a demo's: name another folder",
            args.folder.display()
        )));
    }
    std::fs::create_dir_all(&args.folder)
        .with_context(|| format!("cannot create {}", args.folder.display()))?;
    let video_rate = SHOP_RATE * VIDEO_REQUESTS as f64 / SHOP_REQUESTS as f64;
    let shop = Zipf::class(0, Load::new(SHOP_REQUESTS, SHOP_RATE))?;
    let video = Zipf::class(2, Load::new(VIDEO_REQUESTS, video_rate))?;
    let mix = Mix {
        sites: vec![
            ("shop".into(), Box::new(shop)),
            ("video".into(), Box::new(video)),
        ],
    };
    let trace = mix.generate(0)?;
    let path = args.folder.join("access.log");
    output::write_with(&path, |file| {
        write_log(
            &trace,
            LogStyle::VhostCombined,
            None,
            &mut std::io::BufWriter::new(file),
        )
    })
}
