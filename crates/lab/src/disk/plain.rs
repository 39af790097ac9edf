//! The machine's own disk.

use super::device::Disk;
use super::loop_device;
use crate::LabError;
use hotset_machine::resource::Resource;
use hotset_machine::{Deployment, OnFile};
use rustix::fs::FallocateFlags;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A loop device over a file on the machine's disk, as fast as that is.
#[derive(Debug)]
pub struct Plain {
    device: PathBuf,
}

impl Plain {
    /// Makes an image with all its blocks allocated, and the device over it.
    ///
    /// # Errors
    /// When there is no room for the image, or its file system does no direct input and output.
    pub fn create(
        deployment: &Arc<Deployment>,
        name: &str,
        size_bytes: u64,
    ) -> Result<Self, LabError> {
        let image = deployment.work().join(format!("{name}.img"));
        let (_entry, ()) = deployment.make(Resource::File(image.clone()), || {
            let file = File::create_new(&image).on("make", &image)?;
            rustix::fs::fallocate(&file, FallocateFlags::empty(), 0, size_bytes)
                .on("allocate", &image)
        })?;
        Ok(Self {
            device: loop_device::attach(deployment, &image)?,
        })
    }
}

impl Disk for Plain {
    fn device(&self) -> &Path {
        &self.device
    }

    fn set_delays(&self, _on: bool) -> Result<(), LabError> {
        Ok(())
    }
}
