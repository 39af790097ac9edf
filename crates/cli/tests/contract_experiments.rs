//! Kept results of experiments and of `hotset validate` hold to their schemas.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::schema::holds_to;
use crate::support::{Failure, Workplace};
use serde_json::Value;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Experiments of the repository that have results.
fn measured_experiments() -> Vec<PathBuf> {
    let folders = entries(&repository().join("experiments"));
    let files = folders.iter().flat_map(|folder| entries(folder));
    files.filter(|file| has_results(file)).collect()
}

/// What is in a folder, sorted; nothing for a file.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("readable").path())
        .collect();
    paths.sort();
    paths
}

/// Whether a file is an experiment whose folder of results has some.
fn has_results(file: &Path) -> bool {
    if file.extension().is_none_or(|extension| extension != "toml") {
        return false;
    }
    let text = fs::read_to_string(file).expect("readable");
    let value = |key: &str| {
        let lines = text.lines().take_while(|line| !line.starts_with('['));
        let mut values = lines.filter_map(|line| line.strip_prefix(key)?.strip_prefix(" = "));
        values.next().map(|value| value.trim_matches('"'))
    };
    let results = value("results").unwrap_or("results");
    value("kind").is_some() && !entries(&file.with_file_name(results)).is_empty()
}

#[test]
fn measured_experiments_hold_to_their_schema() {
    let files = measured_experiments();
    assert!(files.len() > 10, "{files:?}");
    for file in files {
        let file = file.to_str().expect("UTF-8");
        let place = Workplace::new();
        let list = place.json(["experiment", "list", "--json", file]);
        holds_to("experiment-list.json", &list);
        let show = ["experiment", "show", "--json", file];
        let json = place.json(show.into_iter().chain(first_cell(&list)));
        let points = json["points"].as_array();
        assert!(points.is_some_and(|points| !points.is_empty()), "{file}");
        holds_to("experiment.json", &json);
    }
}

#[test]
fn scores_of_several_experiments_hold_to_their_schema() {
    let [read, written] = ["local-read-ageing", "local-write-fsync-every"].map(|name| {
        let file = repository().join("experiments").join(name);
        file.join("experiment.toml").to_string_lossy().into_owned()
    });
    let place = Workplace::new();
    let json = place.json(["experiment", "scores", "--json", &read, &written]);
    holds_to("experiment-scores.json", &json);
    let scores = json["scores"].as_array().expect("scores");
    let sync = |it: &&Value| it["operation"] == "fsync" && it["metric"] == "mean_us";
    assert!(scores.iter().any(|it| sync(&it)), "{json}");
    let names = json["experiments"].as_array().expect("experiments");
    assert_eq!(names.len(), 2, "{json}");
    Failure::of(place.hotset(["experiment", "scores"]))
        .has_code(2)
        .says("EXPERIMENT.toml");
}

/// The option that leaves an experiment of cells to the first one with a result: it shows what all show, and many take seconds to predict.
fn first_cell(list: &Value) -> Vec<&str> {
    let points = list["points"].as_array().expect("points").iter();
    let mut measured = points.filter(|point| point["measured"] == true);
    let cell = measured.find_map(|point| point["cell"].as_str());
    cell.map_or_else(Vec::new, |cell| vec!["--cell", cell])
}

#[test]
fn experiments_below_the_working_folder_hold_to_their_schema() {
    let place = Workplace::new();
    let node = "[[node]]\nname = \"web\"\nmemory = \"64MiB\"\n";
    place.write("node.toml", node.as_bytes());
    let none = place.succeeds(["experiment", "list"]);
    assert!(none.contains("There is no experiment file"), "{none}");
    let broken = "name = \"a\"\nkind = \"fio-jobs\"\nscenario = \"gone.toml\"\n";
    place.write("a.toml", broken.as_bytes());
    let json = place.json(["experiment", "list", "--json"]);
    holds_to("experiment-list.json", &json);
    assert_eq!(json["experiments"][0]["file"], "a.toml");
    Failure::of(place.hotset(["experiment", "list", "--cell", "0x2"]))
        .has_code(2)
        .says("EXPERIMENT.toml");
}

#[test]
fn kept_results_of_validate_hold_to_its_schema() {
    let folder = repository().join("experiments/local-read-own-disk/results");
    let files: Vec<_> = fs::read_dir(folder).expect("a folder").collect();
    assert!(!files.is_empty(), "the results are there");
    for file in files {
        let text = fs::read(file.expect("a result").path()).expect("readable");
        let kept = serde_json::from_slice(&text).expect("JSON");
        holds_to("validate.json", &kept);
    }
}
