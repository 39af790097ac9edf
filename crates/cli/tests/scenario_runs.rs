//! Simulated scenarios: targets of sites, keys that are refused.

use crate::simulate_scenario::workload;
use crate::support::{Failure, Workplace};

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
        .says("tiers.toml: the simulation does not follow site.shop.reservation; take that out");
}
