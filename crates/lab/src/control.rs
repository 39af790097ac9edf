//! What the caller of a deployment hears and says.

use crate::LabError;

/// Follows a deployment and may end it.
pub trait Control: Sync {
    /// Something begins that takes a while.
    fn step(&self, what: &str);

    /// Whether the deployment is to end. It then cleans up and returns [`LabError::Interrupted`].
    fn interrupted(&self) -> bool;
}

/// Goes on unless the deployment is to end.
///
/// # Errors
/// [`LabError::Interrupted`] when it is.
pub fn go_on(control: &dyn Control) -> Result<(), LabError> {
    if control.interrupted() {
        Err(LabError::Interrupted)
    } else {
        Ok(())
    }
}
