//! The policies by name.

use std::fmt;
use std::str::FromStr;

use crate::policies::{Arc, Belady, Gdsf, Lru, S3Fifo, Sieve, TwoList};
use crate::{CacheError, Counts, Stop, scan_until};

/// An eviction policy, by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PolicyKind {
    /// [`Lru`], `lru`.
    Lru,
    /// [`TwoList`], `two-list`.
    TwoList,
    /// [`Sieve`], `sieve`.
    Sieve,
    /// [`S3Fifo`], `s3-fifo`.
    S3Fifo,
    /// [`Arc`], `arc`.
    Arc,
    /// [`Gdsf`], `gdsf`.
    Gdsf,
    /// [`Belady`], `belady`.
    Belady,
}

impl PolicyKind {
    /// Every policy, in the order they are listed to a reader.
    pub const ALL: [Self; 7] = [
        Self::Lru,
        Self::TwoList,
        Self::Sieve,
        Self::S3Fifo,
        Self::Arc,
        Self::Gdsf,
        Self::Belady,
    ];

    /// The name it is asked for by.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lru => "lru",
            Self::TwoList => "two-list",
            Self::Sieve => "sieve",
            Self::S3Fifo => "s3-fifo",
            Self::Arc => "arc",
            Self::Gdsf => "gdsf",
            Self::Belady => "belady",
        }
    }
}

impl fmt::Display for PolicyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for PolicyKind {
    type Err = CacheError;

    fn from_str(name: &str) -> Result<Self, CacheError> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.name() == name)
            .ok_or_else(|| CacheError::UnknownPolicy {
                name: name.to_owned(),
                known: Self::ALL.map(Self::name).join(", "),
            })
    }
}

/// Runs `requests` through an empty cache of `capacity` units under the policy `kind`. Object `id`
/// takes `sizes[id]`.
///
/// # Errors
/// [`CacheError::UnknownObject`] when a request's id has no size; [`CacheError::TooManyRequests`]
/// for Belady's policy with 2^32 - 1 requests or more.
pub fn simulate(
    kind: PolicyKind,
    capacity: u64,
    requests: &[u32],
    sizes: &[u64],
) -> Result<Counts, CacheError> {
    simulate_with(kind, capacity, requests, sizes, |_, _| {})
}

/// [`simulate`] that tells `observe` each request's index and whether it hit.
///
/// # Errors
/// As [`simulate`].
pub fn simulate_with(
    kind: PolicyKind,
    capacity: u64,
    requests: &[u32],
    sizes: &[u64],
    observe: impl FnMut(usize, bool),
) -> Result<Counts, CacheError> {
    simulate_until(kind, capacity, requests, sizes, None, observe)
}

/// [`simulate_with`], until `stop` is asked.
///
/// # Errors
/// As [`simulate`], and [`CacheError::Interrupted`].
pub fn simulate_until(
    kind: PolicyKind,
    capacity: u64,
    requests: &[u32],
    sizes: &[u64],
    stop: Option<&Stop>,
    observe: impl FnMut(usize, bool),
) -> Result<Counts, CacheError> {
    let objects = sizes.len();
    match kind {
        PolicyKind::Lru => scan_until(
            &mut Lru::new(capacity, objects),
            requests,
            sizes,
            stop,
            observe,
        ),
        PolicyKind::TwoList => scan_until(
            &mut TwoList::new(capacity, objects),
            requests,
            sizes,
            stop,
            observe,
        ),
        PolicyKind::Sieve => scan_until(
            &mut Sieve::new(capacity, objects),
            requests,
            sizes,
            stop,
            observe,
        ),
        PolicyKind::S3Fifo => scan_until(
            &mut S3Fifo::new(capacity, objects),
            requests,
            sizes,
            stop,
            observe,
        ),
        PolicyKind::Arc => scan_until(
            &mut Arc::new(capacity, objects),
            requests,
            sizes,
            stop,
            observe,
        ),
        PolicyKind::Gdsf => scan_until(
            &mut Gdsf::new(capacity, objects),
            requests,
            sizes,
            stop,
            observe,
        ),
        PolicyKind::Belady => scan_until(
            &mut Belady::new(capacity, requests, objects)?,
            requests,
            sizes,
            stop,
            observe,
        ),
    }
}
