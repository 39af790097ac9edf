//! Sites on file systems of several servers, and jobs: four clients and three servers, from the command line.

use crate::simulate_scenario::workload;
use crate::support::schema::holds_to;
use crate::support::{Failure, Workplace};
use serde_json::{Value, json};

/// Four web nodes behind a proxy, over three servers.
fn scenario(kind: &str, options: &str) -> String {
    let node = |name: &str, more: &str| {
        format!("[[node]]\nname = \"{name}\"\nmemory = \"64MiB\"\n{more}\n")
    };
    let webs = ["web1", "web2", "web3", "web4"];
    let mut text = String::from(
        "[[client]]\nname = \"crowd\"\nasks = \"front\"\nclients = 8\nthink = \"5ms\"\n",
    );
    for web in webs {
        text += &node(web, "");
    }
    let upstream = webs.map(|web| format!("\"{web}\"")).join(", ");
    text += &node(
        "front",
        &format!("server = \"nginx-proxy\"\nupstream = [{upstream}]"),
    );
    for server in ["io1", "io2", "io3"] {
        text += &node(server, "server = \"files\"");
        text += &format!("[[link]]\nnode = \"{server}\"\nrate = \"1Gbit\"\ndelay = \"50us\"\n");
    }
    text + "[[link]]\nnode = \"web1\"\nrate = \"1Gbit\"\n"
        + &format!(
            "[[store]]\nname = \"shared\"\nprofile = \"nfs\"\nkind = \"{kind}\"\nservers = [\"io1\", \"io2\", \"io3\"]\non = \"brick\"\n\
             [store.options]\n{options}\n[[store]]\nname = \"brick\"\nprofile = \"ssd\"\n"
        )
}

/// The server `io2` is down from then on, and until a time.
fn down(at: &str, until: Option<&str>) -> String {
    let event = |at: &str, state: &str| {
        format!("[[event]]\nat = \"{at}\"\nnode = \"io2\"\nstate = \"{state}\"\n")
    };
    let up = until.map_or_else(String::new, |until| event(until, "up"));
    event(at, "down") + &up
}

fn count(simulated: &Value, node: &str, call: &str) -> u64 {
    let rows = simulated["calls"].as_array().cloned().unwrap_or_default();
    let of = rows
        .iter()
        .find(|it| it["node"] == node && it["call"] == call);
    of.and_then(|it| it["count"].as_u64()).unwrap_or_default()
}

#[test]
fn sites_on_three_servers_are_read_by_four_web_nodes() {
    let place = Workplace::new();
    workload(&place);
    for (kind, options, calls) in [
        ("glusterfs", "quick_read = 0", ["lookup", "readv"]),
        ("moosefs", "", ["fuse_open", "read"]),
        ("lustre", "", ["ldlm_enqueue", "ost_read"]),
        ("pvfs1", "", ["open", "read"]),
        ("orangefs", "eager_limit = 1024", ["lookup", "read"]),
    ] {
        place.write("io.toml", scenario(kind, options).as_bytes());
        let simulate = ["simulate", "scenario", "io.toml", "a.log"];
        let simulated = place.json(simulate.iter().chain(&["--json"]).copied());
        holds_to("simulate-scenario.json", &simulated);
        assert_eq!(simulated["not_modelled"], json!([]), "{kind}");
        for web in ["web1", "web4"] {
            for call in calls {
                assert!(count(&simulated, web, call) > 0, "{kind}: {simulated}");
            }
        }
        let caches = simulated["caches"].as_array().cloned();
        let caches = caches.unwrap_or_default();
        for server in ["io1", "io2", "io3"] {
            assert!(caches.iter().any(|it| it["node"] == server), "{caches:?}");
        }
        let shown = place.succeeds(simulate);
        assert!(shown.contains(calls[0]), "{shown}");
        Failure::of(place.hotset(["model", "io.toml", "a.log"]))
            .has_code(1)
            .says("store `shared` is on several file servers, whose calls are simulated, not calculated");
    }
}

#[test]
fn a_server_that_is_down_means_something_else_to_each_protocol() {
    let place = Workplace::new();
    workload(&place);
    let errors = |kind: &str, options: &str, event: &str| {
        let text = scenario(kind, options) + event;
        place.write("io.toml", text.as_bytes());
        let simulated = place.json(["simulate", "scenario", "io.toml", "a.log", "--json"]);
        let total = &simulated["outcomes"][0]["total"];
        let seconds = total["timeline"]["seconds"].as_array().map_or(0, Vec::len);
        (total["errors"].as_u64().unwrap_or_default(), seconds)
    };
    let gone = down("200ms", None);
    let back = down("200ms", Some("30s"));
    let (distributed, seconds) = errors("glusterfs", "", &gone);
    assert!(
        distributed > 10 && seconds > 42,
        "{distributed} in {seconds} s"
    );
    let (dispersed, seconds) = errors("glusterfs", "redundancy = 1", &gone);
    assert!(dispersed == 0 && seconds > 42, "{dispersed} in {seconds} s");
    assert_eq!(errors("moosefs", "copies = 2", &back).0, 0);
    for kind in ["lustre", "pvfs1", "orangefs"] {
        let (waiting, seconds) = errors(kind, "", &back);
        assert!(
            waiting == 0 && seconds > 30,
            "{kind}: {waiting} in {seconds} s"
        );
    }
}

