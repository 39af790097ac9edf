//! Scenarios in simulated time: what is printed keeps to its schema, and what cannot be simulated is refused.

use crate::support::schema::holds_to;
use crate::support::{Failure, Workplace, combined_line};
use serde_json::{Value, json};

/// A small log.
pub(crate) fn workload(place: &Workplace) {
    let zipf = ["generate", "zipf", "--objects", "300", "--requests", "6000"];
    let more = ["--working-set", "8MiB", "-o", "a.trace", "--log", "a.log"];
    place.succeeds(zipf.iter().chain(&more));
}

const TIERS: &[u8] = b"[[client]]\nname = \"crowd\"\nasks = \"front\"\nclients = 8\nthink = \"1ms\"\n\
    [[node]]\nname = \"front\"\nmemory = \"64MiB\"\nserver = \"nginx-proxy\"\nupstream = [\"web1\", \"web2\"]\n\
    [[node]]\nname = \"web1\"\nmemory = \"1MiB\"\n[[node]]\nname = \"web2\"\nmemory = \"1MiB\"\n[[node]]\nname = \"spare\"\nmemory = \"1MiB\"\n\
    [[link]]\nnode = \"web1\"\nrate = \"100Mbit\"\n\
    [[store]]\nname = \"disk\"\nprofile = \"hdd\"\ndisk = { kind = \"seeking\", rate = \"39MB\" }\n";

#[test]
fn simulated_scenarios_print_their_contract() {
    let place = Workplace::new();
    workload(&place);
    place.write("tiers.toml", TIERS);
    let simulate = ["simulate", "scenario", "tiers.toml", "a.log"];
    let json = |more: &[&str]| place.json(simulate.iter().chain(&["--json"]).chain(more).copied());
    let simulated = json(&[]);
    holds_to("simulate-scenario.json", &simulated);
    assert_eq!(simulated, json(&[]), "the seed decides");
    assert_eq!(simulated["bottleneck"]["kind"], "disk");
    assert_eq!(simulated["stable"], true);
    assert_eq!(simulated["not_modelled"], json!(["node.spare"]));
    assert_eq!(simulated["outcomes"][0]["links"][0]["name"], "web1");
    let roomy = json(&[
        "--set",
        "node.web1.memory=1GiB",
        "--set",
        "node.web2.memory=1GiB",
    ]);
    let hits = |it: &Value| it["outcomes"][0]["total"]["hit_ratio"].as_f64();
    assert!(hits(&roomy) > hits(&simulated), "{roomy}");
    let shown = place.succeeds(simulate);
    assert!(shown.contains("Not modelled: node.spare"), "{shown}");
    let widest = shown.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(100), "{shown}");
    place.write("named.toml", &[b"log = \"a.log\"\n", TIERS].concat());
    let named = place.json(["simulate", "scenario", "named.toml", "--json"]);
    let total = |it: &Value| it["outcomes"][0]["total"].clone();
    assert_eq!(total(&named), total(&simulated), "the log that it names");
}

#[test]
fn messages_pass_switches_and_cost_processors() {
    let place = Workplace::new();
    workload(&place);
    let plain = String::from_utf8_lossy(TIERS);
    let ring = "[network]\ntopology = \"torus\"\nsize = [4]\nrate = \"20Mbit\"\n";
    let stack = "[link.stack]\npacket_us = 500\n[[store]]";
    let tiers = plain.replacen("[[store]]", stack, 1) + ring;
    place.write("ring.toml", tiers.as_bytes());
    place.write("plain.toml", plain.as_bytes());
    let json = |file: &str| place.json(["simulate", "scenario", file, "a.log", "--json"]);
    let (simulated, before) = (json("ring.toml"), json("plain.toml"));
    holds_to("simulate-scenario.json", &simulated);
    assert_eq!(simulated["not_modelled"], json!(["node.spare"]));
    let outcome = |it: &Value| it["outcomes"][0].clone();
    let links = outcome(&simulated)["links"].clone();
    let names: Vec<&str> = (links.as_array().into_iter().flatten())
        .filter_map(|it| it["name"].as_str())
        .collect();
    // The proxy is beside the first server, and two links from the second. What that answers goes the other way around.
    let around = [
        "switches 0-1",
        "switches 1-2",
        "switches 2-3",
        "switches 3-0",
    ];
    assert_eq!(names, [&["web1"][..], &around].concat());
    let busy = |it: &Value, name: &str| {
        let resources = outcome(it)["resources"].clone();
        let resources = resources.as_array().cloned().unwrap_or_default();
        let found = resources.iter().find(|it| it["name"] == name).cloned();
        found.and_then(|it| it["utilisation"].as_f64()).expect(name)
    };
    let processors = "web1 processors";
    assert!(busy(&simulated, processors) > 2.0 * busy(&before, processors));
    // What its profile says is no key of the link.
    let profiled = tiers.replacen(stack, "profile = \"rdma\"\n[[store]]", 1);
    place.write("rdma.toml", profiled.as_bytes());
    let strict = [
        "simulate",
        "scenario",
        "rdma.toml",
        "a.log",
        "--strict-keys",
    ];
    Failure::of(place.hotset(strict)).says("link.web1.profile");
    let calculated = place.json(["model", "ring.toml", "a.log", "--json"]);
    let keys = calculated["not_modelled"].clone();
    for key in ["link.web1.stack", "network"] {
        assert!(
            keys.as_array().into_iter().flatten().any(|it| it == key),
            "{keys}"
        );
    }
}

