//! Whether copies are read, or the files themselves.

use hotset_live::{CopiedFile, CopyReads, WantedFile};
use rustix::fs::{Mode, OFlags, open};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// As many rounds as it takes to be sure.
const ENOUGH: usize = 3;

/// Files of two sites, and their copies.
fn files(folder: &Path) -> Vec<CopiedFile> {
    let file = |(site, name): (&str, &str)| {
        let [original, copy] = ["files", "copies"].map(|kind| folder.join(kind).join(site));
        for folder in [&original, &copy] {
            if !folder.join(name).exists() {
                fs::create_dir_all(folder).unwrap();
                fs::write(folder.join(name), b"content").unwrap();
            }
        }
        CopiedFile {
            wanted: WantedFile {
                site: site.to_owned(),
                path: format!("/{name}").as_str().into(),
            },
            original: open(original.join(name), OFlags::PATH, Mode::empty()).unwrap(),
            copy: copy.join(name),
        }
    };
    [("shop", "a"), ("shop", "b"), ("blog", "a")]
        .map(file)
        .into()
}

/// Rounds in each of which something happens.
fn after(rounds: usize, mut happens: impl FnMut(&Path, usize)) -> Vec<String> {
    let folder = TempDir::new().unwrap();
    let mut reads = CopyReads::default();
    reads.next_round(files(folder.path()));
    for round in 0..rounds {
        happens(folder.path(), round);
        reads.note(false);
        reads.next_round(files(folder.path()));
    }
    let unread = reads.unread_sites().into_iter();
    unread.map(str::to_owned).collect()
}

fn read(folder: &Path, file: &str) {
    fs::read(folder.join(file)).unwrap();
}

#[test]
fn a_site_whose_file_is_read_again_and_again_and_no_copy_is_told_of() {
    assert_eq!(after(ENOUGH, |at, _| read(at, "files/shop/a")), ["shop"]);
    assert!(after(ENOUGH - 1, |at, _| read(at, "files/shop/a")).is_empty());
    assert!(after(ENOUGH, |_, _| {}).is_empty(), "nobody asks for it");
}

#[test]
fn one_copy_that_is_read_shows_that_the_server_looks_for_copies() {
    let happens = |at: &Path, round| {
        read(at, "files/shop/a");
        read(at, "files/blog/a");
        if round == ENOUGH - 1 {
            read(at, "copies/shop/b");
        }
    };
    assert_eq!(after(ENOUGH, happens), ["blog"]);
}

#[test]
fn who_goes_through_all_files_once_is_no_server() {
    let turn = ["files/shop/a", "files/shop/b", "files/blog/a"];
    assert!(after(ENOUGH, |at, round| read(at, turn[round % 3])).is_empty());
}

#[test]
fn what_the_caller_reads_itself_is_not_counted() {
    let folder = TempDir::new().unwrap();
    let mut reads = CopyReads::default();
    reads.next_round(files(folder.path()));
    for _ in 0..ENOUGH {
        read(folder.path(), "files/shop/a");
        reads.note(true);
        reads.next_round(files(folder.path()));
    }
    assert!(reads.unread_sites().is_empty());
}
