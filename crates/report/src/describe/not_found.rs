//! How far the counts of paths answered 404 can be relied on.

use hotset_describe::SiteDescription;

use crate::number;

/// Status of a request for what is not there.
const NOT_FOUND: u16 = 404;

/// What is to be said of the counts; nothing where they are exact.
pub(super) fn remark(total: &SiteDescription) -> Option<String> {
    let answered = total.status_codes.get(&NOT_FOUND).copied().unwrap_or(0);
    if total.not_found.count_error > 0 {
        return Some(format!(
            "There are more such paths than are counted at a time: each count may be too low by up to {}.",
            number::count(total.not_found.count_error)
        ));
    }
    (total.not_found.paths.is_empty() && answered > 0).then(|| {
        let requests = number::counted(answered, "request was", "requests were");
        format!("{requests} answered 404. Their paths are not in this trace folder; import the logs again to see them.")
    })
}
