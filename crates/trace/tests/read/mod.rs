//! Reading logs into columns, from the outside.

// Tests that need files the machine may lack say so.
#![allow(clippy::print_stderr)]

mod bad_inputs;
mod compression;
mod encodings;
mod interning;
mod not_found;
mod order;
mod periods;
mod real_logs;
mod roots;
mod rules;
mod sites;
mod support;
mod threads;
mod twins;
mod zones;
