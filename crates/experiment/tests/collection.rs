//! Experiments below a folder are found, and nothing else is.

use std::fs;

use hotset_experiment::{ExperimentError, below};

const NODE: &str = "[[node]]\nname = \"web\"\nmemory = \"64MiB\"\n";

fn place(files: &[(&str, &str)]) -> tempfile::TempDir {
    let place = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let path = place.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    place
}

#[test]
fn experiments_of_the_repository_are_listed_with_what_is_measured() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments");
    let listed = below(folder.as_ref()).expect("experiments");
    let of = |name: &str| listed.iter().find(|it| it.file.ends_with(name));
    let network = of("file-systems/experiment.toml").expect("it is listed");
    assert!(network.measured > 0 && network.measured <= network.points);
    assert_eq!(network.problem, None);
    assert_eq!(of("file-systems/nodes.toml"), None, "that is a scenario");
}

#[test]
fn an_experiment_that_cannot_be_used_says_why() {
    let broken = "name = \"a\"\nkind = \"fio-jobs\"\nscenario = \"gone.toml\"\n[fio-jobs]\n";
    let place = place(&[
        ("a/broken.toml", broken),
        ("a/node.toml", NODE),
        (".b/x.toml", broken),
    ]);
    let listed = below(place.path()).expect("a list");
    assert_eq!(listed.len(), 1, "{listed:?}");
    assert_eq!(listed[0].file.to_str(), Some("a/broken.toml"));
    assert_eq!((listed[0].points, listed[0].measured), (0, 0));
    assert!(listed[0].problem.is_some());
}

#[test]
fn a_folder_that_is_not_there_is_an_error() {
    let problem = below("/nowhere/at/all".as_ref());
    assert!(
        matches!(problem, Err(ExperimentError::Machine(_))),
        "{problem:?}"
    );
}
