//! How a server is named, and what is said when there is none.

use hotset_live::ServerName;
use hotset_machine::cgroup::{Hierarchies, MemoryGroup};
use hotset_test_support::{skip, together};
use std::fs;
use std::path::Path;

fn problem(name: &str) -> String {
    let name: ServerName = name.parse().unwrap();
    name.find().unwrap_err().to_string()
}

#[test]
fn names_are_read_and_written_alike_and_others_are_refused() {
    for name in [
        "unit:nginx",
        "unit:web@1.service",
        "pid:/run/nginx.pid",
        "cgroup:/system.slice/a:b",
    ] {
        assert_eq!(name.parse::<ServerName>().unwrap().to_string(), name);
    }
    for name in [
        "",
        "nginx",
        "unit:",
        "pid:",
        "unit:-x",
        "unit:a/b",
        "pod:a",
        "unit:a\nb",
        "cgroup:",
    ] {
        let error = name.parse::<ServerName>().unwrap_err();
        assert!(error.contains("unit"), "{name:?}: {error}");
    }
}

#[test]
fn a_pid_file_that_is_stale_or_none_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pid");
    let name = format!("pid:{}", file.display());
    assert!(problem(&name).contains("No such file"));
    fs::write(&file, "not a number\n").unwrap();
    assert!(problem(&name).contains("does not hold a number"));
    // Pids go up to 4 194 304 (proc(5)).
    fs::write(&file, "99999999\n").unwrap();
    assert!(problem(&name).contains("stale"));
    fs::write(&file, format!("{}\n", std::process::id())).unwrap();
    let server = name.parse::<ServerName>().unwrap().find().unwrap();
    assert_eq!(server.pid, Some(std::process::id()));
    assert!(server.is_there());
}

#[test]
fn a_folder_that_is_no_memory_group_is_refused() {
    assert!(problem("cgroup:/tmp").contains("no control group"));
    assert!(problem("cgroup:/no/such/group").contains("no control group"));
}

#[test]
fn a_group_that_was_made_anew_is_not_the_one_that_was_there() {
    let root = Hierarchies::detect().unwrap().v1.get("memory").cloned();
    let group = root.map(|root| root.join(format!("hotset-test-{}", std::process::id())));
    together();
    let Some(group) = group.filter(|group| fs::create_dir(group).is_ok()) else {
        return skip("no right to make memory groups of version 1");
    };
    let name: ServerName = format!("cgroup:{}", group.display()).parse().unwrap();
    let server = name.find().unwrap();
    let is_there = server.is_there();
    fs::remove_dir(&group).unwrap();
    let is_gone = !server.is_there();
    fs::create_dir(&group).unwrap();
    let again = name.find().unwrap();
    fs::remove_dir(&group).unwrap();
    assert!(is_there && is_gone);
    assert!(!again.is_at_home_with(&server));
}

#[test]
fn a_group_is_found_by_its_path_within_the_groups_as_well() {
    let Some(group) = MemoryGroup::of_process(std::process::id()).unwrap() else {
        return skip("the test is in no memory group");
    };
    let roots = Hierarchies::detect().unwrap();
    let root = roots.v1.get("memory").or(roots.unified.as_ref()).unwrap();
    let inside = Path::new("/").join(group.path().strip_prefix(root).unwrap());
    let name: ServerName = format!("cgroup:{}", inside.display()).parse().unwrap();
    assert_eq!(name.find().unwrap().group, Some(group));
}
