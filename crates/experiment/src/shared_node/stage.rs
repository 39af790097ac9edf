//! A node as an arm wants it: files held, caches empty, servers up, then warm from the training part.

use super::bench::{Bench, pause};
use crate::arms::{ArmKind, Means, pages};
use crate::probe::Probe;
use crate::result::Memory;
use crate::workload::{CellWorkload, SITES};
use hotset_lab::LabError;
use hotset_lab::server::Running;
use hotset_lab::{Control, go_on};
use hotset_machine::MachineError;
use hotset_machine::cgroup::{ControlGroup, Limits};
use hotset_machine::process::Process;
use std::net::SocketAddr;
use std::time::Duration;

/// A staged arm. [`Stage::strike`] takes it down again.
pub(super) struct Stage<'b> {
    pub bench: &'b Bench,
    pub workload: &'b CellWorkload,
    /// Server of each site.
    pub addresses: [SocketAddr; 2],
    pub alone: bool,
    servers: Vec<Running>,
    lock: Option<Process>,
    own: Option<ControlGroup>,
}

/// What a stage is set up for.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub workload: &'a CellWorkload,
    pub classes: [usize; 2],
    pub arm: ArmKind,
    pub held: &'a [u32],
    /// Memory that a server of its own takes beside files, bytes.
    pub server_bytes: u64,
    pub name: &'a str,
}

/// Freed by the kernel in its own time after the group shrinks.
const LEAST_OWN_BYTES: u64 = 16 << 20;

impl<'b> Stage<'b> {
    /// Directories the held files and starts the servers, on a node with empty caches.
    pub fn set(bench: &'b Bench, scene: Scene<'b>) -> Result<Self, LabError> {
        let Scene {
            workload,
            classes,
            arm,
            held,
            name,
            ..
        } = scene;
        let means = arm.arm().means();
        bench.set_delays(false)?;
        bench.release()?;
        let whole = Limits {
            memory_bytes: Some(bench.memory_bytes()),
            cpus: None,
        };
        bench.group().limit(&whole)?;
        bench.empty_caches()?;
        if means == Means::Ramfs {
            bench.copy_to_ramfs(workload, classes, held, name)?;
            bench.empty_caches()?;
        }
        bench.set_delays(false)?;
        let own = (means == Means::OwnGroup)
            .then(|| part(bench, &scene))
            .transpose()?;
        let hot = means == Means::Ramfs;
        let servers = match &own {
            None => vec![bench.serve(&format!("web-{name}"), classes, &[0, 1], hot, None)?],
            Some(own) => vec![
                bench.serve(&format!("web-{name}"), classes, &[1], hot, None)?,
                bench.serve(&format!("web-own-{name}"), classes, &[0], hot, Some(own))?,
            ],
        };
        let lock = (means == Means::Locked)
            .then(|| bench.lock(workload, classes, held, name))
            .transpose()?;
        let foreground = servers.last().map(|server| server.address);
        let background = servers.first().map(|server| server.address);
        let (Some(foreground), Some(background)) = (foreground, background) else {
            return Err(LabError::Unusable("no server was started".to_owned()));
        };
        Ok(Self {
            bench,
            workload,
            addresses: [foreground, background],
            alone: arm.arm().alone(),
            servers,
            lock,
            own,
        })
    }

    /// Connections of one client to both sites.
    pub fn probes(&self) -> Result<[Probe; 2], LabError> {
        Ok([
            Probe::connect(self.addresses[0], SITES[0])?,
            Probe::connect(self.addresses[1], SITES[1])?,
        ])
    }

    /// Requests of `accesses` that this stage serves.
    pub fn served<'a>(&'a self, accesses: &'a [u32]) -> impl Iterator<Item = u32> + 'a {
        let served = move |object: &u32| !self.alone || self.workload.site(*object) == 0;
        accesses.iter().copied().filter(served)
    }

    /// Replays the training part with the disk's delays off: what is in memory afterwards depends on the order of
    /// requests, not on their times.
    pub fn warm_up(&self, name: &str, control: &dyn Control) -> Result<(), LabError> {
        pause(control, &format!("{name}: warming up"))?;
        self.bench.set_delays(false)?;
        let mut probes = self.probes()?;
        for object in self.served(self.workload.training()) {
            go_on(control)?;
            probes[self.workload.site(object)].get(&self.workload.target(object))?;
        }
        self.bench.set_delays(true)
    }

    /// Memory of the node, both groups together where there are two.
    pub fn memory(&self) -> Result<Memory, LabError> {
        let mut memory = Memory::from(self.bench.group().usage()?);
        if let Some(own) = &self.own {
            let own = Memory::from(own.usage()?);
            memory.limit_bytes += own.limit_bytes;
            memory.anonymous_bytes += own.anonymous_bytes;
            memory.kernel_bytes += own.kernel_bytes;
            memory.file_bytes += own.file_bytes;
            memory.unevictable_bytes += own.unevictable_bytes;
        }
        Ok(memory)
    }

    /// Processor time of the servers, microseconds.
    pub fn server_cpu_us(&self) -> Result<u64, LabError> {
        let servers = self.servers.iter();
        let cpu_us: Result<u64, MachineError> = servers.map(|server| server.process.cpu_us()).sum();
        Ok(cpu_us?)
    }

    /// Ends servers and locks.
    pub fn strike(self) -> Result<(), LabError> {
        for server in self.servers {
            server.stop()?;
        }
        if let Some(lock) = self.lock {
            lock.stop(Duration::from_secs(5))?;
        }
        self.bench.release()
    }
}

/// Parts the node's memory: a group for the foreground, the rest for the background.
fn part(bench: &Bench, scene: &Scene) -> Result<ControlGroup, LabError> {
    let held: u64 = scene
        .held
        .iter()
        .map(|&object| pages(scene.workload.size(object)) * crate::arms::PAGE_BYTES)
        .sum();
    let own_bytes = (held + scene.server_bytes).max(LEAST_OWN_BYTES);
    let limit = |bytes| Limits {
        memory_bytes: Some(bytes),
        cpus: None,
    };
    let rest = bench.memory_bytes().saturating_sub(own_bytes);
    bench.group().limit(&limit(rest.max(LEAST_OWN_BYTES)))?;
    let name = format!("own-{}", scene.name);
    Ok(ControlGroup::create(bench.lab(), &name, &limit(own_bytes))?)
}
