//! Version 2: a floor that nothing outside the group may take, and a size.
//!
//! A floor counts only as far as every group above has one as well: the kernel caps it by theirs (cgroup-v2.rst,
//! "memory.low"). So each of them is raised by the same amount. Under systemd the units have the same settings as properties:
//! otherwise a new start of the server, of systemd or of the machine would take them away.

use super::{GroupSize, Kept};
use crate::LiveError;
use crate::setting::{Setting, read};
use hotset_machine::MachineError;
use hotset_machine::cgroup::MemoryGroup;
use hotset_machine::ledger::{Entry, Ledger};
use hotset_machine::raise::Raise;
use hotset_machine::resource::Resource;
use hotset_machine::systemd::{self, DropIn};
use std::path::Path;

/// Settings of the kernel that make a floor.
pub(super) struct Floor<'l> {
    ledger: &'l Ledger,
    /// In the order in which they were made.
    entries: Vec<Entry>,
    raises: Vec<Raise>,
    settings: Vec<Setting>,
}

impl<'l> Floor<'l> {
    /// What is made before something fails is undone.
    pub fn make(
        ledger: &'l Ledger,
        group: &MemoryGroup,
        size: GroupSize,
        owner: &Path,
    ) -> Result<Self, LiveError> {
        let mut floor = Self {
            ledger,
            entries: Vec::new(),
            raises: Vec::new(),
            settings: Vec::new(),
        };
        for above in group.lineage().iter().skip(1).rev() {
            floor.raise(above, size.floor_bytes, owner)?;
        }
        floor.set(group, "memory.low", |before| before.max(size.floor_bytes))?;
        // Beyond this the kernel slows the group down and takes its coldest pages; a hard limit would kill.
        floor.set(group, "memory.high", |before| before.min(size.memory_bytes))?;
        floor.tell_systemd(group)?;
        Ok(floor)
    }

    /// Gives a group above room for one more floor.
    fn raise(&mut self, above: &MemoryGroup, by: u64, owner: &Path) -> Result<(), LiveError> {
        let raise = Raise {
            file: above.path().join("memory.low"),
            owner: owner.to_owned(),
            told: DropIn::of(above).map(|drop_in| (drop_in, "MemoryLow".to_owned())),
        };
        let make = || raise.add(by);
        let (entry, ()) = self.ledger.make(Resource::Raise(raise.clone()), make)?;
        self.entries.push(entry);
        self.raises.push(raise);
        Ok(())
    }

    /// An administrator who gives the group more of a floor, or less of a size, has the say.
    fn set(
        &mut self,
        group: &MemoryGroup,
        name: &str,
        value: impl Fn(u64) -> u64,
    ) -> Result<(), LiveError> {
        let file = group.path().join(name);
        let before = read(&file)?;
        let number = before.parse().unwrap_or(u64::MAX);
        let value = value(number);
        if value != number {
            let setting = Setting::make(self.ledger, &file, &before, value)?;
            self.entries.push(setting.entry);
            self.settings.push(setting);
        }
        Ok(())
    }

    fn tell_systemd(&mut self, group: &MemoryGroup) -> Result<(), LiveError> {
        let Some(drop_in) = DropIn::of(group) else {
            return Ok(());
        };
        let property = |setting: &Setting| match is_floor(setting) {
            true => ("MemoryLow", setting.value),
            false => ("MemoryHigh", setting.value),
        };
        let properties: Vec<(&str, u64)> = self.settings.iter().map(property).collect();
        let write = || drop_in.write(&properties);
        let (entry, ()) = self.ledger.make(Resource::DropIn(drop_in.clone()), write)?;
        self.entries.push(entry);
        Ok(systemd::reload()?)
    }
}

fn is_floor(setting: &Setting) -> bool {
    setting.file.ends_with("memory.low")
}

impl Kept for Floor<'_> {
    fn renew(&mut self) -> Result<(), LiveError> {
        let raised = self.raises.iter().map(Raise::renew);
        let set = self.settings.iter().map(|setting| match is_floor(setting) {
            true => setting.renew(),
            false => setting.renew_at_most(),
        });
        Ok(raised.chain(set).collect::<Result<(), MachineError>>()?)
    }
}

impl Drop for Floor<'_> {
    fn drop(&mut self) {
        for entry in self.entries.iter().rev() {
            // What cannot be undone stays in the ledger.
            let _undone = self.ledger.undo(*entry);
        }
    }
}
