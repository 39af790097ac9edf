//! The evidence of most text formats: how many lines of the head their parser reads.

use super::evidence::Evidence;
use super::head::Head;
use super::kind::FormatKind;
use super::record::Record;

/// How many lines the parser of `kind` reads, of those that it does not pass over (headers, directives).
pub(super) fn line_evidence(kind: FormatKind, head: &Head<'_>) -> Option<Evidence> {
    let (read, of) = count_lines(kind, head, |_, _| true);
    (read > 0).then(|| Evidence::of_lines(kind.name(), read, of))
}

/// Lines that `counts` accepts with their requests, and lines that the parser of `kind` does not pass over.
pub(super) fn count_lines(
    kind: FormatKind,
    head: &Head<'_>,
    counts: impl Fn(&[u8], &Record<'_>) -> bool,
) -> (usize, usize) {
    let mut parser = kind.parser();
    let (mut read, mut of) = (0, 0);
    for line in head.lines() {
        match parser.parse(line) {
            Ok(Some(record)) => {
                read += usize::from(counts(line, &record));
                of += 1;
            }
            Ok(None) => {}
            Err(_) => of += 1,
        }
    }
    (read, of)
}
