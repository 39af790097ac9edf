//! A lab that is built, filled and left for people to try, until it is taken down.

use crate::events::{Due, due};
use crate::inventory::{EventEntry, Inventory, LinkEntry, NodeEntry, SiteEntry, StoreEntry};
use crate::lab::Lab;
use crate::needs::{DEFAULT_STORE_BYTES, check_name, needs};
use crate::not_honoured::not_honoured;
use crate::server::{Running, VirtualHost};
use crate::{Control, LabError, go_on};
use hotset_machine::ledger::{self, Teardown};
use hotset_machine::process::Launch;
use hotset_machine::{Deployment, Directories, Need, OnFile, Requirements, file};
use hotset_scenario::{Scenario, Site};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// What happens in it, beside the ledger of what was made; there is no such file where nothing does.
pub(crate) const EVENTS: &str = "events.json";
/// The site of a scenario that names none.
const ONLY_SITE: &str = "site";
/// Copying a site's files.
const COPY_PATIENCE: Duration = Duration::from_secs(3600);
/// What a file system takes beside the files, as a share: inode tables at one inode for 8 KiB, the journal, block maps.
const OVERHEAD: f64 = 1.08;
const OVERHEAD_BYTES: u64 = 256 << 20;
/// A file takes whole blocks.
const BLOCK_BYTES: u64 = 4096;

/// A site to be served: its name, its store, the folder to copy from.
struct Tenant<'s> {
    name: &'s str,
    store: &'s str,
    root: Option<&'s Path>,
}

/// Builds a scenario's lab, copies each site's `root` onto its store, starts all servers and leaves everything up.
///
/// # Errors
/// What the machine lacks, before anything is made; what fails on the way, after it has been taken down again;
/// [`LabError::Interrupted`]; [`LabError::Left`] where part of it could not be taken down.
pub fn up(
    scenario: &Scenario,
    directories: &Directories,
    drive_command: &[OsString],
    control: &dyn Control,
) -> Result<Inventory, LabError> {
    let tenants = tenants(scenario)?;
    let scenario = &with_room(scenario, &tenants)?;
    Requirements::check(&needs(scenario, directories)?)?;
    let deployment = Deployment::open(directories)?;
    let inventory = build(&deployment, scenario, &tenants, drive_command, control);
    inventory.map_err(|error| match deployment.teardown().left {
        left if left.is_empty() => error,
        left => LabError::Left {
            error: Box::new(error),
            left,
        },
    })
}

fn build(
    deployment: &Arc<Deployment>,
    scenario: &Scenario,
    tenants: &[Tenant],
    drive_command: &[OsString],
    control: &dyn Control,
) -> Result<Inventory, LabError> {
    let lab = Lab::build(deployment, scenario, drive_command, control)?;
    let sites = fill(&lab, tenants, control)?;
    let servers = serve(&lab, &sites, control)?;
    let programs: Vec<_> = servers
        .iter()
        .map(|(node, server)| (node.clone(), server.process.program().clone()))
        .collect();
    let due = due(scenario, &lab, &programs)?;
    if !due.is_empty() {
        file::write_json(&deployment.directory().join(EVENTS), &due)?;
    }
    let inventory = Inventory {
        not_honoured: not_honoured(scenario),
        ..describe(&lab, &servers, sites, &due)
    };
    go_on(control)?;
    inventory.keep()?;
    deployment.leave()?;
    Ok(inventory)
}

/// Takes down what [`up`] has left under `ledgers`: the deployment of this tag, or without one the only deployment there is. Returns its tag.
///
/// # Errors
/// Without root; when there is no such run, or another process is taking it down.
pub fn down(ledgers: &Path, tag: Option<&str>) -> Result<(String, Teardown), LabError> {
    Requirements::check(&[Need::Root])?;
    let (tag, deployment) = chosen(ledgers, tag)?;
    Ok((tag, ledger::take_over(&deployment)?.teardown()))
}

