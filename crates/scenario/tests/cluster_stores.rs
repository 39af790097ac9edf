//! Lustre, GlusterFS and MooseFS: what scenario files say of them, and what is refused.

use std::path::Path;

use hotset_scenario::{ClusterOptions, Scenario, StoreKind};

const NODES: &str = "[[node]]\nname = \"web1\"\nmemory = \"1GiB\"\n\
    [[node]]\nname = \"io1\"\nmemory = \"1GiB\"\nserver = \"files\"\n\
    [[node]]\nname = \"io2\"\nmemory = \"1GiB\"\nserver = \"files\"\n\
    [[node]]\nname = \"meta\"\nmemory = \"1GiB\"\nserver = \"files\"\n\
    [[store]]\nname = \"brick\"\nprofile = \"ssd\"\n";

fn store(kind: &str, servers: &str, options: &str) -> String {
    format!(
        "{NODES}[[store]]\nname = \"shared\"\nprofile = \"nfs\"\nkind = \"{kind}\"\n{servers}[store.options]\n{options}"
    )
}

const SERVERS: &str = "servers = [\"io1\", \"io2\"]\non = \"brick\"\n";

fn parse(text: &str) -> Result<Scenario, String> {
    Scenario::parse(text, Path::new("s.toml")).map_err(|error| error.to_string())
}

#[test]
fn options_of_lustre_are_read() {
    let options = "metadata = \"meta\"\nstrip = \"1MiB\"\nstripes = 2\nrpcs_in_flight = 16\nrpc_size = \"1MiB\"\nread_ahead = 0\n";
    let scenario = parse(&store("lustre", SERVERS, options)).unwrap();
    let store = &scenario.stores[1];
    assert_eq!(store.kind, Some(StoreKind::Lustre));
    assert_eq!(store.remote.as_ref().unwrap().servers, ["io1", "io2"]);
    let options = ClusterOptions {
        metadata: Some("meta".to_owned()),
        stripe_bytes: Some(1 << 20),
        stripes: Some(2),
        rpcs_in_flight: Some(16),
        rpc_bytes: Some(1 << 20),
        read_ahead_bytes: Some(0),
        ..ClusterOptions::default()
    };
    assert_eq!(store.cluster, Some(options));
    assert_eq!(scenario.stores[0].cluster, None);
}

#[test]
fn glusterfs_and_moosefs_may_name_servers_or_have_some_of_their_own() {
    for (kind, options, wanted) in [
        (
            "glusterfs",
            "redundancy = 1\nio_cache = \"32MiB\"\nquick_read = 0\ncache_s = 2\n",
            ClusterOptions {
                redundancy: Some(1),
                io_cache_bytes: Some(32 << 20),
                quick_read_bytes: Some(0),
                cache_s: Some(2),
                ..ClusterOptions::default()
            },
        ),
        (
            "moosefs",
            "copies = 3\nentry_cache_s = 5\n",
            ClusterOptions {
                copies: Some(3),
                entry_cache_s: Some(5),
                ..ClusterOptions::default()
            },
        ),
    ] {
        let scenario = parse(&store(kind, "", options)).unwrap();
        let store = &scenario.stores[1];
        assert_eq!(store.remote, None);
        assert_eq!(store.cluster.as_ref(), Some(&wanted));
        let plain = format!(
            "{NODES}[[store]]\nname = \"shared\"\nprofile = \"nfs\"\nkind = \"{kind}\"\n{SERVERS}"
        );
        let scenario = parse(&plain).unwrap();
        let store = &scenario.stores[1];
        assert_eq!(store.remote.as_ref().unwrap().on, "brick");
        assert_eq!(store.cluster, Some(ClusterOptions::default()));
    }
}

