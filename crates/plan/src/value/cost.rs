//! What it costs to serve an object, depending on where it is found.

use hotset_scenario::Profile;

use super::catalogue::Catalogue;

/// Costs by store profiles: held files at the memory profile's cached cost, the rest at their backing store's.
#[derive(Clone, Copy, Debug)]
pub struct ProfileCosts<'a> {
    /// Where files are held.
    pub memory: &'a Profile,
    /// Where each site's files live, in the order of [`Catalogue::sites`]; the last entry serves sites beyond its end.
    pub backing: &'a [Profile],
    /// The files.
    pub files: Catalogue<'a>,
}

impl ProfileCosts<'_> {
    /// The store that `object` lives on.
    pub(super) fn backing(&self, object: u32) -> &Profile {
        let site = self.files.site(object);
        self.backing
            .get(site)
            .or(self.backing.last())
            .unwrap_or(self.memory)
    }

    /// Bytes of `object`.
    pub(super) fn size(&self, object: u32) -> u64 {
        self.files.sizes[object as usize].max(1)
    }
}
