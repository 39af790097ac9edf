//! No file of a crate uses a file that, directly or through others, uses it, and no folder beside `lib.rs` does: whoever
//! reads one finds everything it stands on below it.
//!
//! `cargo test -p hotset-cli structure -- --nocapture` also prints how many files and circles each crate has.

mod circles;
mod modules;

use std::path::{Path, PathBuf};

use circles::{between_folders, circles};
use modules::Modules;

/// Folders of every crate of the repository.
fn crates() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let crates = root.join("crates").read_dir().expect("a folder of crates");
    let mut folders: Vec<PathBuf> = crates.map(|it| it.expect("an entry").path()).collect();
    folders.push(root.join("python"));
    folders.sort();
    folders
}

#[test]
#[expect(clippy::print_stdout, reason = "the figures of each crate")]
fn no_file_or_folder_uses_one_that_uses_it() {
    let mut found = Vec::new();
    for folder in crates() {
        let name = folder
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let modules = Modules::read(&folder.join("src"));
        let uses = modules.uses();
        let folders = between_folders(&uses);
        let mut of_crate = circles(&uses);
        of_crate.extend(circles(&folders));
        println!(
            "{name:12} {:4} files {:2} circles",
            modules.files(),
            of_crate.len()
        );
        found.extend(
            of_crate
                .iter()
                .map(|files| format!("{name}: {}", files.join(", "))),
        );
    }
    assert!(found.is_empty(), "circles:\n{}", found.join("\n"));
}

#[test]
fn a_circle_through_a_name_that_is_passed_on_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    for (file, text) in [
        ("lib.rs", "mod a;\nmod b;\npub use a::A;"),
        ("a.rs", "use crate::b::B;\npub struct A(B);"),
        (
            "b.rs",
            "pub struct B;\nfn f() { let _ = vec![crate::A::new()]; }",
        ),
    ] {
        std::fs::write(folder.path().join(file), text).expect("a file");
    }
    let modules = Modules::read(folder.path());
    let uses = modules.uses();
    assert_eq!(circles(&uses), [["a.rs", "b.rs"]]);
}

#[test]
fn a_circle_of_folders_is_found_where_their_files_make_none() {
    let uses = [
        ("a/x.rs", "b/y.rs"),
        ("b/z.rs", "a/w.rs"),
        ("b/y.rs", "c.rs"),
    ];
    let uses = uses.map(|(file, used)| (file.to_owned(), [used.to_owned()].into()));
    let uses = uses.into_iter().collect();
    assert!(circles(&uses).is_empty());
    assert_eq!(circles(&between_folders(&uses)), [["a", "b"]]);
}
