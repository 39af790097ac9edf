//! Every help and manual page ends with examples, and the examples work.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use hotset_actions::Field;
use strum::IntoEnumIterator as _;

use crate::support::{Workplace, hotset};

/// Examples that need a server, root or much time: their options must be understood.
const NOT_RUN: [&str; 18] = [
    "hotset config",
    "hotset exec",
    "hotset apply",
    "hotset status",
    "hotset release",
    "hotset run",
    "hotset replay",
    "hotset probe",
    "hotset validate",
    "hotset experiment run",
    "hotset experiment scores",
    "hotset experiment server-profile",
    "hotset experiment application-profile",
    "hotset simulate scenario shop.toml",
    "hotset lab",
    "hotset reproduce --html",
    "hotset demo",
    "hotset generate twin",
];

/// The command with each of its subcommands, by name: `hotset`, `hotset simulate`, `hotset simulate trace` …
fn commands(place: &Workplace, name: &[String], found: &mut Vec<Vec<String>>) {
    found.push(name.to_vec());
    let help = help(place, name);
    let (listed, _) = help.split_once("\nOptions:\n").expect("options");
    let lines = listed.lines().filter_map(|line| line.strip_prefix("  "));
    let jobs = lines.filter(|line| line.starts_with(|first: char| first.is_ascii_lowercase()));
    for job in jobs.filter_map(|line| line.split(' ').next()) {
        commands(place, &[name, &[job.to_owned()]].concat(), found);
    }
}

fn help(place: &Workplace, name: &[String]) -> String {
    place.succeeds(name.iter().map(String::as_str).chain(["--help"]))
}

fn examples_of(help: &str) -> Vec<String> {
    let (_, examples) = help
        .split_once("\nExamples:\n")
        .unwrap_or_else(|| panic!("no examples in {help}"));
    examples
        .lines()
        .map(|line| line.trim().to_owned())
        .collect()
}

/// Runs a line of a shell in the workplace, which is its home.
fn shell(place: &Workplace, line: &str) -> Output {
    let programs = hotset().parent().expect("in a folder").display();
    let path = format!("{programs}:{}", std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).current_dir(place.folder());
    shell.env("PATH", path).env("HOME", place.folder());
    shell.output().expect("sh runs")
}

#[track_caller]
fn works(place: &Workplace, line: &str) {
    let output = shell(place, line);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{line}: {errors}");
}

/// A workplace that has what the examples name.
fn prepared() -> Workplace {
    let place = Workplace::new();
    for line in [
        "hotset generate zipf --requests 2000 --objects 300 --working-set 16M -o shop.trace --log access.log",
        "hotset generate zipf --requests 2000 --objects 300 --seed 1 -o video.trace",
        "hotset part --node web1 --client-key 000102030405060708090a0b0c0d0e0f -o web1.part access.log",
        "hotset generate zipf --requests 2000 --objects 300 --seed 2 -o web2.trace --log web2.log",
        "hotset part --node web2 --client-key 000102030405060708090a0b0c0d0e0f -o web2.part web2.log",
        "hotset simulate trace --memory 10% --json access.log > before.json",
        "hotset simulate trace --memory 20% --json access.log > after.json",
        "printf 'on-server data 1 4096\\nopen data/0 r\\nread data/0 4096\\nclose data/0\\n' > small.work",
        "printf '[[node]]\\nname = \"web1\"\\nmemory = \"1GiB\"\\n[[node]]\\nname = \"file1\"\\nmemory = \"1GiB\"\\nserver = \"files\"\\n[[store]]\\nname = \"brick\"\\nprofile = \"ssd\"\\n[[store]]\\nname = \"shared\"\\nprofile = \"nfs\"\\nkind = \"nfs3\"\\nservers = \"file1\"\\non = \"brick\"\\n' > files.toml",
        "printf '[scan]\\nrw=read\\nbs=64k\\nsize=64m\\n' > scan.fio",
        "printf 'open_us = 2\\ncached = {fixed_us = 1, bytes_per_us = 9000}\\nuncached = {fixed_us = 90, bytes_per_us = 900}\\n' > www.toml",
        "printf '[[node]]\\nname = \"web1\"\\nmemory = \"64MiB\"\\n[[store]]\\nname = \"disk\"\\nprofile = \"ssd\"\\n' > tiers.toml",
        "mkdir -p .local/share/bash-completion/completions",
    ] {
        works(&place, line);
    }
    let experiments = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
    let experiments = fs::canonicalize(experiments).expect("they are there");
    std::os::unix::fs::symlink(experiments, place.path("experiments")).expect("a link");
    place
}

