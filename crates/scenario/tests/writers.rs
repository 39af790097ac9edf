//! Programs that write, in scenario files.

use std::path::Path;

use hotset_scenario::{Scenario, ScenarioSetting, TomlFile, Writer};

const NODES: &str = "[[node]]\nname = \"web1\"\nmemory = \"1GiB\"\n\
    [[node]]\nname = \"front\"\nmemory = \"1GiB\"\nserver = \"nginx-proxy\"\nupstream = \"web1\"\n\
    [[store]]\nname = \"disk\"\nprofile = \"hdd\"\n[[store]]\nname = \"attic\"\nprofile = \"nfs\"\n";

const BACKUP: &str = "[[writer]]\nname = \"backup\"\nnode = \"web1\"\nstore = \"attic\"\nrate = \"10MiB\"\nfile_bytes = \"2GiB\"\n";

fn writers(text: &str) -> Result<Vec<Writer>, String> {
    let text = format!("{NODES}{text}");
    let scenario = Scenario::parse(&text, Path::new("s.toml"));
    scenario.map(|it| it.writers).map_err(|it| it.to_string())
}

#[test]
fn a_writer_is_on_a_node_and_writes_to_a_store() {
    let writers = writers(BACKUP).expect("a writer");
    let [backup] = &writers[..] else {
        panic!("one writer");
    };
    assert_eq!((&*backup.name, &*backup.node), ("backup", "web1"));
    assert_eq!(backup.store, 1);
    assert_eq!((backup.bytes_per_s, backup.file_bytes), (10 << 20, 2 << 30));
    let lines = NODES.lines().count();
    assert_eq!((backup.at.line, backup.at.column), (lines + 2, 8));
}

#[test]
fn each_refusal_names_the_key_and_what_mends_it() {
    for (from, to, says) in [
        (
            "\"web1\"",
            "\"web2\"",
            "`node` in [[writer]]: there is no [[node]] that reads a store called `web2`; there are: web1",
        ),
        (
            "\"web1\"",
            "\"front\"",
            "there is no [[node]] that reads a store called `front`",
        ),
        (
            "\"attic\"",
            "\"atic\"",
            "`store` in [[writer]]: there is no [[store]] called `atic`; there are: disk, attic; did you mean `attic`?",
        ),
        ("\"10MiB\"", "\"0\"", "`rate` in [[writer]]"),
        ("\"2GiB\"", "\"much\"", "`file_bytes` in [[writer]]"),
        ("rate = \"10MiB\"\n", "", "`rate` is missing"),
    ] {
        assert!(BACKUP.contains(from), "{from}");
        let refused = writers(&BACKUP.replacen(from, to, 1)).expect_err(to);
        assert!(refused.contains(says), "{refused}");
    }
    let twice = writers(&format!("{BACKUP}{BACKUP}")).expect_err("one name");
    assert!(
        twice.contains("`name` in [[writer]]: `backup` is already taken"),
        "{twice}"
    );
}

#[test]
fn a_writer_is_set_by_its_name() {
    let file = TomlFile::from_text(format!("{NODES}{BACKUP}"), Path::new("s.toml"));
    let set = |setting: &str| {
        let setting: ScenarioSetting = setting.parse().expect("a setting");
        let scenario = Scenario::of_file(&file, &[setting]);
        scenario.map_err(|error| error.to_string())
    };
    let slower = set("writer.backup.rate=1MiB").expect("a rate");
    assert_eq!(slower.writers[0].bytes_per_s, 1 << 20);
    let absent = set("writer.log.rate=1MiB").expect_err("no such writer");
    assert!(
        absent.contains("there is no such [[writer]]; there are: backup"),
        "{absent}"
    );
}
