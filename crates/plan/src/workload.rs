//! What is planned for.

use crate::PlanError;

/// Accesses in the order they happened, and the objects they are to.
///
/// Object ids and site ids are dense: `accesses` holds ids below `sizes.len()`, `site_of_object` ids
/// below `sites.len()`.
#[derive(Clone, Copy, Debug)]
pub struct Workload<'a> {
    /// Object of each access.
    pub accesses: &'a [u32],
    /// Microseconds since 1970 of each access; nothing for a trace without times.
    pub times_us: Option<&'a [i64]>,
    /// Bytes of each object; 0 counts as 1.
    pub sizes: &'a [u64],
    /// Site of each object.
    pub site_of_object: &'a [u16],
    /// Name of each site.
    pub sites: &'a [String],
}

impl Workload<'_> {
    /// Whether the columns fit together.
    pub(crate) fn check(&self) -> Result<(), PlanError> {
        if self.accesses.is_empty() {
            return Err(PlanError::NoAccess);
        }
        let times = self.times_us.map_or(self.accesses.len(), <[i64]>::len);
        check_length("times_us", times, self.accesses.len(), "access")?;
        check_length(
            "site_of_object",
            self.site_of_object.len(),
            self.sizes.len(),
            "object",
        )?;
        let objects = self.sizes.len();
        if let Some(index) = self
            .accesses
            .iter()
            .position(|&object| object as usize >= objects)
        {
            return Err(PlanError::UnknownObject {
                index,
                object: self.accesses[index],
                objects,
            });
        }
        let sites = self.sites.len();
        match self
            .site_of_object
            .iter()
            .position(|&site| usize::from(site) >= sites)
        {
            Some(object) => Err(PlanError::UnknownSite {
                object,
                site: self.site_of_object[object],
                sites,
            }),
            None => Ok(()),
        }
    }

    pub(crate) fn site(&self, object: u32) -> usize {
        usize::from(self.site_of_object[object as usize])
    }

    /// Hours from the first to the last of the accesses before `end`; nothing when that is no time.
    pub(crate) fn hours(&self, end: usize) -> Option<f64> {
        /// Microseconds in an hour.
        const HOUR_US: f64 = 3.6e9;
        let times = &self.times_us?[..end];
        let (first, last) = (times.iter().min()?, times.iter().max()?);
        let hours = last.saturating_sub(*first) as f64 / HOUR_US;
        (hours > 0.0).then_some(hours)
    }
}

fn check_length(
    column: &'static str,
    length: usize,
    wanted: usize,
    each: &'static str,
) -> Result<(), PlanError> {
    if length == wanted {
        Ok(())
    } else {
        Err(PlanError::Length {
            column,
            length,
            wanted,
            each,
        })
    }
}