#[test]
fn what_cannot_be_is_refused_with_its_place() {
    for (kind, servers, options, wanted) in [
        (
            "lustre",
            "",
            "",
            "`servers` in [[store]]: name the nodes that have the lustre store",
        ),
        (
            "lustre",
            SERVERS,
            "stripes = 3\n",
            "`stripes` in [store.options]: must be from 1 to 2, as the store has 2 servers",
        ),
        (
            "lustre",
            SERVERS,
            "strip = \"4KiB\"\n",
            "`strip` in [store.options]: must be a multiple of 65536",
        ),
        (
            "lustre",
            SERVERS,
            "rpcs_in_flight = 1000\n",
            "`rpcs_in_flight` in [store.options]: must be a whole number from 1 to 256",
        ),
        (
            "lustre",
            SERVERS,
            "rpc_size = \"64MiB\"\n",
            "`rpc_size` in [store.options]: must be a multiple of 4096 from 4096 to 16777216 bytes",
        ),
        (
            "lustre",
            SERVERS,
            "metadata = \"mete\"\n",
            "no node with server = \"files\" is called `mete`; there are: io1, io2, meta; did you mean `meta`?",
        ),
        (
            "lustre",
            SERVERS,
            "io_cache = 0\n",
            "`io_cache` in [store.options]: is of glusterfs, not of lustre; take it out",
        ),
        (
            "glusterfs",
            SERVERS,
            "redundancy = 1\n",
            "`redundancy` in [store.options]: must be from 0 to 0, less than half of the store's 2 servers",
        ),
        (
            "glusterfs",
            "",
            "redundancy = 2\n",
            "must be from 0 to 1, less than half of the store's 3 servers",
        ),
        (
            "glusterfs",
            SERVERS,
            "metadata = \"io1\"\n",
            "`metadata` in [store.options]: is of pvfs1, orangefs, lustre and moosefs, not of glusterfs",
        ),
        (
            "glusterfs",
            SERVERS,
            "strip = 65536\n",
            "`strip` in [store.options]: is of pvfs1, orangefs and lustre, not of glusterfs",
        ),
        (
            "glusterfs",
            "servers = [\"io1\", \"io2\"]\n",
            "",
            "name the store that the server keeps its files on",
        ),
        (
            "moosefs",
            "on = \"brick\"\n",
            "",
            "name the nodes that have the moosefs store",
        ),
        (
            "moosefs",
            "",
            "copies = 4\n",
            "must be from 1 to 3, as the store has 3 servers",
        ),
        ("moosefs", SERVERS, "copies = 0\n", "must be from 1 to 2"),
        (
            "moosefs",
            "",
            "metadata = \"io1\"\n",
            "`metadata` in [store.options]: is of a store with `servers`",
        ),
        (
            "orangefs",
            SERVERS,
            "read_ahead = 0\n",
            "`read_ahead` in [store.options]: is of lustre, glusterfs and moosefs, not of orangefs",
        ),
        (
            "pvfs1",
            SERVERS,
            "cache_s = 1\n",
            "`cache_s` in [store.options]: is of orangefs, glusterfs and moosefs, not of pvfs1",
        ),
    ] {
        let message = parse(&store(kind, servers, options)).expect_err(wanted);
        assert!(message.contains(wanted), "{message}");
        assert!(message.starts_with("s.toml:"), "{message}");
    }
}

#[test]
fn a_store_on_file_servers_is_no_disk_of_others() {
    let text = format!(
        "{NODES}[[store]]\nname = \"moose\"\nprofile = \"nfs\"\nkind = \"moosefs\"\n\
         [[store]]\nname = \"shared\"\nprofile = \"nfs\"\nkind = \"lustre\"\nservers = \"io1\"\non = \"moose\"\n"
    );
    let message = parse(&text).expect_err("no disk");
    assert!(
        message.contains("no local [[store]] is called `moose`; there are: brick"),
        "{message}"
    );
}

#[test]
fn what_no_kind_can_be_is_refused_with_its_line() {
    for kind in ["pvfs1", "orangefs", "lustre", "glusterfs", "moosefs"] {
        let refused = |options: &str| parse(&store(kind, SERVERS, options)).expect_err(kind);
        let has_strips = !matches!(kind, "glusterfs" | "moosefs");
        let message = refused("stripes = 3\n");
        let wanted = match has_strips {
            true => "`stripes` in [store.options]: must be from 1 to 2, as the store has 2 servers",
            false => "`stripes` in [store.options]: is of pvfs1, orangefs and lustre, not of",
        };
        assert!(message.starts_with("s.toml:26:"), "{message}");
        assert!(message.contains(wanted), "{message}");
        let message = refused("strip = 0\n");
        assert!(message.starts_with("s.toml:26:9: "), "{message}");
        assert!(
            message.contains("`strip` in [store.options]: size `0`: must be at least one byte"),
            "{message}"
        );
        let message = refused("metadata = \"mete\"\n");
        let wanted = match kind {
            "glusterfs" => "is of pvfs1, orangefs, lustre and moosefs, not of glusterfs",
            _ => "there are: io1, io2, meta; did you mean `meta`?",
        };
        assert!(message.starts_with("s.toml:26:"), "{message}");
        assert!(message.contains(wanted), "{message}");
        let twice = store(kind, SERVERS, "").replace("\"shared\"", "\"brick\"");
        let message = parse(&twice).expect_err(kind);
        assert!(
            message.starts_with("s.toml:20:8: `name` in [[store]]: `brick` is already taken"),
            "{message}"
        );
    }
}
