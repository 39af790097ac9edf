//! Generated file trees hold what the trace names, and failures leave nothing behind.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use hotset_trace::{Method, Objects, Protocol, Request, Trace};
use hotset_workload::file_tree::{Content, FileTree, FileTreeError, write_files};
use hotset_workload::{Generator, Load, SpecWeb99, Zipf, implied_by};

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

/// One access to each of files of one site.
fn read_once(files: &[(&[u8], u64)]) -> Trace {
    let paths: Vec<&[u8]> = files.iter().map(|(path, _)| *path).collect();
    let mut trace = with_paths(&paths);
    for (object, (_, bytes)) in files.iter().enumerate() {
        trace.objects.size[object] = (*bytes).max(1);
        trace.requests.push(Request {
            time_us: object as i64,
            client: 0,
            site: 0,
            object: object as u32,
            bytes: *bytes,
            status: 200,
            method: Method::Get,
            protocol: Protocol::Http11,
            access: true,
        });
    }
    trace
}

fn implied(files: &[(&[u8], u64)], queries: bool) -> Vec<(PathBuf, u64)> {
    let implied = implied_by(&read_once(files), queries).unwrap();
    assert_eq!(implied.paths, files.len() as u64);
    implied.tree.files
}

fn refusal(files: &[(&[u8], u64)]) -> String {
    implied_by(&read_once(files), false)
        .unwrap_err()
        .to_string()
}

#[test]
fn files_of_a_log_stand_where_a_server_looks_them_up() {
    let cases: [(&[u8], &str); 9] = [
        (b"/", "site/index.html"),
        (b"/a.html", "site/a.html"),
        (b"/a/", "site/a/index.html"),
        (b"/b//./c/../d.gif", "site/b/d.gif"),
        (b"/x/..", "site/index.html"),
        (b"17", "site/17"),
        (b"/q?a=1", "site/q?a=1"),
        (b"/na\xefve \xff", ""),
        (b"/@0", "site/@0"),
    ];
    for (path, file) in cases {
        let files = implied(&[(path, 7)], false);
        match file {
            "" => assert!(files[0].0.starts_with("site")),
            file => assert_eq!(files, [(file.into(), 7)]),
        }
    }
    assert_eq!(implied(&[(b"/q?a=1", 7)], true), [("site/q".into(), 7)]);
    let hostile = Trace {
        sites: vec!["../up".into()],
        ..read_once(&[(b"/a", 3)])
    };
    let files = implied_by(&hostile, false).unwrap().tree.files;
    assert_eq!(files, [("..%2Fup/a".into(), 3)]);
}

#[test]
fn empty_files_are_empty_and_those_that_nothing_reads_are_left_out() {
    let mut trace = read_once(&[(b"/empty", 0), (b"/one", 1), (b"/unread", 5)]);
    trace.requests.access[2] = false;
    let files = implied_by(&trace, false).unwrap().tree.files;
    assert_eq!(files, [("site/empty".into(), 0), ("site/one".into(), 1)]);
}

#[test]
fn paths_to_one_file_share_it_unless_its_sizes_differ() {
    let shared = implied(
        &[(b"/", 9), (b"/index.html", 9), (b"//index.html", 9)],
        false,
    );
    assert_eq!(shared, [("site/index.html".into(), 9)]);
    let said = refusal(&[(b"/", 9), (b"/index.html", 8), (b"/./", 7)]);
    for part in [
        "\"/\"",
        "\"/index.html\"",
        "two sizes",
        "(2 pairs",
        "the rule c1",
    ] {
        assert!(said.contains(part), "{said}");
    }
    let said = refusal(&[(b"/blog/post.html", 9), (b"/blog", 9)]);
    for part in [
        "\"/blog\"",
        "\"/blog/post.html\"",
        "cannot be a folder",
        "the rule c1",
    ] {
        assert!(said.contains(part), "{said}");
    }
}

#[test]
fn paths_that_no_file_can_have_are_named() {
    let long = [b"/", [b'x'; 256].as_slice()].concat();
    let cases: [(&[u8], &str); 4] = [
        (b"/../etc/passwd", "leads out"),
        (b"/a/../../b", "leads out"),
        (b"/nul\0", "a byte 0"),
        (&long, "255 bytes"),
    ];
    for (path, why) in cases {
        let said = refusal(&[(b"/fine", 1), (path, 5)]);
        assert!(said.contains(why) && said.contains("the rule c1"), "{said}");
    }
}

#[test]
fn sparse_files_have_their_sizes_and_take_no_room() {
    let folder = tempfile::tempdir().unwrap();
    let tree = FileTree {
        files: vec![("site/a".into(), 1 << 42), ("site/b".into(), 5)],
    };
    let staged = tree
        .stage(folder.path(), Content::Sparse, &|| true)
        .unwrap();
    assert_eq!(staged.place().unwrap(), (1 << 42) + 5);
    let large = fs::metadata(folder.path().join("site/a")).unwrap();
    assert_eq!((large.len(), large.blocks()), (1 << 42, 0));
}

#[test]
fn files_larger_than_their_disk_are_refused_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let tree = FileTree {
        files: vec![("site/a".into(), 1 << 50), ("site/b".into(), 1 << 50)],
    };
    let below = folder.path().join("new/www");
    let refused = tree.stage(&below, Content::Random(0), &|| true);
    let Err(FileTreeError::NoRoom {
        needed_kib,
        free_kib,
        ..
    }) = refused
    else {
        panic!("there is no such disk");
    };
    assert!(needed_kib >= 1 << 41);
    let said = refused.err().unwrap().to_string();
    let short = format!("{} KiB too few", needed_kib - free_kib);
    assert!(said.contains(&short), "{said}");
    assert!(is_empty(folder.path()));
}
