//! What a plan takes beside the traffic: the node's memory, stores, and sites' weights and reservations.

use std::path::{Path, PathBuf};

use hotset_cache::PAGE_BYTES;
use hotset_machine::MemoryLimit;
use hotset_machine::cgroup::MemoryGroup;
use hotset_plan::{PageCacheModel, SiteTerms, Writer};
use hotset_report::StoreBasis;
use hotset_scenario::{
    MemorySize, Node, Objective, Profile, Scenario, Site, Target, check_targets, there_are,
};
use hotset_trace::read::{ReadOptions, Roots};
use hotset_trace::{Trace, TraceOrigin};

use super::databases::{self, Databases};
use super::mounted;
use super::options::{Options, SiteTarget};
use super::underlying_store;
use crate::error::{refuse, refused, usage};
use crate::free_memory::free_in;
use crate::scenario_sites::{add_sites, check_roots};
use crate::{Field, JobError, Message};

/// Stores to weigh where none are named: local flash and disks, a file server, a parallel file system.
const STORES_OF_TODAY: [&str; 5] = ["nvme", "sata-ssd", "hdd-7200", "nfs", "moosefs"];

/// Name of the node where no scenario names one.
const ONLY_NODE: &str = "node";

/// Profile of the store of sites of which nobody and nothing tells the store.
const USUAL_STORE: &str = "hdd";

/// Nodes, stores and terms of sites.
pub struct Setting {
    /// Nodes that are planned for, at least one.
    pub nodes: Vec<NodeMemory>,
    /// What is free here, where nobody names a size: the memory of the only node.
    pub free: Option<MemoryLimit>,
    /// Stores to weigh for each site.
    candidates: Vec<Profile>,
    /// Store of sites that the scenario does not name; none where nothing names it.
    backing: Option<Profile>,
    /// Whether that is the first store of a scenario that names no site.
    is_backing_first: bool,
    /// Whether candidates are the stores of the scenario.
    are_candidates_own: bool,
    /// What the options say of targets and objective.
    targets: Vec<SiteTarget>,
    objective: Option<Objective>,
    /// Database servers on the node that is planned for.
    pub databases: Option<Databases>,
    scenario: Scenario,
    /// Where the scenario is from.
    path: PathBuf,
}

/// A node and how much of its memory is for files.
pub struct NodeMemory {
    /// Its name.
    pub name: String,
    /// All of its memory.
    memory: MemorySize,
    /// What of it the server and the kernel need, bytes.
    server_bytes: u64,
    /// Whether sites may have memory groups of their own.
    pub groups: bool,
}

impl NodeMemory {
    /// Bytes for file data, where all files together have `object_bytes`.
    pub fn for_files(&self, object_bytes: u64) -> Result<u64, JobError> {
        let (memory, server) = (self.memory.bytes(object_bytes), self.server_bytes);
        let left = memory.saturating_sub(server);
        if server > 0 && left < PAGE_BYTES {
            refuse!(
                "the server of node `{}` needs {server} bytes ({}, or `server_memory` of the \
                 [[node]]) of its memory of {memory}, which leaves no page of {PAGE_BYTES} for \
                 files; give the server less, or the node more",
                self.name,
                Field::ServerMemory
            );
        }
        Ok(left)
    }
}

/// Holds what sites of the scenario in `file` reserve to what can be held in `memory_bytes` of the node `node`, of which `floor_bytes` stay page cache.
///
/// # Errors
/// Reservations that leave too little page cache, with the place of the first that does.
pub fn check_reservations(
    scenario: &Scenario,
    file: &Path,
    node: &str,
    memory_bytes: u64,
    floor_bytes: u64,
) -> Result<(), JobError> {
    let mut reserved = 0u64;
    for site in &scenario.sites {
        reserved = reserved.saturating_add(site.reservation_bytes);
        let place = site.reservation_at;
        if let Some(place) = place.filter(|_| reserved > memory_bytes - floor_bytes) {
            refuse!(
                "{}:{place}: `reservation` in [[site]]: reservations up to here are {reserved} bytes; node `{node}` has \
                 {memory_bytes} for files, of which {floor_bytes} stay page cache; reserve less or give more memory",
                file.display()
            );
        }
    }
    Ok(())
}

