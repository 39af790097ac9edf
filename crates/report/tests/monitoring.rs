//! What monitors of the daemon ask for is told by it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Names of metrics in a text.
fn names(text: &str) -> BTreeSet<&str> {
    let is_part = |it: char| it.is_ascii_lowercase() || it == '_';
    let words = text.split(|it| !is_part(it));
    words.filter(|it| it.starts_with("hotset_")).collect()
}

#[test]
fn rules_and_dashboard_ask_for_metrics_that_there_are() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path: &str| fs::read_to_string(root.join(path)).expect("it is in the repository");
    let told = read("crates/report/tests/snapshots/run.metrics.snap");
    let told = names(&told);
    let page = read("docs/how-to/monitor.md");
    for file in ["alerts.yml", "dashboard.json"] {
        let text = read(&format!("docs/examples/prometheus/{file}"));
        let asked = names(&text);
        assert!(asked.len() > 3, "{file}: {asked:?}");
        let unknown: Vec<_> = asked.difference(&told).collect();
        assert!(unknown.is_empty(), "{file}: {unknown:?}");
        let unexplained: Vec<_> = asked.difference(&names(&page)).copied().collect();
        assert_eq!(unexplained, [""; 0], "{file}");
    }
}
