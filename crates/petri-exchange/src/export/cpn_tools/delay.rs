//! Delays of a file of CPN Tools.

use hotset_petri::{Delay, DrawnTransition};

use super::refusal::refused;
use crate::export::ExportError;
use crate::standard_ml::real;

/// A delay as an expression of whole microseconds. The functions are those of CPN Tools: the parameter of `exponential` and of
/// each stage of `erlang` is a rate.
pub fn in_us(delay: &Delay, of: &DrawnTransition) -> Result<String, ExportError> {
    let parts = delay.parts();
    let seconds = match parts
        .as_ref()
        .map(|(law, numbers)| (*law, numbers.as_slice()))
    {
        Some(("constant", &[seconds])) => real(seconds),
        Some(("exponential", &[mean])) if mean > 0.0 => {
            format!("exponential({})", real(1.0 / mean))
        }
        Some(("uniform", &[low, high])) => format!("uniform({}, {})", real(low), real(high)),
        Some(("erlang", &[stages, mean])) if mean > 0.0 => {
            format!("erlang({stages}, {})", real(stages / mean))
        }
        Some(("empirical", values)) => {
            let list: Vec<String> = values.iter().map(|it| real(*it)).collect();
            let last = values.len() - 1;
            format!("List.nth([{}], discrete(0, {last}))", list.join(", "))
        }
        // An exponential time of mean 0.
        Some(_) => real(0.0),
        None => return Err(refused(&of.path, "a delay drawn by code")),
    };
    Ok(format!("us({seconds})"))
}
