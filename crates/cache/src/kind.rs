//! The policies by name.

use strum::{Display, EnumCount, EnumString, IntoStaticStr, VariantArray};

use crate::policies::{Arc, Belady, Gdsf, Lru, S3Fifo, Sieve, TwoList};
use crate::{CacheError, Counts, Stop, scan};

/// An eviction policy, by name.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    Display,
    EnumCount,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[strum(serialize_all = "kebab-case", parse_err_ty = CacheError, parse_err_fn = unknown_policy)]
pub enum PolicyKind {
    /// [`Lru`], `lru`.
    Lru,
    /// [`TwoList`], `two-list`.
    TwoList,
    /// [`Sieve`], `sieve`.
    Sieve,
    /// [`S3Fifo`], `s3-fifo`.
    #[strum(serialize = "s3-fifo")]
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
    pub const ALL: [Self; Self::COUNT] = *Self::VARIANTS.first_chunk().unwrap();

    /// The name it is asked for by.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

fn unknown_policy(name: &str) -> CacheError {
    CacheError::UnknownPolicy {
        name: name.to_owned(),
        known: PolicyKind::ALL.map(PolicyKind::name).join(", "),
    }
}

/// Runs `requests` through an empty cache of `capacity` units under the policy `kind`, until `stop` is asked. Object `id`
/// takes `sizes[id]`. `observe` is told each request's index and whether it hit.
///
/// # Errors
/// As [`scan`]; [`CacheError::TooManyRequests`] for Belady's policy with 2^32 - 1 requests or more.
pub fn simulate(
    kind: PolicyKind,
    capacity: u64,
    requests: &[u32],
    sizes: &[u64],
    stop: Option<&Stop>,
    observe: impl FnMut(usize, bool),
) -> Result<Counts, CacheError> {
    let objects = sizes.len();
    macro_rules! scan_under {
        ($policy:expr) => {
            scan(&mut $policy, requests, sizes, stop, observe)
        };
    }
    match kind {
        PolicyKind::Lru => scan_under!(Lru::new(capacity, objects)),
        PolicyKind::TwoList => scan_under!(TwoList::new(capacity, objects)),
        PolicyKind::Sieve => scan_under!(Sieve::new(capacity, objects)),
        PolicyKind::S3Fifo => scan_under!(S3Fifo::new(capacity, objects)),
        PolicyKind::Arc => scan_under!(Arc::new(capacity, objects)),
        PolicyKind::Gdsf => scan_under!(Gdsf::new(capacity, objects)),
        PolicyKind::Belady => scan_under!(Belady::new(capacity, requests, objects)?),
    }
}
