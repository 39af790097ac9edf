//! The walk through JSON finds what `serde_json` finds, and refuses what it refuses.

use hotset_trace::formats::json::{Kind, Paths, ScanError, decode};
use proptest::prelude::*;
use serde_json::Value;

const PATHS: [&str; 7] = ["a", "b", "a.b", "b.a.c", "c.c", "a.b.c", "é"];

/// What the walk finds at each path, as JSON.
fn scanned(document: &[u8]) -> Result<Vec<Option<Value>>, ScanError> {
    let paths = Paths::new(PATHS);
    let mut found = Vec::new();
    paths.scan(document, &mut found)?;
    let values = (0..PATHS.len()).map(|path| {
        let value = paths.value(path, &found)?;
        let bytes = value.bytes(document);
        Some(match value.kind {
            Kind::Plain => Value::String(text(bytes)),
            Kind::Escaped => {
                let mut out = Vec::new();
                decode(bytes, &mut out).expect("whole escapes");
                Value::String(text(&out))
            }
            Kind::Number | Kind::Boolean => serde_json::from_slice(bytes).expect("JSON"),
            Kind::Null => Value::Null,
            Kind::Object => Value::Object(serde_json::Map::new()),
        })
    });
    Ok(values.collect())
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the document is UTF-8")
}

/// What `serde_json` finds. A list of one is its element; an object counts as such, whatever it holds.
fn referred(document: &Value, path: &str) -> Option<Value> {
    let keys = path.split('.');
    let mut value = Some(document);
    for key in keys {
        value = value.map(only_element).and_then(|value| value.get(key));
    }
    value.map(only_element).map(|value| match value {
        Value::Object(_) => Value::Object(serde_json::Map::new()),
        Value::Array(_) => Value::Null,
        other => other.clone(),
    })
}

fn only_element(value: &Value) -> &Value {
    match value {
        Value::Array(elements) if elements.len() == 1 => only_element(&elements[0]),
        other => other,
    }
}

/// Values whose lists hold one element at most, with keys that lie on the paths and others.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-1e300..1e300f64).prop_map(Value::from),
        ".{0,20}".prop_map(Value::from),
        "[a-z\"\\\\\u{0}-\u{1f}é😀]{0,40}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..2).prop_map(Value::from),
            object(inner),
        ]
    })
}

fn object(inner: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    prop::collection::btree_map("[abcdé\"]|[a-z]{0,9}", inner, 0..6)
        .prop_map(|members| Value::Object(members.into_iter().collect()))
}

/// Spaces, and characters written as escapes, where JSON allows them.
fn respelled(document: &str, escape_every: usize) -> String {
    let mut out = String::new();
    let mut inside = false;
    let mut characters = document.chars().enumerate();
    while let Some((at, c)) = characters.next() {
        match c {
            '\\' => {
                let (_, escape) = characters.next().expect("an escape");
                let digits = if escape == 'u' { 4 } else { 0 };
                out.extend([c, escape]);
                out.extend(characters.by_ref().take(digits).map(|(_, digit)| digit));
            }
            '"' => {
                inside = !inside;
                out.push(c);
            }
            _ if inside && at % escape_every == 0 => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
            ',' | ':' | '{' | '[' | '}' | ']' if !inside => out.push_str(&format!(" {c}\t")),
            _ => out.push(c),
        }
    }
    out
}

