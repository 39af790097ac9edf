//! Tests of held files and the daemon, through the public surface.

mod automatic;
mod configuration;
mod daemon;
mod request;
mod server;
mod sites;
