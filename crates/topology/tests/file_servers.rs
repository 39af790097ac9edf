//! Sites whose store is on a file server.

use std::path::Path;

use hotset_models::remote::nfs::Version;
use hotset_models::remote::{Protocol, Transport};
use hotset_models::tiers::{Export, Role, Tiers};
use hotset_scenario::{Node, Scenario};
use hotset_topology::{Content, Held, Nodes, Servers, Stores, TopologyError, check_size, mount};
use hotset_trace::Trace;

const SCENARIO: &str = r#"
[[node]]
name = "web1"
memory = "64MiB"

[[node]]
name = "file1"
memory = "128MiB"
server_memory = "28MiB"
cpus = 2
workers = 16
server = "files"

[[node]]
name = "file2"
memory = "128MiB"
server = "files"

[[store]]
name = "disk"
profile = "hdd"

[[store]]
name = "ssd"
profile = "ssd"

[[store]]
name = "shared"
profile = "nfs"
kind = "nfs4"
servers = "file1"
on = "disk"

[[store]]
name = "other"
profile = "nfs"
kind = "nfs3"
servers = "file1"
on = "ssd"

[[site]]
name = "shop"
match = "/shop/*"
store = "shared"

[[site]]
name = "blog"
match = "/blog/*"
store = "other"
"#;

fn tiers(sites: &[&str]) -> Result<Tiers, TopologyError> {
    tiers_of(SCENARIO, sites)
}

fn tiers_of(text: &str, sites: &[&str]) -> Result<Tiers, TopologyError> {
    let scenario = Scenario::parse(text, Path::new("s.toml")).expect("a scenario");
    let trace = Trace {
        sites: sites.iter().map(|&it| it.to_owned()).collect(),
        ..Trace::default()
    };
    let stores = Stores::of(&scenario, &trace)?;
    let held = |_: &Node| Held::default();
    Nodes::of(&scenario)?.tiers(Content {
        stores: &stores,
        held: &held,
        files_bytes: 0,
        servers: &Servers::default(),
    })
}

#[test]
fn a_site_on_a_file_server_has_that_among_the_nodes() {
    let tiers = tiers(&["shop"]).expect("tiers");
    let names: Vec<&str> = tiers.nodes.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["web1", "file1"]);
    let Role::Files(files) = &tiers.nodes[1].role else {
        panic!("file1 is a file server");
    };
    assert_eq!((files.threads, files.processors), (16, 2));
    assert_eq!(files.memory_bytes, 100 << 20);
    let [export] = files.exports[..] else {
        panic!("one store is exported");
    };
    // A 4096th of its memory.
    assert_eq!((export.store, export.mount.read_bytes), (0, 16 << 10));
}

/// How the site `shop` is mounted, with this kind and these options.
fn export(kind: &str, options: &str) -> Export {
    let text = SCENARIO.replace("kind = \"nfs4\"", &format!("kind = \"{kind}\""));
    let on = format!("on = \"disk\"\noptions = {{ {options} }}");
    let tiers = tiers_of(&text.replacen("on = \"disk\"", &on, 1), &["shop"]).expect("tiers");
    let Role::Files(files) = &tiers.nodes[1].role else {
        panic!("file1 is a file server");
    };
    files.exports[0]
}

#[test]
fn each_version_travels_as_its_kernel_had_it() {
    let second = export("nfs2", "");
    assert_eq!(second.mount.version, Version::V2);
    assert_eq!(second.mount.protocol, Protocol::Udp);
    assert_eq!(second.transport, Transport::UDP_OF_2_4);
    let third = export("nfs3", "proto = \"udp\"");
    assert_eq!(third.mount.protocol, Protocol::Udp);
    assert_eq!(third.transport, Transport::UDP);
    let fourth = export("nfs4", "minorversion = 0");
    assert_eq!(fourth.mount.version, Version::V4 { minor: 0 });
    assert_eq!(fourth.transport, Transport::TCP);
}

