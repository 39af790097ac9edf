//! Description of a trace: rates, connections, popularity, sizes, miss-ratio curves.
//!
//! [`describe`] gives the figures of table 1 of "A Study of the Performance of Diskless Web Servers"
//! and more, for each site and in total. It counts by dense ids: [`SliceCounts`] of slices of one trace merge exactly,
//! `SliceCounts::of(whole) == SliceCounts::of(left).merge(right)`. Logs that are not in one trace, because they lie on several
//! machines, are described by [`Part`]s: keyed by name, stored as bytes, merged in any order to what one process would have
//! given; [`TracePart`]s carry the requests themselves. One figure needs the order of all requests and is left out of what parts give: the miss-ratio curve, as reuse
//! distances reach back beyond any cut.
//!
//! | deed | place |
//! | --- | --- |
//! | what is computed and how much of it is listed: points of a curve, lengths of lists | `DescribeOptions` in `describe` |
//! | logs of machines: read alone, stored, merged, described | the table in `part` |
//! | a large log is cut into ranges, which become its part | `part/pieces.rs`; the cuts: `trace::read` |

mod connections;
mod curve;
mod describe;
mod description;
mod part;
mod popularity;
mod rates;
mod sizes;
mod slice_counts;
pub mod zipf;

pub use describe::{ClientNames, DescribeOptions, describe};
pub use description::{
    BytesForPercent, CurvePoint, Description, HotFile, Lists, Methods, OneTimers, RequestRate,
    SiteDescription, SizeQuantiles, StatusClasses, TOTAL, TopClient,
};
pub use part::{MergedTrace, Part, PartError, PartFile, PartOptions, Piece, TracePart};
pub use rates::{RateSeries, TimeSpan};
pub use slice_counts::{ClientCounts, SiteCounts, SliceCounts};
