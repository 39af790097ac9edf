//! Scenario files: what they say, and complaints with line, column and fix.

use std::path::{Path, PathBuf};

use hotset_scenario::{
    Balance, Client, DiskSpec, Journal, JournalSpec, MemorySize, NetworkTopology, Objective, Raid,
    RaidLevel, Scenario, ScenarioSetting, ServerSpec, StoreKind, Target,
};
use proptest::prelude::*;

const GOOD: &str = r#"[[node]]
name = "web1"
memory = "4GiB"

[[store]]
name = "disk"
profile = "hdd"

[[site]]
name = "shop"
match = ["/shop/*", "host:shop.example.com"]
weight = 2.5
reservation = "512MiB"
store = "disk"
root = "www/shop"

[[site]]
name = "blog"
match = "log:/var/log/blog*.log"
store = "disk"
"#;

fn parse(text: &str) -> Result<Scenario, String> {
    Scenario::parse(text, Path::new("conf/two.toml")).map_err(|error| error.to_string())
}

fn complaint(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "{from}");
    parse(&GOOD.replacen(from, to, 1)).expect_err(to)
}

#[test]
fn a_whole_scenario_is_read() {
    let scenario = parse(GOOD).expect("scenario");
    assert_eq!(scenario.nodes[0].memory, MemorySize::Bytes(4 << 30));
    assert_eq!(scenario.stores[0].profile.name, "hdd");
    let shop = &scenario.sites[0];
    assert_eq!(
        (shop.weight, shop.reservation_bytes, shop.store),
        (2.5, 512 << 20, 0)
    );
    assert_eq!(shop.matches, ["/shop/*", "host:shop.example.com"]);
    assert_eq!(shop.root, Some(PathBuf::from("conf/www/shop")));
    let blog = &scenario.sites[1];
    assert_eq!(
        (blog.weight, blog.reservation_bytes, &blog.root),
        (1.0, 0, &None)
    );
    assert_eq!(blog.matches, ["log:/var/log/blog*.log"]);
}

#[test]
fn an_unknown_key_names_the_nearest() {
    let message = complaint("weight = 2.5", "wieght = 2.5");
    assert!(
        message.starts_with("conf/two.toml:12:1: `wieght` in [[site]]: unknown key"),
        "{message}"
    );
    assert!(message.contains("did you mean `weight`?"), "{message}");
    assert!(complaint("[[store]]", "[[stores]]").contains("did you mean `store`?"));
}

#[test]
fn a_share_of_clients_is_a_percentage() {
    let share = |text: &str| {
        let site = format!(
            "[[store]]\nname = \"d\"\nprofile = \"hdd\"\n[[site]]\nname = \"s\"\nstore = \"d\"\n{text}\n"
        );
        Scenario::parse(&site, Path::new("s.toml")).map(|it| it.sites[0].client_share)
    };
    assert_eq!(share("").unwrap(), hotset_scenario::Site::CLIENT_SHARE);
    assert_eq!(share("client_share = \"25%\"").unwrap(), 0.25);
    assert_eq!(share("client_share = \"100%\"").unwrap(), 1.0);
    for wrong in ["\"0%\"", "\"101%\"", "\"25\"", "\"%\"", "\"nan%\"", "0.25"] {
        let error = share(&format!("client_share = {wrong}")).unwrap_err();
        assert!(
            error.to_string().contains("s.toml:7:16: `client_share`"),
            "{error}"
        );
    }
}

#[test]
fn names_stores_and_weights_are_checked() {
    assert!(
        complaint("\"blog\"", "\"shop\"")
            .starts_with("conf/two.toml:18:8: `name` in [[site]]: `shop` is already")
    );
    assert!(
        complaint("store = \"disk\"", "store = \"disc\"")
            .contains("no [[store]] called `disc`; there are: disk")
    );
    assert!(complaint("2.5", "0").starts_with("conf/two.toml:12:10: `weight`"));
    assert!(complaint("2.5", "-1.0").contains("must be positive"));
    assert!(complaint("2.5", "nan").contains("finite"));
    for absurd in ["1e308", "1e7", "1e-7", "1e-320", "inf", "-inf", "1e999"] {
        let message = complaint("2.5", absurd);
        assert!(
            message.starts_with("conf/two.toml:12:10: `weight`"),
            "{message}"
        );
    }
    assert!(parse(&GOOD.replace("2.5", "1e6")).is_ok());
    assert!(complaint("2.5", "\"much\"").contains("not the text \"much\""));
    assert!(complaint("\"hdd\"", "\"hhd\"").contains("did you mean `hdd`?"));
    assert!(complaint("\"4GiB\"", "\"4338Mb\"").contains("`4338MB`"));
    assert!(complaint("\"4GiB\"", "0").contains("at least one byte"));
    assert!(
        complaint("name = \"web1\"\n", "")
            .starts_with("conf/two.toml:1:1: [[node]]: `name` is missing")
    );
}