/// The same with the files on a file server.
fn mounted() -> String {
    let tiers = String::from_utf8_lossy(TIERS);
    let shared = "[[store]]\nname = \"shared\"\nprofile = \"nfs\"\nkind = \"nfs3\"\nservers = \"file1\"\non = \"disk\"\n[[store]]";
    let server = "[[node]]\nname = \"file1\"\nmemory = \"2MiB\"\nserver = \"files\"\n[[link]]\nnode = \"file1\"\nrate = \"1Gbit\"\n";
    let tiers = tiers.replacen("[[store]]", shared, 1);
    format!("{tiers}{server}")
}

#[test]
fn a_file_server_may_be_what_gives_out() {
    let place = Workplace::new();
    workload(&place);
    place.write("tiers.toml", mounted().as_bytes());
    let simulate = ["simulate", "scenario", "tiers.toml", "a.log"];
    let simulated = place.json(simulate.iter().chain(&["--json"]).copied());
    holds_to("simulate-scenario.json", &simulated);
    assert_eq!(simulated["not_modelled"], json!(["node.spare"]));
    assert_eq!(simulated["bottleneck"]["name"], "file1", "{simulated}");
    let rows = |key: &str| simulated[key].as_array().cloned().unwrap_or_default();
    let calls = rows("calls");
    let is_read = |it: &&Value| it["node"] == "web1" && it["call"] == "read";
    let reads = calls.iter().find(is_read).map(|it| it["count"].as_u64());
    assert!(reads.flatten() > Some(10), "{calls:?}");
    let caches = rows("caches");
    assert!(caches.iter().any(|it| it["node"] == "file1"), "{caches:?}");
    let shown = place.succeeds(simulate);
    assert!(shown.contains("getattr"), "{shown}");
    let calculated = place.json(["model", "tiers.toml", "a.log", "--json"]);
    holds_to("model.json", &calculated);
    assert_eq!(calculated["bottleneck"]["name"], "file1", "{calculated}");
    let demands = calculated["demands"].as_array().expect("demands");
    let of_server = |it: &&Value| it["node"] == "file1" && it["resource"] == "workers";
    assert!(demands.iter().any(|it| of_server(&it)), "{demands:?}");
    let approximated = ["model", "tiers.toml", "a.log", "--hit-ratio-method", "che"];
    Failure::of(place.hotset(approximated))
        .has_code(1)
        .says("take the exact hit ratios");
}

#[test]
fn a_plan_goes_by_the_calls_to_the_file_server() {
    let place = Workplace::new();
    workload(&place);
    let mean_us = |delay: &str| {
        let link = format!("rate = \"1Gbit\"\ndelay = \"{delay}\"\n");
        let scenario = mounted().replace("rate = \"1Gbit\"\n", &link);
        place.write("tiers.toml", scenario.as_bytes());
        let planned = place.json(["plan", "--scenario", "tiers.toml", "a.log", "--json"]);
        assert_eq!(planned["sites"][0]["backing"], "shared");
        let mean = planned.pointer("/total/held_out/page_cache/mean_us");
        mean.and_then(Value::as_f64).expect("a mean")
    };
    let (near, far) = (mean_us("0us"), mean_us("5ms"));
    // Version 3 asks for attributes at each open: 10 ms, and reads besides.
    assert!(far > near + 10_000.0, "{near} and {far}");
}

