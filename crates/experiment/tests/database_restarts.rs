//! Experiments of kind databases that restart servers, and their warm-ups.

use hotset_experiment::{Axis, Selection, Verdict, reads_are_steady, seconds_until_warm};
use serde_json::{Value, json};

use crate::databases::{DATABASES, place, visited};
use crate::place::{Sheet, says};

const RESTART: &str = "[databases.restart]\nseconds = 20\n";
const CELL: &str = "shopping-beside-none";

/// An experiment that restarts servers; `more` follows it.
fn restarting(more: &str) -> String {
    let alone = DATABASES.replacen("[\"none\", \"tpcw-0\"]", "[\"none\"]", 1);
    format!("{alone}\n{RESTART}{more}")
}

#[test]
fn a_point_is_a_cell_with_a_way_to_restart_in_a_run() {
    let place = place(&restarting(""));
    let items = place.list(&Selection::default()).expect("points");
    let names: Vec<String> = items.iter().map(|item| item.point.to_string()).collect();
    let ways = ["cold", "dump-25", "dump-100", "pin"];
    let of_run = |run: u64| ways.map(|way| format!("{CELL} {way} {run}"));
    assert_eq!(names, [of_run(1), of_run(2)].concat());
    let quarter = Selection::default().with(Axis::Arm, &["dump-25".to_owned()]);
    assert_eq!(place.list(&quarter).expect("points").len(), 2);
}

#[test]
fn what_no_restart_goes_with_is_refused() {
    for (from, to, wanted) in [
        ("[\"none\"]", "[\"tpcw-0\"]", "names `backgrounds`"),
        (
            "runs = 2",
            "arms = [\"pool\"]",
            "whose `ways` stand in their place",
        ),
        (
            "seconds = 20",
            "seconds = 20\nways = [\"warm\"]",
            "use cold, dump-25, dump-100 or pin",
        ),
        (
            "seconds = 20",
            "seconds = 20\nways = []",
            "the list is empty",
        ),
        ("seconds = 20", "seconds = 4", "not between 5 and 36000"),
        (
            "runs = 2",
            "engine = \"myisam\"",
            "the way dump-25, which is of InnoDB's buffer pool",
        ),
        (
            "runs = 2",
            "flush_method = \"O_DIRECT\"",
            "leave out the way pin",
        ),
        ("[\"item\", \"author\"]", "[]", "leave out the way pin"),
        (
            "runs = 2",
            "application_profile = \"pages.toml\"",
            "by which no restart is simulated",
        ),
        ("runs = 2", "steady_warm_up = true", "it takes at least 15"),
    ] {
        let whole = restarting("");
        assert!(whole.contains(from), "{from}");
        let refused = place(&whole.replacen(from, to, 1)).list(&Selection::default());
        says(refused, wanted);
    }
}

#[test]
fn a_claim_of_the_time_until_servers_are_warm_is_refused_without_a_restart() {
    let claim = "\n[[claim]]\nsays = \"it is warm soon\"\nsource = \"a document\"\nfigure = \"seconds-to-warm\"\n\
                 of = { arm = \"pool\" }\nmost = 60\n";
    let refused = place(&format!("{DATABASES}{claim}")).list(&Selection::default());
    says(refused, "nothing is restarted");
}

#[test]
fn servers_are_warm_once_five_seconds_have_nine_tenths_of_the_pages() {
    // The last five seconds have 88 pages a second at first, then 98.
    let rising = [0, 0, 50, 90, 100, 100, 100, 100, 100];
    assert_eq!(seconds_until_warm(&rising, 100.0), Some(8));
    // Before the first second there were none.
    assert_eq!(seconds_until_warm(&[100; 10], 100.0), Some(5));
    assert_eq!(seconds_until_warm(&[300, 200, 0], 100.0), Some(2));
    assert_eq!(seconds_until_warm(&[90; 10], 100.0), Some(5));
    assert_eq!(seconds_until_warm(&[89; 60], 100.0), None);
    // A dip after it is no matter.
    let dipping = [100, 100, 100, 100, 100, 0, 0, 0];
    assert_eq!(seconds_until_warm(&dipping, 100.0), Some(5));
    assert_eq!(seconds_until_warm(&[], 100.0), None);
}

