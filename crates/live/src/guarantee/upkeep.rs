//! What both versions of control groups do for a guarantee.

use crate::LiveError;

/// What the kernel guarantees a group, until it is dropped.
pub(crate) trait Guarantee {
    /// Sets again what others have changed, and follows what others need.
    ///
    /// # Errors
    /// What is not as it should be.
    fn renew(&mut self) -> Result<(), LiveError>;
}
