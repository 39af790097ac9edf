//! What can be wrong with a request to scan a trace.

/// A trace or a policy's name that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CacheError {
    /// A request names an object that has no size.
    #[error(
        "request {index} is for object {id}, but only objects below {objects} have a size; add its size to the column"
    )]
    UnknownObject {
        /// Place in the request column, from 0.
        index: usize,
        /// The object asked for.
        id: u32,
        /// Objects the sizes or the policy are for.
        objects: usize,
    },
    /// Not one of [`crate::PolicyKind::ALL`].
    #[error("no eviction policy is called `{name}`; use one of {known}")]
    UnknownPolicy {
        /// The name asked for.
        name: String,
        /// The names there are.
        known: String,
    },
    /// The scan was asked to end.
    #[error("interrupted")]
    Interrupted,
    /// More requests than a policy that knows the future can number.
    #[error(
        "{requests} requests are more than the {most} that can be looked ahead over; scan a shorter part of the trace"
    )]
    TooManyRequests {
        /// Requests in the trace.
        requests: usize,
        /// The limit.
        most: usize,
    },
    /// Files of more pages than a cache can follow.
    #[error(
        "the files have {pages} pages, more than the {most} that a page cache can be followed for; choose a cache of whole files"
    )]
    TooManyPages {
        /// Pages of all files, by whole blocks.
        pages: u64,
        /// The limit.
        most: u64,
    },
    /// The sizes do not add up within 64 bits.
    #[error(
        "the sizes of the {0} objects add up to more than 2^64 - 1; use a larger unit such as pages"
    )]
    SizesTooLarge(usize),
    /// A sampling rate outside of 0 to 1, or fewer than two salts.
    #[error(
        "cannot sample at rate {rate} with {salts} salts; the rate must be above 0 and at most 1, with at least 2 salts"
    )]
    BadSample {
        /// The sampling rate asked for.
        rate: String,
        /// The number of salts asked for.
        salts: usize,
    },
}
