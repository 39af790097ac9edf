//! A net as it is drawn: pages with places, ports and fusion sets, and transitions with their arcs.

mod build;
mod check;
mod draft;
mod page;
mod sketch;
mod station;
mod transition;

pub use page::Page;
pub use sketch::Sketch;
pub use station::Station;
pub use transition::Transition;
