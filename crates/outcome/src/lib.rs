//! The one result type and its comparison.
//!
//! Simulations, measurements and the literature's figures all end in an [`Outcome`]: a [`Score`] in total and for
//! each [`Group`] of requests, what the [`Resource`]s and [`Link`]s did, and its [`Provenance`]. [`compare`] lays
//! outcomes side by side. Where two kept the costs of their requests in time order ([`CostSeries`]), every ratio
//! carries an [`Interval`] from a block bootstrap, which respects that neighbouring requests resemble each other.
//! Outcomes travel as JSON under the key `outcomes`; [`documents`] reads them back.
//!
//! | deed | place |
//! | --- | --- |
//! | what two outcomes are to each other | `compare`; intervals: `bootstrap`, `block_length` |
//! | runs that are alike but for chance, as one | `pooled` |
//! | figures that cannot be true | `check` |
//! | outcomes of a document, of every version | `documents` |

mod block_length;
mod bootstrap;
mod check;
mod compare;
mod distribution;
pub mod documents;
mod group;
mod interval;
mod latencies;
mod outcome;
mod pooled;
mod recorder;
mod resource;
mod score;
mod series;
mod timeline;
mod times;

pub use bootstrap::{Bootstrap, mean_interval, ratio_interval};
pub use check::Contradiction;
pub use compare::{
    CompareError, Compared, Figures, RatioMethod, ScoreComparison, SideBySide, compare,
};
pub use distribution::Distribution;
pub use documents::DocumentError;
pub use group::{Group, GroupKey, GroupKind};
pub use interval::Interval;
pub use latencies::{FIRST_BYTE_LINE_US, Latencies, LatencyKind};
pub use outcome::{Outcome, Provenance, ProvenanceKind, Traffic};
pub use recorder::Recorder;
pub use resource::{Link, Resource};
pub use score::Score;
pub use series::CostSeries;
pub use timeline::Timeline;
pub use times::{Times, add_to_histogram, empty_histogram};
