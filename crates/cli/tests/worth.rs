//! Without a size, `hotset plan` says whether holding is worth it with what is free here.

use crate::support::schema::holds_to;
use crate::support::{Failure, Workplace};
use serde_json::{Value, json};
use std::fs;

/// A site of 300 files, 8 MiB together, and its log.
fn site(place: &Workplace) {
    place.succeeds([
        "generate",
        "zipf",
        "--objects=300",
        "--requests=6000",
        "--working-set=8MiB",
        "--log=a.log",
        "--files=www",
    ]);
}

#[test]
fn a_plan_without_a_size_is_for_what_is_free_and_proposes_others() {
    let place = Workplace::new();
    site(&place);
    let json = place.json([
        "plan",
        "--for-gain=5%",
        "--json",
        "--html=a.html",
        "--csv=tables",
        "a.log",
    ]);
    holds_to("plan.json", &json);
    let proposal = &json["proposal"];
    let of = |key: &str| proposal[key].as_u64().expect(key);
    assert_eq!(proposal["free_bytes"], json["memory_bytes"]);
    let (free, all) = (of("free_bytes"), of("all_files_bytes"));
    assert!(all > 8 << 20 && all < free, "{proposal}");
    assert_eq!(of("scan_bytes"), free - all);
    assert_eq!(json["verdict"], "leave", "all files fit");
    let reasons: Vec<&Value> = proposal["sizes"]
        .as_array()
        .expect("sizes")
        .iter()
        .flat_map(|size| size["reasons"].as_array().expect("reasons"))
        .collect();
    for reason in ["knee", "gain", "free"] {
        assert!(reasons.contains(&&json!(reason)), "{reason}: {reasons:?}");
    }
    let page = fs::read_to_string(place.path("a.html")).expect("the page is written");
    let text = place.succeeds(["plan", "a.log"]);
    for said in [&page, &text] {
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            said.contains("that are free on this machine. Holding brings nothing until"),
            "{said}"
        );
    }
    let sizes = fs::read_to_string(place.path("tables/sizes.csv")).expect("a table");
    assert!(sizes.starts_with("memory (bytes),why,"), "{sizes}");
}

#[test]
fn what_keeps_or_acts_on_a_plan_takes_a_size_and_one_is_proposed() {
    let place = Workplace::new();
    place.write("a.log", b"no log: it is refused before that is seen\n");
    for option in ["-oplan.json", "--exit-code"] {
        Failure::of(place.hotset(["plan", option, "a.log"]))
            .has_code(2)
            .says("name it with --memory, such as ")
            .says("MiB, which is free ")
            .says("Without --output and --exit-code, other sizes are proposed");
    }
    assert!(!place.path("plan.json").exists());
    let both = ["plan", "--memory=1M", "--server=cgroup:/", "a.log"];
    Failure::of(place.hotset(both)).has_code(2).says("--server");
}

#[test]
fn a_plan_that_is_applied_says_whether_the_page_cache_alone_would_do() {
    let place = Workplace::new();
    site(&place);
    place.succeeds([
        "plan",
        "--memory=1M",
        "--root=www/zipf",
        "-oplan.json",
        "a.log",
    ]);
    let apply = ["apply", "plan.json", "--dry-run", "--state=state"];
    let said = |place: &Workplace| String::from_utf8(place.hotset(apply).stderr).expect("text");
    let fits = said(&place);
    assert!(
        fits.starts_with("hotset: all files that were read ("),
        "{fits}"
    );
    assert!(
        fits.contains(" brings nothing on a local disk, until "),
        "{fits}"
    );
    let plan = fs::read_to_string(place.path("plan.json")).expect("a plan");
    let mut plan: Value = serde_json::from_str(&plan).expect("JSON");
    assert!(plan["all_files_bytes"].as_u64() > Some(8 << 20));
    plan["all_files_bytes"] = json!(1u64 << 60);
    place.write("plan.json", plan.to_string().as_bytes());
    let large = said(&place);
    assert!(large.contains("do not all fit in the "), "{large}");
    plan.as_object_mut()
        .expect("an object")
        .remove("all_files_bytes");
    place.write("plan.json", plan.to_string().as_bytes());
    assert!(
        !said(&place).contains("fit"),
        "nothing is known of a plan of an older version"
    );
}
