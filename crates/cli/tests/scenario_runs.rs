//! Runs of simulated scenarios: targets of sites, keys that are refused, how often they are simulated.

use crate::simulate_scenario::workload;
use crate::support::schema::holds_to;
use crate::support::{Failure, Workplace};
use serde_json::Value;

const TIERS: &[u8] = b"[[client]]\nname = \"crowd\"\nasks = \"front\"\nclients = 8\nthink = \"1ms\"\n\
    [[node]]\nname = \"front\"\nmemory = \"64MiB\"\nserver = \"nginx-proxy\"\nupstream = [\"web1\", \"web2\"]\n\
    [[node]]\nname = \"web1\"\nmemory = \"1MiB\"\n[[node]]\nname = \"web2\"\nmemory = \"1MiB\"\n\
    [[link]]\nnode = \"web1\"\nrate = \"100Mbit\"\n\
    [[store]]\nname = \"disk\"\nprofile = \"hdd\"\ndisk = { kind = \"seeking\", rate = \"39MB\" }\n";

/// What a site's requests are, and what it asks for.
const SITE: &[u8] =
    b"[[site]]\nname = \"shop\"\nmatch = \"/*\"\nstore = \"disk\"\ntarget = \"p95 < 1us\"\n";

#[test]
fn missed_targets_end_with_code_3_after_the_result() {
    let place = Workplace::new();
    workload(&place);
    place.write("tiers.toml", &[TIERS, SITE].concat());
    let simulate = ["simulate", "scenario", "tiers.toml", "a.log"];
    let with = |more: &[&'static str]| simulate.iter().chain(more).copied().collect::<Vec<_>>();
    let of_scenario = place.json(with(&["--json"]));
    assert_eq!(of_scenario["targets"][0]["is_met"], false, "{of_scenario}");
    let met = place.json(with(&["--target", "shop=mean < 1000s", "--json"]));
    assert_eq!(met["targets"].as_array().map(Vec::len), Some(1));
    assert_eq!(met["targets"][0]["is_met"], true);
    let targets = ["--target", "shop=p50 < 1us", "--target", "shop=p99 < 1000s"];
    let missed = place.hotset(with(&targets));
    let [shown, told] = [&missed.stdout, &missed.stderr].map(|it| String::from_utf8_lossy(it));
    assert_eq!(missed.status.code(), Some(3), "{told}");
    assert!(shown.contains("\nTargets\n"), "{shown}");
    assert!(told.contains("tiers.toml: --target: shop has "), "{told}");
    assert!(told.contains(" and not p50 < 1 µs"), "{told}");
    assert!(!told.contains("p99"), "{told}");
    Failure::of(place.hotset(with(&["--target", "blog=p50 < 1s"])))
        .has_code(1)
        .says("no request belongs to this site; the sites are shop");
    Failure::of(place.hotset(with(&["--target", "shop=p50"]))).has_code(2);
}

#[test]
fn keys_that_nothing_follows_are_refused_if_asked() {
    let place = Workplace::new();
    workload(&place);
    place.write("tiers.toml", &[TIERS, SITE].concat());
    let strict = [
        "simulate",
        "scenario",
        "tiers.toml",
        "a.log",
        "--strict-keys",
    ];
    place.succeeds(strict);
    let set = ["--set", "site.shop.reservation=64KiB"];
    Failure::of(place.hotset(strict.iter().chain(&set)))
        .has_code(1)
        .says("tiers.toml: nothing here follows site.shop.reservation; take that out");
}

#[test]
fn what_is_left_to_chance_is_simulated_until_its_intervals_are_narrow() {
    let place = Workplace::new();
    workload(&place);
    place.write("tiers.toml", TIERS);
    let with = |more: &[&'static str]| {
        let simulate = ["simulate", "scenario", "tiers.toml", "a.log", "--json"];
        place.json(simulate.iter().chain(more).copied())
    };
    let repeated = with(&[]);
    assert!(repeated["replications"].as_u64() >= Some(4), "{repeated}");
    let total = &repeated["outcomes"][0]["total"];
    let response = &total["latencies"]["response"];
    let intervals = [
        (&repeated["throughput_interval"], &total["throughput_per_s"]),
        (&repeated["p95_interval"], &response["p95_us"]),
        (&response["mean_interval"], &response["mean_us"]),
    ];
    for (interval, figure) in intervals {
        let [low, figure, high] =
            [&interval["low"], figure, &interval["high"]].map(|it| it.as_f64().expect("a number"));
        // What all runs have together is not quite the mean of what each has.
        assert!(
            low * 0.98 <= figure && figure <= high * 1.02,
            "{interval} {figure}"
        );
    }
    let once = with(&["--replications", "1", "--seed", "2"]);
    assert_eq!(once["replications"], 1);
    // Its clients wait for each answer: parts of the requests say how sure it is.
    let known = &once["p95_interval"];
    assert!(known["low"].as_f64() < known["high"].as_f64(), "{once}");
    let thrice = with(&["--replications", "3"]);
    let requests = |it: &Value| it["outcomes"][0]["total"]["requests"].as_u64();
    assert!(requests(&thrice) > requests(&once).map(|it| 2 * it));
    let of_threads = |threads: &str| {
        let mut command = std::process::Command::new(crate::support::hotset());
        let command = command.args(["simulate", "scenario", "tiers.toml", "a.log", "--json"]);
        let command = command.current_dir(place.path("."));
        let output = command.env("RAYON_NUM_THREADS", threads).output();
        output.expect("it runs").stdout
    };
    let one = of_threads("1");
    assert!(one.starts_with(b"{"), "{}", String::from_utf8_lossy(&one));
    assert_eq!(one, of_threads("3"), "the same on any number of threads");
}

#[test]
fn what_nothing_is_left_to_chance_in_is_simulated_once() {
    let place = Workplace::new();
    workload(&place);
    let tiers = String::from_utf8_lossy(TIERS).replace("think = \"1ms\"\n", "");
    place.write("tiers.toml", tiers.as_bytes());
    let simulate = ["simulate", "scenario", "tiers.toml", "a.log"];
    let shown = place.succeeds(simulate);
    let said = "Nothing in it is left to chance, so it was simulated once.";
    assert!(shown.contains(said), "{shown}");
    let json = |seed| place.json(simulate.iter().copied().chain(["--json", "--seed", seed]));
    let (one, other) = (json("1"), json("2"));
    assert_eq!(one["replications"], 1);
    assert_eq!(one["outcomes"][0]["total"], other["outcomes"][0]["total"]);
    let known = &one["throughput_interval"];
    assert!(known["low"].as_f64() < known["high"].as_f64(), "{one}");
}

#[test]
fn what_happens_meanwhile_shows_over_time() {
    let place = Workplace::new();
    workload(&place);
    let event = |keys: &str| format!("[[event]]\nat = \"1s\"\n{keys}\n");
    let down = event("node = \"web1\"\nstate = \"down\"");
    place.write("tiers.toml", &[TIERS, down.as_bytes()].concat());
    let simulate = [
        "simulate",
        "scenario",
        "tiers.toml",
        "a.log",
        "--set",
        "client.crowd.think=20ms",
    ];
    let simulated = place.json(simulate.iter().chain(&["--json"]));
    holds_to("simulate-scenario.json", &simulated);
    let total = &simulated["outcomes"][0]["total"];
    let timeline = &total["timeline"];
    let points = timeline["seconds"].as_array().map(Vec::len);
    assert_eq!(timeline["errors"].as_array().map(Vec::len), points);
    assert!(total["errors"].is_u64(), "{total}");
    let shown = place.succeeds(simulate);
    assert!(shown.contains("\nOver time\n"), "{shown}");
    assert!(shown.contains(" requests failed."), "{shown}");
    let nowhere = event("node = \"web3\"\nstate = \"down\"");
    place.write("tiers.toml", &[TIERS, nowhere.as_bytes()].concat());
    Failure::of(place.hotset(simulate))
        .has_code(1)
        .says("`node` in [[event]]: there is no [[node]] called `web3`");
}

#[test]
fn scenarios_that_mean_nothing_are_refused_with_their_place() {
    let place = Workplace::new();
    workload(&place);
    let tiers = [TIERS, SITE].concat();
    let tiers = String::from_utf8_lossy(&tiers);
    let refused = |from: &str, to: &str| {
        assert!(tiers.contains(from), "{from}");
        place.write("tiers.toml", tiers.replacen(from, to, 1).as_bytes());
        Failure::of(place.hotset(["simulate", "scenario", "tiers.toml", "a.log"]))
    };
    let says = |from: &str, to: &str, message: &str| {
        refused(from, to)
            .has_code(1)
            .says("tiers.toml:")
            .says(message);
    };
    says(
        "store = \"disk\"",
        "store = \"tape\"",
        "there is no [[store]] called `tape`; there are: disk",
    );
    says(
        "[[link]]\nnode = \"web1\"",
        "[[link]]\nnode = \"web9\"",
        "no node is called `web9`; there are: front, web1, web2",
    );
    says(
        "asks = \"front\"",
        "asks = \"back\"",
        "no node is called `back`; there are: front, web1, web2",
    );
    says(
        "\"web2\"]",
        "\"web9\"]",
        "no web server is called `web9`; there are: web1, web2; did you mean `web2`?",
    );
    says(
        "\"web2\"]",
        "\"front\"]",
        "`front` leads back to `front`, which is a circle",
    );
    let web2 = "[[node]]\nname = \"web2\"\n";
    let proxy =
        |upstream: &str| format!("{web2}server = \"nginx-proxy\"\nupstream = \"{upstream}\"\n");
    says(
        web2,
        &proxy("front"),
        "leads back to `front`, which is a circle",
    );
    says(
        web2,
        &proxy("web1"),
        "`web2` is a proxy, and a proxy asks web servers",
    );
    says(
        "100Mbit",
        "0Mbit",
        "`rate` in [[link]]: carries nothing; write a rate above 0",
    );
    let stores = tiers.split_once("[[store]]").expect("a store").1;
    place.write("none.toml", format!("[[store]]{stores}").as_bytes());
    Failure::of(place.hotset(["simulate", "scenario", "none.toml", "a.log"]))
        .has_code(1)
        .says("none.toml: no [[node]] reads a store; add one with server = \"nginx\"");
    // The fields that IIS 6 logs by default.
    let log = "#Fields: date time c-ip cs-username s-ip s-port cs-method cs-uri-stem cs-uri-query sc-status cs(User-Agent)\n";
    let row = "2024-03-05 14:30:15 192.0.2.7 - 198.51.100.9 80 GET /a.jpg - 200 Mozilla/5.0\n";
    place.write(
        "sizeless.log",
        (log.to_owned() + &row.repeat(30)).as_bytes(),
    );
    place.write("tiers.toml", TIERS);
    Failure::of(place.hotset(["simulate", "scenario", "tiers.toml", "sizeless.log"]))
        .has_code(1)
        .says("sizeless.log: its requests do not tell how large files are");
}
