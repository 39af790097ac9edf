//! Experiments: what is measured on a lab, kept, and laid beside what a model predicts.

pub mod arms;
mod closed_loop;
pub mod experiment;
pub mod file_systems;
pub mod prediction;
mod probe;
pub mod profile;
pub mod report;
pub mod result;
pub mod shared_node;
pub mod workload;
