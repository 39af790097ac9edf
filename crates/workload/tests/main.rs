//! Tests of generators, through the public surface.

mod access_log;
mod database;
mod file_tree;
mod generators;
mod sessions;
mod size_order;
mod twins;
mod world_cup;
