//! What a transition takes, tests and gives, with its closures: compiled to one body for each transition.

mod binding;
mod compiled;
mod inputs;
mod objects;
mod outputs;

pub use binding::{Always, Guard, Inputs, When};
pub(crate) use compiled::Closures;
pub use inputs::{Join, Joinable, Source};
pub use objects::{Borrow, Objects};
pub use outputs::{Outputs, Target};
