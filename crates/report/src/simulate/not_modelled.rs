//! What a simulation does not follow of its scenario, in words.

use crate::printable;

/// The sentence that names the keys, with a space behind it; nothing where there are none.
pub(super) fn not_modelled(keys: &[String]) -> String {
    match keys {
        [] => String::new(),
        keys => {
            let keys: Vec<_> = keys.iter().map(|it| printable(it)).collect();
            format!("Not modelled: {}. ", keys.join(", "))
        }
    }
}
