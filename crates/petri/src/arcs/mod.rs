//! What a transition takes, tests and gives, with its closures: compiled to one body for each transition.

mod binding;
mod compiled;
mod inputs;
mod objects;
mod outputs;

pub use binding::{Guard, GuardClosure, Inputs, NoGuard};
pub(crate) use compiled::Closures;
pub use inputs::{Join, Joinable, Source};
pub use objects::{Borrow, Objects};
pub use outputs::{Outputs, Target};