#[test]
fn broken_toml_has_its_line() {
    assert!(complaint("weight = 2.5", "weight = ").starts_with("conf/two.toml:12:"));
    assert!(
        parse("site = 3")
            .expect_err("list")
            .starts_with("conf/two.toml:1:8: `site`: must be a list")
    );
    assert!(
        parse("site = [3]")
            .expect_err("list")
            .starts_with("conf/two.toml:1:9: `site`: must be a table")
    );
}

proptest! {
    #[test]
    fn any_text_is_answered_without_a_panic(text in any::<String>()) {
        let _ = parse(&text);
    }

    #[test]
    fn a_scenario_with_a_piece_replaced_is_answered_without_a_panic(
        at in 0..GOOD.len(), length in 0usize..40, piece in "[\\[\\]a-z0-9=\" .\n_-]{0,12}|\\PC{0,4}"
    ) {
        let end = (at + length).min(GOOD.len());
        let _ = parse(&format!("{}{piece}{}", &GOOD[..at], &GOOD[end..]));
    }
}

const LAB: &str = r#"[[node]]
name = "web"
memory = "512MiB"
cpus = 2

[[node]]
name = "front"
memory = "256MiB"
server = "nginx-proxy"
cache = true
upstream = ["web"]

[[store]]
name = "disk"
profile = "hdd"
kind = "ext4"
size = "2GiB"

[store.disk]
kind = "seeking"
rate = "39MB"

[[link]]
node = "web"
rate = "1Gbit"
"#;

#[test]
fn what_the_lab_makes_is_read() {
    let scenario = parse(LAB).expect("scenario");
    assert_eq!(scenario.nodes[0].whole_cpus(), Some(2));
    assert_eq!(scenario.nodes[0].server, ServerSpec::Nginx);
    let proxy = ServerSpec::NginxProxy {
        cache: true,
        upstream: vec!["web".into()],
        balance: Balance::RoundRobin,
    };
    assert_eq!(scenario.nodes[1].server, proxy);
    assert_eq!(scenario.stores[0].kind, Some(StoreKind::Ext4));
    let disk = DiskSpec::Seeking {
        bytes_per_s: 39_000_000,
    };
    assert_eq!(scenario.stores[0].disk, disk);
    assert_eq!(scenario.links[0].bits_per_s, 1_000_000_000);
}

#[test]
fn seeking_disks_may_have_a_cache_of_writes() {
    let rate = "rate = \"39MB\"\n";
    let cached = LAB.replace(rate, &format!("{rate}write_cache = \"8MiB\"\n"));
    let bytes = |text: &str| parse(text).expect("scenario").stores[0].write_cache_bytes;
    assert_eq!((bytes(LAB), bytes(&cached)), (0, 8 << 20));
    assert_eq!(bytes(&cached.replace("\"8MiB\"", "0")), 0, "switched off");
    let plain = cached.replace("\"seeking\"", "\"plain\"");
    let message = parse(&plain).expect_err("plain").to_string();
    assert!(
        message.contains("`write_cache` is of seeking disks"),
        "{message}"
    );
}

#[test]
fn what_a_kind_of_disk_does_not_have_is_refused() {
    let plain = LAB.replace("\"seeking\"", "\"plain\"");
    let reads = LAB.replace("rate = \"39MB\"\n", "rate = \"39MB\"\nreads_per_s = 100\n");
    for (text, wanted) in [
        (&plain, "`rate` is of throttled and seeking disks"),
        (&reads, "`reads_per_s` is of throttled disks"),
    ] {
        let message = parse(text).expect_err(wanted).to_string();
        assert!(message.contains(wanted), "{message}");
    }
    // A kind that is set leaves out what it does not have.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("lab.toml");
    std::fs::write(&file, LAB).unwrap();
    let disk = |kind: &str| {
        let setting = format!("store.disk.disk.kind={kind}").parse().unwrap();
        Scenario::load_with(&file, &[setting]).unwrap().stores[0].disk
    };
    assert_eq!(disk("plain"), DiskSpec::Plain);
    let throttled = DiskSpec::Throttled {
        bytes_per_s: Some(39_000_000),
        reads_per_s: None,
    };
    assert_eq!(disk("throttled"), throttled);
}