#[test]
fn connections_that_are_opened_cost_the_server_that_is_asked() {
    let place = Workplace::new();
    workload(&place);
    let costs = "request_us = 20\nns_per_byte = 0.25\nconnection_us = 400\n";
    let costs = format!("source = \"a test\"\n[nginx]\n{costs}[nginx-proxy]\n{costs}");
    place.write("costs.toml", costs.as_bytes());
    let text = String::from_utf8_lossy(TIERS);
    let profiled = format!("server_profile = \"costs.toml\"\n{text}");
    let opening = profiled.replacen(
        "think = \"1ms\"\n",
        "think = \"1ms\"\nconnections = \"new\"\n",
        1,
    );
    place.write("kept.toml", profiled.as_bytes());
    place.write("new.toml", opening.as_bytes());
    let busy_us = |command: &[&str], file: &str, node: &str| {
        let json = place.json([command, &[file, "a.log", "--json"]].concat());
        assert_eq!(
            json["not_modelled"].as_array().map(Vec::len),
            Some(1),
            "{json}"
        );
        let outcome = json["outcomes"][0].clone();
        let name = format!("{node} processors");
        let resources = outcome["resources"].as_array().cloned().unwrap_or_default();
        let found = resources.iter().find(|it| it["name"] == name).cloned();
        let busy = found
            .and_then(|it| it["utilisation"].as_f64())
            .expect("a use");
        let per_s = outcome["total"]["throughput_per_s"]
            .as_f64()
            .expect("a rate");
        busy / per_s * 1e6
    };
    for command in [&["simulate", "scenario"][..], &["model"]] {
        let more = |node| busy_us(command, "new.toml", node) - busy_us(command, "kept.toml", node);
        assert!(more("front") > 50.0, "{}", more("front"));
        // The proxy keeps its own.
        assert!(more("web1").abs() < 4.0, "{}", more("web1"));
    }
    let unmeasured = opening.replacen("server_profile = \"costs.toml\"\n", "", 1);
    place.write("unmeasured.toml", unmeasured.as_bytes());
    for command in [&["simulate", "scenario"][..], &["model"]] {
        let strict = [command, &["unmeasured.toml", "a.log", "--strict-keys"]].concat();
        Failure::of(place.hotset(strict)).says("client.crowd.connections");
    }
    let other = "[[client]]\nname = \"other\"\nasks = \"front\"\nclients = 1\n[[node]]";
    place.write(
        "both.toml",
        opening.replacen("[[node]]", other, 1).as_bytes(),
    );
    Failure::of(place.hotset(["simulate", "scenario", "both.toml", "a.log"]))
        .says("`crowd` and `other` ask the same node; give both the same");
}

#[test]
fn files_of_the_system_may_be_on_a_file_server_and_logs_on_a_disk_are_passed_over() {
    let place = Workplace::new();
    workload(&place);
    place.write("tiers.toml", mounted().as_bytes());
    let reads = |more: &[&str]| {
        let simulate = ["simulate", "scenario", "tiers.toml", "a.log", "--json"];
        let simulated = place.json(simulate.iter().chain(more).copied());
        let calls = simulated["calls"].as_array().cloned().unwrap_or_default();
        let is_read = |it: &&Value| it["node"] == "web1" && it["call"] == "read";
        let count = calls
            .iter()
            .find(is_read)
            .and_then(|it| it["count"].as_u64());
        (count.unwrap_or_default(), simulated["not_modelled"].clone())
    };
    let system = [
        "--set",
        "node.web1.system=shared",
        "--set",
        "node.web1.system_files=16MiB",
    ];
    // It is larger than the node's memory.
    assert!(reads(&system).0 > reads(&[]).0);
    let (_, not_modelled) = reads(&["--set", "node.web1.logs=disk"]);
    assert_eq!(not_modelled, json!(["node.spare", "node.web1.logs"]));
    Failure::of(place.hotset([
        "simulate",
        "scenario",
        "tiers.toml",
        "a.log",
        "--set",
        "node.web1.logs=dsk",
    ]))
    .has_code(1)
    .says("did you mean `disk`?");
}

