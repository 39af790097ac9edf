//! What jobs have their store's disk write, told apart by what it is of.

use std::ops::Range;

use hotset_cache::PAGE_BYTES;
use hotset_lab::Lab;
use hotset_machine::{BlockTrace, MachineError, journal_runs};
use hotset_models::file_system::{Extent, FilePlaces};

use crate::fio::DeviceWrites;

/// Traces a disk while jobs run.
pub(super) struct WriteMeter {
    trace: BlockTrace,
    /// Where the journal lies; nothing where that is not told.
    journal: Option<Vec<Range<u64>>>,
}

impl WriteMeter {
    /// Of the only disk of a lab.
    ///
    /// # Errors
    /// Where the kernel does not trace.
    pub fn of(lab: &Lab) -> Result<Self, MachineError> {
        let disk = lab.disks().next();
        let none = || MachineError::Unusable("the store has no disk".to_owned());
        let device = disk.ok_or_else(none)?.device();
        Ok(Self {
            trace: BlockTrace::prepare(lab.deployment(), device)?,
            journal: journal_runs(device),
        })
    }

    /// Begins anew.
    ///
    /// # Errors
    /// When the kernel refuses.
    pub fn begin(&self) -> Result<(), MachineError> {
        self.trace.begin()
    }

    /// The requests since it began; nothing where they were too many.
    ///
    /// # Errors
    /// When the kernel does not tell.
    pub fn end(&self) -> Result<Option<Vec<Range<u64>>>, MachineError> {
        self.trace.end()
    }

    /// What these requests were of, the jobs' files lying at `places`; nothing where the journal's place is not known.
    pub fn divide(&self, requests: &[Range<u64>], places: &FilePlaces) -> Option<DeviceWrites> {
        let run = |it: &Extent| it.offset..it.offset + it.pages * PAGE_BYTES;
        let data = places.0.values().flatten().map(run).collect();
        Some(DeviceWrites::of(requests, self.journal.clone()?, data))
    }
}
