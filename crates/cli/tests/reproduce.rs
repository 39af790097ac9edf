//! The documents' tables and claims beside ours: what is printed keeps to its schema, and what is refused.

use std::fs;
use std::os::unix::fs::chown;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::support::schema::holds_to;
use crate::support::{Failure, Workplace, hotset};

/// A user without any rights.
const NOBODY: u32 = 65_534;

fn keys(of: &Value) -> Vec<&str> {
    let keys = of.as_object().expect("an object").keys();
    let mut keys: Vec<&str> = keys.map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

#[test]
fn the_documents_are_reproduced_as_their_schema_says_however_far_off() {
    let place = Workplace::new();
    let json = place.json(["reproduce", "--json", "--html", "page.html"]);
    holds_to("reproduce.json", &json);
    assert_eq!(
        keys(&json),
        ["cells_within", "claims", "orderings", "studies"]
    );
    assert_eq!(keys(&json["cells_within"]), ["10", "20", "40", "all"]);
    assert_eq!(
        keys(&json["claims"]),
        ["contradictory", "fail", "hold", "list"]
    );
    assert_eq!(
        keys(&json["claims"]["list"][0]),
        ["holds", "section", "text", "why"]
    );
    let one = place.json(["reproduce", "diskless-specweb99", "--json"]);
    holds_to("reproduce.json", &one);
    assert_eq!(one["studies"].as_array().map(Vec::len), Some(1));
    assert_eq!(
        keys(&one["studies"][0]["cells"][0]),
        [
            "column",
            "error_percent",
            "explained",
            "measured",
            "published",
            "row",
            "simulated"
        ]
    );
    let page = fs::read_to_string(place.path("page.html")).expect("the page is written");
    assert!(page.contains("tr65-table4") && page.contains("Contradictions"));
    assert!(!page.contains("NaN") && !page.contains("inf<"), "{page}");
    let shown = place.succeeds(["reproduce"]);
    assert!(shown.contains("There is no folder"), "{shown}");
    assert!(shown.contains("\nStudies\n"), "{shown}");
    let widest = shown.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(100), "{shown}");
    assert_eq!(place.entries(), ["page.html"]);
}

#[test]
fn an_unknown_study_and_a_full_disk_are_refused() {
    let place = Workplace::new();
    Failure::of(place.hotset(["reproduce", "tr65-tabel4"]))
        .has_code(2)
        .says("did you mean `tr65-table4`");
    Failure::of(place.hotset(["reproduce", "diskless-specweb99", "--html", "/dev/full"]))
        .has_code(1)
        .says("cannot write /dev/full");
}

/// Runs the command as a user without rights, whose folder is that of the place.
fn without_rights(place: &Workplace, args: &[&str]) -> Output {
    let mut command = match rustix::process::geteuid().is_root() {
        false => Command::new(hotset()),
        true => {
            chown(place.folder(), Some(NOBODY), Some(NOBODY)).unwrap();
            let mut command = Command::new("setpriv");
            command
                .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
                .arg("--bounding-set=-all")
                .arg(hotset());
            command
        }
    };
    command
        .args(args)
        .current_dir(place.folder())
        .output()
        .unwrap()
}

#[test]
fn without_rights_what_is_published_and_simulated_is_shown_and_a_warning_says_so() {
    let place = Workplace::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments/two-sites");
    fs::create_dir_all(place.path("experiments/two-sites")).unwrap();
    for name in ["experiment.toml", "nodes.toml"] {
        let text = fs::read(folder.join(name)).expect("it is there");
        place.write(&format!("experiments/two-sites/{name}"), &text);
    }
    let output = without_rights(&place, &["reproduce", "tr65-figure10", "--measure"]);
    let (shown, warned) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{warned}");
    assert!(shown.contains("tr65-figure10"), "{shown}");
    // Warnings are broken into lines.
    let warned = warned.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(warned.contains("was not measured"), "{warned}");
    assert!(
        !place.path("experiments/two-sites/results").exists(),
        "{warned}"
    );
}
