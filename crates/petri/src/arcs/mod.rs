//! What a transition takes, tests and gives, with its closures: compiled to one body for each transition.

mod append;
mod binding;
mod compiled;
mod inputs;
mod objects;
mod one_of;
mod outputs;

pub use append::Append;
pub use binding::{Guard, GuardClosure, Inputs, NoGuard};
pub(crate) use compiled::Closures;
pub use inputs::{Join, Source};
pub use objects::Objects;
pub use one_of::OneOf;
pub use outputs::{Outputs, Target};
