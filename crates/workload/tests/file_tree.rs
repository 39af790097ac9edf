//! Generated file trees hold what the trace names, and failures leave nothing behind.

use std::fs;
use std::path::Path;

use hotset_trace::{Objects, Trace};
use hotset_workload::file_tree::{FileTreeError, write_files};
use hotset_workload::{Generator, Load, SpecWeb99, Zipf};

fn small() -> Trace {
    Zipf::new(0.9, 40, 400_000, Load::new(10, 1.0))
        .generate(1)
        .unwrap()
}

fn with_paths(paths: &[&[u8]]) -> Trace {
    let mut objects = Objects::default();
    for path in paths {
        objects.path.push(path);
        objects.site.push(0);
        objects.size.push(10);
    }
    Trace {
        sites: vec!["site".into()],
        objects,
        ..Trace::default()
    }
}

fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).unwrap().next().is_none()
}

#[test]
fn every_object_becomes_a_file_of_its_size() {
    let folder = tempfile::tempdir().unwrap();
    let trace = SpecWeb99 {
        connections: 1,
        requests: 0,
    }
    .generate(1)
    .unwrap();
    let trace = Trace {
        objects: first(&trace.objects, 80),
        ..trace
    };
    let written = write_files(&trace, folder.path(), 1, &|| true).unwrap();
    assert_eq!(written, trace.objects.size.iter().sum::<u64>());
    for (object, path) in trace.objects.path.iter().enumerate() {
        let file = format!("specweb99{}", std::str::from_utf8(path).unwrap());
        let size = fs::metadata(folder.path().join(file)).unwrap().len();
        assert_eq!(size, trace.objects.size[object]);
    }
}

fn first(objects: &Objects, count: usize) -> Objects {
    let mut first = Objects {
        site: objects.site[..count].to_vec(),
        size: objects.size[..count].to_vec(),
        ..Objects::default()
    };
    objects
        .path
        .iter()
        .take(count)
        .for_each(|path| first.path.push(path));
    first
}

#[test]
fn contents_depend_on_the_seed_and_the_object() {
    let folders = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let trace = small();
    for (folder, seed) in folders.iter().zip([1, 1, 2]) {
        write_files(&trace, folder.path(), seed, &|| true).unwrap();
    }
    let read = |folder: usize, file: &str| fs::read(folders[folder].path().join(file)).unwrap();
    let (one, two) = ("zipf/d0000/file0000000.html", "zipf/d0000/file0000001.html");
    assert!(read(0, one) == read(1, one));
    assert!(read(0, one) != read(2, one));
    assert!(read(0, one)[..100] != read(0, two)[..100]);
}

#[test]
fn nothing_is_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let precious = folder.path().join("zipf/d0000/file0000007.html");
    fs::create_dir_all(precious.parent().unwrap()).unwrap();
    fs::write(&precious, "precious").unwrap();
    let refused = write_files(&small(), folder.path(), 1, &|| true);
    assert!(matches!(refused, Err(FileTreeError::Exists(path)) if path == precious));
    assert_eq!(fs::read(&precious).unwrap(), b"precious");
    assert_eq!(fs::read_dir(precious.parent().unwrap()).unwrap().count(), 1);
}

#[test]
fn paths_that_leave_the_folder_are_refused_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let hostile: [&[u8]; 8] = [
        b"/../up",
        b"/a/../../up",
        b"//etc/passwd",
        b"/",
        b"",
        b"/folder/",
        b"/nul\0",
        b"/\xff",
    ];
    for path in hostile {
        let refused = write_files(&with_paths(&[b"/fine", path]), folder.path(), 1, &|| true);
        assert!(
            matches!(refused, Err(FileTreeError::Path { .. })),
            "{path:?}"
        );
    }
    for site in ["..", "a/b", "", "/etc"] {
        let trace = Trace {
            sites: vec![site.into()],
            ..with_paths(&[b"/fine"])
        };
        assert!(
            write_files(&trace, folder.path(), 1, &|| true).is_err(),
            "{site:?}"
        );
    }
    assert!(is_empty(folder.path()));
}

#[test]
fn a_failure_half_way_removes_what_was_written() {
    let folder = tempfile::tempdir().unwrap();
    // A file cannot also be a folder.
    assert!(
        write_files(
            &with_paths(&[b"/a/b", b"/c", b"/c/d"]),
            folder.path(),
            1,
            &|| true
        )
        .is_err()
    );
    assert!(write_files(&with_paths(&[b"/a", b"/a"]), folder.path(), 1, &|| true).is_err());
    assert!(is_empty(folder.path()));
}
