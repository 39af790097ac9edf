//! TOML files read by serde: what is read, and errors with place and fix.

use std::path::Path;

use hotset_scenario::toml_file::{Bytes, OneOrMany, TomlFile};
use proptest::prelude::*;
use serde::Deserialize;
use toml::Spanned;

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct Sample {
    title: Option<String>,
    flag: Option<bool>,
    number: Option<f64>,
    count: Option<u64>,
    kind: Option<Kind>,
    #[serde(default)]
    names: Vec<String>,
    #[serde(default)]
    part: Vec<Part>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Round,
    Square,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct Part {
    length: Spanned<u64>,
}

fn read<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, String> {
    let file = TomlFile::from_text(text, Path::new("s.toml"));
    file.parse().map_err(|error| error.to_string())
}

#[test]
fn every_error_names_line_column_key_and_table() {
    for (text, wanted) in [
        (
            "flag = 1",
            "s.toml:1:8: `flag`: must be true or false, not integer `1`",
        ),
        (
            "\n count = -1",
            "s.toml:2:10: `count`: must be a whole number, not integer `-1`",
        ),
        (
            "count = 1.5",
            "must be a whole number, not floating point `1.5`",
        ),
        (
            "count = 99999999999999999999",
            "1:9: `count`: has more digits",
        ),
        ("number = inf", "1:10: `number`: must be a finite number"),
        ("title = \"\"", "1:9: `title`: must not be empty"),
        (
            "title = 1979-05-27",
            "1:9: `title`: must be text in quotes, not a date",
        ),
        (
            "kind = \"oval\"",
            "1:8: `kind`: `oval` is none of round, square",
        ),
        ("kind = 3", "1:8: `kind`: must be text in quotes"),
        (
            "names = [\"ä\", 2]",
            "1:15: `names`: must be text in quotes, not integer `2`",
        ),
        (
            "[[part]]\nlength = true",
            "2:10: `length` in [[part]]: must be a whole number",
        ),
        ("[[part]]", "1:1: [[part]]: `length` is missing; add it"),
        (
            "[[part]]\nlength = 1\nlenght = 1",
            "3:1: `lenght` in [[part]]: unknown key; did you mean `length`?",
        ),
        ("[part]", "1:1: [part]: must be a list, not a table"),
        (
            "part = [1]",
            "1:9: `part`: must be a table, not integer `1`",
        ),
        (
            "titel = 1",
            "1:1: `titel`: unknown key; did you mean `title`? (known: title, flag,",
        ),
    ] {
        let message = read::<Sample>(text).expect_err(text);
        assert!(message.contains(wanted), "{message}\nis not\n{wanted}");
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct Fields {
    size: Option<Bytes>,
    #[serde(default)]
    names: OneOrMany<Kind>,
}

#[test]
fn sizes_are_texts_or_bytes_and_lists_may_be_one_text() {
    let size = |text: &str| read::<Fields>(text).map(|fields| fields.size.map(|size| size.0));
    assert_eq!(size("size = \"2KiB\""), Ok(Some(2048)));
    assert_eq!(size("size = 2048"), Ok(Some(2048)));
    assert_eq!(size(""), Ok(None));
    assert!(
        size("size = true")
            .expect_err("flag")
            .contains("a size such as \"512MiB\"")
    );
    assert!(
        size("size = 0")
            .expect_err("zero")
            .contains("at least one byte")
    );
    let names = |text: &str| read::<Fields>(text).map(|fields| fields.names.0);
    assert_eq!(names("names = \"round\""), Ok(vec![Kind::Round]));
    assert_eq!(
        names("names = [\"square\", \"round\"]"),
        Ok(vec![Kind::Square, Kind::Round])
    );
    assert!(
        names("names = [\"oval\"]")
            .expect_err("oval")
            .starts_with("s.toml:1:10: `names`: `oval` is none of")
    );
}

#[test]
fn a_float_without_a_fraction_counts() {
    let sample: Sample = read("count = 1e6").expect("whole");
    assert_eq!(sample.count, Some(1_000_000));
}

/// Values of which none is empty, beyond a `u64`, not finite, or a float without a fraction.
fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<i64>().prop_map(|number| number.to_string()),
        any::<u32>().prop_map(|number| format!("{number:#x}")),
        any::<i32>().prop_map(|number| format!("{}.5", i64::from(number) / 7)),
        any::<bool>().prop_map(|flag| flag.to_string()),
        "[a-z]{1,6}".prop_map(|text| format!("\"{text}\"")),
        Just("\"round\"".to_owned()),
        Just("[\"a\", \"b\"]".to_owned()),
        Just("[{ length = 3 }, { length = 0x10 }]".to_owned()),
        Just("[{ length = 3, width = 1 }]".to_owned()),
    ]
}

proptest! {
    #[test]
    fn it_reads_what_the_toml_crate_reads(
        values in prop::collection::btree_map("title|flag|number|count|kind|names|part|other", value(), 0..5)
    ) {
        let lines: Vec<String> = values.iter().map(|(key, value)| format!("{key} = {value}\n")).collect();
        let text = lines.concat();
        prop_assert_eq!(read::<Sample>(&text).ok(), toml::from_str(&text).ok(), "{}", text);
    }

    #[test]
    fn any_text_is_answered_without_a_panic(text in any::<String>()) {
        let _ = read::<Sample>(&text);
    }
}
