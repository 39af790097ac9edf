//! Sites whose store is on a file server.

use std::path::Path;

use hotset_models::remote::cluster::ClusterPart;
use hotset_models::remote::nfs::Version;
use hotset_models::remote::pvfs::OrangeFs;
use hotset_models::remote::{Part, Protocol, Transport};
use hotset_models::tiers::{Export, Files, Role, Tiers};
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

/// The same with a store of this kind on these servers.
fn on_both(kind: &str, more: &str) -> Result<Tiers, TopologyError> {
    let text = SCENARIO.replace(NFS, &format!("kind = \"{kind}\"\n{more}"));
    tiers_of(&text, &["shop"])
}

/// What the scenario says of the store so far.
const NFS: &str = "kind = \"nfs4\"\nservers = \"file1\"";
const BOTH: &str = "servers = [\"file1\", \"file2\"]";

fn cluster_part(files: &Files) -> ClusterPart {
    match files.exports[0].part {
        Some(Part::Cluster(part)) => part,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_site_on_several_servers_has_all_of_them_among_the_nodes() {
    for (kind, protocol, threads) in [
        ("glusterfs", "GlusterFs", 16),
        ("moosefs", "MooseFs", 32),
        ("lustre", "Lustre", 64),
    ] {
        let tiers = on_both(kind, BOTH).expect(kind);
        let names: Vec<&str> = tiers.nodes.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["web1", "file1", "file2"], "{kind}");
        for (place, node) in tiers.nodes[1..].iter().enumerate() {
            let Role::Files(files) = &node.role else {
                panic!("{} is a file server", node.name);
            };
            let part = cluster_part(files);
            assert_eq!(part.place, place);
            assert_eq!((part.servers.count, part.servers.with_data), (2, 2));
            assert!(
                format!("{:?}", part.protocol).starts_with(protocol),
                "{kind}"
            );
            // The first says how many it has.
            assert_eq!(files.threads, [16, threads][place]);
            assert!(!files.exports[0].transport.is_soft);
        }
    }
}

#[test]
fn a_metadata_server_of_its_own_is_a_node_without_data() {
    let apart = "servers = [\"file2\"]";
    let options = "\n[store.options]\nmetadata = \"file1\"\n\n[[store]]\nname = \"other\"";
    let text = SCENARIO.replace(NFS, &format!("kind = \"moosefs\"\n{apart}"));
    let text = text.replace("\n[[store]]\nname = \"other\"", options);
    let tiers = tiers_of(&text, &["shop"]).expect("tiers");
    let Role::Files(files) = &tiers.nodes[1].role else {
        panic!("file1 is a file server");
    };
    let part = cluster_part(files);
    assert_eq!((part.place, part.servers.metadata), (1, 1));
    assert_eq!((part.servers.count, part.servers.with_data), (2, 1));
}

#[test]
fn a_web_node_reads_as_much_of_a_parallel_file_system_at_a_time_as_it_says() {
    for (options, read_bytes) in [
        ("", 64 << 10),
        ("options = { read_size = \"192KiB\" }", 192 << 10),
    ] {
        let tiers = on_both("pvfs1", &format!("{BOTH}\n{options}")).expect("tiers");
        let Role::Files(files) = &tiers.nodes[1].role else {
            panic!("file1 is a file server");
        };
        assert_eq!(files.exports[0].mount.read_bytes, read_bytes, "{options}");
    }
}

#[test]
fn a_parallel_file_system_has_costs_and_threads_of_its_own() {
    for (kind, threads) in [("pvfs1", 1), ("orangefs", 16)] {
        let tiers = on_both(kind, BOTH).expect(kind);
        let Role::Files(files) = &tiers.nodes[2].role else {
            panic!("file2 is a file server");
        };
        let export = files.exports[0];
        let Some(Part::Parallel(part)) = export.part else {
            panic!("{:?}", export.part);
        };
        assert_eq!((part.place, part.striping.stripes), (1, 2));
        assert_eq!(files.threads, threads, "{kind}");
        let is_measured = files.costs == OrangeFs::SERVER_COSTS;
        assert_eq!(is_measured, kind == "orangefs");
        let Role::Web(web) = &tiers.nodes[0].role else {
            panic!("web1 is a web server");
        };
        let reading = web.stores[export.store].profile.reading;
        assert_eq!(reading.map(|it| it.read_ahead_bytes), Some(0));
    }
}

#[test]
fn clients_give_servers_up_where_something_may_happen() {
    let event = "\n[[event]]\nat = \"1s\"\nnode = \"file2\"\nstate = \"down\"\n";
    let text = SCENARIO.replace(NFS, &format!("kind = \"glusterfs\"\n{BOTH}"));
    let tiers = tiers_of(&format!("{text}{event}"), &["shop"]).expect("tiers");
    let Role::Files(files) = &tiers.nodes[2].role else {
        panic!("file2 is a file server");
    };
    let transport = files.exports[0].transport;
    assert!(transport.is_soft);
    assert_eq!(transport.timeout_ns, 42_000_000_000);
}

#[test]
fn what_requests_do_not_follow_is_refused() {
    let fuse = "\n[store.options]\nclient = \"fuse\"\n\n[[store]]\nname = \"other\"";
    let text = SCENARIO.replace(NFS, &format!("kind = \"orangefs\"\n{BOTH}"));
    let text = text.replace("\n[[store]]\nname = \"other\"", fuse);
    let message = tiers_of(&text, &["shop"])
        .expect_err("a daemon")
        .to_string();
    assert!(message.contains("has client = \"fuse\""), "{message}");
    let text = SCENARIO.replace(
        "kind = \"nfs4\"\nservers = \"file1\"\non = \"disk\"",
        "kind = \"glusterfs\"",
    );
    let message = tiers_of(&text, &["shop"]).expect_err("its own").to_string();
    assert!(
        message.contains("is on servers of its own, which are no nodes"),
        "{message}"
    );
}

#[test]
fn a_system_or_a_log_on_several_servers_is_refused() {
    let needs = [
        "logs = \"root\"",
        "system = \"root\"\nsystem_files = \"1MiB\"",
    ];
    for (needs, kind) in needs.into_iter().zip(["glusterfs", "pvfs1"]) {
        let memory = "memory = \"64MiB\"\n";
        let text = SCENARIO.replacen(memory, &format!("{memory}{needs}\n"), 1);
        let root = format!(
            "[[store]]\nname = \"root\"\nprofile = \"nfs\"\nkind = \"{kind}\"\nservers = [\"file2\"]\non = \"disk\"\n"
        );
        let message = tiers_of(&(text + &root), &["shop"])
            .expect_err(kind)
            .to_string();
        assert!(
            message.contains("node `web1` has its system or its log on the store `root`"),
            "{message}"
        );
    }
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
    let needs = "server = \"apache\"\nworkers = 9\nkeep_alive = \"15s\"\nsystem = \"root\"\nsystem_files = \"1MiB\"\nlogs = \"root\"\nworker_memory = \"1MiB\"\n";
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
    let keep_alive = web.keep_alive.expect("its workers stay");
    assert_eq!(
        (keep_alive.idle_ns, keep_alive.requests),
        (15_000_000_000, None)
    );
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
