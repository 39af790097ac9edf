//! The trace folder: what goes in comes out, and damage is told, never a panic.

use std::fs;
use std::path::Path;

use hotset_trace::folder::{self, Existing, FolderError, Provenance, Tables, TraceWriter};
use hotset_trace::{Method, NO_OBJECT, Protocol, Request, Trace, TraceOrigin};
use proptest::prelude::*;

const METHODS: [Method; 4] = [Method::Get, Method::Head, Method::Post, Method::Other];
const PROTOCOLS: [Protocol; 4] = [
    Protocol::Http10,
    Protocol::Http11,
    Protocol::Http2,
    Protocol::Unknown,
];

fn sample(rows: u32) -> Trace {
    let mut trace = Trace {
        sites: vec!["one".into(), "two".into()],
        ..Trace::default()
    };
    let paths: [&[u8]; 4] = [b"/", b"/caf\xc3\xa9", b"/latin\xe9", b"/bell\x07"];
    for (id, path) in paths.into_iter().enumerate() {
        trace.objects.path.push(path);
        trace.objects.site.push(id as u16 % 2);
        trace.objects.size.push(1 << (id * 15));
        trace.clients.push(format!("client-{id}").as_bytes());
    }
    for row in 0..rows {
        let for_file = row % 5 != 3;
        trace.requests.push(Request {
            time_us: 1_431_857_103_000_000 + i64::from(row % 7) * 250_000 - i64::from(row % 3),
            client: row % 4,
            site: (row % 2) as u16,
            object: if for_file { row % 4 } else { NO_OBJECT },
            bytes: u64::from(row) * 1_000_003,
            status: if row % 6 == 0 { 304 } else { 200 },
            method: METHODS[row as usize % 4],
            protocol: PROTOCOLS[row as usize / 4 % 4],
            access: for_file && row % 6 != 0,
        });
    }
    trace
}

fn write(trace: &Trace, path: &Path) -> Result<folder::Manifest, FolderError> {
    folder::write(trace, None, path, Existing::Refuse, Provenance::default())
}

fn accessed(trace: &Trace) -> Vec<u32> {
    let rows = trace.requests.object.iter().zip(&trace.requests.access);
    rows.filter(|(_, access)| **access)
        .map(|(object, _)| *object)
        .collect()
}

fn entries(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

#[test]
fn a_trace_comes_back_as_it_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("day.trace");
    for rows in [0, 1, 1000] {
        let trace = sample(rows);
        let manifest = folder::write(
            &trace,
            None,
            &path,
            Existing::Replace,
            Provenance::default(),
        )
        .unwrap();
        assert_eq!(manifest.requests, u64::from(rows));
        assert_eq!(folder::read(&path).unwrap(), trace);
        let fast = folder::read_accesses(&path).unwrap();
        assert_eq!(fast.objects, accessed(&trace));
        assert_eq!(fast.sizes, trace.objects.size);
        assert_eq!(manifest.accesses, fast.objects.len() as u64);
        assert_eq!(folder::read_connections(&path).unwrap(), None);
    }
    assert_eq!(entries(folder.path()), ["day.trace"]);
}

#[test]
fn batches_of_any_length_make_the_same_files() {
    let folder = tempfile::tempdir().unwrap();
    let trace = sample(900);
    let connections: Vec<u32> = (0..900).map(|row| row / 9).collect();
    let whole = folder.path().join("whole.trace");
    folder::write(
        &trace,
        Some(&connections),
        &whole,
        Existing::Refuse,
        Provenance::default(),
    )
    .unwrap();
    let parts = folder.path().join("parts.trace");
    let mut writer = TraceWriter::create(&parts, Existing::Refuse, true).unwrap();
    for row in 0..900 {
        let mut batch = hotset_trace::Requests::default();
        batch.push(trace.requests.get(row));
        writer.push(&batch, Some(&connections[row..=row])).unwrap();
    }
    let manifest = writer
        .finish(Tables::of(&trace), Provenance::default())
        .unwrap();
    assert_eq!(manifest.connections, Some(100));
    assert_eq!(
        folder::read_connections(&parts).unwrap().unwrap(),
        connections
    );
    for file in ["requests.parquet", "objects.parquet", "clients.parquet"] {
        assert!(
            fs::read(whole.join(file)).unwrap() == fs::read(parts.join(file)).unwrap(),
            "{file}"
        );
    }
}

#[test]
fn more_rows_than_a_row_group_keep_their_order() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.trace");
    let trace = sample((1 << 20) + 17);
    write(&trace, &path).unwrap();
    assert!(folder::read(&path).unwrap() == trace);
    assert!(folder::read_accesses(&path).unwrap().objects == accessed(&trace));
}

#[test]
fn origin_and_provenance_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys.trace");
    let trace = Trace {
        origin: TraceOrigin::Untimed,
        ..sample(3)
    };
    let provenance = Provenance {
        seed: Some(7),
        rules: vec!["query: strip".into()],
        summary: serde_json::json!({"rejected_lines": 2}),
        ..Provenance::default()
    };
    folder::write(&trace, None, &path, Existing::Refuse, provenance).unwrap();
    let manifest = folder::read_manifest(&path).unwrap();
    assert_eq!(manifest.provenance.seed, Some(7));
    assert_eq!(manifest.provenance.summary["rejected_lines"], 2);
    assert_eq!(folder::read(&path).unwrap().origin, TraceOrigin::Untimed);
}

