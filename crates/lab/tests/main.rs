//! Tests of the lab, through the public surface.

mod common;
mod lab;
mod network_stores;
mod nodes;
mod recovery;
mod servers;
mod stores;