#[test]
fn a_file_server_that_stops_holds_requests_up() {
    let place = Workplace::new();
    workload(&place);
    let stops = "[[event]]\nat = \"1s\"\nnode = \"file1\"\nstate = \"down\"\n\
        [[event]]\nat = \"3s\"\nnode = \"file1\"\nstate = \"up\"\n";
    place.write("tiers.toml", format!("{}{stops}", mounted()).as_bytes());
    let simulated = place.json(["simulate", "scenario", "tiers.toml", "a.log", "--json"]);
    let total = &simulated["outcomes"][0]["total"];
    assert_eq!(total["errors"], 0, "hard mounts wait");
    let requests = &total["timeline"]["requests"];
    assert_eq!(requests[2], 0, "{requests}");
    let impatient = place.json([
        "simulate",
        "scenario",
        "tiers.toml",
        "a.log",
        "--set",
        "client.crowd.timeout=200ms",
        "--set",
        "store.shared.options.actimeo=3",
        "--json",
    ]);
    let errors = &impatient["outcomes"][0]["total"]["timeline"]["errors"];
    // Eight clients, each five times a second.
    assert!(errors[2].as_u64() > Some(30), "{errors}");
    let not_modelled = json!(["node.spare", "store.shared.options.actimeo"]);
    assert_eq!(impatient["not_modelled"], not_modelled);
}

#[test]
fn requests_that_wait_for_a_file_server_to_the_end_are_told() {
    let place = Workplace::new();
    workload(&place);
    let stops = "[[event]]\nat = \"1s\"\nnode = \"file1\"\nstate = \"down\"\n";
    place.write("tiers.toml", format!("{}{stops}", mounted()).as_bytes());
    let simulate = ["simulate", "scenario", "tiers.toml", "a.log"];
    let simulated = place.json(simulate.iter().chain(&["--json"]).copied());
    assert_eq!(simulated["still_waiting"], 8, "{simulated}");
    assert_eq!(simulated["bottleneck"], Value::Null);
    let advice = json!(["8 requests were still waiting for file1 at the end."]);
    assert_eq!(simulated["advice"], advice);
    let shown = place.succeeds(simulate);
    assert!(!shown.contains("More clients"), "{shown}");
}

#[test]
fn packets_of_links_are_counted_by_their_mtu() {
    let place = Workplace::new();
    workload(&place);
    place.write("tiers.toml", TIERS);
    let commands = [&["simulate", "scenario"][..], &["model"]];
    for command in commands {
        let links = |more: &[&str]| {
            let scenario = ["tiers.toml", "a.log", "--json"];
            let document = place.json(command.iter().chain(&scenario).chain(more).copied());
            let link = &document["outcomes"][0]["links"][0];
            let keys = ["sent_bytes", "sent_packets", "received_packets"];
            keys.map(|key| link[key].as_u64().expect(key))
        };
        let [bytes, packets, received] = links(&[]);
        let each = bytes / packets;
        assert!((200..=1_514).contains(&each), "{command:?}: {each}");
        assert!(received > packets / 4, "{command:?}: acknowledgements");
        let [_, large, _] = links(&["--set", "link.web1.mtu=9000"]);
        assert!(large < packets, "{command:?}: {large} of {packets}");
    }
}

#[test]
fn everything_that_serves_has_its_use_over_time() {
    let place = Workplace::new();
    workload(&place);
    place.write("tiers.toml", TIERS);
    let simulated = place.json(["simulate", "scenario", "tiers.toml", "a.log", "--json"]);
    let resources = simulated["outcomes"][0]["resources"].as_array();
    let resources = resources.expect("resources");
    assert!(resources.len() > 4, "{simulated}");
    let ends = &simulated["outcomes"][0]["total"]["timeline"]["seconds"];
    for resource in resources {
        let timeline = &resource["timeline"];
        assert_eq!(&timeline["seconds"], ends, "{resource}");
        let shares = timeline["utilisation"].as_array().expect("shares");
        assert_eq!(Some(shares.len()), ends.as_array().map(Vec::len));
        let most = shares.iter().filter_map(Value::as_f64).fold(0.0, f64::max);
        assert!(most > 0.0 && most <= 1.0, "{resource}");
    }
}

