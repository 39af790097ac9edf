//! What `hotset plan` tells people and scripts to do, and the files that other programs take from it.

use hotset_test_support::skip;
use std::fs;
use std::process::Command;

use crate::support::{Failure, Workplace, combined_line};

/// A site `all` of 20 files on disk, with a log of it.
fn site_on_disk(place: &Workplace) {
    let zipf = ["generate", "zipf", "--objects", "20", "--working-set"];
    let output = [
        "200KiB",
        "--requests",
        "2000",
        "--files",
        "www",
        "--log",
        "a.log",
    ];
    place.succeeds(zipf.iter().chain(&output));
}

const PLAN: [&str; 4] = ["plan", "--memory", "50%", "a.log"];
// Whatever store the tests run on.
const ROOT: [&str; 4] = ["--root", "all=www/zipf", "--backing", "hdd"];

/// A log whose files change for good where the held-out part begins.
fn changed_log() -> String {
    let path = |turn: u32| match turn {
        0..700 => turn % 20,
        _ => 20 + turn % 10,
    };
    let lines = (0..1000).map(|turn| combined_line(&format!("/{}.html", path(turn)), 4096));
    lines.collect()
}

fn code(place: &Workplace, args: &[&str]) -> Option<i32> {
    place.hotset(args).status.code()
}

#[test]
fn the_exit_code_says_what_to_do_where_asked() {
    let place = Workplace::new();
    site_on_disk(&place);
    let first = [&PLAN[..], &["-o", "p.json"]].concat();
    assert_eq!(code(&place, &first), Some(0));
    assert_eq!(
        code(&place, &[&first[..], &["--exit-code"]].concat()),
        Some(3)
    );
    let again = [&PLAN[..], &["--previous", "p.json", "--exit-code"]].concat();
    assert_eq!(code(&place, &again), Some(0));
    place.write("changed.log", changed_log().as_bytes());
    let worse = ["plan", "--memory", "40KiB", "--exit-code", "changed.log"];
    assert_eq!(code(&place, &worse), Some(4));
    let wrong = ["plan", "--memory", "0", "--exit-code", "a.log"];
    assert_eq!(code(&place, &wrong), Some(2));
}

#[test]
fn a_plan_that_loses_lists_no_file_and_says_why() {
    let place = Workplace::new();
    place.write("changed.log", changed_log().as_bytes());
    let plan = ["plan", "--memory", "40KiB", "changed.log"];
    let json = place.json(plan.iter().chain(&["--json", "-o", "p.json"]));
    assert_eq!(json["verdict"], "leave");
    assert_eq!(json["held"]["objects"], 0);
    assert_eq!(json["page_cache_bytes"], 40 << 10);
    assert!(json["given_up"]["objects"].as_u64() > Some(0));
    let file = fs::read_to_string(place.path("p.json")).expect("written");
    assert!(file.contains("\"files\": []"), "{file}");
    let text = place.succeeds(plan);
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let start =
        "If files are read from hdd, leave it to the page cache: the best plan found, holding ";
    assert!(
        words.starts_with(start) && words.contains("raises the mean response by"),
        "{text}"
    );
}

#[test]
fn changes_to_the_plan_in_force_are_listed() {
    let place = Workplace::new();
    site_on_disk(&place);
    place.succeeds(["plan", "--memory", "30%", "-o", "p.json", "a.log"]);
    let json = place.json(PLAN.iter().chain(&["--previous", "p.json", "--json"]));
    assert_eq!(json["verdict"], "hold");
    let added = json["changes"]["added"]["files"].as_array().expect("files");
    assert!(!added.is_empty());
    let bytes: u64 = added
        .iter()
        .filter_map(|file| file["size_bytes"].as_u64())
        .sum();
    assert_eq!(json["changes"]["added"]["bytes"], bytes);
    let text = place.succeeds(
        PLAN.iter()
            .chain(&["--previous", "p.json", "--csv", "tables"]),
    );
    let first = added[0]["path"].as_str().expect("text");
    assert!(
        text.lines()
            .any(|line| line.starts_with("+ ") && line.contains(first)),
        "{text}"
    );
    let sheet = fs::read_to_string(place.path("tables/changes.csv")).expect("written");
    assert!(sheet.contains(&format!("added,{first},")), "{sheet}");
}

#[test]
fn a_list_names_files_on_disk_where_the_root_is_known() {
    let place = Workplace::new();
    site_on_disk(&place);
    let list = ["-o", "p.txt", "--output-format", "list"];
    place.succeeds(PLAN.iter().chain(&ROOT).chain(&list));
    let paths = fs::read_to_string(place.path("p.txt")).expect("written");
    assert!(paths.lines().count() > 0 && paths.ends_with('\n'));
    for path in paths.lines() {
        assert!(
            path.starts_with("www/zipf/") && place.path(path).is_file(),
            "{path}"
        );
    }
    let output = place.hotset(PLAN.iter().chain(&list));
    let warning = String::from_utf8(output.stderr).expect("text");
    assert!(
        warning.contains("by URL path") && warning.contains("--root SITE=DIR"),
        "{warning}"
    );
    let urls = fs::read_to_string(place.path("p.txt")).expect("written");
    assert!(urls.lines().all(|path| path.starts_with("/d")), "{urls}");
}

