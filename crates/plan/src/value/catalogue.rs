//! The files that a plan chooses from.

use crate::PlanError;

/// Files by dense ids below the number of `sizes`, of sites below the number of `sites`.
#[derive(Clone, Copy, Debug)]
pub struct Catalogue<'a> {
    /// Bytes of each object; 0 counts as 1.
    pub sizes: &'a [u64],
    /// Site of each object.
    pub site_of_object: &'a [u16],
    /// Name of each site.
    pub sites: &'a [String],
}

impl Catalogue<'_> {
    /// Whether the columns fit together.
    pub(crate) fn check(&self) -> Result<(), PlanError> {
        check_length(
            "site_of_object",
            self.site_of_object.len(),
            self.sizes.len(),
            "object",
        )?;
        let sites = self.sites.len();
        let unknown = |&site: &u16| usize::from(site) >= sites;
        match self.site_of_object.iter().position(unknown) {
            Some(object) => Err(PlanError::UnknownSite {
                object,
                site: self.site_of_object[object],
                sites,
            }),
            None => Ok(()),
        }
    }

    /// Whether more than one site has files.
    pub(crate) fn has_several_sites(&self) -> bool {
        self.site_of_object
            .windows(2)
            .any(|pair| pair[0] != pair[1])
    }

    pub(crate) fn site(&self, object: u32) -> usize {
        usize::from(self.site_of_object[object as usize])
    }
}

/// Whether a column has one entry for `each` of those `wanted`.
pub(crate) fn check_length(
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
