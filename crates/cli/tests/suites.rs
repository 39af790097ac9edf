//! No test is left out: each file of tests is named by its crate's `tests/main.rs`, and each crate whose source has
//! tests or examples of its own has them run.

use std::fs;
use std::path::{Path, PathBuf};

fn crates() -> Vec<PathBuf> {
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut crates: Vec<_> = fs::read_dir(all)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("Cargo.toml").is_file())
        .collect();
    crates.sort();
    assert!(crates.len() > 10);
    crates
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn every_file_of_tests_is_in_its_crates_program() {
    for folder in crates() {
        let tests = folder.join("tests");
        if !tests.is_dir() {
            continue;
        }
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        assert!(manifest.contains("autotests = false"), "{folder:?}");
        let main = fs::read_to_string(tests.join("main.rs")).unwrap();
        for entry in fs::read_dir(&tests).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap();
            let is_source = path.extension().is_some_and(|extension| extension == "rs");
            if is_source && name != "main" {
                assert!(
                    main.contains(&format!("mod {name};")),
                    "{} lacks `mod {name};`",
                    tests.join("main.rs").display()
                );
            }
        }
    }
}

#[test]
fn tests_and_examples_in_sources_are_run() {
    for folder in crates() {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let says = |line: &str| manifest.lines().any(|own| own == line);
        let mut files = Vec::new();
        sources(&folder.join("src"), &mut files);
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            if says("test = false") {
                let has_tests = text.contains("#[test]") || text.contains("proptest!");
                assert!(!has_tests, "{} is not tested", file.display());
            }
            if says("doctest = false") {
                let has_examples = text.lines().any(|line| {
                    let line = line.trim_start();
                    line.starts_with("/// ```") || line.starts_with("//! ```")
                });
                assert!(!has_examples, "{} is not tested", file.display());
            }
        }
    }
}
