//! Experiments of kind file-systems: what they refuse.

use hotset_experiment::{Axis, Selection};

use crate::place::{Place, says, selects_nothing};

const NODES: &str = include_str!("samples/file-systems/node.toml");

const FILE_SYSTEMS: &str = include_str!("samples/file-systems/experiment.toml");

fn place(nodes: &str) -> Place {
    Place::with(&[("node.toml", nodes), ("experiment.toml", FILE_SYSTEMS)])
}

#[test]
fn file_systems_that_cannot_be_compared_are_refused_and_nothing_is_made() {
    let proxy = "server = \"nginx-proxy\"\nupstream = [\"web\"]\n";
    let throttled = "kind = \"ext4\"\ndisk = { kind = \"throttled\", rate = \"39MB\" }";
    for (from, to, wanted) in [
        (proxy, "", "has no [[node]] with server = \"nginx-proxy\""),
        (
            "kind = \"ext4\"",
            throttled,
            "store disk on a throttled disk; file systems are compared on a plain or a seeking disk",
        ),
    ] {
        assert!(NODES.contains(from));
        let place = place(&NODES.replacen(from, to, 1));
        says(place.run(&Selection::default(), "work"), wanted);
        assert_eq!(place.entries(), ["experiment.toml", "node.toml"]);
    }
    let place = place(NODES);
    let on = |axis, value: &str| Selection::default().with(axis, &[value.to_owned()]);
    let wanted = "no store `tape`; there are: memory, disk";
    selects_nothing(place.list(&on(Axis::Store, "tape")), wanted);
    let wanted = "of kind file-systems has no cells to select; select by store";
    selects_nothing(place.list(&on(Axis::Cell, "0x1")), wanted);
}

#[test]
fn numbers_that_no_lab_has_are_refused() {
    for (from, to, wanted) in [
        (
            "files = 20",
            "files = 4503599627370496",
            "is not between 1 and 1000000",
        ),
        (
            "clients = 2",
            "clients = 100000",
            "is not between 1 and 1024",
        ),
        (
            "bare_bytes = [4096,",
            "bare_bytes = [9223372036854775807,",
            "at most 1 GiB",
        ),
    ] {
        assert!(FILE_SYSTEMS.contains(from), "{from}");
        let text = FILE_SYSTEMS.replacen(from, to, 1);
        let place = Place::with(&[("node.toml", NODES), ("experiment.toml", &text)]);
        says(place.list(&Selection::default()), wanted);
    }
}
