//! Version 2: a floor that nothing outside the group may take, and a size.
//!
//! All of the floor is `memory.low`, which the kernel breaks before it runs out of memory and kills. What of it cannot be given
//! back is `memory.min` as well: held files, and what processes and the kernel have. That costs nobody anything, and keeps the
//! processes from being swapped out. To page cache, `memory.min` would be a reason to kill processes elsewhere.
//!
//! A floor counts only as far as every group above has one as well: the kernel caps it by theirs (cgroup-v2.rst,
//! "memory.min", "memory.low"). So each of them is raised by the same amount. Under systemd the units have the same settings as
//! properties: otherwise a new start of the server, of systemd or of the machine would take them away.

use super::group_size::GroupSize;
use super::upkeep::Guarantee;
use crate::LiveError;
use crate::group_setting::{GroupSetting, read};
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
    settings: Vec<(Knob, GroupSetting)>,
}

/// A file of a group, and what systemd calls it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Knob {
    file: &'static str,
    property: &'static str,
}

const MIN: Knob = Knob {
    file: "memory.min",
    property: "MemoryMin",
};
const LOW: Knob = Knob {
    file: "memory.low",
    property: "MemoryLow",
};
const HIGH: Knob = Knob {
    file: "memory.high",
    property: "MemoryHigh",
};

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
        let floors = [(MIN, size.held_bytes), (LOW, size.floor_bytes)];
        for above in group.lineage().iter().skip(1).rev() {
            for (knob, bytes) in floors {
                floor.raise(above, knob, bytes, owner)?;
            }
        }
        for (knob, bytes) in floors {
            floor.set(group, knob, |before| before.max(bytes))?;
        }
        // Beyond this the kernel slows the group down and takes its coldest pages; a hard limit would kill.
        floor.set(group, HIGH, |before| before.min(size.memory_bytes))?;
        floor.tell_systemd(group)?;
        Ok(floor)
    }

    /// Gives a group above room for one more floor.
    fn raise(
        &mut self,
        above: &MemoryGroup,
        knob: Knob,
        by: u64,
        owner: &Path,
    ) -> Result<(), LiveError> {
        let drop_in = DropIn::of(above).map(|drop_in| drop_in.for_property(knob.property));
        let raise = Raise {
            file: above.path().join(knob.file),
            owner: owner.to_owned(),
            drop_in: drop_in.map(|drop_in| (drop_in, knob.property.to_owned())),
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
        knob: Knob,
        value: impl Fn(u64) -> u64,
    ) -> Result<(), LiveError> {
        let file = group.path().join(knob.file);
        let before = read(&file)?;
        let number = before.parse().unwrap_or(u64::MAX);
        let value = value(number);
        if value != number {
            let setting = GroupSetting::make(self.ledger, &file, &before, value)?;
            self.entries.push(setting.entry);
            self.settings.push((knob, setting));
        }
        Ok(())
    }

    fn tell_systemd(&mut self, group: &MemoryGroup) -> Result<(), LiveError> {
        let Some(drop_in) = DropIn::of(group) else {
            return Ok(());
        };
        let settings = self.settings.iter();
        let properties: Vec<(&str, u64)> = settings
            .map(|(knob, setting)| (knob.property, setting.value))
            .collect();
        let write = || drop_in.write(&properties);
        let (entry, ()) = self.ledger.make(Resource::DropIn(drop_in.clone()), write)?;
        self.entries.push(entry);
        Ok(systemd::reload()?)
    }
}

impl Guarantee for Floor<'_> {
    fn renew(&mut self) -> Result<(), LiveError> {
        let raised = self.raises.iter().map(Raise::renew);
        let set = self.settings.iter();
        let set = set.map(|(knob, setting)| match *knob == HIGH {
            true => setting.renew_at_most(),
            false => setting.renew(),
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
