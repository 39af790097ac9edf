//! Page caches of sites' groups, side by side.

use super::{GroupSplit, Groups};
use crate::PlanError;
use crate::backtest::prepare::Backtest;
use crate::backtest::scan::{FileCache, PageCache};
use crate::select::HeldSet;
use crate::value::{Served, Values};

/// A page cache for each site, of what held files leave of its group.
pub(in crate::backtest) struct GroupCaches<'g> {
    caches: Vec<PageCache>,
    /// Each file's number within its site.
    numbers: &'g [u32],
}

impl<'g> GroupCaches<'g> {
    /// Empty ones for the groups of `split`.
    pub fn new(
        groups: &'g Groups,
        test: &Backtest,
        split: &GroupSplit,
    ) -> Result<GroupCaches<'g>, PlanError> {
        let cache = |(site, group): (&super::Site, &super::Group)| {
            let own = site.backtest(test)?.with_memory(group.pages);
            Ok(PageCache::beside(&own, group.held_pages))
        };
        Ok(GroupCaches {
            caches: groups
                .sites
                .iter()
                .zip(&split.groups)
                .map(cache)
                .collect::<Result<_, PlanError>>()?,
            numbers: &groups.numbers,
        })
    }
}

impl FileCache for GroupCaches<'_> {
    fn serve(
        &mut self,
        values: &Values,
        accesses: &[u32],
        set: &HeldSet,
        mut observe: impl FnMut(usize, Served),
    ) {
        for (index, &object) in accesses.iter().enumerate() {
            let number = self.numbers[object as usize];
            let cache = &mut self.caches[values.site(object)];
            observe(
                index,
                match set.contains(object) {
                    true => Served::Held,
                    false => cache.access(number, values.pages(object)),
                },
            );
        }
    }
}
