//! The reference page lists the keys that scenario files may have, and no others.

use std::collections::BTreeSet;
use std::path::Path;

use hotset_scenario::Scenario;

/// Tables of the page and a file with a key that none of them knows.
const TABLES: [(&str, &str); 11] = [
    ("[[node]]", "[[node]]\nno-such-key = 1"),
    ("[[store]]", "[[store]]\nno-such-key = 1"),
    ("[store.disk]", "[[store]]\n[store.disk]\nno-such-key = 1"),
    (
        "[store.options]",
        "[[store]]\n[store.options]\nno-such-key = 1",
    ),
    (
        "[store.journal]",
        "[[store]]\n[store.journal]\nno-such-key = 1",
    ),
    ("[[site]]", "[[site]]\nno-such-key = 1"),
    ("[[link]]", "[[link]]\nno-such-key = 1"),
    ("[[client]]", "[[client]]\nno-such-key = 1"),
    ("[[writer]]", "[[writer]]\nno-such-key = 1"),
    ("[[database]]", "[[database]]\nno-such-key = 1"),
    ("[[event]]", "[[event]]\nno-such-key = 1"),
];

/// Keys that the error about an unknown one lists.
fn accepted(text: &str) -> BTreeSet<String> {
    let error = Scenario::parse(text, Path::new("s.toml")).expect_err("an unknown key");
    let message = error.to_string();
    let (_, known) = message.split_once("(known: ").expect("known keys");
    let keys = known.trim_end_matches(')').split(", ");
    keys.map(str::to_owned).collect()
}

/// Keys in the first column of the page's table under the heading of `table`.
fn documented(page: &str, table: &str) -> BTreeSet<String> {
    let (_, section) = page
        .split_once(&format!("\n## `{table}`"))
        .unwrap_or_else(|| panic!("no heading for {table}"));
    let section = section.split("\n## ").next().unwrap_or(section);
    let cells = section.lines().filter_map(|line| line.strip_prefix("| `"));
    cells
        .filter_map(|line| Some(line.split_once('`')?.0.to_owned()))
        .collect()
}

#[test]
fn the_reference_page_lists_every_key() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/reference/scenario-file.md"
    );
    let page = std::fs::read_to_string(path).expect("the page is there");
    for (table, text) in TABLES {
        assert_eq!(documented(&page, table), accepted(text), "{table}");
    }
    let keys = [
        "objective",
        "log",
        "server_profile",
        "node",
        "store",
        "site",
        "link",
        "client",
        "writer",
        "database",
        "event",
    ]
    .map(str::to_owned);
    assert_eq!(
        accepted("no-such-key = 1"),
        keys.into(),
        "a new key needs a heading"
    );
    for key in ["objective", "log", "server_profile"] {
        assert!(page.contains(&format!("\n## `{key}`")), "{key}");
    }
}