#[test]
fn seeking_disks_may_act_as_one() {
    let rate = "rate = \"39MB\"\n";
    assert!(LAB.contains(rate));
    let with = |raid: &str| LAB.replace(rate, &format!("{rate}raid = {{ {raid} }}\n"));
    let five = with("level = 5, disks = 4, chunk_bytes = \"64KiB\"");
    let disk = DiskSpec::Array {
        bytes_per_s: 39_000_000,
        raid: Raid {
            level: RaidLevel::Raid5,
            disks: 4,
            chunk_bytes: 65_536,
        },
    };
    assert_eq!(parse(&five).expect("scenario").stores[0].disk, disk);
    for (text, wanted) in [
        (with("level = 5, disks = 2"), "level 5 needs 3 or more"),
        (
            five.replace("\"seeking\"", "\"plain\""),
            "`raid` is of seeking disks",
        ),
    ] {
        let message = parse(&text).expect_err(wanted).to_string();
        assert!(message.contains(wanted), "{message}");
    }
}

#[test]
fn every_kind_of_store_is_read_by_its_name() {
    use StoreKind::*;
    for kind in [Ext3, Ext4, Xfs, Tmpfs, Ramfs, GlusterFs, MooseFs] {
        let text = LAB.replacen("ext4", kind.name(), 1);
        assert_eq!(parse(&text).expect("scenario").stores[0].kind, Some(kind));
    }
}

#[test]
fn what_the_lab_cannot_make_is_refused_where_it_stands() {
    for (from, to, wanted) in [
        (
            "\"ext4\"",
            "\"ext5\"",
            "16:8: `kind` in [[store]]: `ext5` is none of ext3, ext4",
        ),
        (
            "\"seeking\"",
            "\"spinning\"",
            "20:8: `kind` in [store.disk]: `spinning` is none of plain",
        ),
        (
            "rate = \"39MB\"",
            "",
            "19:1: [store.disk]: a seeking disk needs `rate`",
        ),
        (
            "\"nginx-proxy\"",
            "\"caddy\"",
            "9:10: `server` in [[node]]: `caddy` is none of nginx",
        ),
        (
            "\"nginx-proxy\"",
            "\"nginx\"",
            "`cache` in [[node]]: is for server = \"nginx-proxy\" only",
        ),
        (
            "[\"web\"]",
            "[\"wep\"]",
            "11:12: `upstream` in [[node]]: no web server is called `wep`; there are: web; did you mean `web`?",
        ),
        (
            "[\"web\"]",
            "[\"web\", \"web\"]",
            "`upstream` in [[node]]: `web` is there twice; take one out",
        ),
        (
            "\"1Gbit\"",
            "\"fast\"",
            "25:8: `rate` in [[link]]: write `1Gbit`",
        ),
        (
            "node = \"web\"",
            "node = \"db\"",
            "`node` in [[link]]: no node is called `db`",
        ),
        (
            "cpus = 2",
            "cpus = 0",
            "4:8: `cpus` in [[node]]: must be from 0.01 to 65536 processors",
        ),
    ] {
        assert!(LAB.contains(from), "{from}");
        let complaint = parse(&LAB.replacen(from, to, 1)).expect_err(to);
        assert!(complaint.contains(wanted), "{complaint}");
    }
}

const TIERS: &str = r#"[[node]]
name = "web"
memory = "512MiB"
cpus = 0.5
cpu_speed = 2
workers = 8

[[node]]
name = "front"
memory = "256MiB"
server = "nginx-proxy"
upstream = "web"
balance = "least-connections"

[[link]]
node = "web"
rate = "1Gbit"
delay = "50us"
mtu = 9000

[[client]]
name = "crowd"
asks = "front"
clients = 64
think = "1.5ms"
timeout = "30s"
"#;

