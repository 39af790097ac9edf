//! A small library of nets, by name. Each is a file, and an example of how nets are written.

mod closed_network;
mod entry;
mod keyed_join;
mod mg1;
mod mm1;
mod philosophers;
mod producer_consumer;
mod token_bucket;

pub use entry::{Entry, Parameter, Values};

use crate::time::Time;

/// All nets, by name.
pub const LIBRARY: &[Entry] = &[
    closed_network::ENTRY,
    keyed_join::ENTRY,
    mg1::ENTRY,
    mm1::ENTRY,
    philosophers::ENTRY,
    producer_consumer::ENTRY,
    token_bucket::ENTRY,
];

/// How long a net of the library is run: 10,000 of its service times, which are 1 ms.
pub const LENGTH: Time = Time::from_nanos(10_000_000_000);

/// The net of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Entry> {
    LIBRARY.iter().find(|entry| entry.name == name)
}
