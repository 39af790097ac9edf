//! What `hotset run` would hold on a node, by the functions that it decides by itself.

use std::sync::Arc;
use std::time::Duration;

use hotset_live::{Change, Pacing, Pressure, RunSite, RunSpec, SimulatedFile, SimulatedRun};
use hotset_models::tiers::{Chooser, Follow, FollowSince, Moves};
use hotset_plan::SiteTerms;
use hotset_scenario::{Node, Objective, Profile, Scenario, Site};
use hotset_trace::Trace;
use hotset_trace::read::ReadOptions;

use crate::TopologyError;
use crate::error::{refuse, refused};

/// Files that are known at most: as many as there are.
const MOST_FILES: usize = usize::MAX;

/// How `hotset run` is started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Following {
    /// How long a choice of files stays.
    pub interval: Duration,
    /// From when on it follows the traffic.
    pub since: FollowSince,
}

/// What `hotset run` holds on each node where it runs.
#[derive(Clone, Debug, Default)]
pub struct Followed(Vec<(String, Follow)>);

impl Followed {
    /// How files are held by the traffic on `node`, where they are.
    #[must_use]
    pub fn on(&self, node: &Node) -> Option<Follow> {
        let mut own = self.0.iter();
        let own = own.find(|(name, _)| *name == node.name);
        own.map(|(_, follow)| follow.clone())
    }
}

impl Following {
    /// What it holds on those of the `nodes` that read a store, of the files of `trace`.
    ///
    /// # Errors
    /// A node with memory groups, a scenario without sites, and an interval of no length.
    pub fn on(
        self,
        scenario: &Scenario,
        nodes: &[&Node],
        trace: &Trace,
    ) -> Result<Followed, TopologyError> {
        if scenario.sites.is_empty() {
            refuse!(
                "it has no [[site]], and `hotset run` holds files of sites; name each with its store"
            );
        }
        let files: Arc<[Option<SimulatedFile>]> = files(scenario, trace).into();
        let readers = nodes.iter().filter(|node| node.reads_store());
        let followed = readers.map(|node| {
            let follow = self.follow(scenario, node, trace, &files)?;
            Ok((node.name.clone(), follow))
        });
        let followed: Result<Vec<(String, Follow)>, TopologyError> = followed.collect();
        followed.map(Followed)
    }

    fn follow(
        self,
        scenario: &Scenario,
        node: &Node,
        trace: &Trace,
        files: &Arc<[Option<SimulatedFile>]>,
    ) -> Result<Follow, TopologyError> {
        if node.groups {
            refuse!(
                "`groups` of the node `{}` is true: `hotset run` makes no memory groups; take the key out, or make a plan with \
                 `hotset plan --groups` and give that",
                node.name
            );
        }
        let spec = self.spec(scenario, node, trace)?;
        // What cannot be started would not be known of later.
        SimulatedRun::start(spec.clone()).map_err(|error| refused(error.to_string()))?;
        let files = Arc::clone(files);
        let run = move || -> Box<dyn Chooser> {
            Box::new(Run {
                run: SimulatedRun::start(spec.clone()).ok(),
                files: Arc::clone(&files),
            })
        };
        Ok(Follow {
            chooser: Arc::new(run),
            interval_ns: ns(self.interval),
            since: self.since,
            slice_ns: ns(Pacing::READ_SLICE),
            rest: u64::from(Pacing::REST),
        })
    }

    fn spec(
        self,
        scenario: &Scenario,
        node: &Node,
        trace: &Trace,
    ) -> Result<RunSpec, TopologyError> {
        let site = |site: &Site| RunSite {
            name: site.name.clone(),
            terms: SiteTerms {
                weight: site.weight,
                reservation_bytes: site.reservation_bytes,
            },
            targets: site.targets.clone(),
            store: scenario.stores[site.store].profile.clone(),
            client_share: site.client_share,
        };
        let all_bytes = node.memory.bytes(trace.objects.size.iter().sum());
        let memory = Profile::named_or_file("memory");
        Ok(RunSpec {
            objective: objective(scenario),
            sites: scenario.sites.iter().map(site).collect(),
            folders: Vec::new(),
            owners: Vec::new(),
            logs: Vec::new(),
            reading: ReadOptions::default(),
            memory: memory.map_err(|error| refused(error.to_string()))?,
            memory_bytes: all_bytes.saturating_sub(node.server_memory_bytes.unwrap_or(0)),
            pressure: Pressure::Machine,
            most_files: MOST_FILES,
            interval: self.interval,
            churn_bytes: None,
        })
    }
}

/// As in plans: targets come first where there are any, unless the file says otherwise.
fn objective(scenario: &Scenario) -> Objective {
    let mut sites = scenario.sites.iter();
    let usual = match sites.all(|site| site.targets.is_empty()) {
        true => Objective::Mean,
        false => Objective::Targets,
    };
    scenario.objective.unwrap_or(usual)
}

/// The files of the traffic as a run knows them, by their numbers; nothing for those of no site of the scenario.
fn files(scenario: &Scenario, trace: &Trace) -> Vec<Option<SimulatedFile>> {
    let place = |name: &String| scenario.sites.iter().position(|site| site.name == *name);
    let places: Vec<Option<usize>> = trace.sites.iter().map(place).collect();
    let objects = trace
        .objects
        .site
        .iter()
        .zip(&trace.objects.size)
        .zip(0u32..);
    let file = |((&site, &size_bytes), number): ((&u16, &u64), u32)| {
        Some(SimulatedFile {
            number,
            site: places[usize::from(site)]? as u16,
            size_bytes,
        })
    };
    objects.map(file).collect()
}

fn ns(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// A run as the model asks it.
struct Run {
    /// It was started once before, or nothing would ask it.
    run: Option<SimulatedRun>,
    files: Arc<[Option<SimulatedFile>]>,
}

impl Chooser for Run {
    fn read(&mut self, now_ns: u64, file: u32) {
        let file = self.files.get(file as usize).copied().flatten();
        if let Some((run, file)) = self.run.as_mut().zip(file) {
            run.read(file, Duration::from_nanos(now_ns));
        }
    }

    /// Where nothing can be chosen, all stays as it is, as in `hotset run`.
    fn choose(&mut self, now_ns: u64) -> Moves {
        let mut moves = Moves::default();
        let changes = self
            .run
            .as_mut()
            .map(|it| it.choose(Duration::from_nanos(now_ns)));
        for change in changes.into_iter().flatten().flatten() {
            match change {
                Change::Drop { holding, .. } => {
                    moves.given_up.push(holding.identity.inode as u32);
                }
                Change::Place { identity, .. } => moves.taken.push(identity.inode as u32),
                // Every file has one name.
                Change::Share { .. } | Change::LeaveOut { .. } => {}
            }
        }
        moves
    }
}
