//! Scenarios as the nodes of a model.

mod processors;
mod servers;
mod stores;
