//! Experiments of kind sensitivity, as the program prints them.

use crate::support::Workplace;
use crate::support::schema::holds_to;

const NODE: &str = "[[node]]\nname = \"node\"\nmemory = \"80MiB\"\nserver_memory = \"16MiB\"\n\n\
    [[store]]\nname = \"base\"\nprofile = \"ssd\"\n";

const EXPERIMENT: &str = r#"name = "smoke"
kind = "sensitivity"
scenario = "node.toml"

[sensitivity]
jobs = ["jobs.fio"]
values = { block = "64k" }
preparing = ["load"]

[[sensitivity.parameters]]
name = "copying"
part = "processor"
set = "cached.bytes_per_us"
values = ["1000", "2000", "4000"]

[[sensitivity.parameters]]
name = "transfer"
part = "disk"
set = "uncached.bytes_per_us"
values = ["100", "400"]

[[sensitivity.parameters]]
name = "memory"
part = "memory"
set = "memory"
values = ["32MiB", "128MiB"]

[[sensitivity.parameters]]
name = "block"
part = "application"
set = "block"
values = ["4k", "256k"]
"#;

const JOBS: &str = "[global]\nfilename=data\nsize=16m\nrw=read\ninvalidate=0\nstonewall\n[load]\nbs=1m\n[cached]\nbs=${block}\n";

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
