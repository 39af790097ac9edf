//! Delays of a file of CPN Tools.

use hotset_petri::{Delay, DrawnTransition};

use super::refusal::refused;
use crate::export::ExportError;
use crate::standard_ml::real;

/// How much later tokens are ready, by an expression of whole microseconds; nothing where they are ready at once. The functions
/// are those of CPN Tools: the parameter of `exponential` and of each stage of `erlang` is a rate.
pub fn later(delay: &Delay, of: &DrawnTransition) -> Result<String, ExportError> {
    if delay.is_none() {
        return Ok(String::new());
    }
    let Some((law, numbers)) = delay.parts() else {
        return Err(refused(&of.path, "a delay drawn by code"));
    };
    let seconds = match (law, &numbers[..]) {
        ("constant", &[seconds]) => real(seconds),
        ("exponential", &[mean]) if mean > 0.0 => format!("exponential({})", real(1.0 / mean)),
        ("uniform", &[low, high]) => format!("uniform({}, {})", real(low), real(high)),
        ("erlang", &[stages, mean]) if mean > 0.0 => {
            format!("erlang({stages}, {})", real(stages / mean))
        }
        ("empirical", values) => {
            let list: Vec<String> = values.iter().map(|it| real(*it)).collect();
            let last = values.len() - 1;
            format!("List.nth([{}], discrete(0, {last}))", list.join(", "))
        }
        // An exponential time of mean 0.
        _ => real(0.0),
    };
    Ok(format!("@+us({seconds})"))
}
