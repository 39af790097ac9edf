//! The one result type and its comparison.
