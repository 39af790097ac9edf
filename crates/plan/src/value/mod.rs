//! What files cost to serve and what holding them saves. Every price is made here: of a file, of an access, of sums of
//! accesses, of a cache scan.

mod catalogue;
mod cost;
mod response;
mod scan;
mod terms;
mod traffic;
mod values;

pub use catalogue::Catalogue;
pub(crate) use catalogue::check_length;
pub use cost::ProfileCosts;
pub(crate) use response::{AccessResult, Responses};
pub use scan::{ScanSeries, miss_penalty_us, scan_mean_us};
pub(crate) use terms::terms_of_sites;
pub use terms::{SiteTerms, reserved_pages};
pub use traffic::{Flow, Traffic};
pub use values::Values;
