//! What the caller of a run hears and says.

use crate::LabError;

/// Follows a run and may end it.
pub trait Control: Sync {
    /// Something begins that takes a while.
    fn step(&self, what: &str);

    /// Whether the run is to end. It then cleans up and returns [`LabError::Interrupted`].
    fn interrupted(&self) -> bool;
}

/// Goes on unless the run is to end.
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
