//! Measuring a directory.

use std::path::Path;

use crate::direct::SMALL_BYTES;
use crate::sampling::Sampling;
use crate::scratch::Scratch;
use crate::{
    Findings, Probe, ProbeError, WriteAfterSync, blocks, copying, direct, direct_writes, mapped,
    mount_calls, operations, readers, sending, whole_files, writing,
};
use hotset_machine::file_system::{DirtyLimits, FileSystem};

impl Probe {
    /// Measures a directory. Files are written into a folder of their own in it, which is removed in the end. `goes_on` is
    /// given the share that is done, 0 to 1, and says whether to go on.
    ///
    /// # Errors
    /// A directory that is none, is full, or cannot be written to; [`ProbeError::Interrupted`].
    pub fn measure(
        &self,
        directory: &Path,
        goes_on: &dyn Fn(f64) -> bool,
    ) -> Result<Findings, ProbeError> {
        if !directory.is_dir() {
            return Err(ProbeError::NotAFolder(directory.to_owned()));
        }
        let sampling = &Sampling::new(self.patience, self.figures(), goes_on);
        let scratch = &Scratch::write(self, directory, sampling)?;
        let file_system = FileSystem::of(directory);
        let max_request_bytes = file_system.as_ref().and_then(FileSystem::max_request_bytes);
        let is_remote = file_system.as_ref().is_some_and(FileSystem::is_remote);
        let calls = || mount_calls::measure(self, scratch, max_request_bytes, sampling);
        if !is_remote {
            sampling.pass_over(mount_calls::figures(self));
        }
        Ok(Findings {
            directory: directory.to_owned(),
            file_system,
            dirty_limits: DirtyLimits::of_machine(),
            mount: is_remote.then(calls).transpose()?,
            files: whole_files::measure(scratch, sampling)?,
            blocks: blocks::measure(self, scratch, sampling)?,
            copying: copying::measure(self, scratch, sampling)?,
            mapped: mapped::measure(self, scratch, sampling)?,
            readers: readers::measure(self, scratch, sampling)?,
            sending: sending::measure(self, scratch, sampling)?,
            direct: direct::measure(self, scratch, max_request_bytes, sampling)?,
            direct_writes: direct_writes::measure(self, scratch, max_request_bytes, sampling)?,
            operations: operations::measure(scratch, sampling)?,
            writes: writing::measure(self, scratch, sampling)?,
        })
    }

    /// Measures writes that follow a sync, of the sizes of `written`, and nothing else. Files are written into a folder of their own in
    /// `directory`, which is removed in the end. `goes_on` is as for [`Probe::measure`].
    ///
    /// # Errors
    /// As [`Probe::measure`].
    pub fn writes_after_syncs(
        &self,
        directory: &Path,
        goes_on: &dyn Fn(f64) -> bool,
    ) -> Result<Vec<WriteAfterSync>, ProbeError> {
        let sampling = &Sampling::new(self.patience, self.written.len(), goes_on);
        let alone = Self {
            files: Vec::new(),
            large_bytes: SMALL_BYTES,
            ..self.clone()
        };
        let scratch = &Scratch::write(&alone, directory, sampling)?;
        writing::after_syncs(&self.written, scratch, sampling)
    }

    fn figures(&self) -> usize {
        let reads = 3 * self.files.len() + 2 * (2 * self.blocks.len() + self.readers.len());
        reads
            + copying::figures(self)
            + mapped::figures(self)
            + mount_calls::figures(self)
            + sending::figures(self)
            + direct::figures(self)
            + direct_writes::figures(self)
            + operations::FIGURES
            + writing::figures(self)
    }
}