#[test]
fn vmtouch_reads_the_files_of_the_plan() {
    let place = Workplace::new();
    site_on_disk(&place);
    let vmtouch = ["-o", "p.0", "--output-format", "vmtouch"];
    let json = place.json(PLAN.iter().chain(&ROOT).chain(&vmtouch).chain(&["--json"]));
    let held = json["held"]["objects"].as_u64().expect("files");
    let read = Command::new("vmtouch")
        .args(["-f", "-0", "-b", "p.0"])
        .current_dir(place.folder())
        .output();
    let Ok(read) = read else {
        skip("there is no vmtouch");
        return;
    };
    let said = String::from_utf8_lossy(&read.stdout);
    assert!(said.contains(&format!("Files: {held}\n")), "{said}");
}

#[test]
fn vmtouch_without_a_root_is_refused_with_the_option_that_names_it() {
    let place = Workplace::new();
    site_on_disk(&place);
    let vmtouch = ["-o", "p.0", "--output-format", "vmtouch"];
    Failure::of(place.hotset(PLAN.iter().chain(&vmtouch)))
        .has_code(1)
        .says("p.0")
        .says("--root all=DIR");
    assert!(!place.path("p.0").exists());
    let alone = place.hotset(PLAN.iter().chain(&["--output-format", "list"]));
    Failure::of(alone).has_code(2).says("--output");
}

/// A plan for the site and node in the file `p.json`, whose text is changed.
fn previous(place: &Workplace, change: impl Fn(String) -> String) -> Failure {
    place.succeeds(PLAN.iter().chain(&["-o", "p.json"]));
    let text = fs::read_to_string(place.path("p.json")).expect("written");
    place.write("p.json", change(text).as_bytes());
    Failure::of(place.hotset(PLAN.iter().chain(&["--previous", "p.json"])))
}

#[test]
fn a_previous_plan_that_cannot_be_that_of_this_traffic_is_refused() {
    let place = Workplace::new();
    site_on_disk(&place);
    previous(&place, |text| text.replace("\"all\"", "\"shop\""))
        .has_code(1)
        .says("p.json: holds files of shop, and the sites here are all");
    previous(&place, |text| {
        text.replacen("\"node\": \"node\"", "\"node\": \"web1\"", 1)
            .replace("\"node\": \"node\"", "\"node\": \"web2\"")
    })
    .has_code(1)
    .says("p.json: is a plan for web1, web2, and this one is for node");
    previous(&place, |text| {
        text.replacen("\"version\": 1", "\"version\": 2", 1)
    })
    .has_code(1)
    .says("p.json: is of version 2");
    previous(&place, |_| "/a.html\n/b.html\n".to_owned())
        .has_code(1)
        .says("p.json: not a plan file as `hotset plan -o` writes it");
    previous(&place, |text| text.replacen("\"files\"", "\"flies\"", 1))
        .has_code(1)
        .says("flies");
    let report = place.succeeds(PLAN.iter().chain(&["--json"]));
    previous(&place, |_| report.clone())
        .has_code(1)
        .says("not a plan file");
}

#[test]
fn a_previous_plan_of_a_node_by_another_name_is_that_of_the_only_node() {
    let place = Workplace::new();
    site_on_disk(&place);
    place.succeeds(PLAN.iter().chain(&["-o", "p.json"]));
    let text = fs::read_to_string(place.path("p.json")).expect("written");
    let renamed = text.replace("\"node\": \"node\"", "\"node\": \"web1\"");
    place.write("p.json", renamed.as_bytes());
    let json = place.json(PLAN.iter().chain(&["--previous", "p.json", "--json"]));
    assert_eq!(
        (&json["verdict"], &json["moved_bytes"]),
        (&"unchanged".into(), &0.into())
    );
}

#[test]
fn a_plan_in_force_is_not_overwritten_by_what_no_plan_reads() {
    let place = Workplace::new();
    site_on_disk(&place);
    place.succeeds(PLAN.iter().chain(&["-o", "p.json"]));
    let before = fs::read(place.path("p.json")).expect("written");
    let previous = ["--previous", "p.json"];
    for results in [
        &["-o", "p.json", "--output-format", "list"][..],
        &["-o", "./p.json", "--output-format", "vmtouch"],
        &["--html", "p.json"],
    ] {
        let output = place.hotset(PLAN.iter().chain(&previous).chain(results));
        let says = "p.json: is read, and would be overwritten by the result; name another file";
        Failure::of(output).has_code(2).says(says);
        assert_eq!(fs::read(place.path("p.json")).ok().as_ref(), Some(&before));
    }
    place.succeeds(PLAN.iter().chain(&previous).chain(&["-o", "p.json"]));
}
