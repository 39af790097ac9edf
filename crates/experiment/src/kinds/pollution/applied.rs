//! A plan held by hotset itself, as users have it do: `hotset apply`, `hotset status`, `hotset release`.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use hotset_machine::process::{Launch, Process};
use hotset_machine::resource::Resource;
use hotset_machine::{Deployment, MachineError, OnFile, file};
use hotset_scenario::{FilePath, PlacedFile, PlacedGroup, Placement, Reason};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::arms::page_bytes_of;
use super::bench::Bench;
use super::workload::{CellWorkload, SITES};
use crate::ExperimentError;
use hotset_cache::PAGE_BYTES;

/// Placer all files of a plan, or looking at them.
const PATIENCE: Duration = Duration::from_secs(300);
/// Whoever holds files ends when they are released.
const END_PATIENCE: Duration = Duration::from_secs(5);
/// What `hotset apply` ends with where a file is left out.
const LEFT_OUT: u8 = 4;
/// What `hotset status` ends with where not everything is held.
const NOT_HELD: u8 = 3;
/// Of a node's memory, what `hotset apply` keeps free: one in so many.
const HEADROOM_SHARE: u64 = 20;
/// What plans call this machine.
const NODE: &str = "web";
/// Runs a program: $1 is where its output goes, $2 an exit code that is as good as 0, then the program.
const RUN: &str = r#"out=$1; good=$2; shift 2
"$@" > "$out"; code=$?
[ "$code" = "$good" ] || exit "$code""#;

/// Whose files are held how, and for which server.
pub(super) struct Order<'a> {
    /// Unique in the run.
    pub name: &'a str,
    /// As `--placer` takes it.
    pub placer: &'static str,
    /// The server's pid file.
    pub server: &'a Path,
    /// Folders of the sites.
    pub roots: Vec<(usize, PathBuf)>,
    /// All memory of the node, bytes.
    pub node_bytes: u64,
    /// Memory that the plan was made for, bytes.
    pub memory_bytes: u64,
    /// Memory that the plan gives the group of the one site's server for files, bytes.
    pub group_bytes: Option<u64>,
    /// The files, the most valuable first.
    pub objects: &'a [u32],
}

/// Files that `hotset apply` holds.
pub(super) struct AppliedPlan {
    state: State,
    /// What of the order it has left out.
    pub left_out: Vec<u32>,
    /// Those who hold them. They go when this is dropped, whatever else fails.
    holders: Process,
}

#[derive(Deserialize)]
struct Answer {
    left_out: Vec<OmittedFile>,
}

#[derive(Deserialize)]
struct OmittedFile {
    site: String,
    path: FilePath,
}

#[derive(Deserialize)]
struct Status {
    sites: Vec<SiteStatus>,
    #[serde(default)]
    problems: Vec<serde::de::IgnoredAny>,
}

#[derive(Deserialize)]
struct SiteStatus {
    held: Amount,
    left_out: u64,
}

#[derive(Deserialize)]
struct Amount {
    objects: u64,
}

/// A state folder, and who runs commands on it.
pub(super) struct State {
    deployment: Arc<Deployment>,
    program: OsString,
    name: String,
    pub folder: PathBuf,
}

impl State {
    /// That of this name, which is unique in the run.
    pub fn new(bench: &Bench, name: &str) -> Self {
        Self {
            deployment: Arc::clone(bench.deployment()),
            program: bench.program().to_owned(),
            name: name.to_owned(),
            folder: bench.deployment().directory().join(format!("state-{name}")),
        }
    }

    /// Where the copies of sites will be, each in a folder of its name.
    pub fn copies(&self) -> PathBuf {
        self.folder.join("copies")
    }

    /// How many files are held as they should be, of which so many were left out from the first.
    ///
    /// # Errors
    /// When `hotset status` fails.
    pub fn held(&self, left_out: u64) -> Result<u64, ExperimentError> {
        let (process, answer) = self.ask(&["status".into(), "--json".into()], NOT_HELD)?;
        process.stop(Duration::ZERO)?;
        let status: Status = read(&answer)?;
        let held: u64 = status.sites.iter().map(|site| site.held.objects).sum();
        let now_left_out: u64 = status.sites.iter().map(|site| site.left_out).sum();
        // What was given up since is a problem, too, and is not among those that are held.
        let given_up = now_left_out.saturating_sub(left_out);
        let wrong = (status.problems.len() as u64).saturating_sub(given_up);
        Ok(held.saturating_sub(wrong))
    }

    /// Runs a command to its end: what it has left running, and where its output is.
    fn ask(&self, words: &[OsString], good: u8) -> Result<(Process, PathBuf), ExperimentError> {
        let name = format!("{}-{}", words[0].display(), self.name);
        let output = self.deployment.directory().join(format!("{name}.out"));
        let process = Launch::new(name, "sh")
            .arguments(["-c", RUN, "hotset-run"])
            .arguments([output.as_os_str()])
            .arguments([good.to_string()])
            .arguments([&self.program])
            .arguments(words)
            .arguments([OsStr::new("--state"), self.folder.as_os_str()])
            .start(&self.deployment)?;
        process.wait(PATIENCE)?;
        Ok((process, output))
    }
}

