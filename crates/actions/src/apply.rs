//! The files of a plan held under a running server.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use hotset_live::{
    FileState, FileStatus, Pace, PlacerChoice, PlacerKind, Preview, Request, RunStatus, ServerKind,
    ServerName, SiteFolder, State, StateFolder, WantedPool, configuration,
};
use hotset_report::{AppliedView, Lookup, PreviewView};
use hotset_scenario::Placement;
use rustix::fs::{OFlags, fcntl_setfl};

use crate::apply_databases::AppliedDatabases;
use crate::error::{misuse, refuse, usage};
use crate::free_memory::Fit;
use crate::holding::Holding;
use crate::sites::Sites;
use crate::{Field, JobError, Watch, plan};

/// What is applied, and how.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The plan file; or a scenario file (.toml) with logs, for which a plan is made.
    pub plan: PathBuf,
    /// Where the files of the sites are.
    pub sites: Sites,
    /// How they are held.
    pub holding: Holding,
    /// The node of the plan that this machine is; not needed where the plan is for one.
    pub node: Option<String>,
    /// The command that starts a guardian; the state folder is put behind it.
    pub guardian: Vec<OsString>,
}

/// What is held, and where that is written down.
#[derive(Clone, Debug)]
pub struct ApplyResult {
    folder: StateFolder,
    state: State,
    lookup: Option<Lookup>,
}

/// What applying would change.
#[derive(Clone, Debug)]
pub struct PreviewResult {
    preview: Preview,
    placer: PlacerKind,
}

impl ApplyResult {
    /// What reports show.
    pub fn view(&self) -> AppliedView<'_> {
        AppliedView {
            state: &self.state,
            folder: self.folder.path(),
            lookup: self.lookup.as_ref(),
        }
    }

    /// Whether files of the plan are not held.
    pub fn leaves_out(&self) -> bool {
        leaves_out(&self.state.files)
    }
}

impl PreviewResult {
    /// What reports show.
    pub fn view(&self) -> PreviewView<'_> {
        PreviewView {
            preview: &self.preview,
            placer: self.placer,
        }
    }

    /// Whether files of the plan would not be held.
    pub fn leaves_out(&self) -> bool {
        leaves_out(&self.preview.files)
    }
}

fn leaves_out(files: &[FileState]) -> bool {
    let left_out = |file: &FileState| matches!(file.status, FileStatus::LeftOut(_));
    files.iter().any(left_out)
}

/// Holds the files of a plan. `begins` is told of the state folder before anything is changed.
///
/// # Errors
/// A plan that cannot be read or made, options that do not go with it, or what the guardian refuses.
pub fn run(
    options: &Options,
    watch: &dyn Watch,
    begins: impl FnOnce(&Path),
) -> Result<ApplyResult, JobError> {
    let (request, folder) = asked(options, watch)?;
    begins(folder.path());
    let guardian = guardian(&options.guardian, folder.path());
    let state = hotset_live::apply(&folder, &request, &guardian)?;
    // The plan keeps the state from now on, and not a runner that has died.
    if RunStatus::load(&folder)?.is_some_and(|run| !run.is_alive()) {
        RunStatus::remove(&folder);
    }
    Ok(ApplyResult {
        lookup: (state.placer == PlacerKind::HotRoot).then(|| lookup(&state, &folder)),
        folder,
        state,
    })
}

/// What has the server look for copies. Which server that is, is not known where none was named. Why lines cannot be written is
/// said by `hotset config`.
fn lookup(state: &State, folder: &StateFolder) -> Lookup {
    let server = state.server.as_ref().and_then(|name| name.find().ok());
    let server = server.as_ref().and_then(ServerKind::of);
    let lines = server.and_then(|server| {
        let lines = configuration(server, &state.folders, folder).ok()?;
        Some((server, lines))
    });
    Lookup { lines }
}

/// What [`run`] would change.
///
/// # Errors
/// As there.
pub fn preview(options: &Options, watch: &dyn Watch) -> Result<PreviewResult, JobError> {
    let (request, folder) = asked(options, watch)?;
    Ok(PreviewResult {
        preview: hotset_live::preview(&folder, &request)?,
        placer: request.placer,
    })
}

/// The command that starts the guardian of a state folder.
pub(crate) fn guardian(command: &[OsString], folder: &Path) -> Vec<OsString> {
    let folder = OsString::from(folder);
    command.iter().cloned().chain([folder]).collect()
}

fn asked(options: &Options, watch: &dyn Watch) -> Result<(Request, StateFolder), JobError> {
    let (file, holding) = (&options.plan, &options.holding);
    let is_scenario = file.extension().is_some_and(|name| name == "toml");
    let plan = match is_scenario {
        true => plan::of_scenario(file, watch)?,
        false => read(file)?,
    };
    let node = node(&plan, options.node.as_deref());
    let node = node.map_err(|error| JobError::at(file.display(), error))?;
    let folder = holding.folder()?;
    let databases = AppliedDatabases::of(&plan, &node, &held_pools(&plan, &folder)?)?;
    let folders = folders(options, &plan, is_scenario.then_some(file.as_path()))?;
    let server = holding.server()?;
    let request = Request {
        placer: placer(holding, &folders, server.as_ref(), &databases)?,
        server,
        owners: holding.owners.clone(),
        staleness: holding.staleness,
        pace: Pace::AtOnce,
        memory_bytes: plan.memory_of(&node).saturating_add(databases.bytes),
        group: Request::group_of(&plan, &node, &folders),
        folders: [folders, databases.folders].concat(),
        pools: databases.pools,
        files: [databases.files, Request::files_of(&plan, &node)].concat(),
    };
    say_whether_it_is_worth_it(&plan, &folder, request.server.as_ref(), watch)?;
    Ok((request, folder))
}

