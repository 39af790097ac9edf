//! Eviction policies on dense ids, exact and sampled miss-ratio curves.
