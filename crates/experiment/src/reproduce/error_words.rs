//! Errors in words.

use std::error::Error;
use std::iter::successors;

/// An error and its causes, each once.
pub(crate) fn in_words(error: &(dyn Error + 'static)) -> String {
    let mut words = String::new();
    for cause in successors(Some(error), |&error| error.source()).map(ToString::to_string) {
        if words.is_empty() {
            words = cause;
        } else if !words.contains(&cause) {
            words = format!("{words}: {cause}");
        }
    }
    words
}
