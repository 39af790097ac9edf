//! The hotset command.

fn main() {}
