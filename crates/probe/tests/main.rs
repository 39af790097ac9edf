//! Tests of probing, through the public surface.

mod access;
mod probe;
mod sending;
