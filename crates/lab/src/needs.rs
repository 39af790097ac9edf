//! What a lab needs of the machine and of its scenario, looked at before anything is made.

use crate::LabError;
use hotset_machine::{Directories, Need};
use hotset_scenario::{MemorySize, Node as NodeSpec, Scenario, ServerSpec, StoreKind, StoreSpec};

/// Size of a store whose scenario does not give one.
pub(crate) const DEFAULT_STORE_BYTES: u64 = 1 << 30;
/// Less memory than this is used up by the server's own processes, and the kernel ends them.
const LEAST_MEMORY_BYTES: u64 = 16 << 20;
/// Names become parts of names of groups and network namespaces, of paths and of host names.
const NAME_LENGTH_MAX: usize = 40;

/// What nodes, links, groups and local disks need on any machine.
#[must_use]
pub fn basic_needs() -> Vec<Need> {
    let mut needs = vec![Need::Root, Need::Groups, Need::Loop];
    let programs = [
        ("ip", "iproute2"),
        ("tc", "iproute2"),
        ("nsenter", "util-linux"),
        ("taskset", "util-linux"),
        ("chrt", "util-linux"),
        ("losetup", "mount"),
        ("mkfs.ext4", "e2fsprogs"),
    ];
    needs.extend(programs.map(|(program, package)| Need::program(program, package)));
    needs
}

/// All that building a scenario and running its servers needs.
///
/// # Errors
/// A scenario that the lab cannot build.
pub fn needs(scenario: &Scenario, directories: &Directories) -> Result<Vec<Need>, LabError> {
    check(scenario)?;
    let mut needs = basic_needs();
    let mut memory_bytes = 0;
    for node in &scenario.nodes {
        memory_bytes += self::memory_bytes(node)?;
        needs.extend(server_need(&node.server));
        needs.extend(node.whole_cpus().map(|cpus| Need::Cpu {
            number: cpus as usize - 1,
        }));
    }
    needs.push(Need::Memory {
        bytes: memory_bytes,
    });
    let readers = readers(scenario).count() as u64;
    let mut disk_bytes = 0;
    for (store, kind) in made(scenario) {
        needs.extend(store_needs(store, kind));
        let size_bytes = store.size_bytes.unwrap_or(DEFAULT_STORE_BYTES);
        disk_bytes += size_bytes.saturating_mul(disks(store, kind, readers));
    }
    needs.push(Need::DiskSpace {
        path: directories.work.clone(),
        bytes: disk_bytes,
    });
    Ok(needs)
}

/// The stores that the lab makes, in the scenario's order.
pub(crate) fn made(scenario: &Scenario) -> impl Iterator<Item = (&StoreSpec, StoreKind)> {
    let stores = scenario.stores.iter();
    stores.filter_map(|store| Some((store, store.kind?)))
}

/// A node's memory.
pub(crate) fn memory_bytes(node: &NodeSpec) -> Result<u64, LabError> {
    match node.memory {
        MemorySize::Bytes(bytes) if bytes >= LEAST_MEMORY_BYTES => Ok(bytes),
        MemorySize::Bytes(bytes) => Err(LabError::Unusable(format!(
            "node `{}` has {bytes} bytes of memory; a server needs at least {} MiB",
            node.name,
            LEAST_MEMORY_BYTES >> 20
        ))),
        MemorySize::PercentOfObjects(_) => Err(LabError::Unusable(format!(
            "node `{}` has its memory as a share; the lab needs a size",
            node.name
        ))),
    }
}

fn readers(scenario: &Scenario) -> impl Iterator<Item = &NodeSpec> {
    scenario.nodes.iter().filter(|node| node.reads_store())
}

fn check(scenario: &Scenario) -> Result<(), LabError> {
    if readers(scenario).next().is_none() {
        let message = "the scenario has no [[node]] that reads a store; add one";
        return Err(LabError::Unusable(message.to_owned()));
    }
    for node in &scenario.nodes {
        check_name("node", &node.name)?;
    }
    made(scenario).try_for_each(|(store, kind)| {
        check_kind(store, kind)?;
        check_name("store", &store.name)
    })
}

/// Refuses a store that can only be simulated.
fn check_kind(store: &StoreSpec, kind: StoreKind) -> Result<(), LabError> {
    if !kind.is_parallel() && !kind.is_nfs() && kind != StoreKind::Lustre {
        return Ok(());
    }
    Err(LabError::Unusable(format!(
        "store `{}` is of kind {}, which the lab does not make; it makes \"glusterfs\" and \"moosefs\" on file servers, and simulations \
         follow {}",
        store.name,
        kind.name(),
        kind.name()
    )))
}

/// Refuses a name that cannot be part of a path or a host name.
pub(crate) fn check_name(what: &str, name: &str) -> Result<(), LabError> {
    let fits = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let starts = name.starts_with(|c: char| c.is_ascii_alphanumeric());
    if starts && name.len() <= NAME_LENGTH_MAX && name.chars().all(fits) {
        return Ok(());
    }
    Err(LabError::Unusable(format!(
        "{what} `{name}`: in the lab a name has at most {NAME_LENGTH_MAX} letters, digits, `-`, `_` and `.`, \
         and begins with a letter or a digit; rename it"
    )))
}

fn server_need(server: &ServerSpec) -> Option<Need> {
    match server {
        ServerSpec::Apache => Some(Need::program("apache2", "apache2-bin")),
        ServerSpec::Nginx | ServerSpec::NginxProxy { .. } => {
            Some(Need::program("nginx", "nginx-light"))
        }
        ServerSpec::Files | ServerSpec::None => None,
    }
}

/// How many disks a store lies on.
fn disks(store: &StoreSpec, kind: StoreKind, readers: u64) -> u64 {
    match kind {
        StoreKind::Tmpfs | StoreKind::Ramfs => 0,
        StoreKind::GlusterFs | StoreKind::MooseFs => {
            let named = store.remote.as_ref().map(|it| it.servers.len());
            named.unwrap_or(StoreKind::OWN_SERVERS) as u64
        }
        _ => readers,
    }
}

fn store_needs(store: &StoreSpec, kind: StoreKind) -> Vec<Need> {
    let programs: &[(&str, &str)] = match kind {
        StoreKind::Ext3 => &[("mkfs.ext3", "e2fsprogs")],
        StoreKind::Xfs => &[("mkfs.xfs", "xfsprogs")],
        StoreKind::GlusterFs => &[
            ("mkfs.xfs", "xfsprogs"),
            ("glusterd", "glusterfs-server"),
            ("gluster", "glusterfs-cli"),
            ("glusterfs", "glusterfs-client"),
        ],
        StoreKind::MooseFs => &[
            ("mkfs.xfs", "xfsprogs"),
            ("mfsmaster", "moosefs-master"),
            ("mfschunkserver", "moosefs-chunkserver"),
            ("mfsmount", "moosefs-client"),
        ],
        _ => &[],
    };
    let programs = programs.iter();
    let mut needs: Vec<Need> = programs
        .map(|(program, package)| Need::program(program, package))
        .collect();
    let fuse = matches!(kind, StoreKind::GlusterFs | StoreKind::MooseFs)
        || store.disk.drive_bytes_per_s().is_some();
    needs.extend(fuse.then_some(Need::Fuse));
    needs
}
