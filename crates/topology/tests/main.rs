//! Scenarios as the nodes of a model.

mod file_servers;
mod processors;
mod servers;
mod stores;
