//! Groups of processes that a deployment makes, by control groups of either version: a memory limit that includes their page
//! cache, a share of the processors, their disk traffic.

mod controllers;
mod v1;
mod v2;

use crate::cgroup::files::write;
use crate::cgroup::{
    DeviceNumber, Hierarchies, IoLimits, Limits, MemoryGroup, MemoryUsage, Quota, tree,
};
use crate::{Deployment, MachineError, OnFile};
use controllers::Controllers;
use std::fs;
use std::path::{Path, PathBuf};

/// A group of processes: where they are kept track of, and what limits them.
#[derive(Debug)]
pub struct ControlGroup {
    home: PathBuf,
    controllers: Box<dyn Controllers>,
}

impl ControlGroup {
    /// Makes the group that the deployment calls `name`; one within another is called `other/name`.
    ///
    /// # Errors
    /// When there is no memory controller or a group cannot be made.
    pub fn create(
        deployment: &Deployment,
        name: &str,
        limits: &Limits,
    ) -> Result<Self, MachineError> {
        Self::create_in(deployment, deployment.hierarchies(), name, limits)
    }

    /// Makes it in these hierarchies rather than the machine's.
    ///
    /// # Errors
    /// As [`ControlGroup::create`].
    pub fn create_in(
        deployment: &Deployment,
        hierarchies: &Hierarchies,
        name: &str,
        limits: &Limits,
    ) -> Result<Self, MachineError> {
        let name = deployment.name(name);
        let home = hierarchies.tracking()?.join(&name);
        let controllers: Box<dyn Controllers> = if hierarchies.v1.contains_key("memory") {
            let groups = v1::Groups::create(deployment, hierarchies, &name, limits)?;
            let _entry = deployment.make_group(&home)?;
            Box::new(groups)
        } else {
            let parent = home.parent().unwrap_or(hierarchies.tracking()?);
            Box::new(v2::Group::create(deployment, parent, &home, limits)?)
        };
        let group = Self { home, controllers };
        group.limit(limits)?;
        Ok(group)
    }

    /// Puts a running process into the group.
    ///
    /// # Errors
    /// When it is gone, or the group refuses it.
    pub fn adopt(&self, pid: u32) -> Result<(), MachineError> {
        for group in self.controllers.groups().iter().chain([&self.home]) {
            let path = group.join("cgroup.procs");
            fs::write(&path, pid.to_string()).on("write", path)?;
        }
        Ok(())
    }

    /// The part of it that counts and limits memory.
    #[must_use]
    pub fn memory(&self) -> &MemoryGroup {
        self.controllers.memory()
    }

    /// See [`MemoryGroup::usage`].
    ///
    /// # Errors
    /// As there.
    pub fn usage(&self) -> Result<MemoryUsage, MachineError> {
        self.memory().usage()
    }

    /// See [`MemoryGroup::force_empty`].
    ///
    /// # Errors
    /// As there.
    pub fn force_empty(&self) -> Result<MemoryUsage, MachineError> {
        self.memory().force_empty()
    }

    /// Limits the group's traffic with a device.
    ///
    /// # Errors
    /// When the kernel refuses.
    pub fn limit_io(&self, device: DeviceNumber, limits: IoLimits) -> Result<(), MachineError> {
        let files = self.io_limit(device, limits)?;
        files.iter().try_for_each(|(file, text)| write(file, text))
    }

    /// What [`ControlGroup::limit_io`] writes, and the files that it writes it to: for whoever is to do it later, when the group is no
    /// longer theirs.
    ///
    /// # Errors
    /// When the machine has no such controller.
    pub fn io_limit(
        &self,
        device: DeviceNumber,
        limits: IoLimits,
    ) -> Result<Vec<(PathBuf, String)>, MachineError> {
        self.controllers.io_limit(device, limits)
    }

    /// Changes what the group may use; what `limits` leaves out stays as it is. A group that was made without a share of the processors
    /// cannot be given one.
    ///
    /// # Errors
    /// When the kernel refuses, as it does for less memory than cannot be reclaimed.
    pub fn limit(&self, limits: &Limits) -> Result<(), MachineError> {
        if let Some(bytes) = limits.memory_bytes {
            self.memory().limit(bytes)?;
        }
        match limits.processors {
            Some(processors) => self.controllers.limit_processors(Quota::of(processors)),
            None => Ok(()),
        }
    }

    /// Ends what runs in the group, and removes it before the deployment ends.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn remove(&self) -> Result<(), MachineError> {
        let mut groups = self.controllers.groups();
        groups.push(self.home.clone());
        groups
            .iter()
            .try_for_each(|group| tree::remove(group).map(drop))
    }

    /// Where the groups of its processes are made.
    pub(crate) fn home(&self) -> &Path {
        &self.home
    }

    pub(crate) fn joined(&self) -> Vec<PathBuf> {
        self.controllers.groups()
    }
}
