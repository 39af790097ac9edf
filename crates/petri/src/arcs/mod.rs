//! What a transition takes, tests and gives, with its closures: compiled to one body for each transition.

mod body;
mod guard;
mod inputs;
mod outputs;

pub(crate) use body::{Body, Closures, MakeBody, Wiring};
pub use guard::{Always, Guard, When};
pub use inputs::{Inputs, Join, Joinable, Source};
pub use outputs::{Outputs, Target};