/// Holds the scenario's sites to those that requests belong to.
///
/// # Errors
/// A site that no request belongs to, with what would have it take some.
pub fn check_traffic(scenario: &Scenario, sites: &[String]) -> Result<(), JobError> {
    let mut of_scenario = scenario.sites.iter();
    match of_scenario.find(|site| !sites.contains(&site.name)) {
        None => Ok(()),
        Some(site) => refuse!(
            "no request belongs to site `{}` of the scenario; {}; say with `match` which requests are the site's, such as \
             \"/*\" for all (a trace folder keeps the sites of its import)",
            site.name,
            there_are(
                &site.name,
                &sites.iter().map(String::as_str).collect::<Vec<_>>()
            )
        ),
    }
}

/// What each of these sites' responses should come to: as `asked`, else as the scenario says.
///
/// # Errors
/// Targets of a site that no request belongs to, or that bound the same measure twice.
pub fn site_targets(
    asked: &[SiteTarget],
    scenario: &Scenario,
    sites: &[String],
) -> Result<Vec<Vec<Target>>, JobError> {
    if let Some(absent) = asked.iter().find(|it| !sites.contains(&it.site)) {
        refuse!(
            "{} {}={}: no request belongs to this site; the sites are {}",
            Field::Target,
            absent.site,
            absent.target,
            sites.join(", ")
        );
    }
    let of_site = |name: &String| {
        let asked = asked.iter().filter(|it| it.site == *name);
        let mut targets: Vec<Target> = asked.map(|it| it.target).collect();
        if targets.is_empty() {
            let site = scenario.sites.iter().find(|site| site.name == *name);
            targets = site.map_or_else(Vec::new, |site| site.targets.clone());
        }
        check_targets(&targets)
            .map_err(|why| refused(format!("{} {name}=…: {why}", Field::Target)))?;
        Ok(targets)
    };
    sites.iter().map(of_site).collect()
}

impl Setting {
    /// From the scenario file and the options; options win.
    pub fn of(args: &Options) -> Result<Setting, JobError> {
        let scenario = match &args.scenario {
            Some(path) => Scenario::load(path)?,
            None => Scenario::default(),
        };
        let free = free(args, &scenario)?;
        let nodes = nodes(args, &scenario, free.as_ref());
        let path = args.scenario.clone().unwrap_or_default();
        let names: Vec<&str> = nodes.iter().map(|node| node.name.as_str()).collect();
        let has_groups = nodes.iter().any(|node| node.groups);
        let setting = Setting {
            databases: Databases::of(&scenario, &path, &names, has_groups)?,
            nodes,
            free,
            candidates: candidates(args, &scenario)?,
            backing: backing(args, &scenario)?,
            is_backing_first: args.backing.is_none() && scenario.sites.is_empty(),
            are_candidates_own: args.candidates.is_empty() && !scenario.stores.is_empty(),
            targets: args.targets.clone(),
            objective: args.objective,
            scenario,
            path,
        };
        setting.check_objective()?;
        setting.check_known_memory(args.page_cache)?;
        setting.check_writers(args.page_cache)?;
        Ok(setting)
    }

    /// Holds reservations to the nodes whose memory is known without the traffic, before it is read.
    fn check_known_memory(&self, page_cache: PageCacheModel) -> Result<(), JobError> {
        let is_known = |node: &&NodeMemory| matches!(node.memory, MemorySize::Bytes(_));
        let mut known = self.nodes.iter().filter(is_known);
        known.try_for_each(|node| {
            self.check_reservations(&node.name, self.for_files(node, 0)?, page_cache)
        })
    }

    /// Bytes for file data on a node, where all files together have `object_bytes`: what database servers leave as they are.
    ///
    /// # Errors
    /// They, or the web server, leave too little.
    pub fn for_files(&self, node: &NodeMemory, object_bytes: u64) -> Result<u64, JobError> {
        let memory_bytes = node.for_files(object_bytes)?;
        match &self.databases {
            Some(databases) => databases.left_to_files(memory_bytes),
            None => Ok(memory_bytes),
        }
    }

    /// Refuses writers on nodes whose page caches follow none.
    fn check_writers(&self, page_cache: PageCacheModel) -> Result<(), JobError> {
        for writer in &self.scenario.writers {
            let has_groups = |node: &NodeMemory| node.name == writer.node && node.groups;
            let why = match page_cache {
                PageCacheModel::WholeFiles => {
                    "page caches of whole files follow no writers; plan with the page cache of Linux, or take the [[writer]] out".to_owned()
                }
                PageCacheModel::Linux if self.nodes.iter().any(has_groups) => format!(
                    "memory groups follow no writers; leave {} and `groups` of node `{}` out, or the [[writer]]",
                    Field::Groups,
                    writer.node
                ),
                PageCacheModel::Linux => continue,
            };
            return Err(self.refused_writer(writer, &why));
        }
        Ok(())
    }

