//! What is asked for: a file, what a script makes of it, or that a script takes a POST.

use hotset_trace::{Method, NO_OBJECT, Trace};
use serde::Serialize;

/// Operations of SPECweb99 by their kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Operations {
    /// GETs of a file.
    pub static_gets: u64,
    /// GETs of what a script makes of a file.
    pub dynamic_gets: u64,
    /// POSTs.
    pub posts: u64,
}

/// What one request is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Static(u32),
    Dynamic(u32),
    Post,
}

impl Operation {
    /// That of a row that is sent; with `specweb99` its operations are told apart.
    pub fn of(trace: &Trace, row: u32, specweb99: bool) -> Operation {
        let row = row as usize;
        let object = trace.requests.object[row];
        match trace.requests.method[row] {
            _ if !specweb99 => Operation::Static(object),
            Method::Post if object == NO_OBJECT => Operation::Post,
            _ if trace.is_scripted(row) => Operation::Dynamic(object),
            _ => Operation::Static(object),
        }
    }

    /// A number of its own below twice the objects and one.
    pub fn number(self, objects: u32) -> u32 {
        match self {
            Operation::Static(object) => object,
            Operation::Dynamic(object) => objects + object,
            Operation::Post => 2 * objects,
        }
    }

    /// The operation of a number.
    pub fn of_number(number: u32, objects: u32) -> Operation {
        match number {
            object if object < objects => Operation::Static(object),
            number if number < 2 * objects => Operation::Dynamic(number - objects),
            _ => Operation::Post,
        }
    }
}

impl Operations {
    /// Those of rows that are sent.
    pub(super) fn count(trace: &Trace, rows: &[u32]) -> Operations {
        let mut counts = Operations::default();
        for row in rows {
            *match Operation::of(trace, *row, true) {
                Operation::Static(_) => &mut counts.static_gets,
                Operation::Dynamic(_) => &mut counts.dynamic_gets,
                Operation::Post => &mut counts.posts,
            } += 1;
        }
        counts
    }
}
