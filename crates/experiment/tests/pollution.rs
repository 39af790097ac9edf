//! Experiments of kind shared-node: what they refuse, and which points they have.

use hotset_experiment::{Axis, Selection};

use crate::place::{Place, says, selects_nothing};

const NODE: &str = include_str!("samples/shared-node/node.toml");

const EXPERIMENT: &str = include_str!("samples/shared-node/experiment.toml");

fn place(node: &str, experiment: &str) -> Place {
    Place::with(&[("node.toml", node), ("experiment.toml", experiment)])
}

#[track_caller]
fn refused(node: (&str, &str), experiment: (&str, &str), wanted: &str) {
    assert!(NODE.contains(node.0) && EXPERIMENT.contains(experiment.0));
    let place = place(
        &NODE.replacen(node.0, node.1, 1),
        &EXPERIMENT.replacen(experiment.0, experiment.1, 1),
    );
    says(place.load(), wanted);
}

fn on(axis: Axis, value: &str) -> Selection {
    Selection::default().with(axis, &[value.to_owned()])
}

#[test]
fn a_bad_experiment_is_refused_where_it_stands() {
    for (from, to, wanted) in [
        (
            "\"shared-node\"",
            "\"shared\"",
            "experiment.toml:2:8: `kind`: `shared` is none of shared-node, file-systems, fio-jobs",
        ),
        (
            "\"node.toml\"",
            "\"nodes.toml\"",
            "experiment.toml:3:12: `scenario`: there is no file",
        ),
        (
            "scale = 100",
            "scale = 0",
            "experiment.toml:5:9: `scale`: must be a whole number of at least 1",
        ),
        (
            "scale = 100",
            "scales = 1",
            "experiment.toml:5:1: `scales`: unknown key; did you mean `scale`?",
        ),
        (
            "\"0x1\"",
            "\"0x9\"",
            "experiment.toml:8:9: `cells` in [shared-node]: `0x9` is not a cell",
        ),
        (
            "\"plan\"",
            "\"plans\"",
            "experiment.toml:10:8: `arms` in [shared-node]: `plans` is none of page-cache, plan",
        ),
        (
            "[100, 100, ",
            "[",
            "experiment.toml:9:12: `requests` in [shared-node]: give 5 numbers",
        ),
        (
            "[100, ",
            "[3, ",
            "`requests` in [shared-node]: 3 is not a number from 20 to 1000000000",
        ),
        ("seed = 1", "seed = ", "experiment.toml:4:8: "),
        (
            "scale = 100",
            "scale = 1000000",
            "experiment.toml:5:9: `scale`: 1000000 is more than 1000",
        ),
        (
            "clients = 2",
            "clients = 1000000000",
            "experiment.toml:11:11: `clients` in [shared-node]: 1000000000 is not a number from 1 to 1024",
        ),
        (
            "throughput_seconds = 1",
            "throughput_seconds = 1e9",
            "experiment.toml:12:22: `throughput_seconds` in [shared-node]: 1000000000 is not a number from 0 to 3600",
        ),
        (
            "throughput_seconds = 1",
            "alpha = -1",
            "experiment.toml:12:9: `alpha` in [shared-node]: -1 is not a number from 0 to 5",
        ),
        (
            "throughput_seconds = 1",
            "size_correlation = -2",
            "experiment.toml:12:20: `size_correlation` in [shared-node]: -2 is not a number from -1 to 1",
        ),
        (
            "throughput_seconds = 1",
            "runs = 0",
            "experiment.toml:12:8: `runs` in [shared-node]: 0 is not a number from 1 to 1000",
        ),
        (
            "throughput_seconds = 1",
            "interval = 0",
            "experiment.toml:12:12: `interval` in [shared-node]: 0 is not a number from 0.001 to 1",
        ),
        (
            "throughput_seconds = 1",
            "weight = -1",
            "experiment.toml:12:10: `weight` in [shared-node]: -1 is not a number from 0.000001 to 1000000",
        ),
        (
            "throughput_seconds = 1",
            "training = [1]",
            "experiment.toml:12:12: `training` in [shared-node]: give 5 numbers: requests that train",
        ),
        (
            "throughput_seconds = 1",
            "training = [100, 100, 100, 100, 100]",
            "`training` takes 100 of 100 `requests`; leave some to be measured",
        ),
        (
            "\"size-rule\"",
            "\"plan-weight\"",
            "arm `plan-weight` needs the foreground's `weight`, such as weight = 10",
        ),
        (
            "\"size-rule\"",
            "\"groups-target\"",
            "arm `groups-target` needs the foreground's target in cell 0x1",
        ),
        (
            "throughput_seconds = 1",
            "[shared-node.targets]\n0x1 = \"quick\"",
            "experiment.toml:12:1: [shared-node.targets]: \"quick\" is not a target",
        ),
        (
            "throughput_seconds = 1",
            "[shared-node.targets]\n0x2 = \"mean < 5ms\"",
            "`targets` has `0x2`, which is not in `cells`",
        ),
        (
            "\"0x1\"",
            "\"0x1\", \"0x1\"",
            "experiment.toml:8:9: `cells` in [shared-node]: names `0x1` twice",
        ),
        (
            "[shared-node]",
            "[file-systems]",
            "experiment.toml:2:8: `kind`: an experiment of kind shared-node needs a section [shared-node]; add it",
        ),
    ] {
        refused(("", ""), (from, to), wanted);
    }
}

