//! What all generators have in common.

use crate::error::GenerateError;
use hotset_trace::Trace;

/// Makes traces.
pub trait Generator {
    /// Makes the trace that belongs to `seed`.
    ///
    /// # Errors
    /// [`GenerateError`] where the parameters allow no such trace.
    fn generate(&self, seed: u64) -> Result<Trace, GenerateError>;
}