    /// Refuses writers and databases where the traffic has no times to go by.
    ///
    /// # Errors
    /// Traffic of this origin has none, and there is one.
    pub fn check_times(&self, origin: TraceOrigin) -> Result<(), JobError> {
        if let Some(databases) = &self.databases {
            databases.check_times(origin)?;
        }
        match self.scenario.writers.first() {
            Some(writer) if origin != TraceOrigin::Timed => Err(self.refused_writer(
                writer,
                "it writes by the clock of the logs, and these have no times; plan for logs with times, or take the [[writer]] out",
            )),
            _ => Ok(()),
        }
    }

    fn refused_writer(&self, writer: &hotset_scenario::Writer, why: &str) -> JobError {
        let (path, at) = (self.path.display(), writer.at);
        refused(format!("{path}:{at}: writer `{}`: {why}", writer.name))
    }

    /// Programs that write on the node. Nothing tells how fast a store writes but how fast it reads.
    pub fn writers(&self, node: &str) -> Vec<Writer> {
        /// Microseconds in a second.
        const US_IN_S: f64 = 1e6;
        let own = self.scenario.writers.iter().filter(|it| it.node == node);
        let writer = |writer: &hotset_scenario::Writer| {
            let store = &self.scenario.stores[writer.store];
            Writer {
                name: writer.name.clone(),
                store: store.name.clone(),
                bytes_per_s: writer.bytes_per_s,
                file_bytes: writer.file_bytes,
                store_bytes_per_s: store.profile.uncached.bytes_per_us * US_IN_S,
                writing: store.profile.writing.unwrap_or_default(),
            }
        };
        own.map(writer).collect()
    }

    /// What is to be said of database servers whose memory is not divided.
    pub fn undivided(&self) -> Vec<Message> {
        let nodes: Vec<&str> = self.node_names().collect();
        databases::passed_over(&self.scenario, &nodes)
    }

    /// Names of all of them.
    pub fn writer_names(&self) -> Vec<&str> {
        let writers = self.scenario.writers.iter();
        writers.map(|it| it.name.as_str()).collect()
    }

    /// Refuses to plan for targets where no site has one.
    fn check_objective(&self) -> Result<(), JobError> {
        let mut sites = self.scenario.sites.iter();
        let has_targets = !self.targets.is_empty() || sites.any(|site| !site.targets.is_empty());
        let fix = format!(
            "no site has a target: name one with {} SITE=TARGET, or as `target` of a [[site]]",
            Field::Target
        );
        match (self.objective, self.scenario.objective) {
            _ if has_targets => Ok(()),
            (Some(Objective::Targets), _) => {
                Err(usage(format!("{} targets: {fix}", Field::Objective)))
            }
            (None, Some(Objective::Targets)) => Err(refused(format!(
                "{}: `objective` is targets, but {fix}",
                self.path.display()
            ))),
            _ => Ok(()),
        }
    }

    /// What is to be said of targets that the options give in place of the scenario's.
    pub fn replaced_targets(&self) -> Vec<Message> {
        let replaced = |site: &&Site| {
            let is_named = self.targets.iter().any(|it| it.site == site.name);
            is_named && !site.targets.is_empty()
        };
        let said = |site: &Site| {
            let targets: Vec<String> = site.targets.iter().map(Target::to_string).collect();
            let (option, name, targets) = (Field::Target, &site.name, targets.join(", "));
            format!("{option} {name}=… is in place of the scenario's targets of {name}: {targets}")
                .into()
        };
        let sites = self.scenario.sites.iter();
        sites.filter(replaced).map(said).collect()
    }

    /// Holds what the scenario's sites reserve to what can be held in `memory_bytes` of the node `node`.
    ///
    /// # Errors
    /// As [`check_reservations`].
    pub fn check_reservations(
        &self,
        node: &str,
        memory_bytes: u64,
        page_cache: PageCacheModel,
    ) -> Result<(), JobError> {
        let floor_bytes = page_cache.floor_bytes(memory_bytes);
        check_reservations(&self.scenario, &self.path, node, memory_bytes, floor_bytes)
    }