impl AppliedPlan {
    /// Holds the files, all that there is room for.
    ///
    /// # Errors
    /// When `hotset apply` fails; with the end of its log.
    pub fn apply(
        bench: &Bench,
        workload: &CellWorkload,
        order: &Order,
    ) -> Result<Self, ExperimentError> {
        let (state, name) = (State::new(bench, order.name), order.name);
        let plan = bench
            .deployment()
            .directory()
            .join(format!("plan-{name}.json"));
        file::write_json(&plan, &placement(workload, order))?;
        // Should nobody be left to release them.
        for mounted in ["private/copies", "copies"] {
            let mount = Resource::Mount(state.folder.join(mounted));
            let (_entry, ()) = bench
                .deployment()
                .make(mount, || Ok::<_, MachineError>(()))?;
        }
        let mut words: Vec<OsString> = vec!["apply".into(), plan.into()];
        words.extend(["--json", "--placer", order.placer, "--server"].map(OsString::from));
        words.push(format!("pid:{}", order.server.display()).into());
        for (site, root) in &order.roots {
            words.push("--root".into());
            words.push(format!("{}={}", SITES[*site], root.display()).into());
        }
        let (holders, answer) = state.ask(&words, LEFT_OUT)?;
        let answer: Answer = read(&answer)?;
        Ok(Self {
            left_out: objects_of(workload, order.objects, &answer.left_out),
            state,
            holders,
        })
    }

    /// How many files are held as they should be.
    ///
    /// # Errors
    /// When `hotset status` fails.
    pub fn held(&self) -> Result<u64, ExperimentError> {
        self.state.held(self.left_out.len() as u64)
    }

    /// Takes everything back.
    ///
    /// # Errors
    /// When `hotset release` fails.
    pub fn release(self) -> Result<(), ExperimentError> {
        let (process, _) = self.state.ask(&["release".into()], 0)?;
        process.stop(Duration::ZERO)?;
        Ok(self.holders.stop(END_PATIENCE)?)
    }
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<T, ExperimentError> {
    let text = fs::read(path).on("read", path)?;
    serde_json::from_slice(&text)
        .map_err(|error| ExperimentError::Unusable(format!("{}: {error}", path.display())))
}

/// The plan file of an order.
fn placement(workload: &CellWorkload, order: &Order) -> Placement {
    let counts = workload.counts();
    let file = |(order, &object): (usize, &u32)| PlacedFile {
        site: SITES[workload.site(object)].to_owned(),
        path: path(workload, object),
        size_bytes: workload.size(object),
        mtime_ns: None,
        store: "memory".to_owned(),
        node: NODE.to_owned(),
        order: order as u32,
        reason: Reason {
            requests_per_hour: None,
            requests: u64::from(counts[object as usize]),
            size_bytes: workload.size(object),
            // Only people read it.
            saved_us_per_byte: 0.0,
        },
    };
    let held_bytes = page_bytes_of(workload, order.objects);
    let sites = order.roots.iter().map(|(site, _)| SITES[*site]);
    let groups = sites.zip(order.group_bytes).map(|(site, memory_bytes)| {
        // With version 1, the page cache of others may fill what `hotset apply` keeps free of the node. So the group gets its size.
        let free_bytes = order.node_bytes / HEADROOM_SHARE;
        PlacedGroup {
            node: NODE.to_owned(),
            site: site.to_owned(),
            memory_bytes,
            floor_bytes: memory_bytes.saturating_sub(free_bytes).max(held_bytes),
        }
    });
    Placement {
        version: Placement::VERSION,
        memory_bytes: order.memory_bytes,
        nodes: Vec::new(),
        held_pages: held_bytes / PAGE_BYTES,
        all_files_bytes: None,
        groups: groups.collect(),
        roots: Vec::new(),
        databases: Vec::new(),
        files: order.objects.iter().enumerate().map(file).collect(),
    }
}

fn path(workload: &CellWorkload, object: u32) -> FilePath {
    FilePath::from(workload.target(object).as_str())
}

/// The objects that were left out.
fn objects_of(workload: &CellWorkload, objects: &[u32], left_out: &[OmittedFile]) -> Vec<u32> {
    let named = objects.iter().map(|&object| {
        let site = SITES[workload.site(object)];
        ((site, path(workload, object)), object)
    });
    let named: HashMap<(&str, FilePath), u32> = named.collect();
    let object = |left: &OmittedFile| named.get(&(left.site.as_str(), left.path.clone())).copied();
    left_out.iter().filter_map(object).collect()
}
