//! Scenarios as the nodes of a model.

mod dynamic;
mod file_servers;
mod following;
mod processors;
mod servers;
mod stores;
