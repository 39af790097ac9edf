//! "Page cache" of a file that is written: that of today's Linux, one token that a policy changes.

use hotset_petri::Page;

use super::places::Cache;
use super::tokens::{CacheRequest, Deed};
use crate::nets::tokens::Folios;
use crate::page_cache::PageCachePolicy;

/// Adds the cache. Its token is that of the page tree.
pub(super) fn page_cache(page: &mut Page<'_>, cache: &Cache<Folios>) {
    page.page("page cache", |page| {
        for (name, deed) in [
            ("introduce page", Deed::Introduce),
            ("mark page dirty", Deed::Dirty),
        ] {
            page.transition(name)
                .take(&cache.requests)
                .take(&cache.tree)
                .when(move |(request, _)| request.deed == deed)
                .put(&cache.tree)
                .put(&cache.served)
                .fire(|(request, folios): (CacheRequest, Folios), _| after(folios, request));
        }
        page.transition("mark page clean")
            .take(&cache.requests)
            .take(&cache.tree)
            .when(|(request, _)| request.deed == Deed::Clean)
            .put(&cache.tree)
            .fire(|(request, folios): (CacheRequest, Folios), _| after(folios, request));
    });
}

/// The cache after a request.
fn after(mut folios: Folios, request: CacheRequest) -> Folios {
    let (cache, page) = (&mut folios.cache, request.page);
    match request.deed {
        Deed::Introduce => PageCachePolicy::fetch(cache, request.now.nanos(), page),
        Deed::Dirty => PageCachePolicy::set_unwritten(cache, page, true),
        Deed::Clean => PageCachePolicy::set_unwritten(cache, page, false),
    }
    folios
}
