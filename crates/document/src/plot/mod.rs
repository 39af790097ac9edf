//! Plots as SVG that can stand inside an HTML page.
//!
//! Colours are written as fixed values that read well on white; the page's style sheet replaces
//! them by their counterparts on a dark ground, so one drawing serves both.

mod axis;
mod draw;
mod series;

pub use axis::{Axis, Scale, Unit};
pub use draw::{Plot, PlotError, svg};
pub use series::{Estimate, Ink, Mark, Series};
