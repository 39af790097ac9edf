//! Stores on file servers: what scenario files say of them, and what is refused.

use std::path::Path;

use hotset_scenario::{
    MountOptions, Scenario, ScenarioSetting, ServerSpec, StoreKind, StoreSpec, TomlFile,
};

const FILE: &str = "[[node]]\nname = \"web1\"\nmemory = \"1GiB\"\n\
    [[node]]\nname = \"file1\"\nmemory = \"1GiB\"\nserver = \"files\"\n\
    [[store]]\nname = \"brick\"\nprofile = \"ssd\"\n\
    [[store]]\nname = \"shared\"\nprofile = \"nfs\"\nkind = \"nfs4\"\nservers = \"file1\"\non = \"brick\"\n\
    [store.options]\nrsize = \"64KiB\"\nwsize = 65536\nactimeo = 10\nsync = true\nminorversion = 1\n";

fn parse(text: &str) -> Result<Scenario, String> {
    Scenario::parse(text, Path::new("s.toml")).map_err(|error| error.to_string())
}

#[test]
fn a_store_on_a_file_server_is_read() {
    let scenario = parse(FILE).unwrap();
    let server = &scenario.nodes[1];
    assert_eq!(server.server, ServerSpec::Files);
    assert!(!server.has_server() && !server.reads_store());
    let store = &scenario.stores[1];
    assert_eq!(store.kind, Some(StoreKind::Nfs4));
    let remote = store.remote.as_ref().unwrap();
    assert_eq!(
        (&remote.servers[..], &*remote.on),
        (&["file1".to_owned()][..], "brick")
    );
    let options = MountOptions {
        read_bytes: Some(65_536),
        write_bytes: Some(65_536),
        attributes_s: Some(10),
        sync: true,
        minor_version: Some(1),
        is_async: false,
        is_udp: false,
        timeo: None,
        retrans: None,
        is_soft: false,
    };
    assert_eq!(remote.options, options);
    assert_eq!(scenario.stores[0].remote, None);
}

#[test]
fn stores_without_a_server_or_a_disk_are_refused_with_their_place() {
    for (from, to, wanted) in [
        (
            "servers = \"file1\"",
            "servers = \"file2\"",
            "s.toml:15:11: `servers` in [[store]]: no node with server = \"files\" is called `file2`; there are: file1; did you mean `file1`?",
        ),
        (
            "servers = \"file1\"",
            "servers = \"web1\"",
            "no node with server = \"files\" is called `web1`",
        ),
        (
            "servers = \"file1\"\n",
            "",
            "an nfs4 store is on one node; name it",
        ),
        (
            "on = \"brick\"\n",
            "",
            "name the store that the server keeps its files on",
        ),
        (
            "on = \"brick\"",
            "on = \"shared\"",
            "no local [[store]] is called `shared`; there are: brick",
        ),
        (
            "kind = \"nfs4\"",
            "kind = \"xfs\"",
            "`servers` in [[store]]: is of stores on file servers",
        ),
        (
            "kind = \"nfs4\"",
            "kind = \"nfs3\"",
            "`minorversion` in [store.options]: is of kind = \"nfs4\"",
        ),
        (
            "minorversion = 1",
            "minorversion = 3",
            "must be a whole number from 0 to 2",
        ),
        (
            "\"64KiB\"",
            "\"3KiB\"",
            "write a multiple of 4096 up to 1048576",
        ),
        ("actimeo", "actime", "`actime`"),
        ("sync = true", "export = \"asynchronous\"", "is none of"),
        (
            "sync = true",
            "proto = \"udp\"",
            "`proto` in [store.options]: nfs4 is over TCP alone",
        ),
        (
            "on = \"brick\"\n",
            "",
            "s.toml:12:8: `on` in [[store]]: name the store that the server keeps its files on; there are: brick",
        ),
        ("actimeo = 10", "timeo = 0", "from 1 to 6000"),
        ("actimeo = 10", "retrans = 21", "from 0 to 20"),
    ] {
        let text = FILE.replacen(from, to, 1);
        assert_ne!(text, FILE, "{from}");
        let message = parse(&text).unwrap_err();
        assert!(message.contains(wanted), "{message}");
    }
}