#[test]
fn jobs_of_four_clients_run_on_three_servers() {
    let place = Workplace::new();
    place.write("mix.fio", b"[mix]\nrw=randrw\nbs=64k\nsize=2m\n");
    for (kind, read, write) in [
        ("glusterfs", "readv", "writev"),
        ("moosefs", "read", "write"),
    ] {
        place.write("io.toml", scenario(kind, "").as_bytes());
        let jobs = ["simulate", "fio", "mix.fio", "--scenario", "io.toml"];
        let jobs = jobs
            .into_iter()
            .chain(["--store", "shared", "--clients", "4"]);
        let simulated = place.json(jobs.clone().chain(["--json"]));
        holds_to("simulate-fio.json", &simulated);
        let server = &simulated["file_server"];
        assert_eq!(server["clients"], 4);
        assert_eq!(server["cluster"]["servers"], json!(["io1", "io2", "io3"]));
        let remote = &simulated["jobs"][0]["remote"];
        for call in [read, write] {
            assert!(remote["calls"][call].as_u64() > Some(0), "{kind}: {remote}");
        }
        let links = remote["links"].as_array().expect("links");
        let names: Vec<_> = links.iter().map(|link| &link["name"]).collect();
        let wanted = ["web1", "web1 2", "web1 3", "web1 4", "io1", "io2", "io3"];
        assert_eq!(names, wanted, "{kind}");
        let shown = place.succeeds(jobs);
        let on = format!("on shared ({kind}) of io1, io2, io3");
        assert!(shown.contains(&on), "{shown}");
    }
}

#[test]
fn servers_may_have_more_memory_together_than_a_number_holds() {
    let place = Workplace::new();
    place.write("read.fio", b"[read]\nrw=read\nbs=64k\nsize=1m\n");
    for kind in ["orangefs", "glusterfs"] {
        let mut text = scenario(kind, "");
        for server in ["io1", "io2", "io3"] {
            let node = format!("name = \"{server}\"\nmemory = ");
            let most = format!("{node}\"8388608TiB\"");
            text = text.replace(&format!("{node}\"64MiB\""), &most);
        }
        place.write("io.toml", text.as_bytes());
        let simulate = ["simulate", "fio", "read.fio", "--scenario", "io.toml"];
        let store = ["--store", "shared", "--json"];
        let json = place.json(simulate.into_iter().chain(store));
        assert_eq!(
            json["file_server"]["server_memory_bytes"],
            u64::MAX,
            "{kind}"
        );
    }
}

#[test]
fn a_link_to_one_server_leaves_the_others_the_clients_own() {
    let place = Workplace::new();
    place.write("read.fio", b"[read]\nrw=read\nbs=64k\nsize=2m\n");
    let joined = "[[link]]\nbetween = [\"web1\", \"io1\"]\nrate = \"1Gbit\"\n";
    let simulate = ["simulate", "fio", "read.fio", "--scenario", "io.toml"];
    for kind in ["orangefs", "lustre"] {
        let text = scenario(kind, "stripes = 3") + joined + &down("1s", None);
        place.write("io.toml", text.as_bytes());
        let store = ["--store", "shared", "--json"];
        let json = place.json(simulate.into_iter().chain(store));
        // What happens to nodes is of simulated requests.
        let keys = json["file_server"]["not_modelled"].clone();
        assert_eq!(keys, json!(["event"]), "{kind}");
        let strict = ["--store", "shared", "--strict-keys"];
        Failure::of(place.hotset(simulate.into_iter().chain(strict)))
            .has_code(1)
            .says("io.toml: nothing here follows event; take that out");
        let links = json["jobs"][0]["remote"]["links"].as_array().cloned();
        let links = links.expect("links");
        let names: Vec<_> = links.iter().map(|link| &link["name"]).collect();
        assert_eq!(names, ["web1", "web1-io1", "io2", "io3"], "{kind}");
        let received = |name: &str| {
            let link = links.iter().find(|link| link["name"] == name);
            link.and_then(|link| link["bytes"]["received"].as_u64())
                .expect(name)
        };
        let both = received("io2") + received("io3");
        // Servers say something to each other, too.
        let part = received("web1") as f64 / both as f64;
        assert!((0.9..=1.0).contains(&part), "{kind}: {links:?}");
        assert!(received("web1-io1") > 0, "{kind}: {links:?}");
    }
}
