//! Holds the files of a plan in memory under a running server, and takes that back without a trace.
//!
//! [`apply`] hands a [`Request`] to the guardian of a [`StateFolder`], a process that is started where there is none. The
//! [`guard`]ian keeps a ledger of all it makes. Its keeper looks at every file once a second: it resolves the path beneath the
//! root of its site ([`Sites`]) and gives what is not held to a placer, of which there is one for each way to hold files.
//! Placers have [`worker`]s read files into memory, in the name of the server's memory group. [`status`] checks from outside
//! what is held; [`release`] kills the guardian and undoes its ledger.
//!
//! The file on disk is always the truth: whatever dies costs speed, never data.

mod apache;
mod apply;
mod automatic;
mod brake;
mod configuration;
mod context;
mod control;
mod daemon;
mod detach;
mod error;
mod guarantee;
mod guardian;
mod http;
mod keeper;
mod links;
mod look;
mod placer;
mod preview;
mod refusal;
mod release;
mod request;
mod room;
mod server;
mod setting;
mod sites;
mod state;
mod status;
mod tree;
mod watch;
pub mod worker;

pub use apply::apply;
pub use automatic::suitable;
pub use configuration::{ConfigurationError, ServerKind, configuration};
pub use daemon::{
    Daemon, DaemonEvent, DaemonSite, DaemonSpec, Decision, Figures, HotFile, Move, Point, Pressure,
    Published, Saved, Served, SiteFigures,
};
pub use error::LiveError;
pub use guarantee::GroupSize;
pub use guardian::guard;
pub use http::{Answer, Door, Token, answer_at};
pub use links::Links;
pub use preview::{Preview, Tally, preview};
pub use refusal::Refusal;
pub use release::release;
pub use request::{Pace, PlacerChoice, PlacerKind, Request, WantedFile};
pub use room::Room;
pub use server::{Server, ServerName};
pub use sites::{Found, Identity, SiteFolder, Sites};
pub use state::{Charge, FileState, FileStatus, State, StateFolder};
pub use status::{Problem, Status, status};
pub use tree::site_folder;
