//! What jobs have a disk write, told apart by what it is of.

use std::ops::Range;
use std::path::Path;

use hotset_cache::PAGE_BYTES;
use hotset_lab::Lab;
use hotset_machine::{BlockTrace, Deployment, DiskSpan, MachineError, journal_runs};
use hotset_models::file_system::{Extent, FilePlaces};

use super::written::DeviceWrites;

/// Traces a disk while jobs run.
pub(crate) struct WriteMeter {
    trace: BlockTrace,
    /// Bytes of the disk that are the file system's.
    span: Range<u64>,
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
            span: 0..u64::MAX,
            journal: journal_runs(device),
        })
    }

    /// Of the disk that a folder lies on.
    ///
    /// # Errors
    /// Where the folder lies on no disk alone, and where the kernel does not trace.
    pub fn of_folder(deployment: &Deployment, folder: &Path) -> Result<Self, MachineError> {
        let none = || MachineError::Unusable(format!("{}: on no disk alone", folder.display()));
        let span = DiskSpan::of(folder).ok_or_else(none)?;
        Ok(Self {
            trace: BlockTrace::prepare_disk(deployment, span.disk)?,
            span: span.bytes,
            journal: journal_runs(&span.device),
        })
    }

    /// Begins anew.
    ///
    /// # Errors
    /// When the kernel refuses.
    pub fn begin(&self) -> Result<(), MachineError> {
        self.trace.begin()
    }

    /// The requests since it began, as bytes of the file system's device; nothing where they were too many.
    ///
    /// # Errors
    /// When the kernel does not tell.
    pub fn end(&self) -> Result<Option<Vec<Range<u64>>>, MachineError> {
        let Some(mut requests) = self.trace.end()? else {
            return Ok(None);
        };
        let Range { start, end } = self.span;
        requests.retain(|request| start <= request.start && request.end <= end);
        let own = requests.into_iter();
        let own = own.map(|request| request.start - start..request.end - start);
        Ok(Some(own.collect()))
    }

    /// What these requests were of, the jobs' files lying at `places`; nothing where the journal's place is not known.
    pub fn divide(&self, requests: &[Range<u64>], places: &FilePlaces) -> Option<DeviceWrites> {
        let run = |it: &Extent| it.offset..it.offset + it.pages * PAGE_BYTES;
        let data = places.0.values().flatten().map(run).collect();
        Some(DeviceWrites::of(requests, self.journal.clone()?, data))
    }
}
