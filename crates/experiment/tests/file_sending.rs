//! Experiments of kind file-sending: what they refuse.

use crate::place::{Place, says};

const NODE: &str = include_str!("samples/file-sending/node.toml");

const EXPERIMENT: &str = include_str!("samples/file-sending/experiment.toml");

#[test]
fn what_cannot_be_sent_or_simulated_is_refused_before_anything_is_made() {
    for (from, to, wanted) in [
        ("\"8MiB\"", "\"1000\"", "must be whole pages of 4 KiB"),
        ("\"4KiB\"", "\"1\"", "must be whole pages of 4 KiB"),
        ("\"256KiB\"", "\"2GiB\"", "must be at most 1 GiB each"),
        (
            "[\"4KiB\", \"256KiB\"]",
            "[]",
            "must have at least one size",
        ),
        (
            "\"8MiB\"",
            "\"18446744073709547520\"",
            "has files of 16 EiB",
        ),
        ("rounds = 5", "rounds = 4", "must be from 5 to 1000"),
        ("rounds = 5", "round = 5", "did you mean `rounds`?"),
        (
            "kind = \"file-sending\"",
            "kind = \"fio-jobs\"",
            "needs a section [fio-jobs]",
        ),
    ] {
        assert!(EXPERIMENT.contains(from), "{from}");
        let experiment = EXPERIMENT.replace(from, to);
        let place = Place::with(&[("node.toml", NODE), ("experiment.toml", &experiment)]);
        says(place.load(), wanted);
    }
}
