//! Who visits which page next, and when.

/// A page that a browser asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// Its type, by number.
    pub page: usize,
    /// How long the browser thinks before, nanoseconds.
    pub think_ns: u64,
}

/// Emulated browsers, each of which has one page after the other.
pub trait Visits {
    /// The browser of this number has received its page at `now_ns`, or begins: what it asks for next.
    fn next(&mut self, browser: u32, now_ns: u64) -> Visit;
}
