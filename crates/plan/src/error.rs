//! What can be wrong with a question to the planner.

/// Why no plan can be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// Nothing to plan for.
    #[error(
        "the workload has no access; choose logs with GET requests answered 200 or 206, or another query rule"
    )]
    NoAccess,
    /// Planning was asked to end.
    #[error("interrupted")]
    Interrupted,
    /// Nobody to plan for.
    #[error("there is no node to plan for; name at least one")]
    NoNode,
    /// Columns that belong together differ in length.
    #[error("{column} has {length} entries, {wanted} are needed: one for each {each}")]
    Length {
        /// The column.
        column: &'static str,
        /// Entries it has.
        length: usize,
        /// Entries it should have.
        wanted: usize,
        /// What there is one entry for.
        each: &'static str,
    },
    /// An access to an object that does not exist.
    #[error(
        "access {index} is to object {object}, but there are {objects} objects; number them from 0 without gaps"
    )]
    UnknownObject {
        /// Position of the access.
        index: usize,
        /// Its object.
        object: u32,
        /// Number of objects.
        objects: usize,
    },
    /// An object of a site that does not exist.
    #[error(
        "object {object} belongs to site {site}, but there are {sites} sites; number them from 0 without gaps"
    )]
    UnknownSite {
        /// The object.
        object: usize,
        /// Its site.
        site: u16,
        /// Number of sites.
        sites: usize,
    },
    /// Memory that holds nothing.
    #[error("memory of {memory_bytes} bytes is less than one page of 4096; give more")]
    Memory {
        /// The memory asked for.
        memory_bytes: u64,
    },
    /// Sites reserve more than can be held.
    #[error(
        "sites reserve {reserved_bytes} bytes together, memory is {memory_bytes}, of which {floor_bytes} stay page cache; \
         reserve less or give more memory"
    )]
    Reservations {
        /// Sum of the reservations.
        reserved_bytes: u64,
        /// The memory there is.
        memory_bytes: u64,
        /// What of it stays page cache: [`crate::PageCacheModel::floor_bytes`].
        floor_bytes: u64,
    },
    /// A weight outside [`hotset_scenario::Site::WEIGHTS`].
    #[error("site `{site}` has weight {weight}; weights are from 0.000001 to 1000000")]
    Weight {
        /// The site.
        site: String,
        /// Its weight.
        weight: f64,
    },
    /// A target that responses from memory miss.
    #[error(
        "site `{site}`: its files take longer than its target {target} even if all of them are in memory; set a higher one"
    )]
    Target {
        /// The site.
        site: String,
        /// Its target.
        target: String,
    },
    /// An option outside its range.
    #[error("{option} is {value}; it must be {range}")]
    Option {
        /// The option.
        option: &'static str,
        /// Its value.
        value: f64,
        /// What it must be.
        range: &'static str,
    },
    /// A program that writes by times that nobody knows.
    #[error(
        "writer `{writer}` goes by the clock, and the accesses have no times; plan for accesses with times, or leave the writer out"
    )]
    WriterWithoutTimes {
        /// Its name.
        writer: String,
    },
    /// A program that writes into page caches that nothing can be written into.
    #[error("writer `{writer}`: {page_caches} follow no writers; leave those or the writer out")]
    WriterBeside {
        /// Its name.
        writer: String,
        /// What kind of page caches.
        page_caches: &'static str,
    },
    /// The page cache cannot be modelled as asked.
    #[error(transparent)]
    PageCache(#[from] hotset_cache::CacheError),
    /// A stored state that cannot be gone on from.
    #[error("what was learnt before cannot be used: {0}; start without it")]
    State(&'static str),
    /// A cost that is negative or not finite.
    #[error(
        "object {object} costs {us} µs to serve; the profile must give finite costs of at least 0"
    )]
    Cost {
        /// The object.
        object: u32,
        /// The cost.
        us: f64,
    },
}
