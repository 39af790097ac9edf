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
    /// The store that the objects of `site` live on.
    pub(super) fn backing(&self, site: usize) -> &Profile {
        let store = self.backing.get(site).or(self.backing.last());
        store.unwrap_or(self.memory)
    }
}
