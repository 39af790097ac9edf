//! A browser and the page that it waits for.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;

use super::pool::TablePage;
use crate::storage::{OpenFile, Read};

/// What a page has last begun with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Web,
    Application,
    Database,
    /// The web server is asked for one of its images, and sends it.
    ImageAsked,
    ImageSent,
}

/// A browser and the page that it waits for.
pub(super) struct Browser {
    /// The type of the page that it asks for, or will.
    pub page: usize,
    pub since_ns: u64,
    pub stage: Stage,
    /// Pages of tables that the database has still to look for, and syncs of the log that it has to wait for.
    pub reads_left: u32,
    pub flushes_left: u32,
    /// Images that it has, and those that are still to be asked for.
    pub images: u32,
    pub images_left: u32,
    /// The image that is sent, and how far it is read.
    pub image: Option<(OpenFile, Read)>,
    /// Processor time of the database before each look, and after the last.
    pub segment_ns: u64,
    /// What copying has taken since.
    pub copying_ns: u64,
    /// What has to be read as soon as the database's processor is done.
    pub wanted: Option<TablePage>,
    /// What is being read: the table, and how far.
    pub reading: Option<(usize, Read)>,
    pub has_waited: bool,
}

impl Browser {
    /// One that will ask for a page of this type.
    pub fn new(page: usize) -> Self {
        Self {
            page,
            since_ns: 0,
            stage: Stage::Web,
            reads_left: 0,
            flushes_left: 0,
            images: 0,
            images_left: 0,
            image: None,
            segment_ns: 0,
            copying_ns: 0,
            wanted: None,
            reading: None,
            has_waited: false,
        }
    }
}

/// A whole number that is `mean` on average.
pub(super) fn whole(mean: f64, random: &mut Pcg64Mcg) -> u32 {
    let least = mean.floor();
    let rest = mean - least;
    least as u32 + u32::from(rest > 0.0 && random.random::<f64>() < rest)
}
