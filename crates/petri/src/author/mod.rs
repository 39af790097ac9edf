//! A net as it is drawn: pages with places, ports and fusion sets, and transitions with their arcs.

mod authoring;
mod check;
mod draft;
mod handles;
mod net;
mod page;
mod station;
mod transition;

pub(crate) use authoring::Authoring;
pub(crate) use draft::{DraftPlace, DraftTransition, Given, Gives, Needs, Written};

pub use handles::{AnyPlace, Place, PlaceId, TransitionId, Unit, Units};
pub use net::Net;
pub(crate) use net::{TransitionSpec, Watched};
pub use page::{Monitor, Page, Samples, Times};
pub use station::Station;
pub use transition::{Transition, Urgent};
