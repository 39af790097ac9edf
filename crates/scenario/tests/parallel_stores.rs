//! Stores in strips on several file servers: what scenario files say of them, and what is refused.

use std::path::Path;

use hotset_scenario::{ParallelOptions, Scenario, StoreKind};

const NODES: &str = "[[node]]\nname = \"web1\"\nmemory = \"1GiB\"\n\
    [[node]]\nname = \"io1\"\nmemory = \"1GiB\"\nserver = \"files\"\n\
    [[node]]\nname = \"io2\"\nmemory = \"1GiB\"\nserver = \"files\"\n\
    [[node]]\nname = \"meta\"\nmemory = \"1GiB\"\nserver = \"files\"\n\
    [[store]]\nname = \"brick\"\nprofile = \"ssd\"\n";
const STORE: &str = "[[store]]\nname = \"shared\"\nprofile = \"nfs\"\nkind = \"orangefs\"\nservers = [\"io1\", \"io2\"]\non = \"brick\"\n";
const OPTIONS: &str = "[store.options]\nmetadata = \"meta\"\nstrip = \"128KiB\"\nstripes = 2\nread_size = \"192KiB\"\neager_limit = 8192\nflow_buffer = \"64KiB\"\n\
    flow_buffers = 4\ncache_s = 0\nclient = \"fuse\"\n";

fn parse(text: &str) -> Result<Scenario, String> {
    Scenario::parse(text, Path::new("s.toml")).map_err(|error| error.to_string())
}

#[test]
fn a_parallel_store_is_read() {
    let scenario = parse(&format!("{NODES}{STORE}{OPTIONS}")).unwrap();
    let store = &scenario.stores[1];
    assert_eq!(store.kind, Some(StoreKind::OrangeFs));
    let remote = store.remote.as_ref().unwrap();
    assert_eq!(remote.servers, ["io1", "io2"]);
    let options = ParallelOptions {
        metadata: Some("meta".to_owned()),
        strip_bytes: Some(128 << 10),
        stripes: Some(2),
        read_bytes: Some(192 << 10),
        has_linear_buffers: false,
        eager_bytes: Some(8192),
        flow_buffer_bytes: Some(64 << 10),
        flow_buffers: Some(4),
        cache_s: Some(0),
        is_fuse: true,
    };
    assert_eq!(remote.parallel, Some(options));
}

#[test]
fn options_may_be_absent() {
    for kind in ["orangefs", "pvfs1"] {
        let text = format!("{NODES}{STORE}").replace("orangefs", kind);
        let scenario = parse(&text).unwrap();
        let remote = scenario.stores[1].remote.as_ref().unwrap();
        assert_eq!(remote.parallel, Some(ParallelOptions::default()));
    }
}

#[test]
fn what_cannot_be_is_refused_with_its_place() {
    for (from, to, wanted) in [
        (
            "stripes = 2",
            "stripes = 3",
            "`stripes` in [store.options]: must be from 1 to 2, as the store has 2 servers",
        ),
        ("stripes = 2", "stripes = 0", "must be from 1 to 2"),
        ("strip = \"128KiB\"", "strip = 0", "s.toml:"),
        (
            "strip = \"128KiB\"",
            "strip = 5000",
            "`strip` in [store.options]: must be a multiple of 4096",
        ),
        (
            "metadata = \"meta\"",
            "metadata = \"web1\"",
            "`metadata` in [store.options]: no node with server = \"files\" is called `web1`; there are: io1, io2, meta",
        ),
        (
            "metadata = \"meta\"",
            "metadata = \"mete\"",
            "did you mean `meta`?",
        ),
        (
            "read_size = \"192KiB\"",
            "read_size = \"100KiB\"",
            "`read_size` in [store.options]: must be a multiple of 65536",
        ),
        (
            "read_size = \"192KiB\"",
            "read_size = \"32MiB\"",
            "up to 16777216",
        ),
        ("eager_limit = 8192", "eager_limit = 100", "from 1024"),
        (
            "flow_buffers = 4",
            "flow_buffers = 4000",
            "must be a whole number from 1 to 1024",
        ),
        (
            "[\"io1\", \"io2\"]",
            "[\"io1\", \"io1\"]",
            "names `io1` twice",
        ),
        (
            "servers = [\"io1\", \"io2\"]\n",
            "",
            "name the nodes that have the orangefs store",
        ),
        (
            "kind = \"orangefs\"",
            "kind = \"pvfs1\"",
            "`eager_limit` in [store.options]: is of orangefs, not of pvfs1",
        ),
        (
            "client = \"fuse\"",
            "receive_buffers = \"linear\"",
            "`receive_buffers` in [store.options]: is of pvfs1, not of orangefs",
        ),
        (
            "client = \"fuse\"",
            "rsize = 65536",
            "`rsize` in [store.options]: is of nfs2, nfs3 and nfs4, not of orangefs",
        ),
        (
            "client = \"fuse\"",
            "soft = true",
            "`soft` in [store.options]: is of nfs2, nfs3 and nfs4, not of orangefs",
        ),
    ] {
        let all = format!("{NODES}{STORE}{OPTIONS}");
        let text = all.replacen(from, to, 1);
        assert_ne!(text, all, "{from}");
        let message = parse(&text).unwrap_err();
        assert!(message.contains(wanted), "{message}");
        assert!(message.starts_with("s.toml:"), "{message}");
    }
}

#[test]
fn an_nfs_store_has_no_strips() {
    let text = format!("{NODES}{STORE}[store.options]\nstrip = 65536\n");
    let text = text.replace("orangefs", "nfs3");
    let text = text.replace("[\"io1\", \"io2\"]", "\"io1\"");
    let message = parse(&text).unwrap_err();
    assert!(
        message
            .contains("`strip` in [store.options]: is of pvfs1, orangefs and lustre, not of nfs3"),
        "{message}"
    );
}
