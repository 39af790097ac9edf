//! Experiments of kind databases: their points, and what they refuse.

use hotset_experiment::Selection;

use crate::place::{Place, says};

const NODES: &str = include_str!("samples/databases/node.toml");
const DATABASES: &str = include_str!("samples/databases/experiment.toml");

fn place(experiment: &str) -> Place {
    Place::with(&[("node.toml", NODES), ("experiment.toml", experiment)])
}

#[test]
fn a_point_is_a_mix_beside_a_background_under_an_arm_in_a_run() {
    let items = place(DATABASES).list(&Selection::default());
    let items = items.expect("points");
    let names: Vec<String> = items.iter().map(|item| item.point.to_string()).collect();
    let wanted = [
        "shopping-beside-none page-cache 1",
        "shopping-beside-none pool 1",
        "shopping-beside-none pin 1",
        "shopping-beside-tpcw-0 page-cache 1",
        "shopping-beside-tpcw-0 pool 1",
        "shopping-beside-tpcw-0 pin 1",
    ];
    assert_eq!(names[..6], wanted);
    assert_eq!(names.len(), 12);
}

#[test]
fn what_makes_no_comparison_is_refused() {
    for (from, to, wanted) in [
        ("[\"shopping\"]", "[]", "the list is empty"),
        (
            "\"shopping\"",
            "\"buying\"",
            "it has browsing, shopping, ordering",
        ),
        (
            "\"shopping\"",
            "\"shopping\", \"shopping\"",
            "is there twice",
        ),
        (
            "\"tpcw-0\"",
            "\"tpcw-5\"",
            "write none, or tpcw-0 to tpcw-4",
        ),
        (
            "large_pool = \"64MiB\"",
            "large_pool = \"32MiB\"",
            "not larger than `pool`",
        ),
        ("[\"item\", \"author\"]", "[]", "names nothing to pin"),
        (
            "runs = 2",
            "flush_method = \"O_DIRECT\"",
            "reads past the page cache",
        ),
        (
            "runs = 2",
            "arms = [\"tape\"]",
            "use page-cache, pool, pin or ramfs",
        ),
        ("runs = 2", "arms = [\"ramfs\"]", "add `memory_store`"),
        (
            "runs = 2",
            "memory_store = \"disk\"",
            "is to be of kind ramfs",
        ),
        (
            "runs = 2",
            "engine = \"oracle\"",
            "use innodb, myisam or aria",
        ),
        ("class = 0", "class = 5", "not between 0 and 4"),
        (
            "store = \"disk\"",
            "store = \"tape\"",
            "has no store `tape`",
        ),
        (
            "store = \"disk\"",
            "store = \"memory\"",
            "is to lie on a local disk",
        ),
        (
            "kind = \"databases\"",
            "kind = \"databases\"\nscale = 2",
            "leave it out",
        ),
    ] {
        assert!(DATABASES.contains(from), "{from}");
        says(
            place(&DATABASES.replacen(from, to, 1)).list(&Selection::default()),
            wanted,
        );
    }
    let ramfs = "arms = [\"ramfs\"]\nmemory_store = \"memory\"";
    let ramfs = DATABASES.replacen("runs = 2", ramfs, 1);
    assert_eq!(
        place(&ramfs)
            .list(&Selection::default())
            .expect("points")
            .len(),
        6
    );
    let auctions = "application = \"rubis\"\nmixes = [\"bidding\"]";
    let auctions = DATABASES.replacen("mixes = [\"shopping\"]", auctions, 1);
    let items = place(&auctions)
        .list(&Selection::default())
        .expect("points");
    assert_eq!(
        items[0].point.to_string(),
        "bidding-beside-none page-cache 1"
    );
    // Without pins the page cache is not asked for anything.
    let direct = "flush_method = \"O_DIRECT\"\narms = [\"page-cache\", \"pool\"]";
    let direct = DATABASES.replacen("runs = 2", direct, 1);
    let items = place(&direct).list(&Selection::default()).expect("points");
    assert_eq!(items.len(), 2 * 2 * 3);
}
