//! Experiments of kind tiers: their points, and what they refuse.

use hotset_experiment::Selection;

use crate::place::{Place, says};

const NODES: &str = include_str!("samples/tiers/nodes.toml");
const TIERS: &str = include_str!("samples/tiers/experiment.toml");

fn place(nodes: &str, experiment: &str) -> Place {
    Place::with(&[("nodes.toml", nodes), ("experiment.toml", experiment)])
}

#[test]
fn a_point_is_a_cell_in_a_run() {
    let items = place(NODES, TIERS)
        .list(&Selection::default())
        .expect("points");
    let names: Vec<String> = items.iter().map(|item| item.point.to_string()).collect();
    assert_eq!(names, ["closed 1", "open 1", "closed 2", "open 2"]);
}

#[test]
fn cells_that_cannot_be_stood_up_are_refused() {
    for (from, to, wanted) in [
        (
            "name = \"open\"",
            "name = \"closed\"",
            "two cells are called `closed`",
        ),
        (
            "name = \"open\"",
            "name = \"an open one\"",
            "a cell's name has letters",
        ),
        (
            "rate = 200",
            "rate = 200\nasks = \"back\"",
            "has no [[node]] `back` to be asked",
        ),
        ("rate = 200", "rate = 0", "is no rate from 0.01"),
        (
            "rate = 200",
            "rate = 200\nwarm_up = 18446744073709551615",
            "is not between 0 and 10000000",
        ),
        ("rate = 200", "alpha = 6.0", "is no exponent from 0 to 5"),
        ("\"8KiB\"", "\"0\"", "must be at least one byte"),
        (
            "balance=hash",
            "balance=dice",
            "cannot be cell closed: node.front.balance=dice",
        ),
        ("node.front.", "front.", "`front` is no list of a scenario"),
        ("node.front.", "node.back.", "there is no such [[node]]"),
    ] {
        assert!(TIERS.contains(from), "{from}");
        let place = place(NODES, &TIERS.replacen(from, to, 1));
        says(place.list(&Selection::default()), wanted);
    }
}

#[test]
fn scenarios_that_cannot_be_asked_are_refused() {
    for (from, to, wanted) in [
        (
            "[[client]]\nname = \"crowd\"\nasks = \"front\"\nclients = 2\n",
            "",
            "as of cell closed needs one [[client]]",
        ),
        (
            "kind = \"ext4\"",
            "kind = \"tmpfs\"",
            "has its store in memory",
        ),
        ("kind = \"ext4\"", "", "has no [[store]] with a kind"),
    ] {
        assert!(NODES.contains(from), "{from}");
        let place = place(&NODES.replacen(from, to, 1), TIERS);
        says(place.list(&Selection::default()), wanted);
    }
}
