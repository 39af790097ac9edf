//! "Page cache": that of today's Linux, one token that a policy changes.

use hotset_petri::Page;

use super::places::Cache;
use super::tokens::{Folios, PageRequest};

/// Adds the cache. Its token is that of the page tree.
pub(super) fn page_cache(page: &mut Page<'_>, cache: &Cache<Folios>) {
    page.page("page cache", |page| {
        for (name, introduces) in [("introduce page", true), ("mark page accessed", false)] {
            page.transition(name)
                .take(&cache.requests)
                .take(&cache.tree)
                .when(move |(request, _)| request.introduces == introduces)
                .put(&cache.tree)
                .put(&cache.served)
                .fire(|(request, folios): (PageRequest, Folios), _| folios.after(request));
        }
    });
}
