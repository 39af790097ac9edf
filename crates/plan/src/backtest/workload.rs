//! What is planned for.

use std::ops::Range;

use crate::PlanError;
use crate::value::{Catalogue, check_length};

/// Accesses in the order they happened, and the files they are to.
#[derive(Clone, Copy, Debug)]
pub struct Workload<'a> {
    /// Object of each access: a dense id of `files`.
    pub accesses: &'a [u32],
    /// Microseconds since 1970 of each access; nothing for a trace without times.
    pub times_us: Option<&'a [i64]>,
    /// The files.
    pub files: Catalogue<'a>,
}

impl Workload<'_> {
    /// Whether the columns fit together.
    pub(crate) fn check(&self) -> Result<(), PlanError> {
        if self.accesses.is_empty() {
            return Err(PlanError::NoAccess);
        }
        let times = self.times_us.map_or(self.accesses.len(), <[i64]>::len);
        check_length("times_us", times, self.accesses.len(), "access")?;
        let objects = self.files.sizes.len();
        let unknown = |&object: &u32| object as usize >= objects;
        if let Some(index) = self.accesses.iter().position(unknown) {
            return Err(PlanError::UnknownObject {
                index,
                object: self.accesses[index],
                objects,
            });
        }
        self.files.check()
    }

    /// Hours from the earliest to the latest of the `accesses`, given by position; nothing when no time passes or none is
    /// known.
    pub fn hours(&self, accesses: Range<usize>) -> Option<f64> {
        /// Microseconds in an hour.
        const HOUR_US: f64 = 3.6e9;
        self.duration_us(accesses).map(|us| us / HOUR_US)
    }

    /// The same in microseconds.
    pub(crate) fn duration_us(&self, accesses: Range<usize>) -> Option<f64> {
        let times = self.times_us?.get(accesses)?;
        let (first, last) = (times.iter().min()?, times.iter().max()?);
        let duration = last.saturating_sub(*first) as f64;
        (duration > 0.0).then_some(duration)
    }
}
