//! The one result type and its comparison.
//!
//! Simulations, measurements and the literature's figures all end in an [`Outcome`]: a [`Score`] for
//! each site and in total, with its [`Provenance`]. [`compare`] lays two of them side by side. Where
//! both kept the costs of their requests in time order ([`CostSeries`]), every ratio carries an
//! [`Interval`] from a block bootstrap, which respects that neighbouring requests resemble each other.
//! Outcomes travel as JSON under the key `outcomes`; [`documents`] reads them back.

mod block_length;
mod bootstrap;
mod check;
mod compare;
mod distribution;
pub mod documents;
mod interval;
mod latencies;
mod outcome;
mod recorder;
mod score;
mod series;
mod side_by_side;

pub use bootstrap::{Bootstrap, mean_interval, ratio_interval};
pub use check::Contradiction;
pub use compare::{Comparison, RatioMethod, ScoreComparison, compare, compare_scores};
pub use distribution::{Distribution, HISTOGRAM_DIGITS, add_to_histogram};
pub use documents::DocumentError;
pub use interval::Interval;
pub use latencies::{Latencies, LatencyKind};
pub use outcome::{Outcome, Provenance, ProvenanceKind, SiteScore, VERSION};
pub use recorder::Recorder;
pub use score::Score;
pub use series::CostSeries;
pub use side_by_side::{
    CompareError, Compared, FIRST_BYTE_LINE_US, Figures, SideBySide, SiteFigures, side_by_side,
};
