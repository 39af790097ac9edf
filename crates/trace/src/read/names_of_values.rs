//! What is said of a name that none of an option's values has.

use strum::VariantNames;

/// `text` is not `what`, as the values of `T` are called.
pub(super) fn not_one_of<T: VariantNames>(text: &str, what: &str) -> String {
    let (last, others) = T::VARIANTS.split_last().unwrap_or((&"", &[]));
    format!(
        "{text:?} is not {what}: use {} or {last}",
        others.join(", ")
    )
}
