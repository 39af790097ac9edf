//! What web servers take of their nodes beside the files of sites: what scenario files say of it, and what is refused.

use std::path::Path;

use hotset_scenario::{KeepAlive, NodeNeeds, Scenario};

const FILE: &str = "[[node]]\nname = \"web1\"\nmemory = \"1GiB\"\nserver = \"apache\"\n\
    system = \"root\"\nsystem_files = \"8MiB\"\nlogs = \"root\"\nworker_memory = \"700KiB\"\nswap = \"1GiB\"\n\
    keep_alive = \"15s\"\nkeep_alive_requests = 100\n\
    [[node]]\nname = \"file1\"\nmemory = \"1GiB\"\nserver = \"files\"\n\
    [[store]]\nname = \"disk\"\nprofile = \"ssd\"\n\
    [[store]]\nname = \"root\"\nprofile = \"nfs\"\nkind = \"nfs3\"\nservers = \"file1\"\non = \"disk\"\n";

fn parse(text: &str) -> Result<Scenario, String> {
    Scenario::parse(text, Path::new("s.toml")).map_err(|error| error.to_string())
}

#[test]
fn a_diskless_node_says_where_its_system_and_its_log_are() {
    let scenario = parse(FILE).unwrap();
    let needs = NodeNeeds {
        system: Some(1),
        system_bytes: 8 << 20,
        logs: Some(1),
        keep_alive: Some(KeepAlive {
            idle_ns: 15_000_000_000,
            requests: Some(100),
        }),
        worker_memory_bytes: 700 << 10,
        swap_bytes: 1 << 30,
    };
    assert_eq!(scenario.nodes[0].needs, needs);
    assert_eq!(scenario.nodes[1].needs, NodeNeeds::default());
    // Sites that it does not name live on the first.
    assert_eq!(
        [0, 1, 2].map(|it| scenario.uses_store(it)),
        [true, true, false]
    );
}

#[test]
fn what_a_node_needs_is_refused_with_its_place_where_it_cannot_be() {
    for (from, to, wanted) in [
        (
            "system = \"root\"",
            "system = \"rot\"",
            "s.toml:5:10: `system` in [[node]]: there is no [[store]] called `rot`; there are: disk, root; did you mean `root`?",
        ),
        (
            "logs = \"root\"",
            "logs = \"tape\"",
            "`logs` in [[node]]: there is no [[store]] called `tape`",
        ),
        (
            "system_files = \"8MiB\"",
            "system_files = \"1TiB\"",
            "`system_files` in [[node]]: must be at most 64GiB",
        ),
        (
            "system_files = \"8MiB\"\n",
            "",
            "`system` in [[node]]: say how much of its files requests use",
        ),
        (
            "system = \"root\"\n",
            "",
            "`system_files` in [[node]]: name the store that they are on",
        ),
        (
            "worker_memory = \"700KiB\"\n",
            "",
            "`swap` in [[node]]: holds memory of workers",
        ),
        (
            "keep_alive = \"15s\"\n",
            "",
            "`keep_alive_requests` in [[node]]: is of workers that stay with connections; give `keep_alive`",
        ),
        (
            "keep_alive = \"15s\"",
            "keep_alive = \"0s\"",
            "must be at least 1ms",
        ),
        (
            "keep_alive_requests = 100",
            "keep_alive_requests = 0",
            "`keep_alive_requests` in [[node]]: must be a whole number from 1 to 4294967295; take it out for any number",
        ),
        (
            "server = \"files\"",
            "server = \"files\"\nkeep_alive = \"15s\"",
            "`keep_alive` in [[node]]: is for server = \"apache\" only",
        ),
        (
            "server = \"apache\"",
            "server = \"nginx\"",
            "`worker_memory` in [[node]]: is for server = \"apache\" only",
        ),
        (
            "server = \"files\"",
            "server = \"files\"\nlogs = \"disk\"",
            "`logs` in [[node]]: is for server = \"nginx\" and \"apache\" only",
        ),
    ] {
        let text = FILE.replacen(from, to, 1);
        assert_ne!(text, FILE, "{from}");
        let error = parse(&text).expect_err("it cannot be");
        assert!(error.contains(wanted), "{error}");
    }
}
