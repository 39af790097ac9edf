//! What the lab tells the process that plays a drive.

use crate::LabError;
use hotset_models::block::raid;
use hotset_models::disk::DriveModel;
use hotset_scenario::Raid;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// What the drive's process is told, as JSON in one argument.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Options {
    /// The image; made if it is not there.
    pub image: PathBuf,
    /// Where to mount the file system.
    pub mount: PathBuf,
    /// Where to listen for orders.
    pub socket: PathBuf,
    /// Its size. The full stroke of a drive goes over it, or over its part of it.
    pub capacity_bytes: u64,
    /// How several drives act as one; one alone where not given.
    pub raid: Option<Raid>,
    /// Its mechanics.
    pub model: DriveModel,
}

impl Options {
    /// The size of each drive: whole chunks that together hold all.
    #[must_use]
    pub fn member_bytes(&self) -> u64 {
        member_bytes(self.capacity_bytes, self.raid)
    }

    /// Reads what [`Seeking::create`](super::Seeking::create) passes to the process as its last argument.
    ///
    /// # Errors
    /// When it is something else.
    pub fn parse(argument: &str) -> Result<Self, LabError> {
        serde_json::from_str(argument).map_err(|error| {
            LabError::Unusable(format!("the options of a disk of the run: {error}"))
        })
    }
}

/// The size of each of the drives that hold `capacity_bytes` together: whole chunks.
#[must_use]
pub fn member_bytes(capacity_bytes: u64, raid: Option<Raid>) -> u64 {
    let Some(raid) = raid else {
        return capacity_bytes;
    };
    let disks_of_data = raid::capacity_bytes(raid, 1).max(1);
    let own = capacity_bytes.div_ceil(disks_of_data);
    own.next_multiple_of(raid.chunk_bytes)
}
