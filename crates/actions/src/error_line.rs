//! Errors as people are told of them.

use std::error::Error;
use std::iter::successors;

/// The error and its causes, each once: many libraries repeat the cause in their own message.
pub fn one_line(error: &(dyn Error + 'static)) -> String {
    let mut line = String::new();
    for cause in successors(Some(error), |&error| error.source()).map(ToString::to_string) {
        if line.is_empty() {
            line = cause;
        } else if !line.contains(&cause) {
            line = format!("{line}: {cause}");
        }
    }
    line.replace(['\n', '\r'], " ")
}