#[test]
fn a_throttled_disk_is_followed() {
    let place = Workplace::new();
    workload(&place);
    let tiers = String::from_utf8_lossy(TIERS);
    let throttled = tiers.replace(
        "kind = \"seeking\", rate = \"39MB\"",
        "kind = \"throttled\", rate = \"1MB\"",
    );
    place.write("tiers.toml", throttled.as_bytes());
    let simulated = place.json(["simulate", "scenario", "tiers.toml", "a.log", "--json"]);
    assert_eq!(simulated["not_modelled"], json!(["node.spare"]));
    assert_eq!(simulated["bottleneck"]["kind"], "disk", "{simulated}");
}

#[test]
fn a_proxy_keeps_answers_where_the_file_says_so() {
    let place = Workplace::new();
    workload(&place);
    let tiers = String::from_utf8_lossy(TIERS);
    let caching = tiers.replace("upstream", "cache = true\nupstream");
    place.write("tiers.toml", caching.as_bytes());
    let simulated = place.json(["simulate", "scenario", "tiers.toml", "a.log", "--json"]);
    holds_to("simulate-scenario.json", &simulated);
    let first = &simulated["caches"][0];
    assert_eq!(
        (&first["node"], &first["kind"]),
        (&json!("front"), &json!("proxy-cache"))
    );
    assert!(first["hit_ratio"].as_f64() > Some(0.5), "{simulated}");
}

#[test]
fn workers_of_apache_are_a_limit() {
    let place = Workplace::new();
    workload(&place);
    let tiers = String::from_utf8_lossy(TIERS);
    let apache = tiers.replace(
        "\n[[link]]",
        "\n[[link]]\nnode = \"web2\"\nrate = \"1Gbit\"\ndelay = \"20ms\"\n[[link]]",
    );
    let apache = apache.replace(
        "memory = \"1MiB\"",
        "memory = \"1GiB\"\nserver = \"apache\"\nworkers = 1",
    );
    place.write("tiers.toml", apache.as_bytes());
    let simulated = place.json(["simulate", "scenario", "tiers.toml", "a.log", "--json"]);
    holds_to("simulate-scenario.json", &simulated);
    assert_eq!(simulated["not_modelled"], json!(["node.spare"]));
    let bottleneck = &simulated["bottleneck"];
    assert_eq!(
        (&bottleneck["kind"], &bottleneck["name"]),
        (&json!("workers"), &json!("web2"))
    );
}

#[test]
fn workers_of_apache_may_stay_with_connections() {
    let place = Workplace::new();
    workload(&place);
    let direct = "[[client]]\nname = \"crowd\"\nasks = \"web1\"\nclients = 3\nthink = \"10ms\"\n\
        [[node]]\nname = \"web1\"\nmemory = \"1GiB\"\nserver = \"apache\"\nworkers = 2\n\
        [[store]]\nname = \"disk\"\nprofile = \"ssd\"\n";
    place.write("direct.toml", direct.as_bytes());
    let simulated = |file: &str, more: &[&str]| {
        let simulate = ["simulate", "scenario", file, "a.log", "--json"];
        let simulated = place.json(simulate.iter().chain(more).copied());
        holds_to("simulate-scenario.json", &simulated);
        simulated
    };
    let kept = ["--set", "node.web1.keep_alive=15s"];
    let per_s = |it: &Value| it["outcomes"][0]["total"]["throughput_per_s"].as_f64();
    let (plain, stays) = (
        simulated("direct.toml", &[]),
        simulated("direct.toml", &kept),
    );
    let share = per_s(&stays).expect("a rate") / per_s(&plain).expect("a rate");
    // Two of three clients have all workers.
    assert!((0.6..0.75).contains(&share), "{share}");
    assert_eq!(stays["not_modelled"], json!([]));
    // By the clock, connections are those of the log.
    let (_, nobody) = direct.split_at(direct.find("[[node]]").expect("a node"));
    place.write("open.toml", nobody.as_bytes());
    assert_eq!(simulated("open.toml", &kept)["not_modelled"], json!([]));
    let tiers = String::from_utf8_lossy(TIERS);
    let apache = "memory = \"1MiB\"\nserver = \"apache\"\nkeep_alive = \"15s\"";
    let proxied = tiers.replace("memory = \"1MiB\"", apache);
    place.write("proxied.toml", proxied.as_bytes());
    let keys = json!(["node.spare", "node.web1.keep_alive", "node.web2.keep_alive"]);
    assert_eq!(simulated("proxied.toml", &[])["not_modelled"], keys);
}

