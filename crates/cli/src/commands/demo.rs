//! `hotset demo`: two generated sites, planned for, and the plan applied to a running server.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use hotset_actions::demo::{self, MEMORY_MIB};

use super::plan;
use crate::progress::Terminal;
use crate::{interrupt, output, program};

/// What `hotset demo` takes.
#[derive(clap::Args)]
pub struct Args {
    /// Folder for the demo's log, plan and report
    #[arg(value_name = "FOLDER", default_value = "hotset-demo")]
    folder: PathBuf,
    /// Most requests to send before and after the plan is applied
    ///
    /// 0 leaves that part out. [default: as many as take 12 s]
    #[arg(long, value_name = "N")]
    requests: Option<usize>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<u8> {
    let options = demo::Options {
        folder: args.folder.clone(),
        requests: args.requests,
    };
    let planning = demo::prepare(&options, &Terminal::default())?;
    output::print(&format!("$ {}\n", command(&options)?))?;
    plan::carry_out(&planning)?;
    let code = match options.requests {
        Some(0) => 0,
        _ => play(&options)?,
    };
    let page = options.page();
    output::print(&format!("\nThe report is {}", page.display()))?;
    open_in_browser(&page);
    Ok(code)
}

/// What makes the same plan again.
fn command(options: &demo::Options) -> Result<String> {
    let [page, plan, log] = [options.page(), options.plan_file(), options.log()];
    Ok(format!(
        "hotset plan --memory {MEMORY_MIB}MiB --html {} -o {} {}",
        text(&page)?,
        text(&plan)?,
        text(&log)?
    ))
}

fn text(path: &Path) -> Result<&str> {
    path.to_str()
        .with_context(|| format!("{}: the folder's name is not UTF-8", path.display()))
}

/// Applies the plan to a running server, or says why not; the exit code is that of the process that does it.
fn play(options: &demo::Options) -> Result<u8> {
    let _guard = interrupt::Guard::new();
    let stage = match demo::stage(options)? {
        Ok(stage) => stage,
        Err(why) => {
            output::print(&format!(
                "\nThe plan is not applied to a running server here: {why}"
            ))?;
            return Ok(0);
        }
    };
    output::print("")?;
    let mut inside = program::command(["live", "demo"])?;
    if let Some(most) = options.requests {
        inside.extend(["--requests".into(), most.to_string().into()]);
    }
    Ok(stage.play(&inside, &Terminal::default())?)
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
