//! Scenarios as the nodes of a model.

mod servers;
