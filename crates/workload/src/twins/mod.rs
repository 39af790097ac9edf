//! Statistical twins of the three production workloads of "A Study of the Performance of Diskless Web
//! Servers" (section 3.3, table 1), whose logs were never published.
//!
//! A twin is constructed, not sampled: the number of requests per file falls Zipf-like and adds up to
//! the table's requests; sizes are chosen within the bands that carry 97, 98, 99 and 100 % of the
//! requests (of the proxy 75 % as well, which fit into 1 GB, section 3.3) so that the bytes of each band and the total response come out; each minute of the day has
//! its number of requests, with the busiest minute as in the table; and connections are laid so that
//! the 15-second rule ([`hotset_trace::sessions`]) rebuilds them. A connection has pages of several files, as browsers ask for them: the document does
//! not say how long its connections last. The seed decides what the table leaves open:
//! which request asks for which file, when within its minute, and from which client.
//!
//! The document draws the rate over the day but gives no numbers: twins have one smooth daily wave as
//! steep as the busiest minute demands, with 5 % of noise. Requests for a file are spread over the day
//! at random; the table says nothing about temporal locality.

mod arrivals;
mod counts;
mod file_sizes;
mod table;
mod twin;

pub use table::{Carried, SHARES, Workload};
pub use twin::Twin;
