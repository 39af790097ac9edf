//! A disk with a ceiling.

use super::device::Disk;
use super::plain::Plain;
use crate::LabError;
use crate::deed::Deed;
use hotset_machine::ControlGroup;
use hotset_machine::Deployment;
use hotset_machine::cgroup::{DeviceNumber, IoLimits};
use std::path::Path;
use std::sync::Arc;

/// A plain disk whose reads are limited for the nodes that use it, by their groups' block controllers. Preparations
/// from outside the nodes are not limited.
#[derive(Debug)]
pub struct Throttled {
    disk: Plain,
    number: DeviceNumber,
    limits: IoLimits,
    nodes: Vec<Arc<ControlGroup>>,
}

impl Throttled {
    /// Makes the disk and limits `nodes` on it.
    ///
    /// # Errors
    /// As [`Plain::create`], or when there is no block controller.
    pub fn create(
        deployment: &Arc<Deployment>,
        name: &str,
        size_bytes: u64,
        limits: IoLimits,
        nodes: &[Arc<ControlGroup>],
    ) -> Result<Self, LabError> {
        let disk = Plain::create(deployment, name, size_bytes)?;
        let number = DeviceNumber::of(disk.device())?;
        let throttled = Self {
            disk,
            number,
            limits,
            nodes: nodes.to_vec(),
        };
        throttled.set_delays(true)?;
        Ok(throttled)
    }
}

impl Disk for Throttled {
    fn device(&self) -> &Path {
        self.disk.device()
    }

    fn set_delays(&self, on: bool) -> Result<(), LabError> {
        let limits = if on { self.limits } else { IoLimits::default() };
        Ok(self
            .nodes
            .iter()
            .try_for_each(|node| node.limit_io(self.number, limits))?)
    }

    fn at_speed(&self, speed: f64) -> Result<Vec<Deed>, LabError> {
        // No limit is no less than one.
        let scaled = |limit: Option<u64>| limit.map(|it| ((it as f64 * speed) as u64).max(1));
        let limits = IoLimits {
            read_bytes_per_s: scaled(self.limits.read_bytes_per_s),
            reads_per_s: scaled(self.limits.reads_per_s),
        };
        let mut deeds = Vec::new();
        for node in &self.nodes {
            let files = node.io_limit(self.number, limits)?.into_iter();
            deeds.extend(files.map(|(file, text)| Deed::Write { file, text }));
        }
        Ok(deeds)
    }
}
