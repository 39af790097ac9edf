//! What disks and links show of a phase: read before it and after it.

use std::time::Instant;

use hotset_lab::disk::{Disk, DiskCounters};
use hotset_lab::net::{LinkCounters, Namespace};
use hotset_lab::{Lab, LabError, NodeStore};
use hotset_outcome::{Link, Outcome, Resource};

/// What is read, by the names that outcomes give it.
#[derive(Clone, Debug)]
pub(crate) struct Meters<'b> {
    pub disks: Vec<(String, &'b dyn Disk)>,
    /// Nodes, each at its link.
    pub nodes: Vec<(String, &'b Namespace)>,
}

impl<'b> Meters<'b> {
    /// All disks of a lab, which `store` lies on, and the links of these nodes.
    ///
    /// # Errors
    /// A node that is not there.
    pub fn of(lab: &'b Lab, store: &NodeStore, nodes: &[&str]) -> Result<Self, LabError> {
        let drive = |number: usize| match store.store.disk() {
            Some(_) => format!("{} drive", store.node),
            None => format!("file server {} drive", number + 1),
        };
        let disks = lab.disks().enumerate();
        let node = |name: &&str| Ok(((*name).to_owned(), &lab.node(name)?.namespace));
        Ok(Self {
            disks: disks.map(|(number, disk)| (drive(number), disk)).collect(),
            nodes: nodes.iter().map(node).collect::<Result<_, LabError>>()?,
        })
    }
}

/// Readings at a phase's start.
#[derive(Debug)]
pub(crate) struct Readings<'b> {
    meters: Meters<'b>,
    pub start: Instant,
    /// In the order of what is watched.
    pub disks: Vec<DiskCounters>,
    links: Vec<LinkCounters>,
}

/// What was counted in a phase.
#[derive(Clone, Debug, Default)]
pub(crate) struct PhaseCounts {
    /// How long it took, seconds.
    pub seconds: f64,
    /// Reads of all disks, after merging.
    pub disk_reads: u64,
    /// Bytes that they read.
    pub disk_read_bytes: u64,
    pub resources: Vec<Resource>,
    pub links: Vec<Link>,
}

impl PhaseCounts {
    /// With what was counted in a phase after it, of the same disks and links.
    pub fn and(self, later: Self) -> Self {
        if self.resources.is_empty() {
            return later;
        }
        let seconds = self.seconds + later.seconds;
        let mean = |one: Option<f64>, other: Option<f64>| {
            let sum = one? * self.seconds + other? * later.seconds;
            Some(sum / seconds)
        };
        let resources = self.resources.iter().zip(&later.resources);
        let links = self.links.iter().zip(&later.links);
        let sum = |one: Option<u64>, other: Option<u64>| Some(one? + other?);
        Self {
            seconds,
            disk_reads: self.disk_reads + later.disk_reads,
            disk_read_bytes: self.disk_read_bytes + later.disk_read_bytes,
            resources: resources
                .map(|(one, other)| Resource {
                    name: one.name.clone(),
                    utilisation: mean(one.utilisation, other.utilisation),
                    mean_queue_length: mean(one.mean_queue_length, other.mean_queue_length),
                    timeline: None,
                })
                .collect(),
            links: links
                .map(|(one, other)| Link {
                    name: one.name.clone(),
                    sent_bytes: sum(one.sent_bytes, other.sent_bytes),
                    sent_packets: sum(one.sent_packets, other.sent_packets),
                    received_bytes: sum(one.received_bytes, other.received_bytes),
                    received_packets: sum(one.received_packets, other.received_packets),
                    timeline: None,
                })
                .collect(),
        }
    }

    /// The outcome with what disks and links did.
    pub fn on(self, outcome: Outcome) -> Outcome {
        Outcome {
            resources: self.resources,
            links: self.links,
            ..outcome
        }
    }
}

impl<'b> Readings<'b> {
    /// Reads everything that is watched.
    ///
    /// # Errors
    /// When the kernel does not tell.
    pub fn take(meters: Meters<'b>) -> Result<Self, LabError> {
        let disks = meters.disks.iter().map(|(_, disk)| disk.counters());
        let links = meters.nodes.iter().map(|(_, node)| node.counters());
        Ok(Self {
            disks: disks.collect::<Result<_, _>>()?,
            links: links.collect::<Result<_, _>>()?,
            start: Instant::now(),
            meters,
        })
    }

    /// What all disks had read by then.
    pub fn read_bytes(&self) -> u64 {
        self.disks.iter().map(|disk| disk.read_bytes).sum()
    }

    /// What has been counted since.
    ///
    /// # Errors
    /// When the kernel does not tell.
    pub fn counted(&self) -> Result<PhaseCounts, LabError> {
        let mut counted = PhaseCounts {
            seconds: self.start.elapsed().as_secs_f64(),
            ..PhaseCounts::default()
        };
        let disks = self.meters.disks.iter().zip(&self.disks);
        for ((name, disk), before) in disks {
            let after = disk.counters()?;
            counted.disk_reads += after.reads - before.reads;
            counted.disk_read_bytes += after.read_bytes - before.read_bytes;
            let resource = drive(name, before, &after, counted.seconds);
            counted.resources.push(resource);
        }
        let nodes = self.meters.nodes.iter().zip(&self.links);
        for ((name, node), before) in nodes {
            counted.links.push(link(name, before, &node.counters()?));
        }
        Ok(counted)
    }
}

fn drive(name: &str, before: &DiskCounters, after: &DiskCounters, seconds: f64) -> Resource {
    let of_the_time = |us: u64| us as f64 / 1e6 / seconds;
    Resource {
        name: name.to_owned(),
        // The kernel counts in whole milliseconds.
        utilisation: Some(of_the_time(after.busy_us - before.busy_us).min(1.0)),
        mean_queue_length: Some(of_the_time(after.queue_us - before.queue_us)),
        timeline: None,
    }
}

fn link(node: &str, before: &LinkCounters, after: &LinkCounters) -> Link {
    let since = |of: fn(&LinkCounters) -> u64| Some(of(after).saturating_sub(of(before)));
    Link {
        name: node.to_owned(),
        sent_bytes: since(|link| link.sent_bytes),
        sent_packets: since(|link| link.sent_packets),
        received_bytes: since(|link| link.received_bytes),
        received_packets: since(|link| link.received_packets),
        timeline: None,
    }
}
