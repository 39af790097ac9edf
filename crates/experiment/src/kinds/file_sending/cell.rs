//! What is measured and simulated: a way, where the file is, and a size of blocks.

use hotset_models::fio::{Job, JobFile};
use hotset_probe::size_name;

use super::way::{WAYS, Way};
use crate::ExperimentError;
use std::path::Path;

/// The file, as jobs call it.
pub(super) const FILE: &str = "file";

/// A way of sending the file by blocks of one size.
#[derive(Clone, Copy)]
pub(super) struct Cell {
    pub way: &'static Way,
    /// Whether the file is in memory when it begins; else nothing of it is.
    pub in_memory: bool,
    pub block_bytes: u64,
}

impl Cell {
    /// All cells, blocks of one size beside each other.
    pub fn all(block_bytes: &[u64]) -> Vec<Self> {
        let of_block = |&block_bytes: &u64| {
            [true, false].into_iter().flat_map(move |in_memory| {
                WAYS.iter().map(move |way| Self {
                    way,
                    in_memory,
                    block_bytes,
                })
            })
        };
        block_bytes.iter().flat_map(of_block).collect()
    }

    /// `sendfile-64K-memory`.
    pub fn name(&self) -> String {
        let from = if self.in_memory { "memory" } else { "device" };
        format!("{}-{}-{from}", self.way.name, size_name(self.block_bytes))
    }

    /// The same as a job for the model, of a file of so many bytes. The loop tells the kernel nothing of its order.
    ///
    /// # Errors
    /// Sizes that the model does not take.
    pub fn job(&self, file_bytes: u64) -> Result<Job, ExperimentError> {
        let text = format!(
            "[{}]\nrw=read\nfilename={FILE}\nsize={file_bytes}\nbs={}\ninvalidate={}\nfadvise_hint=0\nioengine={}\n",
            self.name(),
            self.block_bytes,
            u8::from(!self.in_memory),
            self.way.engine,
        );
        let unusable = |why: String| ExperimentError::Unusable(why);
        let file = JobFile::parse(&text, Path::new("a cell of the experiment"));
        let file = file.map_err(|error| unusable(error.to_string()))?;
        let job = file.jobs.into_iter().next();
        let mut job = job.ok_or_else(|| unusable(format!("{} is no job", self.name())))?;
        job.delivery = self.way.delivery;
        Ok(job)
    }
}