#[test]
fn clients_and_what_a_simulation_knows_of_nodes_are_read() {
    let scenario = parse(TIERS).expect("scenario");
    let web = &scenario.nodes[0];
    assert_eq!(
        (web.cpus, web.cpu_speed, web.workers),
        (Some(0.5), 2.0, Some(8))
    );
    assert_eq!(web.whole_cpus(), Some(1), "a share takes a whole one");
    let ServerSpec::NginxProxy { balance, .. } = scenario.nodes[1].server else {
        panic!("{:?}", scenario.nodes[1].server);
    };
    assert_eq!(balance, Balance::LeastConnections);
    let link = &scenario.links[0];
    assert_eq!((link.delay_ns, link.mtu_bytes), (50_000, 9000));
    let crowd = Client {
        name: "crowd".into(),
        asks: "front".into(),
        clients: 64,
        think_ns: Some(1_500_000),
        timeout_ns: Some(30_000_000_000),
        node: None,
        opens_connections: false,
    };
    assert_eq!(scenario.clients, [crowd]);
    let without = TIERS
        .replace("think = \"1.5ms\"\ntimeout = \"30s\"\n", "")
        .replace("delay = \"50us\"\nmtu = 9000\n", "");
    let without = without.replace("cpu_speed = 2\nworkers = 8\n", "");
    let scenario = parse(&without).expect("scenario");
    assert_eq!(
        (scenario.clients[0].think_ns, scenario.links[0].delay_ns),
        (None, 0)
    );
    assert_eq!(scenario.clients[0].timeout_ns, None);
    assert_eq!(scenario.links[0].mtu_bytes, 1500);
    let web = &scenario.nodes[0];
    assert_eq!((web.cpu_speed, web.workers), (1.0, None));
}

#[test]
fn clients_and_nodes_that_cannot_be_meant_are_refused_with_their_line() {
    for (from, to, wanted) in [
        (
            "\"front\"\nclients",
            "\"fromt\"\nclients",
            "`asks` in [[client]]: no node is called `fromt`",
        ),
        (
            "clients = 64",
            "clients = 0",
            "24:11: `clients` in [[client]]: must be a whole number of at least 1",
        ),
        (
            "\"1.5ms\"",
            "\"1.5\"",
            "25:9: `think` in [[client]]: write a time up to an hour",
        ),
        (
            "\"1.5ms\"",
            "\"-1ms\"",
            "`think` in [[client]]: write a time",
        ),
        (
            "\"30s\"",
            "\"0s\"",
            "26:11: `timeout` in [[client]]: must be longer than no time",
        ),
        (
            "\"30s\"",
            "\"100ns\"",
            "26:11: `timeout` in [[client]]: must be longer than no time, at least 1ms",
        ),
        (
            "workers = 8",
            "workers = 100000000",
            "`workers` in [[node]]: must be a whole number from 1 to 1000000",
        ),
        ("\"50us\"", "\"2h\"", "`delay` in [[link]]: write a time"),
        (
            "mtu = 9000",
            "mtu = 100",
            "`mtu` in [[link]]: must be from 576 to 9216 bytes",
        ),
        (
            "cpus = 0.5",
            "cpus = -1",
            "`cpus` in [[node]]: must be from 0.01",
        ),
        (
            "cpu_speed = 2",
            "cpu_speed = 0",
            "`cpu_speed` in [[node]]: must be from 0.01 to 100",
        ),
        (
            "workers = 8",
            "workers = 8\nbalance = \"hash\"",
            "`balance` in [[node]]: is for server = \"nginx-proxy\" only",
        ),
        (
            "\"least-connections\"",
            "\"random\"",
            "`random` is none of round-robin, least-connections, hash",
        ),
        (
            "think",
            "thinks",
            "25:1: `thinks` in [[client]]: unknown key; did you mean `think`?",
        ),
        ("[[client]]", "[[clients]]", "did you mean `client`?"),
    ] {
        assert!(TIERS.contains(from), "{from}");
        let complaint = parse(&TIERS.replacen(from, to, 1)).expect_err(to);
        assert!(complaint.contains(wanted), "{complaint}");
    }
    let twice = format!("{TIERS}[[client]]\nname = \"crowd\"\nasks = \"web\"\nclients = 1\n");
    let complaint = parse(&twice).expect_err("a name twice");
    assert!(
        complaint.contains("`name` in [[client]]: `crowd` is already taken"),
        "{complaint}"
    );
}