/// Two sites of 20 files each: one on the disk, one in memory.
fn two_sites(place: &Workplace) {
    let lines = (0..600).map(|it| {
        // Nodes that are asked in turn get both.
        let site = ["a", "b"][it / 2 % 2];
        combined_line(&format!("/{site}/{}", it % 40), 20_000)
    });
    place.write("two.log", lines.collect::<String>().as_bytes());
    let stores = b"[[store]]\nname = \"ram\"\nkind = \"tmpfs\"\nprofile = \"ssd\"\n\
        [[site]]\nname = \"a\"\nmatch = \"/a/*\"\nstore = \"disk\"\n\
        [[site]]\nname = \"b\"\nmatch = \"/b/*\"\nstore = \"ram\"\n";
    place.write("two.toml", &[TIERS, stores].concat());
}

#[test]
fn sites_live_on_stores_of_their_own_and_those_in_memory_take_memory() {
    let place = Workplace::new();
    two_sites(&place);
    let simulate = ["simulate", "scenario", "two.toml", "two.log"];
    let simulated = place.json(simulate.iter().chain(&["--json"]));
    holds_to("simulate-scenario.json", &simulated);
    let cache = |node: &str, kind: &str| {
        let caches = simulated["caches"].as_array().expect("a list");
        let cache = caches
            .iter()
            .find(|it| it["node"] == node && it["kind"] == kind);
        cache.map(|it| it["hit_ratio"].as_f64())
    };
    for node in ["web1", "web2"] {
        let held = cache(node, "held-files").flatten().expect("held files");
        assert!((0.4..0.6).contains(&held), "{simulated}");
        assert!(cache(node, "page-cache").is_some(), "{simulated}");
    }
    let small = ["--set", "node.web1.memory=256KiB"];
    Failure::of(place.hotset(simulate.iter().chain(&small)))
        .has_code(1)
        .says("node `web1` has 262144 bytes of memory")
        .says("files in memory take 409600: that leaves no page");
}

#[test]
fn a_store_in_memory_has_no_say_in_how_the_page_cache_goes() {
    let place = Workplace::new();
    two_sites(&place);
    let text = std::fs::read_to_string(place.path("two.toml")).expect("written");
    let ram = "[[store]]\nname = \"ram\"\nkind = \"tmpfs\"\nprofile = \"ssd\"\n";
    let disk = text.find("[[store]]").expect("the disk's");
    let first = text.replace(ram, "");
    place.write(
        "first.toml",
        (first[..disk].to_owned() + ram + &first[disk..]).as_bytes(),
    );
    let total = |command: &[&str], file: &str| {
        let words = [command, &[file, "two.log", "--json"]].concat();
        place.json(words)["outcomes"][0]["total"].clone()
    };
    for command in [&["simulate", "scenario"][..], &["model"]] {
        assert_eq!(total(command, "first.toml"), total(command, "two.toml"));
    }
}

#[test]
fn a_site_whose_requests_all_fail_stands_beside_the_others() {
    let place = Workplace::new();
    two_sites(&place);
    let text = std::fs::read_to_string(place.path("two.toml")).expect("written");
    let far = "[[store]]\nname = \"far\"\nprofile = \"nfs\"\nkind = \"nfs3\"\nservers = \"file1\"\non = \"disk\"\n\
        [store.options]\nproto = \"udp\"\nsoft = true\ntimeo = 1\nretrans = 0\n\
        [[node]]\nname = \"file1\"\nmemory = \"64MiB\"\nserver = \"files\"\n\
        [[link]]\nnode = \"file1\"\nrate = \"1Gbit\"\nloss = \"99.9%\"\n";
    let text = text.replace(
        "match = \"/b/*\"\nstore = \"ram\"",
        "match = \"/b/*\"\nstore = \"far\"",
    );
    place.write("far.toml", (text + far).as_bytes());
    let simulated = place.json(["simulate", "scenario", "far.toml", "two.log", "--json"]);
    let outcome = &simulated["outcomes"][0];
    let rows = outcome["sites"].as_array().cloned().unwrap_or_default();
    let failed = rows.iter().find(|row| row["site"] == "b").expect("site b");
    assert_eq!(failed["requests"], 0, "{simulated}");
    assert!(failed["errors"].as_u64() > Some(0), "{simulated}");
}

