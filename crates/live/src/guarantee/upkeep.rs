//! What both versions of control groups do for a guarantee.

use crate::LiveError;

/// A guarantee that stands until it is dropped.
pub(super) trait Upkeep {
    /// Sets again what others have changed, and follows what others need. What is not as it should be.
    fn renew(&mut self) -> Result<(), LiveError>;
}
