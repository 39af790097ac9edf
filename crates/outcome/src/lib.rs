//! The one result type and its comparison.
//!
//! Simulations, measurements and the literature's figures all end in an [`Outcome`]: a [`Score`] for
//! each site and in total, with its [`Provenance`]. [`compare`] lays two of them side by side. Where
//! both kept the costs of their requests in time order ([`CostSeries`]), every ratio carries an
//! [`Interval`] from a block bootstrap, which respects that neighbouring requests resemble each other.

mod block_length;
mod bootstrap;
mod compare;
mod interval;
mod outcome;
mod score;
mod series;

pub use bootstrap::{Bootstrap, mean_interval, ratio_interval};
pub use compare::{Comparison, ScoreComparison, compare};
pub use interval::Interval;
pub use outcome::{Outcome, Provenance, ProvenanceKind, SiteScore};
pub use score::{LatencyQuantiles, Score};
pub use series::CostSeries;