    /// Names of the nodes that are planned for.
    pub fn node_names(&self) -> impl Iterator<Item = &str> {
        self.nodes.iter().map(|node| node.name.as_str())
    }

    /// Names of the nodes that read no site from a store.
    pub fn passed_over(&self) -> Vec<String> {
        let nodes = self.scenario.nodes.iter();
        let proxies = nodes.filter(|node| !node.reads_store());
        proxies.map(|node| node.name.clone()).collect()
    }

    /// The logs that the scenario names.
    ///
    /// # Errors
    /// When it names none.
    pub fn logs(&self) -> Result<Vec<PathBuf>, JobError> {
        if self.scenario.logs.is_empty() {
            refuse!(
                "{}: there are no access logs to plan for; name them with `log` at the top of the file",
                self.path.display()
            );
        }
        Ok(self.scenario.logs.clone())
    }

    /// Adds the scenario's sites and roots to how logs are read.
    ///
    /// # Errors
    /// A root that is no folder.
    pub fn add_to(&self, options: &mut ReadOptions) -> Result<(), JobError> {
        check_roots(&self.scenario, &self.path)?;
        add_sites(&self.scenario, options)
    }

    /// Holds the scenario's sites to those of the traffic.
    ///
    /// # Errors
    /// A site that no request belongs to: its reservation and weight would go unheard.
    pub fn check(&self, sites: &[String]) -> Result<(), JobError> {
        check_traffic(&self.scenario, sites)
    }

    /// What each of these sites' responses should come to: as the options say, else the scenario.
    ///
    /// # Errors
    /// Targets of a site that no request belongs to, or that bound the same measure twice.
    pub fn targets(&self, sites: &[String]) -> Result<Vec<Vec<Target>>, JobError> {
        site_targets(&self.targets, &self.scenario, sites)
    }

    /// What plans are made for: as the option says, else the scenario, else whatever targets there are.
    pub fn objective(&self, targets: &[Vec<Target>]) -> Objective {
        let asked = self.objective.or(self.scenario.objective);
        asked.unwrap_or(match targets.iter().all(Vec::is_empty) {
            true => Objective::Mean,
            false => Objective::Targets,
        })
    }

    /// What each of these sites is owed.
    pub fn terms(&self, sites: &[String]) -> Vec<SiteTerms> {
        let terms = |site: &Site| SiteTerms {
            weight: site.weight,
            reservation_bytes: site.reservation_bytes,
        };
        sites
            .iter()
            .map(|name| self.site(name).map(terms).unwrap_or_default())
            .collect()
    }

    /// What stores of file servers cost, by store of the scenario; nothing of others, and of those that no site lives on.
    ///
    /// # Errors
    /// Nodes whose calls are not simulated.
    pub fn mounted(&self, trace: &Trace) -> Result<Vec<Option<Profile>>, JobError> {
        // Where the options name the store of all sites, those of the scenario have none.
        if self.scenario.sites.is_empty() && !self.is_backing_first {
            return Ok(Vec::new());
        }
        mounted::profiles(&self.scenario, &self.path, trace)
    }

    /// Stores to weigh for each site. Stores of the scenario cost what `mounted` has of them.
    pub fn candidates(&self, mounted: &[Option<Profile>]) -> Vec<Profile> {
        if !self.are_candidates_own {
            return self.candidates.clone();
        }
        let mut profiles: Vec<Profile> = Vec::new();
        for (place, store) in self.scenario.stores.iter().enumerate() {
            let profile = mounted.get(place).and_then(Option::as_ref);
            let profile = profile.unwrap_or(&store.profile);
            if !profiles.contains(profile) {
                profiles.push(profile.clone());
            }
        }
        profiles
    }

    /// The store that each of these sites lives on, and who says so: the scenario, the options, or the kernel of a site with a
    /// root. Stores of the scenario cost what `mounted` has of them.
    ///
    /// # Errors
    /// None but of the program's own profiles.
    pub fn backing(
        &self,
        sites: &[String],
        roots: &Roots,
        mounted: &[Option<Profile>],
    ) -> Result<Vec<(Profile, StoreBasis)>, JobError> {
        let of_mount = |place: usize| mounted.get(place).and_then(Option::as_ref);
        let first = of_mount(0).filter(|_| self.is_backing_first);
        let store = |name: &String| {
            let of_scenario = self.site(name).map(|site| {
                let own = &self.scenario.stores[site.store].profile;
                of_mount(site.store).unwrap_or(own)
            });
            if let Some(named) = of_scenario.or(first).or(self.backing.as_ref()) {
                return Ok((named.clone(), StoreBasis::Named));
            }
            let root = roots.of(name).find(|rule| rule.prefix == "/");
            let found = root.and_then(|rule| underlying_store::of(&rule.directory));
            let (profile, basis) = found.unwrap_or((USUAL_STORE, StoreBasis::Usual));
            Ok((Profile::named_or_file(profile)?, basis))
        };
        sites.iter().map(store).collect()
    }

