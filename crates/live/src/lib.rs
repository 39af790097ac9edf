//! Holds the files of a plan in memory under a running server, and takes that back without a trace.
//!
//! [`apply`] hands a [`Request`] to the guardian of a [`StateFolder`], a process that is started where there is none. The
//! [`guard`]ian keeps a ledger of all it makes. Its keeper looks at every file once a second: it resolves the path beneath the
//! root of its site ([`Sites`]) and gives what is not held to a placer, of which there is one for each way to hold files.
//! Placers have [`worker`]s read files into memory, in the name of the server's memory group. [`status`] checks from outside
//! what is held; [`release`] kills the guardian and undoes its ledger.
//!
//! The file on disk is always the truth: whatever dies costs speed, never data.
//!
//! | deed | place |
//! | --- | --- |
//! | resolve a path so that nothing outside a site is touched; hard links | `sites.rs`; out of a site: `links.rs` |
//! | look at wanted files; kinds of file systems | `survey.rs`; `file_system.rs` |
//! | decide what to hold, and what to give up | `changes/` (its own table) |
//! | carry that out, again and again; at which pace | `keeper/` (its own table); `pacing.rs` |
//! | a way to hold files | `placer/NAME.rs` |
//! | the memory file system that copies lie in, its size and rights | `placer/copies.rs`; what a mount allows: `machine/src/mount.rs` |
//! | how much memory may be held | `room.rs` |
//! | guarantee a server's memory group its floor and size | `guarantee/` |
//! | resize buffer pools of database servers | `pools.rs` |
//! | find a server and its memory group | `server.rs` |
//! | whether a server reads copies, or the files themselves | `copy_reads.rs` |
//! | follow logs, and choose what to hold | `run/` (its own table) |

mod apache;
mod apply;
mod automatic;
mod brake;
mod changes;
mod configuration;
mod context;
mod control;
mod copy_reads;
mod detach;
mod error;
mod file_system;
mod group_setting;
mod guarantee;
mod guardian;
mod http;
mod identity;
mod keeper;
mod links;
mod pacing;
mod path_watch;
mod placer;
mod placer_kind;
mod pools;
mod preview;
mod refusal;
mod release;
mod request;
mod room;
mod run;
mod server;
mod site_folder;
mod sites;
mod state;
mod state_folder;
mod status;
mod survey;
mod tree;
pub mod worker;

pub use apply::apply;
pub use automatic::suitable;
pub use changes::{Affordable, Change, Hold, Holding, Holdings, Observation, decide};
pub use configuration::{ConfigurationError, ServerKind, configuration};
pub use copy_reads::{CopiedFile, CopyReads};
pub use error::LiveError;
pub use guarantee::GroupSize;
pub use guardian::guard;
pub use http::{Answer, Door, Token, answer_at};
pub use identity::Identity;
pub use keeper::{LookResult, LookSchedule};
pub use links::Links;
pub use pacing::{Pacing, Workplace};
pub use path_watch::PathWatch;
pub use placer_kind::{PlacerChoice, PlacerKind};
pub use preview::{Preview, Tally, preview};
pub use refusal::Refusal;
pub use release::release;
pub use request::{Pace, Request, WantedFile, WantedPool};
pub use room::Room;
pub use run::{
    Ceiling, Checkpoint, Choice, Churn, Clients, Figures, HotFile, MissedTargets, Move, Payoff,
    Point, Pressure, ReadCounts, Refusals, RunEvent, RunSite, RunSpec, RunStatus, Runner, Saving,
    Savings, SimulatedFile, SimulatedRun, SiteFigures, SiteSaving, TargetTurn, Targets, staying,
};
pub use server::{Server, ServerName};
pub use site_folder::SiteFolder;
pub use sites::{ResolvedFile, Sites};
pub use state::{Charge, FileState, FileStatus, State};
pub use state_folder::StateFolder;
pub use status::{Problem, Status, glance, status};
pub use tree::site_folder;