#[test]
fn keys_are_set_by_their_way() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tiers.toml");
    let store = "[[store]]\nname = \"www.one\"\nprofile = \"hdd\"\n";
    let begins_alike = "[[store]]\nname = \"www\"\nprofile = \"ssd\"\n";
    std::fs::write(&file, format!("{TIERS}{begins_alike}{store}")).unwrap();
    let load = |settings: &[&str]| {
        let settings: Result<Vec<ScenarioSetting>, String> =
            settings.iter().map(|it| it.parse()).collect();
        let loaded = Scenario::load_with(&file, &settings?);
        loaded.map_err(|error| error.to_string())
    };
    assert_eq!(load(&[]), Ok(Scenario::load(&file).unwrap()));
    let alone = load(&["store.www.one.disk.kind=seeking"]).unwrap_err();
    assert_eq!(
        alone,
        "store.www.one.disk.kind=seeking: [store.disk]: a seeking disk needs `rate`"
    );
    let scenario = load(&[
        "node.web.memory = 1GiB",
        "node.web.cpus=1.5",
        "link.web.rate=100Mbit",
        "store.www.one.disk.kind=seeking",
        "store.www.one.disk.rate=39MB",
    ])
    .unwrap();
    let disk = DiskSpec::Seeking {
        bytes_per_s: 39_000_000,
    };
    assert_eq!(scenario.stores[1].disk, disk);
    let fat_tree = ["topology=fat-tree", "ports=4", "rate=1Gbit"];
    let fat_tree = fat_tree.map(|it| format!("network.{it}"));
    let network = load(&fat_tree.each_ref().map(String::as_str))
        .unwrap()
        .network;
    let topology = network.expect("switches").topology;
    assert_eq!(topology, NetworkTopology::FatTree { ports: 4 });
    let web = &scenario.nodes[0];
    assert_eq!(
        (web.memory, web.cpus),
        (MemorySize::Bytes(1 << 30), Some(1.5))
    );
    assert_eq!(scenario.links[0].bits_per_s, 100_000_000);
    for (setting, wanted) in [
        ("node.web", "write PATH=VALUE"),
        ("node.web=2", "write PATH=VALUE"),
        (
            "nod.web.memory=2",
            "`nod` is no list of a scenario; there are: ",
        ),
        (
            "node.webb.memory=1GiB",
            "there is no such [[node]]; there are: web, front",
        ),
        (
            "node.web.memroy=1GiB",
            "unknown key; did you mean `memory`?",
        ),
        ("node.web.memory=much", "`memory` in [[node]]"),
        (
            "link.front.rate=1Gbit",
            "there is no such [[link]]; there are: web",
        ),
    ] {
        let complaint = load(&[setting]).expect_err(setting);
        assert!(complaint.contains(wanted), "{complaint}");
    }
}

#[test]
fn targets_and_the_objective_are_read() {
    let text = GOOD.replacen(
        "weight = 2.5",
        "weight = 2.5\ntarget = [\"p99 < 20ms\", \"mean<1.5 ms\"]",
        1,
    );
    let scenario = parse(&format!("objective = \"targets\"\n{text}")).expect("scenario");
    assert_eq!(scenario.objective, Some(Objective::Targets));
    let texts = |targets: &[Target]| targets.iter().map(Target::to_string).collect::<Vec<_>>();
    assert_eq!(
        texts(&scenario.sites[0].targets),
        ["p99 < 20 ms", "mean < 1.5 ms"]
    );
    assert_eq!(scenario.sites[1].targets, []);
    let one = GOOD.replacen("weight = 2.5", "target = \"p50 < 5µs\"", 1);
    assert_eq!(
        texts(&parse(&one).expect("scenario").sites[0].targets),
        ["p50 < 5 µs"]
    );
}

