//! What is said of a name that none of an option's values has.

use strum::VariantNames;

/// Says that `text` is none of the values of `T`, which are called `what`, and which there are.
pub fn not_one_of<T: VariantNames>(text: &str, what: &str) -> String {
    let (last, others) = T::VARIANTS.split_last().unwrap_or((&"", &[]));
    format!(
        "{text:?} is not {what}: use {} or {last}",
        others.join(", ")
    )
}
