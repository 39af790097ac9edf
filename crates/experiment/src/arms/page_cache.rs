//! All memory is page cache.

use super::{Arm, Means, Situation};
use hotset_lab::LabError;

/// Holds nothing.
pub struct PageCache;

impl Arm for PageCache {
    fn means(&self) -> Means {
        Means::Nothing
    }

    fn held(&self, _situation: &Situation) -> Result<Vec<u32>, LabError> {
        Ok(Vec::new())
    }
}
