//! Figures that parts cannot give.

use hotset_describe::Description;

/// What is missing, in words.
pub(super) fn note(description: &Description) -> Option<String> {
    let in_words = |key: &str| match key {
        "miss_ratio_curve" => {
            "the miss-ratio curve, which needs the order of all requests".to_owned()
        }
        "not_found" => "the paths answered 404, which are too many to keep".to_owned(),
        key => key.to_owned(),
    };
    let missing = description.left_out.iter().map(|key| in_words(key));
    let missing: Vec<String> = missing.collect();
    (!missing.is_empty()).then(|| format!("Merged from parts, without {}", missing.join(" and ")))
}