    fn site(&self, name: &str) -> Option<&Site> {
        self.scenario.sites.iter().find(|site| site.name == name)
    }
}

/// The memory that is free here, where nobody names a size.
///
/// # Errors
/// When a size is needed, or the kernel does not tell what is free.
fn free(args: &Options, scenario: &Scenario) -> Result<Option<MemoryLimit>, JobError> {
    if args.memory.is_some() || !scenario.nodes.is_empty() {
        return Ok(None);
    }
    let own = || MemoryGroup::of_process(std::process::id());
    let group = args.group.clone().map_or_else(own, Ok);
    let free = MemoryLimit::tightest(group?.as_ref())
        .map_err(|error| JobError::at(format!("name a size with {}", Field::Memory), error))?;
    match args.needs_size {
        true => Err(needs_size(args, &free)),
        false => Ok(Some(free)),
    }
}

/// Asks for a size, and proposes one.
fn needs_size(args: &Options, free: &MemoryLimit) -> JobError {
    /// Sizes are proposed in whole ones.
    const MEBIBYTE: u64 = 1 << 20;
    let (mebibytes, place) = (free.free_bytes() / MEBIBYTE, free_in(free.path()));
    match &args.scenario {
        Some(path) => refused(format!(
            "{}: no [[node]] says how much memory there is; add one, such as `memory = \"{mebibytes}MiB\"`, which is free {place}",
            path.display()
        )),
        None => usage(format!(
            "a plan that is kept or acted on is for a size of memory: name it with {}, such as {mebibytes}MiB, which is free \
             {place}. Without {} and {}, other sizes are proposed",
            Field::Memory,
            Field::Output,
            Field::ExitCode,
        )),
    }
}

/// The nodes that are planned for: those of the scenario that read a store, or the one that the options describe.
fn nodes(args: &Options, scenario: &Scenario, free: Option<&MemoryLimit>) -> Vec<NodeMemory> {
    if scenario.nodes.is_empty() {
        let free_bytes = free.map_or(0, MemoryLimit::free_bytes);
        return vec![NodeMemory {
            name: ONLY_NODE.to_owned(),
            memory: args.memory.unwrap_or(MemorySize::Bytes(free_bytes)),
            server_bytes: args.server_memory.unwrap_or(0),
            groups: args.groups,
        }];
    }
    let memory = |node: &Node| NodeMemory {
        name: node.name.clone(),
        memory: args.memory.unwrap_or(node.memory),
        server_bytes: args.server_memory.or(node.server_memory_bytes).unwrap_or(0),
        groups: args.groups || node.groups,
    };
    let nodes = scenario.nodes.iter().filter(|node| node.reads_store());
    // A proxy is before a node that does.
    nodes.map(memory).collect()
}

/// The store of sites that the scenario does not name: as the option says, else the first store of a scenario that
/// names no site at all.
fn backing(args: &Options, scenario: &Scenario) -> Result<Option<Profile>, JobError> {
    Ok(match (&args.backing, scenario.stores.first()) {
        (Some(name), _) => Some(Profile::named_or_file(name)?),
        (None, Some(first)) if scenario.sites.is_empty() => Some(first.profile.clone()),
        (None, _) => None,
    })
}

/// Stores named by the options, else those of today; none where the scenario has some, and the options name none.
fn candidates(args: &Options, scenario: &Scenario) -> Result<Vec<Profile>, JobError> {
    if args.candidates.is_empty() && !scenario.stores.is_empty() {
        return Ok(Vec::new());
    }
    let named: Vec<&str> = args.candidates.iter().map(String::as_str).collect();
    let names = if named.is_empty() {
        &STORES_OF_TODAY[..]
    } else {
        &named[..]
    };
    Ok(names
        .iter()
        .map(|name| Profile::named_or_file(name))
        .collect::<Result<_, _>>()?)
}
