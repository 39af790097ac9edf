//! From a scenario file to what a runner is told.

use std::path::{Path, PathBuf};
use std::{fs, process};

use hotset_cache::PAGE_BYTES;
use hotset_live::{Pressure, Room, RunSite, RunSpec, ServerName, SiteFolder, WantedPool};
use hotset_machine::cgroup::MemoryGroup;
use hotset_machine::systemd;
use hotset_plan::{PageCacheModel, SiteTerms};
use hotset_report::number::bytes;
use hotset_scenario::{MemorySize, Node, Objective, Profile, Scenario, Site};
use hotset_trace::read::{ReadOptions, follow};

use super::options::Options;
use super::pools;
use crate::error::{refuse, refused, usage};
use crate::plan::{check_reservations, check_traffic};
use crate::{Field, JobError};

/// Files that are known at most, of all sites together.
const MOST_FILES: usize = 1_000_000;

/// What to follow and to hold, as the scenario and the options say.
pub(super) fn spec(args: &Options) -> Result<RunSpec, JobError> {
    let at_file = |error: JobError| JobError::at(args.scenario.display(), error);
    refuse_pipe(&args.scenario).map_err(at_file)?;
    let scenario = Scenario::load(&args.scenario)?;
    let node = node(&scenario, args.node.as_deref()).map_err(at_file)?;
    check(&scenario, node).map_err(at_file)?;
    let memory_bytes = memory_for_files(&scenario, node).map_err(at_file)?;
    let server = args.holding.server()?;
    let group = paying_group(server.as_ref());
    refuse_beyond_machine(node, memory_bytes, group.as_ref()).map_err(at_file)?;
    let floor_bytes = PageCacheModel::Linux.floor_bytes(memory_bytes);
    check_reservations(
        &scenario,
        &args.scenario,
        &node.name,
        memory_bytes,
        floor_bytes,
    )?;
    check_roots(&scenario).map_err(at_file)?;
    let folders = folders(&scenario)?;
    let reading = reading(&args.reading, &scenario)?;
    // Where logs name virtual hosts, those of a site may be asked for later.
    if let Some(sites) = follow::sites_without_hosts(&scenario.logs, &reading)? {
        check_traffic(&scenario, &sites).map_err(at_file)?;
    }
    Ok(RunSpec {
        objective: objective(&scenario),
        sites: sites(&scenario),
        folders,
        owners: args.holding.owners.clone(),
        logs: scenario.logs.clone(),
        reading,
        memory: Profile::named_or_file("memory")?,
        memory_bytes,
        pressure: pressure(group.as_ref().filter(|_| server.is_some())),
        most_files: MOST_FILES,
        interval: args.interval,
        churn_bytes: args.churn,
    })
}

/// Refuses a pipe: reading it would wait for whoever writes into it, while nothing is followed.
fn refuse_pipe(scenario: &Path) -> Result<(), JobError> {
    if fs::metadata(scenario).is_ok_and(|data| !data.is_file()) {
        refuse!("not a regular file, which a scenario that may be read again has to be");
    }
    Ok(())
}

/// Refuses sites without a folder of their files.
fn check_roots(scenario: &Scenario) -> Result<(), JobError> {
    for site in &scenario.sites {
        let Some(root) = &site.root else {
            refuse!(
                "site `{}` has no `root`: name the folder of its files",
                site.name
            );
        };
        if fs::metadata(root).is_ok_and(|data| !data.is_dir()) {
            refuse!(
                "`root` of the site `{}`, {}, is a file: name the folder of the site's files",
                site.name,
                root.display()
            );
        }
    }
    Ok(())
}

/// The folder of each site that has one.
fn folders(scenario: &Scenario) -> Result<Vec<SiteFolder>, JobError> {
    let roots = scenario.sites.iter();
    let roots = roots.filter_map(|site| site.root.as_ref().map(|root| (site, root)));
    let folder = |(site, root): (&Site, &PathBuf)| -> Result<SiteFolder, JobError> {
        Ok(SiteFolder {
            site: site.name.clone(),
            prefix: "/".to_owned(),
            folder: std::path::absolute(root)?,
        })
    };
    roots.map(folder).collect()
}

/// How logs are read: sites have the requests that the scenario says.
fn reading(reading: &ReadOptions, scenario: &Scenario) -> Result<ReadOptions, JobError> {
    let mut reading = reading.clone();
    for site in &scenario.sites {
        for glob in &site.matches {
            reading.sites.push(format!("{}={glob}", site.name).parse()?);
        }
    }
    Ok(reading)
}

/// The sites, with what each is worth and is read from.
fn sites(scenario: &Scenario) -> Vec<RunSite> {
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
    scenario.sites.iter().map(site).collect()
}

