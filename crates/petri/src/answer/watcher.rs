//! Who follows an experiment while it goes on.

/// Who follows an experiment.
pub trait Watcher: Sync {
    /// So many runs are to be made as far as is known, pilot runs included. Where precision is asked for, more may follow.
    fn expect_runs(&self, runs: usize) {
        let _ = runs;
    }

    /// Another share of a run is done.
    fn advance_by(&self, share: f64) {
        let _ = share;
    }

    /// Whether to stop with what is known so far.
    fn is_stopped(&self) -> bool {
        false
    }
}

/// Nobody.
impl Watcher for () {}
