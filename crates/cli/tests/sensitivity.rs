//! Experiments of kind sensitivity, as the program prints them.

use crate::support::Workplace;
use crate::support::schema::holds_to;

const NODE: &str = include_str!("../../experiment/tests/samples/sensitivity/node.toml");

const EXPERIMENT: &str = include_str!("../../experiment/tests/samples/sensitivity/experiment.toml");

const JOBS: &str = include_str!("../../experiment/tests/samples/sensitivity/jobs.fio");

fn place(experiment: &str, jobs: &str) -> Workplace {
    let place = Workplace::new();
    for (name, text) in [
        ("node.toml", NODE),
        ("experiment.toml", experiment),
        ("jobs.fio", jobs),
    ] {
        place.write(name, text.as_bytes());
    }
    place
}

#[test]
fn a_simulated_ranking_is_printed_the_strongest_parameter_first() {
    let place = place(EXPERIMENT, JOBS);
    let shown = place.json(["experiment", "run", "experiment.toml", "--json"]);
    holds_to("experiment.json", &shown);
    let table = place.succeeds(["experiment", "show", "experiment.toml"]);
    let rank = |name: &str| table.find(&format!("\n{name} ")).expect("its row");
    assert!(rank("copying") < rank("transfer"), "{table}");
    assert!(!table.contains("load"), "{table}");
    assert!(
        table.lines().all(|line| line.chars().count() <= 100),
        "{table}"
    );
}
