//! The live part: the plan applied to a running server. Copies in memory are mounted, which takes root or, as here, a user
//! namespace; so a process in one of its own does it.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus};
use std::time::Duration;
use std::{env, fs, thread};

use anyhow::{Context, Result, bail};
use hotset_demo::{DemoError, Job, measure, workplace};
use hotset_machine::command;
use hotset_report::DemonstrationView;
use hotset_scenario::Placement;
use rustix::process::{Pid, Signal, kill_process};

use super::plan_in;
use crate::commands::apply;
use crate::progress::Spinner;
use crate::{interrupt, output};

/// Becomes root in a user namespace with mounts of its own (unshare(1)).
const APART: [&str; 2] = ["unshare", "-Urm"];
/// How often it is looked whether the process has ended.
const PAUSE: Duration = Duration::from_millis(20);

/// Applies the plan in a demo's folder and shows what that buys, or says why it is left out. The exit code is that of the process
/// that does it.
pub fn show(folder: &Path, most_requests: Option<usize>) -> Result<ExitCode> {
    let _guard = interrupt::Guard::new();
    let place = match workplace(&candidates(folder)) {
        Err(error @ DemoError::NoFolder(_)) => return left_out(&error.to_string()),
        other => other?,
    };
    if let Some(problem) = why_not(place.path()) {
        return left_out(&problem);
    }
    output::print("")?;
    let status = wait(start(folder, place.path(), most_requests)?)?;
    // If it was killed, it has taken nothing back.
    hotset_live::release(&Job::state(place.path())?)?;
    match status.code() {
        // It has said why.
        Some(code) => Ok(ExitCode::from(u8::try_from(code).unwrap_or(1))),
        None => bail!("the process that applies the plan was killed"),
    }
}

fn left_out(why: &str) -> Result<ExitCode> {
    output::print(&format!(
        "\nThe plan is not applied to a running server here: {why}"
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// Where the sites' files may lie for a moment.
fn candidates(folder: &Path) -> Vec<PathBuf> {
    let home = env::var_os("HOME").map(PathBuf::from);
    let beside = [env::temp_dir(), folder.to_owned()].into_iter();
    beside.chain(home).collect()
}

/// Why copies cannot be mounted, if so.
fn why_not(place: &Path) -> Option<String> {
    let [unshare, options] = APART;
    let place = place.to_str()?;
    let tried = command::run(unshare, &[options, "mount", "-t", "tmpfs", "hotset", place]);
    tried.err().map(|error| error.to_string())
}

fn start(folder: &Path, place: &Path, most_requests: Option<usize>) -> Result<Child> {
    let program = env::current_exe().context("cannot find this program's own file")?;
    let [unshare, options] = APART;
    let mut command = Command::new(unshare);
    command.arg(options).arg(program).args(["live", "demo"]);
    if let Some(most) = most_requests {
        command.arg("--requests").arg(most.to_string());
    }
    command.arg(folder).arg(place);
    // Ctrl-C reaches this process alone, which passes it on: a second signal would end the other before it has released
    // what it holds.
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn().context("cannot start unshare")
}

/// Waits for a process, and asks it to end when this one is asked to.
fn wait(mut child: Child) -> Result<ExitStatus> {
    let mut is_asked = false;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if interrupt::pending() && !is_asked {
            is_asked = true;
            kill_process(Pid::from_child(&child), Signal::TERM)?;
        }
        thread::sleep(PAUSE);
    }
}

/// Applies the plan; what the process in the namespace does.
pub fn inside(folder: &Path, place: &Path, most_requests: Option<usize>) -> Result<()> {
    let _guard = interrupt::Guard::new();
    let plan = plan_in(folder);
    let json = fs::read(&plan).with_context(|| plan.display().to_string())?;
    let spinner = Spinner::new("applying the plan");
    let shown = measure(&Job {
        trace: &hotset_demo::traffic()?,
        plan: &Placement::from_json(&json)?,
        folder: place,
        guardian: &apply::guardian(Job::state(place)?.path())?,
        most_requests,
        interrupted: &interrupt::pending,
    })?;
    drop(spinner);
    output::print(&DemonstrationView(&shown).terminal(output::style()))
}