/// The deployment of this tag that was left under `ledgers`, or the only one: its tag and where its ledger is.
pub(crate) fn chosen(ledgers: &Path, tag: Option<&str>) -> Result<(String, PathBuf), LabError> {
    let left = ledger::left(ledgers)?;
    let deployment = choose(&left, tag)?;
    Ok((tag_of(deployment).to_owned(), deployment.to_owned()))
}

/// The deployment of this tag among those that are up, or the only one.
fn choose<'r>(left: &'r [PathBuf], tag: Option<&str>) -> Result<&'r Path, LabError> {
    let tags: Vec<&str> = left.iter().map(|deployment| tag_of(deployment)).collect();
    let tags = tags.join(", ");
    let problem = match (tag, left) {
        (_, []) => "no data-centre is up".to_owned(),
        (None, [deployment]) => return Ok(deployment),
        (None, _) => format!("several data-centres are up: {tags}; name one of them"),
        (Some(tag), _) => match left.iter().find(|deployment| tag_of(deployment) == tag) {
            Some(deployment) => return Ok(deployment),
            None => format!("no data-centre `{tag}` is up; these are: {tags}"),
        },
    };
    Err(LabError::Unusable(problem))
}

/// A deployment's directory is named as its tag, which is ASCII.
fn tag_of(deployment: &Path) -> &str {
    deployment
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default()
}

/// The sites of a scenario, or the one on its first store.
fn tenants(scenario: &Scenario) -> Result<Vec<Tenant<'_>>, LabError> {
    if scenario.sites.is_empty() {
        return Ok(vec![Tenant {
            name: ONLY_SITE,
            store: store_of(scenario, 0, ONLY_SITE)?,
            root: None,
        }]);
    }
    let sites = scenario.sites.iter();
    sites.map(|site| tenant(scenario, site)).collect()
}

fn tenant<'s>(scenario: &'s Scenario, site: &'s Site) -> Result<Tenant<'s>, LabError> {
    check_name("site", &site.name)?;
    if let Some(root) = site.root.as_deref().filter(|root| !root.is_dir()) {
        return Err(LabError::Unusable(format!(
            "site `{}`: its root {} is not a folder; name one, or leave `root` out",
            site.name,
            root.display()
        )));
    }
    Ok(Tenant {
        name: &site.name,
        store: store_of(scenario, site.store, &site.name)?,
        root: site.root.as_deref(),
    })
}

/// Name of the store that a site lies on.
fn store_of<'s>(scenario: &'s Scenario, index: usize, site: &str) -> Result<&'s str, LabError> {
    let store = scenario.stores.get(index);
    let made = store.filter(|store| store.kind.is_some());
    made.map(|store| store.name.as_str()).ok_or_else(|| {
        LabError::Unusable(format!(
            "site `{site}` has no store in the lab; give its [[store]] a `kind`"
        ))
    })
}

/// The scenario with stores that have room for the sites' files.
fn with_room(scenario: &Scenario, tenants: &[Tenant]) -> Result<Scenario, LabError> {
    let mut scenario = scenario.clone();
    for store in &mut scenario.stores {
        let roots = tenants.iter().filter(|tenant| tenant.store == store.name);
        let mut bytes = 0;
        for root in roots.filter_map(|tenant| tenant.root) {
            bytes += tree_bytes(root)?;
        }
        let needed = (bytes as f64 * OVERHEAD) as u64 + OVERHEAD_BYTES;
        let given = store.size_bytes.unwrap_or(DEFAULT_STORE_BYTES);
        store.size_bytes = Some(given.max(needed));
    }
    Ok(scenario)
}

/// Bytes of all files below a folder, in whole blocks. Symbolic links are not followed.
fn tree_bytes(folder: &Path) -> Result<u64, LabError> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder).on("read", folder)? {
        let entry = entry.on("read", folder)?;
        let metadata = entry.metadata().on("look up", entry.path())?;
        bytes += if metadata.is_dir() {
            tree_bytes(&entry.path())?
        } else {
            metadata.len().next_multiple_of(BLOCK_BYTES)
        };
    }
    Ok(bytes)
}

