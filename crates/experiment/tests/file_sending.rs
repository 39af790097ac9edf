//! Experiments of kind file-sending: what they refuse.

use crate::place::{Place, says};

const NODE: &str = r#"[[node]]
name = "node"
memory = "512MiB"
server_memory = "16MiB"

[[store]]
name = "ext4"
profile = "hdd-7200"
kind = "ext4"
disk = { kind = "seeking", rate = "255MB" }
"#;

const EXPERIMENT: &str = r#"name = "smoke"
kind = "file-sending"
scenario = "node.toml"

[file-sending]
file = "8MiB"
blocks = ["4KiB", "256KiB"]
rounds = 5
"#;

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