/// Buffer pools that an earlier plan has set, where this one has databases.
fn held_pools(plan: &Placement, folder: &StateFolder) -> Result<Vec<WantedPool>, JobError> {
    let state = match plan.databases.is_empty() {
        true => None,
        false => held(folder)?,
    };
    Ok(state.map_or_else(Vec::new, |state| state.pools))
}

/// What is held now.
fn held(folder: &StateFolder) -> Result<Option<State>, JobError> {
    match folder.has_guardian()? {
        true => Ok(folder.load()?),
        false => Ok(None),
    }
}

/// Folders of the sites. A plan for databases alone needs none.
fn folders(
    options: &Options,
    plan: &Placement,
    scenario: Option<&Path>,
) -> Result<Vec<SiteFolder>, JobError> {
    let named = options.sites.named();
    if plan.sites().is_empty() && !plan.databases.is_empty() && named.is_empty() {
        return Ok(Vec::new());
    }
    let folders = options.sites.folders(Some(plan), scenario)?;
    check_sites(plan, &folders, named)?;
    Ok(folders)
}

/// How files are held. Tables are locked where they are and never copied, so a plan that pins some holds all files that way.
fn placer(
    holding: &Holding,
    folders: &[SiteFolder],
    server: Option<&ServerName>,
    databases: &AppliedDatabases,
) -> Result<PlacerKind, JobError> {
    match holding.placer {
        PlacerChoice::Auto if databases.has_pins() => Ok(PlacerKind::Pin),
        PlacerChoice::One(PlacerKind::Bind | PlacerKind::HotRoot) if databases.has_pins() => {
            refuse!(
                "the plan pins tables of a database, which are never copied; hold files by pin, or plan without the [[database]]"
            )
        }
        _ => holding.placer(folders, server),
    }
}

/// Says whether the page cache alone would keep all files of the traffic that the plan was made from, where the plan knows them.
fn say_whether_it_is_worth_it(
    plan: &Placement,
    folder: &StateFolder,
    server: Option<&ServerName>,
    watch: &dyn Watch,
) -> Result<(), JobError> {
    if let Some(all_files_bytes) = plan.all_files_bytes {
        let group = server.map(ServerName::find).transpose()?;
        let group = group.and_then(|server| server.group);
        let held_bytes = held(folder)?.map_or(0, |state| state.held_bytes());
        let fit = Fit::of(all_files_bytes, held_bytes, group.as_ref())?;
        watch.note(fit.sentence().into());
    }
    Ok(())
}

/// A name that is misspelt would leave out all files of its site, and give up those that are held.
fn check_sites(plan: &Placement, folders: &[SiteFolder], named: Vec<&str>) -> Result<(), JobError> {
    let sites = plan.sites();
    let has_root = |site: &&&str| folders.iter().any(|folder| folder.site == **site);
    let with_root = sites.iter().filter(has_root).count();
    let list = || Vec::from_iter(sites.iter().copied()).join(", ");
    if with_root == 0 && !sites.is_empty() {
        misuse!(
            "none of the plan's sites has a root: name the roots of {} with {} SITE=DIR",
            list(),
            Field::Root
        );
    }
    // A site of which nothing is held is in no plan. It is missed only if another stands without a root.
    match named.iter().find(|site| !sites.contains(*site)) {
        Some(site) if with_root < sites.len() => Err(usage(format!(
            "{} {site}=…: the plan has no such site, only {}",
            Field::Root,
            list()
        ))),
        _ => Ok(()),
    }
}

fn read(path: &Path) -> Result<Placement, JobError> {
    let name = path.display();
    let json = read_without_waiting(path).map_err(|error| {
        JobError::at(
            format!("cannot read {name} (`hotset plan -o {name} …` makes a plan)"),
            error,
        )
    })?;
    Placement::from_json(&json).map_err(|error| JobError::at(name, error))
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
fn node(plan: &Placement, named: Option<&str>) -> Result<String, JobError> {
    let nodes = Request::nodes(plan);
    match (named, nodes.as_slice()) {
        (Some(name), _) if nodes.contains(&name) => Ok(name.to_owned()),
        (Some(name), _) => Err(usage(format!(
            "{} {name}: the plan holds nothing on such a node, only on {}",
            Field::Node,
            nodes.join(", ")
        ))),
        // A plan may hold nothing.
        (None, []) => Ok(String::new()),
        (None, [only]) => Ok((*only).to_owned()),
        (None, _) => Err(usage(format!(
            "the plan is for the nodes {}: name this machine's with {}",
            nodes.join(", "),
            Field::Node
        ))),
    }
}