/// Makes every site's folder on every node and copies its root there, from inside the node's group: files in memory are
/// charged to the node that writes them. Caches are empty after it.
fn fill(lab: &Lab, tenants: &[Tenant], control: &dyn Control) -> Result<Vec<SiteEntry>, LabError> {
    lab.set_delays(false)?;
    let mut sites = Vec::new();
    for tenant in tenants {
        let stores = lab.stores().iter();
        for store in stores.filter(|store| store.name == tenant.store) {
            go_on(control)?;
            let folder = store.path.join(tenant.name);
            // A network store is one for all nodes.
            if !folder.exists() {
                fs::create_dir(&folder).on("make", &folder)?;
                if let Some(root) = tenant.root {
                    control.step(&format!("copying site {} to {}", tenant.name, store.node));
                    copy(lab, &store.node, root, &folder)?;
                }
            }
            sites.push(SiteEntry {
                name: tenant.name.to_owned(),
                node: store.node.clone(),
                store: store.name.clone(),
                folder,
            });
        }
    }
    for node in lab.nodes() {
        node.group.force_empty()?;
    }
    lab.set_delays(true)?;
    Ok(sites)
}

fn copy(lab: &Lab, node: &str, from: &Path, to: &Path) -> Result<(), LabError> {
    let name = format!(
        "copy-{}",
        to.file_name().unwrap_or_default().to_string_lossy()
    );
    Ok(Launch::new(name, "cp")
        .arguments(["-a", "--"])
        .arguments([from.join(".").into_os_string(), to.into()])
        .in_group(&lab.node(node)?.group)
        .run(lab.deployment(), COPY_PATIENCE)?)
}

/// Starts the server of every node that has one, proxies after the nodes behind them.
fn serve(
    lab: &Lab,
    sites: &[SiteEntry],
    control: &dyn Control,
) -> Result<Vec<(String, Running)>, LabError> {
    let host = |site: &SiteEntry| VirtualHost {
        name: site.name.clone(),
        root: site.folder.clone(),
        hot_root: None,
        access_log: None,
        header_waits: false,
    };
    let nodes = lab.nodes().iter();
    let mut nodes: Vec<_> = nodes.filter(|node| node.has_server()).collect();
    nodes.sort_by_key(|node| !node.reads_store());
    let mut servers = Vec::new();
    for node in nodes {
        go_on(control)?;
        control.step(&format!("starting the server of {}", node.name));
        let own = sites.iter().filter(|site| site.node == node.name);
        let server = lab.serve(&node.name, own.map(host).collect())?;
        servers.push((node.name.clone(), server));
    }
    Ok(servers)
}

fn describe(
    lab: &Lab,
    servers: &[(String, Running)],
    sites: Vec<SiteEntry>,
    due: &[Due],
) -> Inventory {
    let deployment = lab.deployment();
    let nodes = lab.nodes().iter().map(|node| {
        let address = node.namespace.address();
        let server = servers.iter().find(|(name, _)| *name == node.name);
        NodeEntry {
            name: node.name.clone(),
            url: server.map(|_| format!("http://{address}/")),
            namespace: node.namespace.name().to_owned(),
            interface: node.namespace.interface().to_owned(),
            memory_group: node.group.memory().path().to_owned(),
            memory_bytes: node.memory_bytes,
            log: server.map(|(_, server)| server.process.log().to_owned()),
        }
    });
    let stores = lab.stores().iter().map(|store| StoreEntry {
        name: store.name.clone(),
        node: store.node.clone(),
        file_system: store.store.kind().to_owned(),
        path: store.path.clone(),
    });
    let links = lab.directs().iter().map(|(ends, direct)| LinkEntry {
        between: ends.nodes().to_vec(),
        interface: direct.interface().to_owned(),
    });
    Inventory {
        tag: deployment.tag().to_owned(),
        directory: deployment.directory().to_owned(),
        images: deployment.work().to_owned(),
        nodes: nodes.collect(),
        stores: stores.collect(),
        sites,
        links: links.collect(),
        events: due.iter().map(EventEntry::of).collect(),
        not_honoured: Vec::new(),
    }
}