proptest! {
    #[test]
    fn documents_are_read_as_serde_json_reads_them(document in object(value()), escape_every in 1usize..9, pretty in any::<bool>()) {
        let written = if pretty {
            serde_json::to_string_pretty(&document)
        } else {
            serde_json::to_string(&document)
        };
        let written = written.expect("JSON");
        let document: Value = serde_json::from_str(&written).expect("JSON");
        let expected: Vec<Option<Value>> = PATHS.iter().map(|path| referred(&document, path)).collect();
        prop_assert_eq!(scanned(written.as_bytes()), Ok(expected.clone()), "{}", written);
        let respelled = respelled(&serde_json::to_string(&document).expect("JSON"), escape_every);
        prop_assert_eq!(scanned(respelled.as_bytes()), Ok(expected), "{}", respelled);
    }

    #[test]
    fn broken_documents_are_refused_as_serde_json_refuses_them(document in object(value()), cut in any::<prop::sample::Index>(), glue in any::<prop::sample::Index>(), between in "[ -~\u{0}-\u{1f}]{0,3}") {
        let written = serde_json::to_string(&document).expect("JSON").into_bytes();
        let (cut, glue) = (cut.index(written.len() + 1), glue.index(written.len() + 1));
        let mangled = [&written[..cut], between.as_bytes(), &written[glue..]].concat();
        if !mangled.starts_with(b"{") || std::str::from_utf8(&mangled).is_err() {
            return Ok(());
        }
        let is_json = serde_json::from_slice::<serde::de::IgnoredAny>(&mangled).is_ok();
        // What is no JSON at all is told from what says one thing twice.
        let is_read = scanned_only(&mangled) != Err(ScanError::NotJson);
        prop_assert_eq!(is_read, is_json, "{}", String::from_utf8_lossy(&mangled));
    }

    #[test]
    fn no_bytes_make_the_walk_panic(document in prop::collection::vec(prop_oneof![any::<u8>(), prop::sample::select(&b"{}[]\",:\\u0e-tfn"[..])], 0..80)) {
        let document = [b"{", &document[..]].concat();
        let _ = scanned_only(&document);
    }
}

fn scanned_only(document: &[u8]) -> Result<(), ScanError> {
    Paths::new(PATHS).scan(document, &mut Vec::new())
}

#[test]
fn depth_is_bounded_where_serde_json_bounds_it() {
    for depth in [2, 100, 126, 127, 128, 129, 100_000] {
        for (open, inner, close) in [("{\"a\":", "1", "}"), ("[", "", "]")] {
            let document = format!(
                "{{\"x\":{}{inner}{}}}",
                open.repeat(depth - 1),
                close.repeat(depth - 1)
            );
            let is_read = scanned_only(document.as_bytes()).is_ok();
            let expected = serde_json::from_str::<Value>(&document).is_ok();
            assert_eq!(is_read, expected, "{depth} {open}");
        }
    }
}

#[test]
fn a_dot_leads_into_an_object_or_stands_in_the_key() {
    for document in [
        r#"{"b":{"a":{"c":1}}}"#,
        r#"{"b.a":{"c":1}}"#,
        r#"{"b":{"a.c":1}}"#,
        r#"{"b.a.c":1}"#,
        r#"{"b":[{"a":[{"c":[1]}]}]}"#,
    ] {
        let found = scanned(document.as_bytes()).expect(document);
        assert_eq!(found[3], Some(Value::from(1)), "{document}");
    }
}

#[test]
fn several_values_for_one_path_are_refused() {
    for document in [
        r#"{"a":1,"a":2}"#,
        r#"{"b":{"x":1},"b":{"a":1}}"#,
        r#"{"b.a.c":1,"b":{"a":{"c":1}}}"#,
        r#"{"a":[1,2]}"#,
        r#"{"b":[{"a":1},{"a":2}]}"#,
    ] {
        assert_eq!(
            scanned(document.as_bytes()),
            Err(ScanError::SeveralValues),
            "{document}"
        );
    }
    assert!(scanned(br#"{"x":1,"x":[1,2],"y":{"a":1,"a":2}}"#).is_ok());
}

#[test]
fn text_that_is_not_utf8_is_kept_as_it_is() {
    let document = b"{\"a\":\"\xff\xe9\"}";
    let paths = Paths::new(["a"]);
    let mut found = Vec::new();
    paths.scan(document, &mut found).expect("JSON");
    let value = paths.value(0, &found).expect("a value");
    assert_eq!(value.bytes(document), b"\xff\xe9");
}

#[test]
fn half_a_surrogate_pair_is_refused() {
    for text in [r"\ud83d", r"\ude00", r"\ud83dx", r"\ud83dA"] {
        assert_eq!(decode(text.as_bytes(), &mut Vec::new()), None, "{text}");
    }
    let mut out = Vec::new();
    decode(br"a\ud83d\ude00\u00e9\/", &mut out).expect("whole escapes");
    assert_eq!(out, "a😀é/".as_bytes());
}
