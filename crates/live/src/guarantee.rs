//! What the kernel guarantees a server's memory group: a floor that nothing outside may take, and a size.
//!
//! A floor of version 2 counts only as far as every group above has one as well: the kernel caps it by theirs
//! (cgroup-v2.rst, "memory.low"). So each of them is raised by the same amount. What systemd or others set back is set again
//! at the next look.

use crate::LiveError;
use hotset_machine::cgroup::MemoryGroup;
use hotset_machine::ledger::{Entry, Ledger};
use hotset_machine::resource::Resource;
use hotset_machine::{MachineError, OnFile};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// What a plan gives a site's memory group for its files: held ones and page cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupSize {
    /// At most. Bytes.
    pub memory_bytes: u64,
    /// What nothing else may take. Bytes.
    pub floor_bytes: u64,
}

/// Settings of the kernel that make a guarantee.
pub(crate) struct Guarantee<'l> {
    ledger: &'l Ledger,
    settings: Vec<Setting>,
}

struct Setting {
    file: PathBuf,
    value: u64,
    entry: Entry,
}

impl<'l> Guarantee<'l> {
    /// Guarantees a server's group what a plan gives its files, and on top what its processes and the kernel need for them now.
    ///
    /// # Errors
    /// When the group is of version 1, which knows no floors, or the kernel refuses.
    pub fn make(
        ledger: &'l Ledger,
        group: &MemoryGroup,
        size: GroupSize,
    ) -> Result<Self, LiveError> {
        if !group.is_unified() {
            return Err(LiveError::Guardian(format!(
                "{} is a memory group of version 1, which knows no floors: hold files of a plan without groups, or use \
                 version 2",
                group.path().display()
            )));
        }
        let mut guarantee = Self {
            ledger,
            settings: Vec::new(),
        };
        let usage = group.usage()?;
        let own = usage.anonymous_bytes + usage.kernel_bytes;
        let floor = size.floor_bytes.saturating_add(own);
        let most = size.memory_bytes.saturating_add(own);
        for above in group.lineage().iter().skip(1).rev() {
            guarantee.raise(&above.path().join("memory.low"), floor)?;
        }
        guarantee.set(&group.path().join("memory.low"), floor)?;
        // Beyond this the kernel slows the group down and takes its coldest pages; a hard limit would kill.
        guarantee.set(&group.path().join("memory.high"), most)?;
        Ok(guarantee)
    }

    /// Gives a group above room for one more floor.
    fn raise(&mut self, file: &Path, by: u64) -> Result<(), LiveError> {
        match read(file)?.trim() {
            "max" => Ok(()),
            before => {
                let before: u64 = before.parse().unwrap_or(0);
                self.set(file, before.saturating_add(by))
            }
        }
    }

    fn set(&mut self, file: &Path, value: u64) -> Result<(), LiveError> {
        let setting = Resource::Setting {
            file: file.to_owned(),
            before: read(file)?.trim().to_owned(),
        };
        let (entry, ()) = self.ledger.make(setting, || write(file, value))?;
        self.settings.push(Setting {
            file: file.to_owned(),
            value,
            entry,
        });
        Ok(())
    }

    /// Sets again what others have set back, as `systemctl daemon-reload` does.
    pub fn renew(&self) {
        let page = hotset_machine::memory::page_bytes();
        for setting in &self.settings {
            // The kernel keeps whole pages.
            let kept = setting.value / page * page;
            let is_kept = |text: String| text.trim().parse::<u64>().is_ok_and(|now| now == kept);
            if !read(&setting.file).is_ok_and(is_kept) {
                // A group that is gone is found out by the look at the server.
                let _set = write(&setting.file, setting.value);
            }
        }
    }
}

impl Drop for Guarantee<'_> {
    fn drop(&mut self) {
        for setting in self.settings.iter().rev() {
            // What cannot be undone stays in the ledger.
            let _undone = self.ledger.undo(setting.entry);
        }
    }
}

fn read(file: &Path) -> Result<String, MachineError> {
    fs::read_to_string(file).on("read", file)
}

fn write(file: &Path, value: u64) -> Result<(), MachineError> {
    fs::write(file, value.to_string()).on("write", file)
}
