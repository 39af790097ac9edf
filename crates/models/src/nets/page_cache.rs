//! "Page cache": that of today's Linux, one token that a policy changes.

use hotset_petri::{Page, Unit};

use super::tokens::{Folios, PageRequest, Queue};

/// Adds the cache. Its token is in `folios`.
pub(super) fn page_cache(
    page: &mut Page<'_>,
    folios: &Queue<Folios>,
    requests: &Queue<PageRequest>,
    served: &Unit,
) {
    page.page("page cache", |page| {
        for (name, introduces) in [("introduce page", true), ("mark page accessed", false)] {
            page.transition(name)
                .take(requests)
                .take(folios)
                .when(move |(request, _)| request.introduces == introduces)
                .put(folios)
                .put(served)
                .fire(|(request, folios): (PageRequest, Folios), _| folios.after(request));
        }
    });
}
