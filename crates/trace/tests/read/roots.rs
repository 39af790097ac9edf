//! URL paths mapped to files of a document root.

use super::support::{accesses, get, paths, read_text, read_with, write};
use hotset_trace::read::{ReadError, ReadOptions, RootRule, Roots};
use std::fs;
use std::path::Path;

fn tree() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("root");
    fs::create_dir_all(root.join("docs")).unwrap();
    write(&root, "index.html", [b'x'; 100]);
    write(&root, "a b.txt", [b'x'; 70]);
    write(&root, "empty", []);
    write(&root, "app.php", [b'x'; 30]);
    write(&root.join("docs"), "index.htm", [b'x'; 50]);
    fs::create_dir(folder.path().join("icons")).unwrap();
    write(&folder.path().join("icons"), "i.png", [b'x'; 9]);
    write(folder.path(), "secret", [b'x'; 5]);
    folder
}

fn options(folder: &Path) -> ReadOptions {
    let root = |text: String| text.parse::<RootRule>().unwrap();
    let roots = vec![
        root(format!("all={}", folder.join("root").display())),
        root(format!("all:/icons={}", folder.join("icons").display())),
    ];
    ReadOptions {
        roots,
        ..ReadOptions::default()
    }
}

fn log(paths: &[&str]) -> String {
    paths
        .iter()
        .enumerate()
        .map(|(i, path)| get(i as u32, path))
        .collect()
}

#[test]
fn sizes_are_those_of_the_files_and_index_files_and_aliases_are_found() {
    let folder = tree();
    let text = log(&[
        "/a%20b.txt",
        "/",
        "/index.html",
        "/docs/",
        "/docs",
        "/icons/i.png",
        "/empty",
    ]);
    let (trace, _) = read_text(&text, &options(folder.path()));
    let expected = [
        ("/a b.txt", 70),
        ("/index.html", 100),
        ("/index.html", 100),
        ("/docs/index.htm", 50),
        ("/docs/index.htm", 50),
        ("/icons/i.png", 9),
        ("/empty", 1),
    ];
    assert_eq!(
        accesses(&trace),
        expected.map(|(path, size)| (path.to_owned(), size))
    );
    assert_eq!(trace.objects.len(), 5);
}

#[test]
fn paths_without_a_file_are_counted_and_no_objects() {
    let folder = tree();
    let text = log(&[
        "/gone",
        "/gone",
        "/../secret",
        "/%2e%2e/secret",
        "/%00",
        "/empty",
    ]);
    let (trace, summary) = read_text(&text, &options(folder.path()));
    assert_eq!(paths(&trace), ["/empty"]);
    assert_eq!(summary.not_files.not_under_root, 5);
}

#[test]
fn query_is_stripped_where_the_root_has_the_file() {
    let folder = tree();
    let text = log(&["/app.php?x=1", "/other.php?x=1", "/empty"]);
    let (trace, summary) = read_text(&text, &options(folder.path()));
    assert_eq!(paths(&trace), ["/app.php", "/empty"]);
    assert_eq!(summary.not_files.query, 1);
}

#[test]
fn files_are_found_again_with_their_time() {
    let folder = tree();
    let roots = Roots::new(options(folder.path()).roots).unwrap();
    let file = roots.find("all", b"/docs/").unwrap();
    assert_eq!(file.file, folder.path().join("root/docs/index.htm"));
    assert!(file.mtime_ns.unwrap() > 0);
    assert_eq!(roots.find("all", &file.url_path), Some(file));
    assert_eq!(roots.find("elsewhere", b"/docs/"), None);
}

#[test]
fn bad_roots_are_refused_by_name() {
    let folder = tree();
    for rule in ["", "all=", "=/tmp"] {
        assert!(matches!(
            rule.parse::<RootRule>(),
            Err(ReadError::Root { .. })
        ));
    }
    let path = write(folder.path(), "a.log", get(1, "/a"));
    for directory in ["/nonexistent", path.to_str().unwrap()] {
        let rule: RootRule = format!("all={directory}").parse().unwrap();
        assert!(
            Roots::new(vec![rule])
                .unwrap_err()
                .to_string()
                .contains(directory)
        );
    }
    let rule: RootRule = format!("shop={}", folder.path().display()).parse().unwrap();
    let options = ReadOptions {
        roots: vec![rule],
        ..ReadOptions::default()
    };
    let error = read_with(&[path], &options).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("no site is named \"shop\": the sites are all"),
        "{error}"
    );
}

#[test]
fn a_folder_without_a_site_is_the_root_of_the_only_one() {
    let folder = tree();
    let text = folder.path().join("root").display().to_string();
    let roots = vec![text.parse().unwrap()];
    let alone = ReadOptions {
        roots,
        ..ReadOptions::default()
    };
    let log = log(&["/a%20b.txt", "/docs/"]);
    let (trace, _) = read_text(&log, &alone);
    assert_eq!(paths(&trace), ["/a b.txt", "/docs/index.htm"]);
    let sites = ["docs=/docs/*", "rest=/*"].map(|rule| rule.parse().unwrap());
    let several = ReadOptions {
        sites: sites.into(),
        ..alone
    };
    let path = write(folder.path(), "a.log", log);
    let error = read_with(&[path], &several).unwrap_err().to_string();
    assert!(
        error.contains("there are several sites: write SITE=DIR, with one of docs, rest"),
        "{error}"
    );
}

#[test]
fn a_second_directory_for_the_same_urls_is_refused() {
    let folder = tree();
    let root = |name: &str| {
        let text = format!("all={}", folder.path().join(name).display());
        text.parse::<RootRule>().unwrap()
    };
    let error = Roots::new(vec![root("root"), root("icons")]).expect_err("two roots");
    let text = error.to_string();
    assert!(
        text.contains("icons") && text.contains("another directory"),
        "{text}"
    );
}
