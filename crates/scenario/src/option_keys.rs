//! Keys of `[store.options]`, of which each kind of store has some.

use std::ops::Range;

/// A key, and where it stands if it is said.
pub(crate) type OptionKey = (&'static str, Option<Range<usize>>);

/// The first key that is said and that the store's kind does not have, the kinds that have it, and where it stands. Of each group of keys it is
/// known whether the kind has them, and which kinds do.
pub(crate) fn first_of_others(
    groups: &[(&[OptionKey], bool, &'static str)],
) -> Option<(&'static str, &'static str, Range<usize>)> {
    let of_others = groups.iter().filter(|(_, has_them, _)| !has_them);
    let said = of_others.flat_map(|(keys, _, kinds)| {
        let said = keys.iter();
        said.filter_map(move |(key, span)| Some((*key, *kinds, span.clone()?)))
    });
    said.min_by_key(|(_, _, span)| span.start)
}
