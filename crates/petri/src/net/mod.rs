//! The flat net, which authors draw and runs carry out: places, transitions and monitors by dense numbers, and the drawing that it
//! was made from.

mod body;
mod drawing;
mod flat;

pub(crate) use body::{Body, MakeBody, Wiring};
pub use drawing::{
    Drawing, DrawnPlace, DrawnTransition, Holding, OutputArc, UnitInputs, UnitOutputs, Urgent,
    Wording,
};
pub use flat::Net;
pub(crate) use flat::{ObjectSpec, Output, PlaceSpec, TransitionSpec};
