//! A node as an arm wants it: files held, caches empty, servers up, then warm from the training part.

use super::arms::{Arm, Choice, Means, Traffic};
use super::bench::Bench;
use super::result::Memory;
use super::workload::{CellWorkload, SITES};
use crate::ExperimentError;
use crate::closed_loop::PATIENCE;
use crate::session::Session;

use hotset_lab::server::Running;
use hotset_lab::{Control, go_on};
use hotset_machine::cgroup::{ControlGroup, Limits};
use hotset_machine::process::Process;
use hotset_replay::Client;
use std::net::SocketAddr;
use std::thread;
use std::time::Duration;

/// A staged arm. [`Stage::take_down`] takes it down again.
pub(super) struct Stage<'b> {
    pub bench: &'b Bench,
    pub workload: &'b CellWorkload,
    /// Server of each site.
    pub addresses: [SocketAddr; 2],
    traffic: Traffic,
    servers: Vec<Running>,
    lock: Option<Process>,
    own: Option<ControlGroup>,
}

/// What a stage is set up for.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub workload: &'a CellWorkload,
    pub classes: [usize; 2],
    pub arm: &'static Arm,
    pub choice: &'a Choice,
    /// Memory that a server of its own takes beside files, bytes.
    pub server_bytes: u64,
    pub name: &'a str,
}

/// Freed by the kernel in its own time after the group shrinks.
const LEAST_OWN_BYTES: u64 = 16 << 20;

impl<'b> Stage<'b> {
    /// Places the held files and starts the servers, on a node with empty caches.
    pub fn set(bench: &'b Bench, scene: Scene<'b>) -> Result<Self, ExperimentError> {
        let Scene {
            workload,
            classes,
            choice,
            name,
            ..
        } = scene;
        let held = &choice.held[..];
        bench.set_delays(false)?;
        bench.release()?;
        bench.group()?.limit(&memory(bench.memory_bytes()?))?;
        bench.empty_caches()?;
        let shared = |hot| bench.serve(&format!("web-{name}"), classes, &[0, 1], hot, None);
        let hold = |site: usize, group: &ControlGroup| {
            bench.copy_to_ramfs(workload, classes, held, site, group, name)
        };
        let hold_in_one_memory = || {
            hold(0, bench.group()?)?;
            hold(1, bench.group()?)?;
            bench.empty_caches()?;
            Ok::<_, ExperimentError>(vec![shared(true)?])
        };
        let (mut lock, mut own) = (None, None);
        let servers = match scene.arm.means {
            Means::Nothing => vec![shared(false)?],
            Means::Ramfs => hold_in_one_memory()?,
            Means::Groups if choice.group_bytes.is_empty() => hold_in_one_memory()?,
            Means::Locked => {
                let server = shared(false)?;
                lock = Some(bench.lock(workload, classes, held, name)?);
                vec![server]
            }
            means @ (Means::OwnGroup | Means::Groups) => {
                let group = part(bench, &scene)?;
                let hot = means == Means::Groups;
                if hot {
                    hold(0, &group)?;
                    hold(1, bench.group()?)?;
                    bench.empty_caches()?;
                }
                let name = format!("web-{name}");
                let background = bench.serve(&name, classes, &[1], hot, None)?;
                let name = format!("{name}-own");
                let foreground = bench.serve(&name, classes, &[0], hot, Some(&group))?;
                own = Some(group);
                vec![background, foreground]
            }
        };
        let foreground = servers.last().map(|server| server.address);
        let background = servers.first().map(|server| server.address);
        let (Some(foreground), Some(background)) = (foreground, background) else {
            return Err(ExperimentError::Unusable(
                "no server was started".to_owned(),
            ));
        };
        Ok(Self {
            bench,
            workload,
            addresses: [foreground, background],
            traffic: scene.arm.traffic,
            servers,
            lock,
            own,
        })
    }

    /// One client of each site.
    pub fn clients(&self) -> Result<[Client; 2], ExperimentError> {
        let client = |site: usize| Client::connect(self.addresses[site], SITES[site], PATIENCE);
        Ok([client(0)?, client(1)?])
    }

    /// Requests of `accesses` that this stage serves.
    pub fn served<'a>(&'a self, accesses: &'a [u32]) -> impl Iterator<Item = u32> + 'a {
        let served = move |object: &u32| match self.traffic {
            Traffic::BothSites => true,
            Traffic::Foreground => self.workload.site(*object) == 0,
        };
        accesses.iter().copied().filter(served)
    }

    /// Replays `accesses` on all `stages` at once with the disks' delays off: what is in memory afterwards depends on the
    /// order of requests, not on their times.
    pub fn warm_up(
        stages: &[&Self],
        accesses: &[u32],
        session: &Session,
    ) -> Result<(), ExperimentError> {
        session.step("warming up")?;
        let control = session.control;
        thread::scope(|scope| {
            let all: Vec<_> = stages
                .iter()
                .map(|stage| scope.spawn(|| stage.replay(accesses, control)))
                .collect();
            let broke = |_| Err(ExperimentError::Unusable("a warm-up broke".to_owned()));
            all.into_iter()
                .try_for_each(|stage| stage.join().unwrap_or_else(broke))
        })
    }

    fn replay(&self, accesses: &[u32], control: &dyn Control) -> Result<(), ExperimentError> {
        self.bench.set_delays(false)?;
        let mut clients = self.clients()?;
        for object in self.served(accesses) {
            go_on(control)?;
            let client = &mut clients[self.workload.site(object)];
            client.get(&self.workload.target(object), self.workload.size(object))?;
        }
        self.bench.set_delays(true)
    }

    /// Memory of the node, both groups together where there are two.
    pub fn memory(&self) -> Result<Memory, ExperimentError> {
        let mut memory = Memory::from(self.bench.group()?.usage()?);
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
    pub fn server_cpu_us(&self) -> Result<u64, ExperimentError> {
        self.servers
            .iter()
            .map(|server| Ok(server.process.cpu_us()?))
            .sum()
    }

    /// Ends servers and locks. What a server still reads for clients that left takes no time.
    pub fn take_down(self) -> Result<(), ExperimentError> {
        self.bench.set_delays(false)?;
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
fn part(bench: &Bench, scene: &Scene) -> Result<ControlGroup, ExperimentError> {
    let file_bytes = scene.choice.group_bytes.first().copied().unwrap_or(0);
    let own_bytes = (file_bytes + scene.server_bytes).max(LEAST_OWN_BYTES);
    let rest = bench.memory_bytes()?.saturating_sub(own_bytes);
    bench.group()?.limit(&memory(rest.max(LEAST_OWN_BYTES)))?;
    let name = format!("own-{}", scene.name);
    Ok(ControlGroup::create(
        bench.run(),
        &name,
        &memory(own_bytes),
    )?)
}

fn memory(bytes: u64) -> Limits {
    Limits {
        memory_bytes: Some(bytes),
        cpus: None,
    }
}
