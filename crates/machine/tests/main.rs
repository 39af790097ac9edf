//! Tests of what is done to Linux, through the public surface.

mod file_systems;
mod files;
mod ledger;
mod machine;
mod network_mounts;
mod residency;
