//! Scenarios as the nodes of a model.

mod following;
mod processors;
mod servers;
mod stores;
