//! A machine as its programs use it.

use crate::station::Station;
use crate::storage::Storage;

/// A machine whose programs read and write files. Whoever waits for that is a `W`.
pub(crate) struct Machine<W> {
    pub storage: Storage<W>,
    pub processors: Station,
}

impl<W> Machine<W> {
    /// With as many processors as the storage's profile has.
    pub fn new(storage: Storage<W>) -> Self {
        Self {
            processors: Station::new(storage.costs().reading.processors),
            storage,
        }
    }

    /// Forgets what was counted, not what is under way.
    pub fn count_anew(&mut self) {
        self.processors.count_anew();
        self.storage.count_anew();
    }
}
