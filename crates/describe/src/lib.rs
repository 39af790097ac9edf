//! Description of a trace: rates, connections, popularity, sizes, miss-ratio curves.
//!
//! [`describe`] gives the figures of table 1 of "A Study of the Performance of Diskless Web Servers"
//! and more, for each site and in total. It is built from [`Part`]s: what one slice of a trace adds to
//! counts. Parts of one trace merge exactly, `Part::of(whole) == Part::of(left).merge(right)`, so that
//! requests, bytes, rates, clients, status classes, counts of objects and all that follows from them
//! (sizes, quantiles, bytes for a percentage of requests, one-timers, Zipf exponents) can be collected
//! slice by slice. Two things cannot: connections, as one may go on across a cut, and the miss-ratio
//! curve, as reuse distances reach back beyond it. They are taken from the whole trace.

mod connections;
mod curve;
mod describe;
mod description;
mod part;
mod popularity;
mod rates;
mod sizes;
pub mod zipf;

pub use describe::{ClientNames, DescribeOptions, describe};
pub use description::{
    BytesForPercent, CurvePoint, Description, HotFile, Lists, Methods, OneTimers, RequestRate,
    SiteDescription, SizeQuantiles, StatusClasses, TOTAL, TopClient,
};
pub use part::{ClientCounts, Part, SiteCounts};
pub use rates::{RateSeries, TimeSpan};
