//! What keeps hotset from guessing.

/// What a guess needs and does not find in the lines of a log; the further down, the more was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[non_exhaustive]
pub enum Missing {
    /// No column of times with their year.
    #[error("its lines share no column of times with date and year")]
    Time,
    /// No column of requests.
    #[error("its lines share a column of times, and none of requests or paths")]
    Request,
    /// No column of statuses.
    #[error("its lines share columns of times and requests, and none of statuses")]
    Status,
    /// Too few lines follow the columns found.
    #[error("its lines hold times, requests and statuses in no layout that most of them share")]
    Layout,
}
