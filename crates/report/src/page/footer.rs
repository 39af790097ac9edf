//! How a page came about, and what its figures are about.

use crate::view::{Provenance, Reading, Reject};
use crate::{number, printable, shorten_middle};
use maud::{Markup, html};

/// Columns of a log line shown as an example.
const EXAMPLE_WIDTH: usize = 160;

/// Version, seed, options.
pub(super) fn provenance(provenance: &Provenance) -> Markup {
    html! {
        div.scroll { table {
            caption { span { "Run again with these, the same figures come out." } }
            tbody { @for (what, value) in provenance {
                tr { th scope="row" { (what) } td { code { (printable(value)) } } }
            } }
        } }
    }
}

/// What was counted by which rule, and what was left out.
pub(super) fn reading(reading: &Reading) -> Markup {
    html! {
        p { (number::counted(reading.lines, "line", "lines")) " read, "
            (number::counted(reading.requests, "request", "requests")) " counted." }
        ul { @for note in &reading.notes { li { (printable(note)) } } }
        @for reject in &reading.rejects { (rejected(reject)) }
    }
}

fn rejected(reject: &Reject) -> Markup {
    html! {
        div.warning {
            (number::counted(reject.lines, "line", "lines")) " left out: " (printable(&reject.reason))
            @if !reject.examples.is_empty() {
                pre { @for example in &reject.examples {
                    (shorten_middle(&printable(example), EXAMPLE_WIDTH)) "\n"
                } }
            }
        }
    }
}
