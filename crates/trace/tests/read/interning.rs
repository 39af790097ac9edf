//! Ids of objects and clients, against maps of whole strings.

use super::support::{line, read_good, read_text, write};
use hotset_trace::read::{ReadError, ReadOptions, read_batches};
use proptest::prelude::*;
use std::collections::HashMap;
use std::ops::ControlFlow;

type Row = (u8, String, u64);

fn text(rows: &[Row]) -> String {
    let rows = rows.iter().enumerate();
    rows.map(|(i, (client, path, bytes))| {
        let request = format!("GET /{path} HTTP/1.1");
        line(
            &format!("10.0.0.{client}"),
            i as u32,
            &request,
            200,
            &bytes.to_string(),
        )
    })
    .collect()
}

/// Id of `key`, new ids in order of appearance.
fn id(ids: &mut HashMap<String, u32>, key: String) -> u32 {
    let next = ids.len() as u32;
    *ids.entry(key).or_insert(next)
}

fn rows() -> impl Strategy<Value = Vec<Row>> {
    prop::collection::vec((0u8..20, "([a-c]|%6[1-3]){0,3}", 0u64..1000), 1..80)
}

fn keeping_clients() -> ReadOptions {
    ReadOptions {
        keep_clients: true,
        ..ReadOptions::default()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn ids_equal_those_of_a_map_of_strings(rows in rows()) {
        let (trace, _) = read_text(&text(&rows), &keeping_clients());
        let (mut objects, mut clients, mut sizes) = (HashMap::new(), HashMap::new(), HashMap::new());
        for (i, (client, path, bytes)) in rows.iter().enumerate() {
            let path = format!("/{path}").replace("%61", "a").replace("%62", "b").replace("%63", "c");
            let object = id(&mut objects, path.clone());
            prop_assert_eq!(trace.requests.object[i], object);
            prop_assert_eq!(trace.objects.path.get(object as usize), path.as_bytes());
            let client = id(&mut clients, format!("10.0.0.{client}"));
            prop_assert_eq!(trace.requests.client[i], client);
            let size = sizes.entry(object).or_insert(1);
            *size = (*size).max(*bytes);
        }
        prop_assert_eq!(trace.objects.len(), objects.len());
        prop_assert_eq!(trace.clients.len(), clients.len());
        for (object, size) in sizes {
            prop_assert_eq!(trace.objects.size[object as usize], size);
        }
    }

    #[test]
    fn parts_one_after_the_other_read_as_the_whole(rows in rows(), cut in 0.0f64..1.0) {
        let folder = tempfile::tempdir().unwrap();
        let text = text(&rows);
        let (whole, _) = read_text(&text, &ReadOptions::default());
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let (head, tail) = lines.split_at((cut * lines.len() as f64) as usize);
        let inputs = [
            write(folder.path(), "a.log", tail.concat()),
            write(folder.path(), "a.log.1", head.concat()),
        ];
        let (parts, summary) = read_good(&inputs, &ReadOptions::default());
        prop_assert_eq!(parts, whole);
        prop_assert_eq!(summary.lines, rows.len() as u64);
    }
}

#[test]
fn clients_are_pseudonyms_under_the_key() {
    let text = [("a", 1), ("b", 2), ("a", 3)]
        .map(|(client, second)| line(client, second, "GET /x HTTP/1.1", 200, "1"))
        .concat();
    let read = |key| {
        let options = ReadOptions {
            client_key: [key; 16],
            ..ReadOptions::default()
        };
        read_text(&text, &options).0
    };
    let trace = read(1);
    assert_eq!(trace.requests.client, [0, 1, 0]);
    for name in trace.clients.iter() {
        assert_eq!(name.len(), 16);
        assert!(name.iter().all(u8::is_ascii_hexdigit));
    }
    assert_eq!(trace.clients, read(1).clients);
    assert_ne!(trace.clients, read(2).clients);
    assert_eq!(read_text(&text, &keeping_clients()).0.clients.get(1), b"b");
}

#[test]
fn batches_are_the_trace_in_pieces() {
    let folder = tempfile::tempdir().unwrap();
    let rows: Vec<Row> = (0..150_000u32)
        .map(|i| {
            (
                (i % 200) as u8,
                format!("f{}", i.wrapping_mul(7919) % 997),
                u64::from(i % 5000),
            )
        })
        .collect();
    let inputs = [write(folder.path(), "a.log", text(&rows))];
    let (mut whole, summary) = read_good(&inputs, &ReadOptions::default());
    let mut pieces = hotset_trace::Requests::default();
    let mut calls = 0;
    let (tables, batched) = read_batches(
        &inputs,
        &ReadOptions::default(),
        &mut |_| ControlFlow::Continue(()),
        |batch| {
            calls += 1;
            pieces.extend(batch);
            Ok::<(), ReadError>(())
        },
    )
    .unwrap();
    assert!(calls > 1);
    assert_eq!(std::mem::take(&mut whole.requests), pieces);
    assert_eq!((tables, batched), (whole, summary));
}