#[test]
fn every_help_ends_with_examples_that_work() {
    let place = prepared();
    let mut all = Vec::new();
    commands(&place, &[], &mut all);
    assert!(all.len() > 20, "{all:?}");
    let mut done: Vec<String> = Vec::new();
    for name in all {
        let examples = examples_of(&help(&place, &name));
        assert!(!examples.is_empty(), "{name:?}");
        for example in examples {
            let own = format!("hotset {}", name.join(" "));
            assert!(example.starts_with(own.trim_end()), "{name:?}: {example}");
            let redirected = example.split(" > ").next().unwrap_or(&example);
            // What follows two hyphens is another program's.
            let options = redirected.split(" -- ").next().unwrap_or(redirected);
            works(&place, &format!("{options} --help"));
            let runs = !NOT_RUN.iter().any(|start| example.starts_with(start));
            if runs && !done.contains(&example) {
                works(&place, &example);
                done.push(example);
            }
        }
    }
}

/// `-h` is for those who look an option up, `--help` for those who want to know what it does.
#[test]
fn the_short_help_has_a_line_for_each_option() {
    let place = Workplace::new();
    let mut all = Vec::new();
    commands(&place, &[], &mut all);
    let mut shorter = 0;
    for name in all {
        let words = name.iter().map(String::as_str);
        let short = place.succeeds(words.chain(["-h"]));
        let options = short.split_once("\nOptions:\n").expect("options").1;
        let options = options
            .split_once("\nExamples:\n")
            .map_or(options, |it| it.0);
        let goes_on = |line: &&str| line.starts_with("          ");
        assert_eq!(options.lines().find(goes_on), None, "{name:?}");
        shorter += usize::from(short.len() < help(&place, &name).len());
    }
    assert!(shorter > 20, "{shorter}");
}

#[test]
fn help_groups_commands_by_what_people_come_for() {
    let help = help(&Workplace::new(), &[]);
    let (listed, _) = help.split_once("\nOptions:\n").expect("options");
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in listed.lines() {
        let is_job = |job: &&str| job.starts_with(|first: char| first.is_ascii_lowercase());
        if let Some(heading) = line.strip_suffix(':') {
            groups.push((heading, Vec::new()));
        } else if let Some(job) = line.strip_prefix("  ").filter(is_job) {
            let (_, jobs) = groups.last_mut().expect("a heading");
            jobs.extend(job.split(' ').next());
        }
    }
    let expected = [
        ("Look at traffic", "describe compare part merge"),
        ("Plan what to hold", "plan demo"),
        (
            "Hold files under a server",
            "apply status run release config exec",
        ),
        ("Measure", "probe replay validate experiment reproduce lab"),
        ("Try what would be", "simulate model sweep net"),
        ("Make workloads", "import generate"),
        ("Set up a shell", "completions man"),
    ];
    let groups = groups
        .iter()
        .map(|(heading, jobs)| (*heading, jobs.join(" ")));
    assert!(
        groups.eq(expected.map(|(heading, jobs)| (heading, jobs.to_owned()))),
        "{help}"
    );
}

#[test]
fn every_field_that_messages_name_is_a_flag() {
    let place = Workplace::new();
    let mut all = Vec::new();
    commands(&place, &[], &mut all);
    let helps: String = all.iter().map(|name| help(&place, name)).collect();
    for field in Field::iter() {
        let flag = format!("--{}", field.name());
        let is_there = helps.split([' ', ',', '\n']).any(|word| word == flag);
        assert!(is_there, "{flag}");
    }
}

#[test]
fn every_manual_page_ends_with_the_examples_of_the_help() {
    let place = Workplace::new();
    place.succeeds(["man", "--dir", "man1"]);
    let mut pages = 0;
    for page in fs::read_dir(place.path("man1")).expect("pages") {
        let text = fs::read_to_string(page.expect("a page").path()).expect("text");
        let (_, examples) = text.split_once(".SH EXAMPLES\n").expect("examples");
        assert!(
            examples.starts_with(".nf\nhotset") && !examples.contains(".SH"),
            "{text}"
        );
        pages += 1;
    }
    assert!(pages > 20, "{pages}");
    assert!(
        place
            .succeeds(["man"])
            .contains("hotset plan \\-\\-memory 2G")
    );
}

#[test]
fn completions_offer_profiles_formats_and_policies() {
    let place = Workplace::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = place.succeeds(["completions", shell]);
        for name in [
            "ext3-2004",
            "lustre-2004",
            "vhost-combined",
            "s3-fifo",
            "belady",
        ] {
            assert!(script.contains(name), "{shell}: {name}");
        }
    }
}

#[test]
fn sizes_are_taken_as_the_trade_writes_them() {
    let place = Workplace::new();
    let generate = ["generate", "zipf", "--requests", "2000", "--objects", "300"];
    place.succeeds(generate.into_iter().chain(["--log", "access.log"]));
    let plan = |memory: &str| {
        place.json(["plan", "--memory", memory, "--json", "access.log"])["memory_bytes"].clone()
    };
    assert_eq!(plan("2M"), plan("2MiB"));
    assert_eq!(plan("64k"), plan("64KiB"));
}