#[test]
fn a_section_of_another_kind_or_a_table_beside_nothing_is_refused() {
    let section = "[file-systems]\nfiles = 3\n\n[shared-node]";
    let wanted = "experiment.toml:7:1: [file-systems] is for experiments of that kind; take it out";
    refused(("", ""), ("[shared-node]", section), wanted);
    let quoted = "[quoted]\nresponse = \"node.toml\"\n\n[shared-node]";
    for wanted in [
        "experiment.toml:8:12: `response` in [quoted]: the experiment measures no `response`",
        "it measures paced, throughput",
    ] {
        refused(("", ""), ("[shared-node]", quoted), wanted);
    }
    let quoted = "[quoted]\npaced = \"table.json\"\n\n[shared-node]";
    let wanted = "experiment.toml:8:9: `paced` in [quoted]: there is no file";
    refused(("", ""), ("[shared-node]", quoted), wanted);
}

#[test]
fn a_bad_scenario_is_refused_where_it_stands() {
    let wanted = "node.toml:11:8: `kind` in [store.disk]: `spinning` is none of";
    refused(("\"seeking\"", "\"spinning\""), ("", ""), wanted);
    let wanted = "its scenario has no [[store]] of kind ext3, ext4, xfs or glusterfs";
    let kind = ("kind = \"ext4\"", "kind = \"tmpfs\"");
    refused(kind, ("", ""), wanted);
}

#[test]
fn a_disk_rate_without_its_unit_is_refused() {
    let wanted =
        "node.toml:12:8: `rate` in [store.disk]: 39 bytes in a second is slower than any disk";
    refused(("\"39MB\"", "39"), ("", ""), wanted);
}

#[test]
fn a_node_that_cannot_run_the_server_is_refused() {
    for wanted in [
        "gives node `web` 10737418 bytes of memory after `scale`",
        "at least 16 MiB",
    ] {
        refused(("\"4GiB\"", "\"1GiB\""), ("", ""), wanted);
    }
    let apache = ("\"4GiB\"", "\"4GiB\"\nserver = \"apache\"");
    refused(apache, ("", ""), "another server than nginx");
}

#[test]
fn a_file_in_the_place_of_the_images_folder_is_refused() {
    let place = place(NODE, EXPERIMENT);
    let run = || place.run(&Selection::default(), "node.toml/images");
    says(run(), "this machine lacks what is needed: ");
    says(run(), "node.toml is not a folder");
    assert_eq!(place.entries(), ["experiment.toml", "node.toml"]);
}

#[test]
fn what_the_experiment_does_not_have_cannot_be_selected() {
    let place = place(NODE, EXPERIMENT);
    for (axis, value, wanted) in [
        (Axis::Cell, "7x0", "has no cell `7x0`; there are: 0x1"),
        (
            Axis::Arm,
            "magic",
            "has no arm `magic`; there are: page-cache, plan",
        ),
        (
            Axis::Store,
            "disk",
            "of kind shared-node has no stores to select; select by cell and arm",
        ),
    ] {
        let experiment = place.load().expect("an experiment");
        let selection = on(axis, value);
        selects_nothing(place.run(&selection, "work"), wanted);
        selects_nothing(experiment.list(&selection), wanted);
        selects_nothing(experiment.show(&selection), wanted);
    }
}

#[test]
fn more_memory_than_the_machine_has_is_refused_and_nothing_is_made() {
    let place = place(&NODE.replace("4GiB", "9000000GiB"), EXPERIMENT);
    let run = place.run(&Selection::default(), "work");
    says(run, "memory: 184320000 MiB are needed");
    assert_eq!(place.entries(), ["experiment.toml", "node.toml"]);
}