#[test]
fn messages_are_held_to_what_each_version_allows() {
    let options = FILE.find("[store.options]").expect("options");
    let with = |kind: &str, options_text: &str| {
        let text = FILE[..options].replacen("kind = \"nfs4\"", &format!("kind = \"{kind}\""), 1);
        parse(&format!("{text}[store.options]\n{options_text}\n"))
    };
    for (kind, options, wanted) in [
        (
            "nfs2",
            "rsize = \"12KiB\"",
            "s.toml:18:9: `rsize` in [store.options]: nfs2 has at most 8192 bytes of a file; write \"8KiB\" or less, or kind = \"nfs3\"",
        ),
        (
            "nfs2",
            "wsize = \"32KiB\"",
            "`wsize` in [store.options]: nfs2 has at most 8192",
        ),
        (
            "nfs3",
            "proto = \"udp\"\nrsize = \"64KiB\"",
            "s.toml:19:9: `rsize` in [store.options]: a datagram has at most 32768 bytes of a file; write \"32KiB\" or less, or proto = \"tcp\"",
        ),
        ("nfs3", "rsize = \"2MiB\"", "s.toml:18:9: "),
        (
            "nfs2",
            "proto = \"tcp\"",
            "nfs2 is over UDP alone; take it out",
        ),
        (
            "nfs2",
            "minorversion = 1",
            "`minorversion` in [store.options]: is of kind = \"nfs4\"",
        ),
    ] {
        let message = with(kind, options).unwrap_err();
        assert!(message.contains(wanted), "{message}");
    }
    for (kind, options) in [("nfs2", "rsize = \"8KiB\""), ("nfs3", "rsize = \"64KiB\"")] {
        assert!(with(kind, options).is_ok(), "{kind}");
    }
    let plain = with("nfs2", "").unwrap();
    let remote = plain.stores[1].remote.as_ref().unwrap();
    assert!(remote.options.is_udp);
    assert_eq!(remote.at.line, 12);
}

#[test]
fn links_that_carry_no_packet_or_nothing_are_refused_with_their_line() {
    for (link, place, wanted) in [
        (
            "rate = \"1Gbit\"\nmtu = 40",
            "s.toml:26:7: ",
            "must be from 576 to 9216 bytes",
        ),
        (
            "rate = \"0Mbit\"",
            "s.toml:25:8: ",
            "carries nothing; write a rate above 0",
        ),
    ] {
        let message = parse(&format!("{FILE}[[link]]\nnode = \"file1\"\n{link}\n")).unwrap_err();
        assert!(message.contains(place), "{message}");
        assert!(message.contains(wanted), "{message}");
    }
}

#[test]
fn how_calls_travel_is_read() {
    let text = FILE.replacen("kind = \"nfs4\"", "kind = \"nfs3\"", 1);
    let text = text.replacen(
        "rsize = \"64KiB\"\nwsize = 65536\nactimeo = 10\nsync = true\nminorversion = 1",
        "proto = \"udp\"\ntimeo = 7\nretrans = 5\nsoft = true",
        1,
    );
    let scenario = parse(&text).unwrap();
    let options = scenario.stores[1].remote.as_ref().unwrap().options;
    assert!(options.is_udp && options.is_soft);
    assert_eq!((options.timeo, options.retrans), (Some(7), Some(5)));
}

/// The store of [`FILE`], with keys set aside from it.
fn shared(text: &str, settings: &[&str]) -> Result<StoreSpec, String> {
    let settings: Vec<ScenarioSetting> = settings.iter().map(|it| it.parse().unwrap()).collect();
    let file = TomlFile::from_text(text, Path::new("s.toml"));
    let scenario = Scenario::of_file(&file, &settings);
    scenario
        .map(|it| it.stores[1].clone())
        .map_err(|error| error.to_string())
}

#[test]
fn another_kind_that_is_set_has_no_keys_of_the_one_before() {
    let local = shared(FILE, &["store.shared.kind=xfs"]).unwrap();
    assert_eq!((local.kind, local.remote), (Some(StoreKind::Xfs), None));
    let same = shared(FILE, &["store.shared.kind=nfs4"]).unwrap();
    let options = same.remote.unwrap().options;
    assert_eq!((options.minor_version, options.sync), (Some(1), true));
    let other = shared(
        FILE,
        &["store.shared.kind=nfs3", "store.shared.options.actimeo=3"],
    );
    let options = other.unwrap().remote.unwrap().options;
    let expected = MountOptions {
        attributes_s: Some(3),
        ..MountOptions::default()
    };
    assert_eq!(options, expected);
    let striped = FILE.replacen("kind = \"nfs4\"", "kind = \"pvfs1\"", 1);
    let (striped, _) = striped.split_once("[store.options]").unwrap();
    let more = "[[node]]\nname = \"file2\"\nmemory = \"1GiB\"\nserver = \"files\"\n";
    let striped = striped.replacen("\"file1\"\non", "[\"file1\", \"file2\"]\non", 1) + more;
    let servers = |kind: &str| {
        let store = shared(&striped, &[&format!("store.shared.kind={kind}")]).unwrap();
        store.remote.map_or(0, |it| it.servers.len())
    };
    assert_eq!(["lustre", "nfs3", "ext4"].map(servers), [2, 1, 0]);
    let unknown = shared(FILE, &["store.shared.kind=zfs"]).unwrap_err();
    assert!(unknown.contains("zfs"), "{unknown}");
}

#[test]
fn nobody_asks_a_file_server() {
    for text in [
        "[[client]]\nname = \"crowd\"\nasks = \"file1\"\nclients = 1\n",
        "[[client]]\nname = \"crowd\"\nasks = \"web1\"\nclients = 1\nnode = \"file1\"\n",
        "[[node]]\nname = \"front\"\nmemory = \"1GiB\"\nserver = \"nginx-proxy\"\nupstream = \"file1\"\n",
    ] {
        let message = parse(&format!("{FILE}{text}")).unwrap_err();
        assert!(message.contains("file1"), "{message}");
    }
}
