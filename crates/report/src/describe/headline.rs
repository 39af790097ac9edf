//! What the traffic looks like in a sentence.

use hotset_describe::Description;

use crate::number;

/// What the traffic looks like.
pub(super) fn headline(description: &Description) -> String {
    let total = &description.total;
    let start = format!(
        "{} for {} ({})",
        number::counted(total.requests, "request", "requests"),
        number::counted(total.objects, "file", "files"),
        number::bytes(total.object_bytes)
    );
    if total.accesses == 0 {
        return format!("{start}; no request is a file read");
    }
    let memory = number::bytes(total.bytes_for_percent_of_requests.p90);
    format!("{start}; the hottest {memory} of files receive 90 % of the reads")
}
