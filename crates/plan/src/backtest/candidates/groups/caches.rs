//! Page caches of sites' groups, side by side.

use super::{GroupSplit, Groups};
use crate::PlanError;
use crate::backtest::prepare::Backtest;
use crate::backtest::scan::{Chunk, FileCache, PageCache, Scan, serve_each};

/// A page cache for each site, of what held files leave of its group.
pub(crate) struct GroupCaches<'g> {
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
    fn serve_chunks(&mut self, scan: Scan, observe: impl FnMut(&Chunk)) {
        let access = |groups: &mut Self, _, object: u32| {
            let number = groups.numbers[object as usize];
            groups.caches[scan.values.site(object)].access(number, scan.values.pages(object))
        };
        serve_each(self, scan, |_, _| {}, access, observe);
    }
}