/// A plan that holds five files of the site `a` on the node `web1`, in a group of its own.
fn plan(node: &str) -> Value {
    let file = |number: u32| {
        json!({
            "site": "a", "path": format!("/a/{}", 4 * number), "size_bytes": 20_000, "mtime_ns": null,
            "store": "disk", "node": node, "order": number,
            "reason": {
                "requests_per_hour": null, "requests": 10, "size_bytes": 20_000, "saved_us_per_byte": 1.0
            },
        })
    };
    let group = json!({"node": node, "site": "a", "memory_bytes": 200_000, "floor_bytes": 102_400});
    json!({
        "version": 1, "memory_bytes": 1 << 20, "held_pages": 25, "groups": [group],
        "files": (0..5).map(file).collect::<Vec<_>>(),
    })
}

#[test]
fn files_of_a_plan_are_in_memory_from_the_start() {
    let place = Workplace::new();
    two_sites(&place);
    place.write("plan.json", plan("web1").to_string().as_bytes());
    let simulate = [
        "simulate",
        "scenario",
        "two.toml",
        "two.log",
        "--plan",
        "plan.json",
    ];
    let simulated = place.json(simulate.iter().chain(&["--json"]));
    holds_to("simulate-scenario.json", &simulated);
    assert_eq!(simulated["not_modelled"], json!(["node.spare"]));
    let held = |node: &str| {
        let mut caches = simulated["caches"].as_array().expect("a list").iter();
        let held = caches.find(|it| it["node"] == node && it["kind"] == "held-files");
        held.and_then(|it| it["hit_ratio"].as_f64())
    };
    assert!(held("web1") > held("web2"), "{simulated}");
    let small = ["--set", "node.web1.memory=550KiB"];
    Failure::of(place.hotset(simulate.iter().chain(&small)))
        .has_code(1)
        .says("the plan's groups want 97600");
    place.write("plan.json", plan("web3").to_string().as_bytes());
    Failure::of(place.hotset(simulate))
        .has_code(1)
        .says("is a plan for `web3`")
        .says("(web1, web2)");
}

#[test]
fn files_are_held_as_run_would_hold_them() {
    let place = Workplace::new();
    workload(&place);
    let site =
        b"[[site]]\nname = \"a\"\nmatch = \"/*\"\nstore = \"disk\"\nreservation = \"64KiB\"\n";
    place.write("tiers.toml", &[TIERS, site].concat());
    let simulate = ["simulate", "scenario", "tiers.toml", "a.log"];
    let json = |more: &[&str]| place.json(simulate.iter().chain(&["--json"]).chain(more).copied());
    let (alone, followed) = (json(&[]), json(&["--run", "1s"]));
    holds_to("simulate-scenario.json", &followed);
    assert_eq!(followed, json(&["--run", "1s"]), "the seed decides");
    let reads = |it: &Value| {
        let caches = it["caches"].as_array().expect("a list").clone();
        caches.iter().any(|it| it["kind"] == "held-files")
    };
    assert!(!reads(&alone), "{alone}");
    assert!(reads(&followed), "{followed}");
    assert_eq!(
        alone["not_modelled"],
        json!(["node.spare", "site.a.reservation"])
    );
    assert_eq!(followed["not_modelled"], json!(["node.spare"]));
    let settings = &followed["outcomes"][0]["provenance"]["settings"];
    assert!(settings.to_string().contains("\"1s\""), "{settings}");
    place.write("tiers.toml", TIERS);
    Failure::of(place.hotset(simulate.iter().chain(&["--run", "1s"])))
        .has_code(1)
        .says("no [[site]]");
}

/// The nodes without their clients: requests come by the log's times.
fn without_clients() -> String {
    let tiers = String::from_utf8_lossy(TIERS);
    let (_, nodes) = tiers.split_once("[[node]]").expect("nodes");
    format!("[[node]]{nodes}")
}

