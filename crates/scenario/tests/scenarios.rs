//! Scenario files: what they say, and complaints with line, column and fix.

use std::path::{Path, PathBuf};

use hotset_scenario::{MemorySize, Scenario};
use proptest::prelude::*;

const GOOD: &str = r#"[[node]]
name = "web1"
memory = "4GiB"

[[store]]
name = "disk"
profile = "hdd"

[[site]]
name = "shop"
match = ["/shop/*", "host:shop.example.com"]
weight = 2.5
reservation = "512MiB"
store = "disk"
root = "www/shop"

[[site]]
name = "blog"
match = "log:/var/log/blog*.log"
store = "disk"
"#;

fn parse(text: &str) -> Result<Scenario, String> {
    Scenario::parse(text, Path::new("conf/two.toml")).map_err(|error| error.to_string())
}

fn complaint(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "{from}");
    parse(&GOOD.replacen(from, to, 1)).expect_err(to)
}

#[test]
fn a_whole_scenario_is_read() {
    let scenario = parse(GOOD).expect("scenario");
    assert_eq!(scenario.nodes[0].memory, MemorySize::Bytes(4 << 30));
    assert_eq!(scenario.stores[0].profile.name, "hdd");
    let shop = &scenario.sites[0];
    assert_eq!(
        (shop.weight, shop.reservation_bytes, shop.store),
        (2.5, 512 << 20, 0)
    );
    assert_eq!(shop.matches, ["/shop/*", "host:shop.example.com"]);
    assert_eq!(shop.root, Some(PathBuf::from("conf/www/shop")));
    let blog = &scenario.sites[1];
    assert_eq!(
        (blog.weight, blog.reservation_bytes, &blog.root),
        (1.0, 0, &None)
    );
    assert_eq!(blog.matches, ["log:/var/log/blog*.log"]);
}

#[test]
fn an_unknown_key_names_the_nearest() {
    let message = complaint("weight = 2.5", "wieght = 2.5");
    assert!(
        message.starts_with("conf/two.toml:12:1: unknown key `wieght` in [[site]]"),
        "{message}"
    );
    assert!(message.contains("did you mean `weight`?"), "{message}");
    assert!(complaint("[[store]]", "[[stores]]").contains("did you mean `store`?"));
}

#[test]
fn a_reservation_larger_than_memory_is_refused() {
    let message = complaint("512MiB", "5GiB");
    assert!(
        message.starts_with("conf/two.toml:13:15: `reservation` in [[site]]"),
        "{message}"
    );
    assert!(message.contains("node `web1` has 4294967296"), "{message}");
}

#[test]
fn reservations_that_are_too_large_together_are_refused_where_they_overflow() {
    let text = format!("{GOOD}reservation = \"3800MiB\"\n");
    let message = parse(&text).expect_err("both");
    assert!(
        message.starts_with("conf/two.toml:21:15: `reservation`"),
        "{message}"
    );
}

#[test]
fn names_stores_and_weights_are_checked() {
    assert!(
        complaint("\"blog\"", "\"shop\"")
            .starts_with("conf/two.toml:18:8: `name` in [[site]]: `shop` is already")
    );
    assert!(
        complaint("store = \"disk\"", "store = \"disc\"")
            .contains("no [[store]] called `disc`; there are: disk")
    );
    assert!(complaint("2.5", "0").starts_with("conf/two.toml:12:10: `weight`"));
    assert!(complaint("2.5", "-1.0").contains("must be positive"));
    assert!(complaint("2.5", "nan").contains("finite"));
    assert!(complaint("2.5", "\"much\"").contains("not string"));
    assert!(complaint("\"hdd\"", "\"hhd\"").contains("did you mean `hdd`?"));
    assert!(complaint("\"4GiB\"", "\"4338Mb\"").contains("`4338MB`"));
    assert!(complaint("\"4GiB\"", "0").contains("at least one byte"));
    assert!(
        complaint("name = \"web1\"\n", "").starts_with("conf/two.toml:1:1: [[node]] has no `name`")
    );
}

#[test]
fn broken_toml_has_its_line() {
    assert!(complaint("weight = 2.5", "weight = ").starts_with("conf/two.toml:12:"));
    assert!(
        parse("site = 3")
            .expect_err("list")
            .contains("must be a list of tables")
    );
    assert!(
        parse("site = [3]")
            .expect_err("list")
            .contains("must be a list of tables")
    );
}

proptest! {
    #[test]
    fn any_text_is_answered_without_a_panic(text in any::<String>()) {
        let _ = parse(&text);
    }

    #[test]
    fn a_scenario_with_a_piece_replaced_is_answered_without_a_panic(
        at in 0..GOOD.len(), length in 0usize..40, piece in "[\\[\\]a-z0-9=\" .\n_-]{0,12}|\\PC{0,4}"
    ) {
        let end = (at + length).min(GOOD.len());
        let _ = parse(&format!("{}{piece}{}", &GOOD[..at], &GOOD[end..]));
    }
}