#[test]
fn a_warm_up_is_over_when_reads_no_longer_fall() {
    assert!(!reads_are_steady(&[]));
    assert!(!reads_are_steady(&[9.0, 9.0]), "three steps are the least");
    assert!(!reads_are_steady(&[90.0, 40.0, 20.0]));
    assert!(reads_are_steady(&[90.0, 40.0, 20.0, 18.5]));
    assert!(reads_are_steady(&[90.0, 5.0, 0.05]), "hardly any are left");
}

/// The kept result of a run of a way, which had 100 pages a second before.
fn restarted(way: &str, run: usize, seconds_to_warm: Option<f64>, per_s: u64) -> Value {
    let mut result = visited(way, 64 << 20, 0, [1000.0, 1000.0]);
    result["run"] = json!(run.to_string());
    result["settings"]["restart"] = json!({ "way": way, "seconds": 20 });
    result["restart"] = json!({
        "warm_pages_per_s": 100.0,
        "started_seconds": 2.5,
        "seconds_to_warm": seconds_to_warm,
        "warm_share": 0.9,
        "window_seconds": 5,
        "dumped_pages": (way != "cold").then_some(4000),
    });
    let seconds = (1..=20).map(|second: u32| f64::from(second) + 2.5);
    result["outcomes"][0]["total"]["timeline"] = json!({
        "seconds": seconds.collect::<Vec<f64>>(),
        "requests": vec![per_s; 20],
    });
    result
}

/// Five runs from a cold pool, the last of which is never warm, and five from all of it.
#[test]
fn restarts_are_shown_and_claimed_by_the_time_until_they_are_warm() {
    let claim = "\n[[claim]]\nsays = \"a cold pool takes longer\"\nsource = \"a document\"\nfigure = \"seconds-to-warm\"\n\
                 of = { arm = \"cold\" }\nover = { arm = \"dump-100\" }\nleast = 3\n";
    let experiment = restarting(claim).replacen("runs = 2", "runs = 5", 1);
    let place = place(&experiment);
    let cold = [Some(40.0), Some(41.0), Some(42.0), Some(43.0), None];
    for (run, seconds) in (1..).zip(cold) {
        let whole = restarted("dump-100", run, Some(10.0), 100);
        place.write(
            &format!("results/{CELL}/dump-100/{run}.json"),
            &whole.to_string(),
        );
        let mut cold = restarted("cold", run, seconds, 50);
        cold["warm_up"] = json!({ "seconds": 60, "is_steady": run > 1 });
        let file = format!("results/{CELL}/cold/{run}.json");
        place.write(&file, &cold.to_string());
    }
    let report = place.show().expect("the results are whole");
    let sheet = Sheet::of(&report, "After a restart");
    assert_eq!(sheet.figure(&[CELL, "cold"], 1), Some(42.0));
    let line = sheet.line(&[CELL, "cold"]);
    assert!(line.contains("42.0 [40.0 never]"), "{line}");
    assert_eq!(sheet.figure(&[CELL, "dump-100"], 1), Some(10.0));
    let sheet = Sheet::of(&report, &format!("{CELL}: pages a second"));
    // Two seconds of the first five have pages: those that end after 3.5 s and 4.5 s.
    assert_eq!(sheet.figure(&["5"], 0), Some(20.0));
    assert_eq!(sheet.figure(&["10"], 0), Some(50.0));
    assert_eq!(sheet.figure(&["10"], 1), Some(100.0));
    let remarks = report.remarks.join(" ");
    for wanted in [
        "cold: 1 of 5 runs were not warm again",
        "In 1 of 10 runs the disk's reads still fell",
    ] {
        assert!(remarks.contains(wanted), "{remarks}");
    }
    let claim = &report.claims[0];
    assert_eq!(claim.verdict, Verdict::Holds);
    assert_eq!((claim.measured, claim.runs), (Some(4.2), 5));
    assert!(claim.interval.is_none(), "its end is infinite");
}
