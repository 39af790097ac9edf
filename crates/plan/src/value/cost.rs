//! What it costs to serve an object, depending on where it is found.

use hotset_scenario::Profile;

use super::catalogue::Catalogue;

/// Microseconds to serve an object.
pub trait CostModel: Sync {
    /// When it is held in memory.
    fn held_us(&self, object: u32) -> f64;
    /// When it is in the page cache of its store.
    fn hit_us(&self, object: u32) -> f64;
    /// When its store has to read it.
    fn miss_us(&self, object: u32) -> f64;
    /// When its store has to read its directory and inode as well.
    fn cold_us(&self, object: u32) -> f64;
    /// What part of [`CostModel::miss_us`] goes by the places its store reads at, not by bytes: a seek.
    fn gap_us(&self, object: u32) -> f64;
}

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
    fn backing(&self, object: u32) -> &Profile {
        let site = self.files.site(object);
        self.backing
            .get(site)
            .or(self.backing.last())
            .unwrap_or(self.memory)
    }

    fn size(&self, object: u32) -> u64 {
        self.files.sizes[object as usize].max(1)
    }
}

impl CostModel for ProfileCosts<'_> {
    fn held_us(&self, object: u32) -> f64 {
        self.memory.cached_us(self.size(object))
    }

    fn hit_us(&self, object: u32) -> f64 {
        self.backing(object).cached_us(self.size(object))
    }

    fn miss_us(&self, object: u32) -> f64 {
        self.backing(object).uncached_us(self.size(object))
    }

    fn cold_us(&self, object: u32) -> f64 {
        self.backing(object).cold_us(self.size(object))
    }

    fn gap_us(&self, object: u32) -> f64 {
        self.backing(object).uncached.fixed_us
    }
}