#[test]
fn a_trace_without_client_names_may_still_number_clients() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("nameless.trace");
    let trace = Trace {
        clients: Default::default(),
        ..sample(10)
    };
    write(&trace, &path).unwrap();
    assert_eq!(folder::read(&path).unwrap(), trace);
}

#[test]
fn an_existing_target_is_replaced_only_on_request_and_only_if_it_is_a_trace() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("day.trace");
    write(&sample(5), &path).unwrap();
    assert!(matches!(
        write(&sample(6), &path),
        Err(FolderError::Exists(_))
    ));
    folder::write(
        &sample(7),
        None,
        &path,
        Existing::Replace,
        Provenance::default(),
    )
    .unwrap();
    assert_eq!(folder::read(&path).unwrap(), sample(7));
    let precious = folder.path().join("precious");
    fs::create_dir(&precious).unwrap();
    fs::write(precious.join("thesis.tex"), "x").unwrap();
    let refused = folder::write(
        &sample(7),
        None,
        &precious,
        Existing::Replace,
        Provenance::default(),
    );
    assert!(matches!(refused, Err(FolderError::NotATrace { .. })));
    assert_eq!(entries(&precious), ["thesis.tex"]);
}

#[test]
fn an_abandoned_writer_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("day.trace");
    let mut writer = TraceWriter::create(&path, Existing::Refuse, false).unwrap();
    writer.push(&sample(100).requests, None).unwrap();
    drop(writer);
    assert!(entries(folder.path()).is_empty());
}

#[test]
fn rows_that_contradict_the_tables_are_refused_and_leave_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("day.trace");
    let mut no_objects = sample(10);
    no_objects.objects = Default::default();
    let mut one_site = sample(10);
    one_site.sites.pop();
    for trace in [no_objects, one_site] {
        assert!(matches!(
            write(&trace, &path),
            Err(FolderError::Inconsistent { .. })
        ));
        assert!(entries(folder.path()).is_empty());
    }
    let trace = sample(10);
    let short = folder::write(
        &trace,
        Some(&[1]),
        &path,
        Existing::Refuse,
        Provenance::default(),
    );
    assert!(matches!(short, Err(FolderError::Inconsistent { .. })));
}

#[test]
fn a_missing_parent_folder_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let error = write(&sample(1), &folder.path().join("no/such/day.trace")).unwrap_err();
    assert!(error.to_string().contains("day.trace"), "{error}");
}

#[test]
fn a_folder_that_is_no_trace_or_lacks_a_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(
        folder::read(folder.path()),
        Err(FolderError::NotATrace { .. })
    ));
    let path = folder.path().join("day.trace");
    for file in [
        "requests.parquet",
        "objects.parquet",
        "clients.parquet",
        "trace.json",
    ] {
        folder::write(
            &sample(20),
            None,
            &path,
            Existing::Replace,
            Provenance::default(),
        )
        .unwrap();
        let bytes = fs::read(path.join(file)).unwrap();
        fs::remove_file(path.join(file)).unwrap();
        assert!(folder::read(&path).unwrap_err().to_string().contains(file));
        fs::write(path.join(file), &bytes[..bytes.len() / 2]).unwrap();
        assert!(folder::read(&path).unwrap_err().to_string().contains(file));
        fs::write(path.join(file), "").unwrap();
        assert!(folder::read(&path).unwrap_err().to_string().contains(file));
        fs::write(path.join(file), &bytes).unwrap();
    }
}

#[test]
fn files_of_another_trace_are_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let (path, other) = (folder.path().join("a.trace"), folder.path().join("b.trace"));
    write(&sample(20), &path).unwrap();
    write(&sample(21), &other).unwrap();
    let swap = |file: &str| fs::copy(other.join(file), path.join(file)).unwrap();
    swap("requests.parquet");
    let error = folder::read(&path).unwrap_err().to_string();
    assert!(error.contains("21 rows") && error.contains("20"), "{error}");
    fs::copy(path.join("objects.parquet"), path.join("requests.parquet")).unwrap();
    assert!(
        folder::read_accesses(&path)
            .unwrap_err()
            .to_string()
            .contains("`time` is missing")
    );
}

#[test]
fn object_ids_beyond_the_table_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (path, other) = (folder.path().join("a.trace"), folder.path().join("b.trace"));
    write(&sample(20), &path).unwrap();
    let mut more = sample(20);
    more.objects.path.push(b"/more");
    more.objects.site.push(0);
    more.objects.size.push(1);
    more.requests.object[1] = 4;
    write(&more, &other).unwrap();
    fs::copy(
        other.join("requests.parquet"),
        path.join("requests.parquet"),
    )
    .unwrap();
    for error in [
        folder::read(&path).unwrap_err(),
        folder::read_accesses(&path).unwrap_err(),
    ] {
        assert!(error.to_string().contains("object 4"), "{error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Damaged bytes give an error, or a trace that is sound; never a panic that reaches the caller.
    #[test]
    fn damaged_bytes_never_panic(
        file in 0..4usize,
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("day.trace");
        write(&sample(60), &path).unwrap();
        let file = path.join(["requests.parquet", "objects.parquet", "clients.parquet", "trace.json"][file]);
        let mut bytes = fs::read(&file).unwrap();
        for (place, value) in damage {
            let place = place.index(bytes.len());
            bytes[place] = value;
        }
        fs::write(&file, bytes).unwrap();
        if let Ok(trace) = folder::read(&path) {
            let known = |id: &u32| *id == NO_OBJECT || (*id as usize) < trace.objects.len();
            prop_assert!(trace.requests.object.iter().all(known));
        }
        let _ = folder::read_accesses(&path);
    }
}