#[test]
fn a_disk_too_small_for_the_files_is_refused_and_nothing_is_made() {
    let node = NODE.replace("kind = \"ext4\"", "kind = \"ext4\"\nsize = \"900000TB\"");
    let place = place(&node, EXPERIMENT);
    says(place.run(&Selection::default(), "work"), "space");
    assert_eq!(place.entries(), ["experiment.toml", "node.toml"]);
}

#[test]
fn every_arm_of_every_cell_is_a_point_that_is_to_be_measured() {
    let place = place(NODE, &EXPERIMENT.replace("[\"0x1\"]", "[\"0x1\", \"2x0\"]"));
    let items = place.list(&Selection::default()).expect("points");
    let names: Vec<String> = items.iter().map(|item| item.point.to_string()).collect();
    let wanted = [
        "0x1 page-cache",
        "2x0 page-cache",
        "0x1 plan",
        "2x0 plan",
        "0x1 size-rule",
        "2x0 size-rule",
        "0x1 own-group",
        "2x0 own-group",
    ];
    assert_eq!(names, wanted);
    assert!(items.iter().all(|item| !item.measured));
    let plan = place.list(&on(Axis::Arm, "plan")).expect("points");
    assert_eq!(plan, items[2..4]);
}

/// Those that need nothing to be said of the foreground's priority, nor of how long choices stay.
#[test]
fn an_experiment_that_names_no_arms_has_all_that_need_nothing_more() {
    let arms = "arms = [\"page-cache\", \"plan\", \"size-rule\", \"own-group\"]\n";
    let place = place(NODE, &EXPERIMENT.replacen(arms, "", 1));
    let items = place.list(&Selection::default()).expect("points");
    let arms: Vec<&str> = items.iter().map(|item| item.point.on(Axis::Arm)).collect();
    let wanted = [
        "page-cache",
        "plan",
        "ramfs",
        "vmtouch",
        "own-group",
        "size-rule",
        "alone",
        "apply-pin",
        "apply-bind",
        "apply-hot-root",
        "apply-groups",
    ];
    assert_eq!(arms, wanted);
}

#[test]
fn an_arm_that_follows_the_traffic_needs_to_know_how_long_choices_stay() {
    let run = ("\"size-rule\"", "\"run\"");
    let wanted =
        "arm `run` needs the seconds for which a choice stays, such as daemon_interval = 10";
    refused(("", ""), run, wanted);
    let experiment = EXPERIMENT.replacen(run.0, run.1, 1).replacen(
        "clients = 2",
        "clients = 2\ndaemon_interval = 10",
        1,
    );
    assert!(place(NODE, &experiment).load().is_ok());
}

/// An experiment whose runs are repeated, planned for the foreground.
fn repeated() -> String {
    let arms = "[\"page-cache\", \"plan-weight\", \"groups-target\"]";
    EXPERIMENT
        .replacen(
            "[\"page-cache\", \"plan\", \"size-rule\", \"own-group\"]",
            arms,
            1,
        )
        .replacen("clients = 2", "clients = 2\nruns = 2\nweight = 10", 1)
        + "\n[shared-node.targets]\n0x1 = \"mean < 1s\"\n"
}

#[test]
fn repeated_runs_are_points_and_every_run_begins_with_another_arm() {
    let place = place(NODE, &repeated());
    let items = place.list(&Selection::default()).expect("points");
    let names = items.iter().map(|item| {
        let (arm, run) = (item.point.on(Axis::Arm), item.point.on(Axis::Run));
        format!("{arm} {run}")
    });
    let wanted = [
        "page-cache paced",
        "plan-weight paced",
        "groups-target paced",
        "page-cache 1",
        "plan-weight 1",
        "groups-target 1",
        "plan-weight 2",
        "groups-target 2",
        "page-cache 2",
    ];
    assert_eq!(names.collect::<Vec<_>>(), wanted);
    let wanted = "no run `3`; there are: paced, 1, 2";
    selects_nothing(place.list(&on(Axis::Run, "3")), wanted);
}

#[test]
fn an_experiment_without_repeated_runs_has_none_to_select() {
    let place = place(NODE, EXPERIMENT);
    let wanted = "of kind shared-node has no runs to select; select by cell and arm";
    selects_nothing(place.list(&on(Axis::Run, "1")), wanted);
}