/// Refuses what a runner would not heed.
fn check(scenario: &Scenario, node: &Node) -> Result<(), JobError> {
    if scenario.logs.is_empty() {
        refuse!("there are no logs to follow: name them with `log` at the top of the file");
    }
    if node.groups {
        refuse!(
            "`groups` of the node `{}` is true: `hotset run` makes no memory groups. Take the key out, or make a plan with \
             `hotset plan --groups`, which `hotset apply` holds",
            node.name
        );
    }
    if let Some(writer) = scenario.writers.iter().find(|it| it.node == node.name) {
        refuse!(
            "the [[writer]] `{}` is on the node `{}`: `hotset run` follows no writers. Take it out",
            writer.name,
            node.name
        );
    }
    if scenario.sites.is_empty() {
        refuse!("it has no [[site]]: name each site with the `root` of its files");
    }
    let has_targets = scenario.sites.iter().any(|site| !site.targets.is_empty());
    if scenario.objective == Some(Objective::Targets) && !has_targets {
        refuse!(
            "`objective` is targets, but no site has a target: name one as `target` of a [[site]]"
        );
    }
    Ok(())
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

fn node<'s>(scenario: &'s Scenario, named: Option<&str>) -> Result<&'s Node, JobError> {
    let nodes: Vec<&Node> = scenario
        .nodes
        .iter()
        .filter(|node| node.reads_store())
        .collect();
    let names: Vec<&str> = nodes.iter().map(|node| node.name.as_str()).collect();
    match (named, nodes.as_slice()) {
        (Some(name), _) => match nodes.iter().find(|node| node.name == name) {
            Some(node) => Ok(node),
            None => Err(usage(format!(
                "{} {name}: there is no such node, only {}",
                Field::Node,
                names.join(", ")
            ))),
        },
        (None, [only]) => Ok(only),
        (None, []) => Err(refused(
            "it has no [[node]]: say how much memory this machine has",
        )),
        (None, _) => Err(usage(format!(
            "it has the nodes {}: name this machine's with {}",
            names.join(", "),
            Field::Node
        ))),
    }
}

fn memory_for_files(scenario: &Scenario, node: &Node) -> Result<u64, JobError> {
    let MemorySize::Bytes(memory) = node.memory else {
        refuse!(
            "`memory` of the node `{}` is a share of all files, which a daemon does not know: give a size",
            node.name
        );
    };
    let left = memory.saturating_sub(node.server_memory_bytes.unwrap_or(0));
    let used = pools::used_bytes(scenario, &node.name);
    match left.checked_sub(used) {
        Some(left) if used == 0 || left >= PAGE_BYTES => Ok(left),
        _ => refuse!(
            "the databases on the node `{}` have {used} bytes of its memory, {left} beside the server, in their buffer pools and in the \
             page cache, which leaves nothing for files; give the node more memory, or the databases smaller pools",
            node.name
        ),
    }
}

/// Buffer pools that the scenario gives a size, of databases on this machine.
pub(super) fn wanted_pools(args: &Options) -> Result<Vec<WantedPool>, JobError> {
    let scenario = Scenario::load(&args.scenario)?;
    let node = node(&scenario, args.node.as_deref());
    let node = node.map_err(|error| JobError::at(args.scenario.display(), error))?;
    Ok(pools::wanted(&scenario, &node.name))
}

/// The memory group that held files are charged to, as far as is known yet: a server may be started later, and systemd gives
/// holders a group of their own.
fn paying_group(server: Option<&ServerName>) -> Option<MemoryGroup> {
    match server {
        Some(name) => name.find().ok()?.group,
        None if systemd::obeys() => None,
        None => MemoryGroup::of_process(process::id()).ok().flatten(),
    }
}

/// Refuses more memory for files than there can ever be.
fn refuse_beyond_machine(
    node: &Node,
    memory_bytes: u64,
    group: Option<&MemoryGroup>,
) -> Result<(), JobError> {
    let most = Room::most(group)?;
    if memory_bytes <= most {
        return Ok(());
    }
    let place = match group {
        Some(group) if Room::most(None)? > most => {
            format!("the memory group {} is limited to", group.path().display())
        }
        _ => "this machine has".to_owned(),
    };
    refuse!(
        "`memory` of the node `{}` leaves {} for files, and {place} {}: give it no more, or name with `server_memory` what the \
         server and the kernel need of it",
        node.name,
        bytes(memory_bytes),
        bytes(most)
    )
}

/// Those who wait for the memory that held files take: the processes of the server's group, if the kernel counts them, else all.
fn pressure(group: Option<&MemoryGroup>) -> Pressure {
    let file = group.map(|group| group.path().join("memory.pressure"));
    file.filter(|file| file.exists())
        .map_or(Pressure::Machine, Pressure::Group)
}
