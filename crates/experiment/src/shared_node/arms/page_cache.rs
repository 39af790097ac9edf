//! All memory is page cache.

use super::{Arm, Means, Situation, Traffic};
use crate::ExperimentError;

/// Holds nothing.
pub(crate) struct PageCache;

impl Arm for PageCache {
    fn name(&self) -> &'static str {
        "page-cache"
    }

    fn means(&self) -> Means {
        Means::Nothing
    }

    fn traffic(&self) -> Traffic {
        Traffic::BothSites
    }

    fn held(&self, _situation: &Situation) -> Result<Vec<u32>, ExperimentError> {
        Ok(Vec::new())
    }
}
