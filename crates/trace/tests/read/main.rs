//! Reading logs into columns, from the outside.

mod bad_inputs;
mod compression;
mod interning;
mod order;
mod real_logs;
mod roots;
mod rules;
mod sites;
mod support;
