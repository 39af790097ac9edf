//! `hotset apply`: hold the files of a plan under a running server.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use hotset_live::{FileState, FileStatus, Pace, Request, SiteFolder, StateFolder};
use hotset_report::{AppliedView, PreviewView};
use hotset_scenario::Placement;
use rustix::fs::{OFlags, fcntl_setfl};

use crate::commands::holding::HoldingArgs;
use crate::commands::plan;
use crate::commands::sites::SitesArgs;
use crate::interrupt;
use crate::output::{self, Usage};

/// Exit code where a file of the plan is not held.
const LEFT_OUT: u8 = 4;

/// What `hotset apply` takes.
#[derive(clap::Args)]
pub struct Args {
    /// The plan file, as `hotset plan -o` writes it; or a scenario file (.toml) with `log` at its top and the `root` of each
    /// site, for which a plan is made
    #[arg(value_name = "PLAN|SCENARIO")]
    plan: PathBuf,
    #[command(flatten)]
    sites: SitesArgs,
    #[command(flatten)]
    holding: HoldingArgs,
    /// The node of the plan that this machine is; not needed where the plan is for one
    #[arg(long, value_name = "NODE")]
    node: Option<String>,
    /// Print what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let request = request(args)?;
    let folder = args.holding.state.folder()?;
    let files = match args.dry_run {
        true => preview(&folder, &request, args.json)?,
        false => apply(&folder, &request, args.json)?,
    };
    let left_out = |file: &FileState| matches!(file.status, FileStatus::LeftOut(_));
    Ok(match files.iter().any(left_out) {
        true => ExitCode::from(LEFT_OUT),
        false => ExitCode::SUCCESS,
    })
}

fn apply(folder: &StateFolder, request: &Request, json: bool) -> Result<Vec<FileState>> {
    let path = folder.path().display();
    interrupt::leaves(format!(
        "placing goes on where it has begun: `hotset status --state {path}` tells when that is done, `hotset release --state \
         {path}` takes them back"
    ));
    let state = hotset_live::apply(folder, request, &guardian(folder.path())?)?;
    let view = AppliedView {
        state: &state,
        folder: folder.path(),
    };
    output::print_view(&view, json)?;
    Ok(state.files)
}

fn preview(folder: &StateFolder, request: &Request, json: bool) -> Result<Vec<FileState>> {
    let preview = hotset_live::preview(folder, request)?;
    let view = PreviewView {
        preview: &preview,
        placer: request.placer,
    };
    output::print_view(&view, json)?;
    Ok(preview.files)
}

/// The command that starts a guardian.
pub fn guardian(folder: &Path) -> Result<Vec<OsString>> {
    let program = std::env::current_exe().context("cannot find this program's own file")?;
    Ok(vec![
        program.into(),
        "live".into(),
        "guard".into(),
        folder.into(),
    ])
}

fn request(args: &Args) -> Result<Request> {
    let is_scenario = args.plan.extension().is_some_and(|name| name == "toml");
    let plan = match is_scenario {
        true => plan::of_scenario(&args.plan)?,
        false => read(&args.plan)?,
    };
    let name = args.plan.display();
    let node = node(&plan, args.node.as_deref()).with_context(|| name.to_string())?;
    let folders = args
        .sites
        .folders(is_scenario.then_some(args.plan.as_path()))?;
    check_sites(&plan, &folders, args.sites.named())?;
    let server = args.holding.server()?;
    Ok(Request {
        placer: args.holding.placer(&folders, server.as_ref())?,
        server,
        owners: args.holding.owners.clone(),
        staleness: args.holding.staleness,
        pace: Pace::AtOnce,
        memory_bytes: plan.memory_bytes,
        group: Request::group_of(&plan, &node, &folders),
        folders,
        files: Request::files_of(&plan, &node),
    })
}

/// A name that is misspelt would leave out all files of its site, and give up those that are held.
fn check_sites(plan: &Placement, folders: &[SiteFolder], named: Vec<&str>) -> Result<()> {
    let of_files = plan.files.iter().map(|file| file.site.as_str());
    let of_groups = plan.groups.iter().map(|group| group.site.as_str());
    let sites: BTreeSet<&str> = of_files.chain(of_groups).collect();
    let has_root = |site: &&&str| folders.iter().any(|folder| folder.site == **site);
    let with_root = sites.iter().filter(has_root).count();
    let list = || Vec::from_iter(sites.iter().copied()).join(", ");
    if with_root == 0 && !sites.is_empty() {
        bail!(Usage(format!(
            "none of the plan's sites has a root: name the roots of {} with --root SITE=DIR",
            list()
        )));
    }
    // A site of which nothing is held is in no plan. It is missed only if another stands without a root.
    match named.iter().find(|site| !sites.contains(*site)) {
        Some(site) if with_root < sites.len() => bail!(Usage(format!(
            "--root {site}=…: the plan has no such site, only {}",
            list()
        ))),
        _ => Ok(()),
    }
}

fn read(path: &Path) -> Result<Placement> {
    let json = read_without_waiting(path).with_context(|| {
        let path = path.display();
        format!("cannot read {path} (`hotset plan -o {path} …` makes a plan)")
    })?;
    Placement::from_json(&json).with_context(|| path.display().to_string())
}

/// A pipe that nobody writes to is empty, and not waited for.
fn read_without_waiting(path: &Path) -> io::Result<Vec<u8>> {
    let mut options = File::options();
    options.read(true);
    options.custom_flags(OFlags::NONBLOCK.bits() as i32);
    let mut file = options.open(path)?;
    fcntl_setfl(&file, OFlags::empty())?;
    let mut content = Vec::new();
    file.read_to_end(&mut content)?;
    Ok(content)
}

/// The node that this machine is.
fn node(plan: &Placement, named: Option<&str>) -> Result<String> {
    let nodes = Request::nodes(plan);
    match (named, nodes.as_slice()) {
        (Some(name), _) if nodes.contains(&name) => Ok(name.to_owned()),
        (Some(name), _) => bail!(Usage(format!(
            "--node {name}: the plan holds nothing on such a node, only on {}",
            nodes.join(", ")
        ))),
        // A plan may hold nothing.
        (None, []) => Ok(String::new()),
        (None, [only]) => Ok((*only).to_owned()),
        (None, _) => bail!(Usage(format!(
            "the plan is for the nodes {}: name this machine's with --node",
            nodes.join(", ")
        ))),
    }
}
