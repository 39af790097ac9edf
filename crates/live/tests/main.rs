//! Tests of held files and the daemon, through the public surface.

mod automatic;
mod changes;
mod configuration;
mod pacing;
mod preview;
mod request;
mod run;
mod server;
mod sites;
