//! A node as an arm wants it: files held, caches empty, servers up, then warm from the training part.

use super::applied::AppliedPlan;
use super::arms::Traffic;
use super::bench::Bench;
use super::placing::{Placer, Setup, Trial, limits};
use super::result::{Counts, Memory};
use super::workload::{CellWorkload, SITES};
use crate::ExperimentError;
use crate::clients::{PATIENCE, at_once};
use crate::readings::{PhaseCounts, Readings};
use crate::session::Session;

use hotset_lab::disk::seeking::Statistics;
use hotset_lab::{Control, go_on};
use hotset_replay::Client;
use std::net::SocketAddr;
use std::time::Duration;

/// A staged arm. [`Stage::take_down`] takes it down again.
pub(super) struct Stage<'b> {
    pub bench: &'b Bench,
    pub workload: &'b CellWorkload,
    /// Server of each site.
    pub addresses: [SocketAddr; 2],
    traffic: Traffic,
    placed: Setup,
}

impl<'b> Stage<'b> {
    /// Places the held files and starts the servers, on a node with empty caches.
    pub fn set(bench: &'b Bench, trial: Trial<'b>) -> Result<Self, ExperimentError> {
        bench.set_delays(false)?;
        bench.release()?;
        bench.group()?.limit(&limits(bench.memory_bytes()?))?;
        bench.empty_caches()?;
        let placed = Placer { bench, trial }.place()?;
        let foreground = placed.servers.last().map(|server| server.address);
        let background = placed.servers.first().map(|server| server.address);
        let (Some(foreground), Some(background)) = (foreground, background) else {
            return Err(ExperimentError::Unusable(
                "no server was started".to_owned(),
            ));
        };
        Ok(Self {
            bench,
            workload: trial.workload,
            addresses: [foreground, background],
            traffic: trial.arm.traffic,
            placed,
        })
    }

    /// Files that hotset has left out, where it holds them.
    pub fn left_out(&self) -> Option<Vec<u32>> {
        let applied = self.placed.applied.iter();
        let left_out = applied.flat_map(|applied| &applied.left_out).copied();
        (!self.placed.applied.is_empty()).then(|| left_out.collect())
    }

    /// How many files hotset holds now, where it does.
    pub fn held(&self) -> Result<Option<u64>, ExperimentError> {
        if let Some(daemon) = &self.placed.daemon {
            return Ok(Some(daemon.held()?));
        }
        let held = self.placed.applied.iter().map(AppliedPlan::held);
        let held = held.sum::<Result<u64, _>>()?;
        Ok((!self.placed.applied.is_empty()).then_some(held))
    }

    /// What the kernel leaves to the foreground's group at least, where hotset has seen to that. Bytes.
    pub fn guaranteed_bytes(&self) -> Result<Option<u64>, ExperimentError> {
        let node_bytes = self.bench.memory_bytes()?;
        let within = self.placed.within.as_ref();
        Ok(within.map(|within| within.guaranteed_bytes(node_bytes)))
    }

    /// Has hotset follow the requests from now on, as the trial says.
    ///
    /// # Errors
    /// When it does not start.
    pub fn follow(
        &mut self,
        trial: Trial<'_>,
        weight: f64,
        interval_seconds: u64,
    ) -> Result<(), ExperimentError> {
        let placing = Placer {
            bench: self.bench,
            trial,
        };
        self.placed.daemon = Some(placing.follow(weight, interval_seconds)?);
        Ok(())
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
        let replay = |stage: &&Self| stage.replay(accesses, control);
        at_once(stages, "a warm-up broke", replay).map(drop)
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

    /// Memory of the node with that of a group beside it. What is in groups within it is the node's.
    pub fn memory(&self) -> Result<Memory, ExperimentError> {
        let mut memory = Memory::from(self.bench.group()?.usage()?);
        if let Some(own) = &self.placed.own {
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
        let servers = self.placed.servers.iter();
        servers.map(|server| Ok(server.process.cpu_us()?)).sum()
    }

    /// Releases what is held and ends servers and locks. What a server still reads for clients that left takes no time.
    pub fn take_down(self) -> Result<(), ExperimentError> {
        self.bench.set_delays(false)?;
        if let Some(daemon) = self.placed.daemon {
            daemon.stop()?;
        }
        for applied in self.placed.applied {
            applied.release()?;
        }
        for server in self.placed.servers {
            server.stop()?;
        }
        if let Some(lock) = self.placed.lock {
            lock.stop(Duration::from_secs(5))?;
        }
        if let Some(within) = self.placed.within {
            within.remove()?;
        }
        self.bench.release()
    }
}

/// Readings at a phase's start.
pub(super) struct StageReadings<'s> {
    stage: &'s Stage<'s>,
    pub node: Readings<'s>,
    drive: Option<Statistics>,
    pub server_cpu_us: u64,
}

impl<'s> StageReadings<'s> {
    pub fn take(stage: &'s Stage<'s>) -> Result<Self, ExperimentError> {
        Ok(Self {
            stage,
            drive: stage.bench.drives()?,
            server_cpu_us: stage.server_cpu_us()?,
            node: Readings::take(stage.bench.watched()?)?,
        })
    }

    /// What has been counted since; requests are the caller's to count.
    pub fn counted(&self) -> Result<(Counts, PhaseCounts), ExperimentError> {
        let counted = self.node.counted()?;
        let drive = self.drive.zip(self.stage.bench.drives()?);
        let counts = Counts {
            seconds: counted.seconds,
            disk_reads: counted.disk_reads,
            disk_read_bytes: counted.disk_read_bytes,
            server_cpu_us: self.stage.server_cpu_us()? - self.server_cpu_us,
            drive: drive.map(|(before, after)| after.since(&before)),
            ..Counts::default()
        };
        Ok((counts, counted))
    }
}
