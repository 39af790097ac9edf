//! Settings of memory groups that are in a ledger.

use hotset_machine::ledger::{Entry, Ledger};
use hotset_machine::resource::Resource;
use hotset_machine::{MachineError, OnFile};
use std::fs;
use std::path::{Path, PathBuf};

/// A setting of a group that is ours for now.
pub(crate) struct GroupSetting {
    pub file: PathBuf,
    pub before: String,
    pub value: u64,
    pub entry: Entry,
}

impl GroupSetting {
    /// Writes a number where `before` stands.
    pub fn make(
        ledger: &Ledger,
        file: &Path,
        before: &str,
        value: u64,
    ) -> Result<Self, MachineError> {
        let setting = Resource::Setting {
            file: file.to_owned(),
            before: before.to_owned(),
            written: Some(value.to_string()),
        };
        let (entry, ()) = ledger.make(setting, || write(file, value))?;
        Ok(Self {
            file: file.to_owned(),
            before: before.to_owned(),
            value,
            entry,
        })
    }

    /// Writes it again where the file says more. Others may have reason to ask for less.
    pub fn renew_at_most(&self) -> Result<(), MachineError> {
        let now = read(&self.file)?.parse();
        match now.is_ok_and(|now: u64| now <= self.value) {
            true => Ok(()),
            false => write(&self.file, self.value),
        }
    }

    /// Writes it again where somebody has changed it.
    pub fn renew(&self) -> Result<(), MachineError> {
        match read(&self.file)? == self.value.to_string() {
            true => Ok(()),
            false => write(&self.file, self.value),
        }
    }
}

pub(crate) fn read(file: &Path) -> Result<String, MachineError> {
    let text = fs::read_to_string(file).on("read", file)?;
    Ok(text.trim().to_owned())
}

fn write(file: &Path, value: u64) -> Result<(), MachineError> {
    fs::write(file, value.to_string()).on("write", file)
}