#[test]
fn requests_that_come_faster_than_disks_serve_them_are_told() {
    let place = Workplace::new();
    place.write("open.toml", without_clients().as_bytes());
    let simulated = |rate: &str| {
        let zipf = ["generate", "zipf", "--objects", "300", "--requests", "6000"];
        let log = [
            "--working-set",
            "8MiB",
            "--rate",
            rate,
            "--log",
            "a.log",
            "-o",
            rate,
        ];
        place.succeeds(zipf.iter().chain(&log));
        let simulated = place.json(["simulate", "scenario", "open.toml", "a.log", "--json"]);
        holds_to("simulate-scenario.json", &simulated);
        simulated
    };
    let slow = simulated("5");
    assert_eq!(slow["stable"], true, "{}", slow["advice"]);
    let fast = simulated("2000");
    assert_eq!(fast["stable"], false, "{}", fast["advice"]);
    assert_eq!(fast["bottleneck"]["kind"], "disk");
    let advice = fast["advice"][0].as_str().expect("a sentence");
    assert!(advice.contains("grows without end"), "{advice}");
    assert!(advice.contains(" times what the disk of web"), "{advice}");
    // Few of the requests that pile up are answered: what would be is calculated.
    let calculated = place.json(["model", "open.toml", "a.log", "--json"]);
    assert_eq!(fast["saturation_per_s"], calculated["saturation_per_s"]);
}

#[test]
fn scenarios_that_cannot_be_simulated_are_refused() {
    let place = Workplace::new();
    workload(&place);
    let tiers = String::from_utf8_lossy(TIERS);
    let refused = |from: &str, to: &str, more: &[&str]| {
        assert!(tiers.contains(from), "{from}");
        place.write("tiers.toml", tiers.replacen(from, to, 1).as_bytes());
        let simulate = ["simulate", "scenario", "tiers.toml", "a.log"];
        Failure::of(place.hotset(simulate.iter().chain(more).copied()))
    };
    refused("profile", "kind = \"moosefs\"\nprofile", &[])
        .has_code(1)
        .says("is on servers of its own, which are no nodes; name its nodes with `servers`");
    refused("clients = 8", "clients = 9000000", &[])
        .has_code(1)
        .says("at most 1000000 are simulated");
    refused("think", "thinks", &[])
        .has_code(1)
        .says("did you mean `think`?");
    refused("think", "think", &["--set", "node.web3.memory=1GiB"])
        .has_code(1)
        .says("--set node.web3.memory=1GiB: there is no such [[node]]");
    refused("think", "think", &["--set", "memory=1GiB"])
        .has_code(2)
        .says("write PATH=VALUE");
    let store = tiers.split_once("[[store]]").expect("a store").0;
    place.write("tiers.toml", store.as_bytes());
    Failure::of(place.hotset(["simulate", "scenario", "tiers.toml", "a.log"]))
        .has_code(1)
        .says("no [[store]] says where the sites' files are");
    place.write("tiers.toml", TIERS);
    Failure::of(place.hotset(["simulate", "scenario", "tiers.toml"]))
        .has_code(1)
        .says("there are no access logs to simulate");
}

#[test]
fn requests_that_are_centuries_apart_are_refused() {
    let place = Workplace::new();
    let line = combined_line("/a.html", 100);
    let log = ["2020", "2021", "2999"].map(|year| line.replace("2015", year));
    place.write("odd.log", log.concat().as_bytes());
    let text = String::from_utf8_lossy(TIERS);
    let (_, without_client) = text.split_once("[[node]]").expect("a node");
    place.write("t.toml", format!("[[node]]{without_client}").as_bytes());
    Failure::of(place.hotset(["simulate", "scenario", "t.toml", "odd.log"]))
        .has_code(1)
        .says("odd.log")
        .says("584 years");
}

#[test]
fn workers_leave_no_less_memory_however_large_they_are() {
    let place = Workplace::new();
    workload(&place);
    let total = |clients: u32, worker: &str| {
        let text = format!(
            "[[client]]\nname = \"crowd\"\nasks = \"web1\"\nclients = {clients}\n[[node]]\nname = \"web1\"\nmemory = \"8MiB\"\n\
             server = \"apache\"\nworker_memory = \"{worker}\"\n[[store]]\nname = \"disk\"\nprofile = \"hdd\"\n"
        );
        place.write("w.toml", text.as_bytes());
        let simulated = place.json(["simulate", "scenario", "w.toml", "a.log", "--json"]);
        simulated["outcomes"][0]["total"].clone()
    };
    assert_eq!(total(16, "2097152TiB"), total(16, "1TiB"));
    // A few count as well where each takes much.
    let hits = |worker| total(4, worker)["hit_ratio"].as_f64().expect("a share");
    assert!(hits("1MiB") < hits("4KiB") - 0.01);
}