#[test]
fn a_server_with_files_on_two_stores_is_refused() {
    let error = tiers(&["shop", "blog"]).expect_err("two stores");
    let message = error.to_string();
    assert!(
        message.contains("`disk` and `ssd`; one is simulated so far"),
        "{message}"
    );
}

/// The model of a scenario with requests for its shop.
fn of_shop(scenario: &Scenario) -> Tiers {
    let trace = Trace {
        sites: vec!["shop".to_owned()],
        ..Trace::default()
    };
    let held = |_: &Node| Held::default();
    let tiers = Nodes::of(scenario).and_then(|nodes| {
        nodes.tiers(Content {
            stores: &Stores::of(scenario, &trace)?,
            held: &held,
            files_bytes: 0,
            servers: &Servers::of(scenario),
        })
    });
    tiers.expect("it can be simulated")
}

#[test]
fn a_diskless_node_mounts_its_system_and_its_log_from_another_server() {
    let needs = "server = \"apache\"\nworkers = 9\nsystem = \"root\"\nsystem_files = \"1MiB\"\nlogs = \"root\"\nworker_memory = \"1MiB\"\n";
    let root = "[[store]]\nname = \"root\"\nprofile = \"nfs\"\nkind = \"nfs3\"\nservers = \"file2\"\non = \"disk\"\n";
    let text = SCENARIO.replacen(
        "memory = \"64MiB\"\n",
        &format!("memory = \"64MiB\"\n{needs}"),
        1,
    );
    let scenario = Scenario::parse(&(text + root), Path::new("s.toml")).expect("a scenario");
    let tiers = of_shop(&scenario);
    let (mut web, mut exports) = (None, Vec::new());
    for node in &tiers.nodes {
        match &node.role {
            Role::Web(of) => web = Some(of.clone()),
            Role::Files(of) => exports.extend(of.exports.iter().map(|it| (&*node.name, it.store))),
            Role::Proxy(_) => {}
        }
    }
    // Its site's store comes first, then that of its system.
    assert_eq!(exports, [("file1", 0), ("file2", 1)]);
    let web = web.expect("a web node");
    assert_eq!(
        web.stores.iter().map(|it| &*it.name).collect::<Vec<_>>(),
        ["shared", "root"]
    );
    let system = web.needs.system.expect("it has a store for that");
    assert_eq!((system.store, system.bytes), (1, 1 << 20));
    assert_eq!((web.needs.log, web.needs.worker_bytes), (Some(1), 1 << 20));
}

#[test]
fn a_log_on_a_local_store_is_not_followed() {
    let text = SCENARIO.replacen(
        "memory = \"64MiB\"\n",
        "memory = \"64MiB\"\nlogs = \"ssd\"\n",
        1,
    );
    let scenario = Scenario::parse(&text, Path::new("s.toml")).expect("a scenario");
    let tiers = of_shop(&scenario);
    let Role::Web(web) = &tiers.nodes[0].role else {
        panic!("the first node is a web server");
    };
    assert_eq!(web.needs.log, None);
}

#[test]
fn version_2_has_small_messages_over_udp_and_no_file_above_2_gib() {
    let text = SCENARIO.replace("kind = \"nfs4\"", "kind = \"nfs2\"");
    let scenario = Scenario::parse(&text, Path::new("s.toml")).expect("a scenario");
    let store = &scenario.stores[2];
    let options = store.remote.as_ref().expect("a server").options;
    let kind = store.kind.expect("a kind");
    let mount = mount(kind, options, &scenario.nodes[1]);
    assert_eq!((mount.read_bytes, mount.write_bytes), (8192, 8192));
    assert_eq!(mount.most_file_bytes(), Some(2_147_483_647));
    assert!(check_size(store, mount, 2_147_483_647).is_ok());
    let error = check_size(store, mount, 1 << 31).expect_err("too large");
    let message = error.to_string();
    let wanted = "line 28: store `shared`: a file has 2147483648 bytes, and nfs2 has files of at most 2147483647";
    assert!(message.contains(wanted), "{message}");
}