#[test]
fn targets_that_cannot_be_meant_are_refused_with_their_line() {
    let complaint = |target: &str| complaint("weight = 2.5", &format!("target = {target}"));
    for (target, says) in [
        (
            "\"p99 > 20ms\"",
            "is not a target: it has no <; write mean, p50, p95 or p99, <",
        ),
        ("\"p98 < 20ms\"", "is not a target: `p98` is not a measure"),
        ("\"p99 < 20\"", "is not a target: `20` has no unit of time"),
        ("\"p99 < 0ms\"", "is not a target: `0ms` is zero"),
        ("\"p99 < -1ms\"", "is not a target: `-1ms` is negative"),
        (
            "\"p99 <= 1ms\"",
            "is not a target: responses are to stay below",
        ),
        (
            "\"p99 < 1min\"",
            "is not a target: `min` is not a unit of time",
        ),
        ("\"< 1ms\"", "is not a target: nothing stands before the <"),
        (
            "\"p99 < infms\"",
            "is not a target: `infms` is not a unit of time",
        ),
        (
            "\"p99 < 1e300s\"",
            "is not a target: `1e300s` is longer than 11 days",
        ),
        (
            "[\"p99 < 20ms\", \"p99 < 30ms\"]",
            "`p99 < 20 ms` and `p99 < 30 ms` bound the same measure",
        ),
    ] {
        let complaint = complaint(target);
        assert!(complaint.contains(says), "{complaint}");
        assert!(complaint.contains("conf/two.toml:12:"), "{complaint}");
    }
}

proptest! {
    #[test]
    fn a_target_reads_back_as_it_is_shown(us in 1e-3..1e12f64) {
        let target: Target = format!("p95 < {us}us").parse().expect("a target");
        let shown: Target = target.to_string().parse().expect("a target");
        prop_assert!((shown.below_us / target.below_us - 1.0).abs() < 1e-12);
    }
}

#[test]
fn access_logs_are_named_from_the_files_folder() {
    let scenario = parse("log = [\"access.log*\", \"/var/log/nginx/access.log\"]").unwrap();
    let logs = ["conf/access.log*", "/var/log/nginx/access.log"].map(PathBuf::from);
    assert_eq!(scenario.logs, logs);
    let scenario = parse("log = \"access.log\"").unwrap();
    assert_eq!(scenario.logs, [Path::new("conf/access.log")]);
    assert_eq!(parse("").unwrap().logs, Vec::<PathBuf>::new());
}

/// A scenario with a store of a kind that has these lines besides.
fn with_store(kind: &str, lines: &str) -> Result<Scenario, String> {
    parse(&format!(
        "[[store]]\nname = \"disk\"\nprofile = \"hdd\"\nkind = \"{kind}\"\n{lines}"
    ))
}

#[test]
fn journals_and_dirty_limits_of_stores_are_read_and_those_that_cannot_be_are_refused() {
    let journal =
        "journal = { mode = \"data\", commit_s = 1, bytes = \"8MiB\", barrier = false }\n";
    let scenario = with_store("ext4", &format!("{journal}dirty_limit = \"64MiB\"\n"));
    let store = &scenario.expect("a scenario").stores[0];
    let wanted = JournalSpec {
        mode: Some(Journal::Data),
        commit_s: Some(1),
        bytes: Some(8 << 20),
        barrier: Some(false),
    };
    assert_eq!(
        (store.journal, store.dirty_limit_bytes),
        (wanted, Some(64 << 20))
    );
    let plain = with_store("xfs", "").expect("a scenario");
    assert_eq!(plain.stores[0].journal, JournalSpec::default());
    for (kind, lines, wanted) in [
        (
            "xfs",
            "journal = { commit_s = 1 }",
            "conf/two.toml:5:11: [store.journal]: of xfs only `bytes` can be given",
        ),
        (
            "ext3",
            "journal = { mode = \"none\" }",
            "ext3 always has a journal",
        ),
        (
            "ext4",
            "journal = { mode = \"none\", commit_s = 1 }",
            "leaves nothing to commit",
        ),
        (
            "ext4",
            "journal = { bytes = \"5000000\" }",
            "must be whole MiB",
        ),
        (
            "tmpfs",
            "journal = { mode = \"data\" }",
            "is of ext3, ext4 and xfs",
        ),
        (
            "tmpfs",
            "dirty_limit = \"64MiB\"",
            "`dirty_limit` in [[store]]: is of ext3, ext4 and xfs",
        ),
        ("ext4", "dirty_limit = \"4KiB\"", "must be at least 1MiB"),
    ] {
        let message = with_store(kind, lines).expect_err(lines);
        assert!(message.contains(wanted), "{message}");
    }
}
