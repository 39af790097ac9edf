//! What the lab tells the process that plays a drive.

use crate::LabError;
use hotset_models::disk::DriveModel;
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
    /// The drive's size, which its full stroke goes over.
    pub capacity_bytes: u64,
    /// Its mechanics.
    pub model: DriveModel,
}

impl Options {
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
