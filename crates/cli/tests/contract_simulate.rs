//! What `hotset simulate --json` prints keeps to its schemas and keys, and agrees with itself.

use crate::contract::{has, workload};
use crate::support::schema::holds_to;
use crate::support::{Failure, Workplace};
use serde_json::{Value, json};

#[test]
fn simulated_jobs_print_their_contract() {
    let place = Workplace::new();
    place.write(
        "jobs.fio",
        b"[global]\nsize=16m\n[scan]\nrw=read\nbs=64k\n[look]\nstonewall\nrw=randread\n",
    );
    let jobs = [
        "simulate",
        "fio",
        "jobs.fio",
        "--profile",
        "ssd",
        "--set",
        "memory=8M",
        "--json",
    ];
    let simulated = place.json(jobs);
    holds_to("simulate-fio.json", &simulated);
    assert_eq!(simulated["jobs"][1]["bottleneck"], "device");
    assert_eq!(simulated, place.json(jobs), "the seed decides");
    let shown = place.succeeds(&jobs[..jobs.len() - 1]);
    assert!(
        shown.contains("2 jobs simulated on ssd with 8 MiB of memory for files"),
        "{shown}"
    );
    let nfs = [
        "--set",
        "file_system.kind=nfs",
        "--set",
        "file_system.block_bytes=4096",
    ];
    let shown = place.succeeds(jobs[..5].iter().chain(&nfs).copied());
    assert!(shown.contains("nfs is not modelled"), "{shown}");
}

/// A client and a file server, with a store of NFS.
const FILE_SERVER: &str = "[[node]]\nname = \"web1\"\nmemory = \"1GiB\"\n\
    [[node]]\nname = \"file1\"\nmemory = \"1GiB\"\nserver = \"files\"\n\
    [[store]]\nname = \"brick\"\nprofile = \"ssd\"\n\
    [[store]]\nname = \"shared\"\nprofile = \"nfs\"\nkind = \"nfs3\"\nservers = \"file1\"\non = \"brick\"\n";

#[test]
fn simulated_works_print_their_contract() {
    let place = Workplace::new();
    place.write("files.toml", FILE_SERVER.as_bytes());
    place.write(
        "small.work",
        b"on-server data 2 4096 # two files\nopen data/0 r\nread data/0 4096\nclose data/0\nweb2: stat data/1\n",
    );
    let work = [
        "simulate",
        "files",
        "small.work",
        "--scenario",
        "files.toml",
    ];
    let work = work.into_iter().chain(["--store", "shared"]);
    let simulated = place.json(work.clone().chain(["--json"]));
    holds_to("simulate-files.json", &simulated);
    let calls = json!({"access": 3, "lookup": 2, "read": 1});
    assert_eq!(simulated["calls"], calls);
    assert_eq!(simulated["rsize"], 131_072, "as a server with 1 GiB has it");
    assert_eq!(simulated["clients"][1]["name"], "web2");
    assert_eq!(simulated["hits"], 0.0);
    assert!(simulated["link_bytes"]["received"].as_u64() > Some(4096));
    let shown = place.succeeds(work);
    assert!(shown.contains("6 calls on shared (nfs3)"), "{shown}");
}

#[test]
fn jobs_on_a_file_server_pass_switches_and_cost_processors() {
    let place = Workplace::new();
    place.write("look.fio", b"[look]\nrw=read\nbs=64k\nsize=4m\n");
    let jobs_on = |kind: &str, network: &str| {
        let scenario = FILE_SERVER.replace("nfs3", kind)
            + "[[link]]\nnode = \"web1\"\nrate = \"1Gbit\"\n"
            + network;
        place.write("files.toml", scenario.as_bytes());
        let jobs = ["simulate", "fio", "look.fio", "--scenario", "files.toml"];
        let jobs = jobs.iter().chain(&["--store", "shared", "--json"]);
        place.json(jobs.copied())
    };
    let jobs = |network: &str| jobs_on("nfs3", network);
    let star = jobs("");
    let slow = "[network]\ntopology = \"mesh\"\nsize = [8]\nrate = \"10Mbit\"\n";
    let mesh = jobs(slow);
    for simulated in [&mesh, &jobs_on("pvfs1", slow)] {
        assert_eq!(simulated["file_server"]["not_modelled"], json!([]));
        let links = simulated["jobs"][0]["remote"]["links"].to_string();
        assert!(links.contains("switches 0-1"), "{links}");
    }
    let busy = jobs("[link.stack]\npacket_us = 1000\n");
    let took = |it: &Value| it["jobs"][0]["seconds"].as_f64();
    assert!(took(&mesh) > took(&star) && took(&busy) > took(&star));
}

#[test]
fn jobs_on_a_file_server_print_their_contract() {
    let place = Workplace::new();
    let scenario = format!(
        "{FILE_SERVER}[store.options]\nexport = \"async\"\n\
         [[link]]\nnode = \"web1\"\nrate = \"1Gbit\"\nloss = \"1%\"\n"
    );
    place.write("files.toml", scenario.as_bytes());
    place.write("look.fio", b"[look]\nrw=randread\nbs=4k\nsize=1m\n");
    let jobs = [
        "simulate",
        "fio",
        "look.fio",
        "--scenario",
        "files.toml",
        "--store",
        "shared",
    ];
    let simulated = place.json(jobs.into_iter().chain(["--json"]));
    holds_to("simulate-fio.json", &simulated);
    assert_eq!(simulated["file_server"]["server"], "file1");
    assert_eq!(simulated["file_server"]["costs_measured"], false);
    let not_modelled = json!(["link.web1.loss"]);
    assert_eq!(simulated["file_server"]["not_modelled"], not_modelled);
    let remote = &simulated["jobs"][0]["remote"];
    assert_eq!(
        remote["calls"],
        json!({"access": 1, "lookup": 1, "read": 256})
    );
    assert_eq!(remote["server_hits"], 1.0);
    assert_eq!(remote["links"][0]["name"], "web1");
    assert!(remote["link_bytes"]["received"].as_u64() > Some(1 << 20));
    let shown = place.succeeds(jobs);
    assert!(
        shown.contains("1 job simulated on shared (nfs3) of file1, mounted by web1"),
        "{shown}"
    );
    assert!(shown.contains("link.web1.loss"), "{shown}");
    place.write("small.work", b"on-server data 1 4096\nstat data/0\n");
    let work = ["simulate", "files", "small.work", "--scenario"];
    let work = work.into_iter().chain(jobs.into_iter().skip(4));
    let simulated = place.json(work.chain(["--json"]));
    assert_eq!(simulated["not_modelled"], not_modelled);
    let several = place.json(jobs.into_iter().chain(["--clients", "3", "--json"]));
    assert_eq!(several["file_server"]["clients"], 3);
    let remote = &several["jobs"][0]["remote"];
    assert_eq!(remote["calls"]["read"], 3 * 256);
    let links = remote["links"].as_array().expect("links");
    let names: Vec<_> = links.iter().map(|link| &link["name"]).collect();
    assert_eq!(names, ["web1", "web1 2", "web1 3"]);
}

/// A client and two file servers, with a store in strips on both.
fn parallel(kind: &str) -> String {
    let node = |name: &str| {
        format!("[[node]]\nname = \"{name}\"\nmemory = \"1GiB\"\nserver = \"files\"\n")
    };
    format!(
        "[[node]]\nname = \"web1\"\nmemory = \"1GiB\"\n{}{}\
         [[store]]\nname = \"brick\"\nprofile = \"ssd\"\n\
         [[store]]\nname = \"shared\"\nprofile = \"nfs\"\nkind = \"{kind}\"\nservers = [\"io1\", \"io2\"]\non = \"brick\"\n",
        node("io1"),
        node("io2")
    )
}

#[test]
fn jobs_and_works_on_a_parallel_file_system_print_their_contract() {
    let place = Workplace::new();
    place.write("look.fio", b"[look]\nrw=randread\nbs=128k\nsize=1m\n");
    place.write(
        "small.work",
        b"on-server data 1 4096\nopen data/0 r\nread data/0 4096\nclose data/0\n",
    );
    for (kind, calls, of_work) in [
        (
            "orangefs",
            json!({"getattr": 3, "lookup": 1, "tree-getattr": 2, "read": 16, "read-data": 16}),
            json!({"getattr": 3, "lookup": 1, "tree-getattr": 1, "small-read": 1}),
        ),
        (
            "pvfs1",
            json!({"open": 1, "close": 1, "read": 16, "read-data": 16}),
            json!({"open": 1, "close": 1, "read": 1, "read-data": 1}),
        ),
    ] {
        place.write("io.toml", parallel(kind).as_bytes());
        let on = ["--scenario", "io.toml", "--store", "shared"];
        let jobs = ["simulate", "fio", "look.fio"].into_iter().chain(on);
        let simulated = place.json(jobs.clone().chain(["--json"]));
        holds_to("simulate-fio.json", &simulated);
        assert_eq!(simulated["file_server"]["kind"], kind);
        let striping = json!({"servers": ["io1", "io2"], "metadata": "io1", "strip_bytes": 65_536, "stripes": 2});
        assert_eq!(simulated["file_server"]["striping"], striping);
        assert_eq!(simulated["jobs"][0]["remote"]["calls"], calls);
        let shown = place.succeeds(jobs);
        assert!(
            shown.contains(&format!("on shared ({kind}) of io1, io2, mounted by web1")),
            "{shown}"
        );
        let work = ["simulate", "files", "small.work"].into_iter().chain(on);
        let simulated = place.json(work.chain(["--json"]));
        holds_to("simulate-files.json", &simulated);
        assert_eq!(simulated["calls"], of_work);
        assert!(simulated.get("rsize").is_none());
    }
}

#[test]
fn jobs_and_works_on_file_systems_whose_clients_cache_print_their_contract() {
    let place = Workplace::new();
    place.write("look.fio", b"[look]\nrw=randread\nbs=128k\nsize=1m\n");
    place.write(
        "small.work",
        b"on-server data 1 4096\nopen data/0 r\nread data/0 4096\nclose data/0\n",
    );
    for (kind, metadata, of_work) in [
        (
            "lustre",
            json!("io1"),
            json!({"ldlm_enqueue": 2, "ost_read": 1, "mds_close": 1}),
        ),
        ("glusterfs", json!(null), json!({"lookup": 1})),
        (
            "moosefs",
            json!("io1"),
            json!({"fuse_lookup": 1, "fuse_open": 1, "fuse_read_chunk": 1, "read": 1}),
        ),
    ] {
        place.write("io.toml", parallel(kind).as_bytes());
        let on = ["--scenario", "io.toml", "--store", "shared"];
        let jobs = ["simulate", "fio", "look.fio"].into_iter().chain(on);
        let simulated = place.json(jobs.clone().chain(["--json"]));
        holds_to("simulate-fio.json", &simulated);
        let server = &simulated["file_server"];
        assert_eq!(server["kind"], kind);
        let cluster = json!({"servers": ["io1", "io2"], "metadata": metadata, "own": false});
        assert_eq!(server["cluster"], cluster);
        assert!(server.get("rsize").is_none() && server.get("striping").is_none());
        let shown = place.succeeds(jobs);
        let words: Vec<&str> = shown.split_whitespace().collect();
        let is_simulated_only = words.join(" ").contains("simulated only");
        assert_eq!(is_simulated_only, kind == "lustre", "{shown}");
        let work = ["simulate", "files", "small.work"].into_iter().chain(on);
        let simulated = place.json(work.chain(["--json"]));
        holds_to("simulate-files.json", &simulated);
        assert_eq!(simulated["calls"], of_work);
        if kind == "lustre" {
            continue;
        }
        let own = parallel(kind).replace("servers = [\"io1\", \"io2\"]\non = \"brick\"\n", "");
        place.write("io.toml", own.as_bytes());
        let jobs = ["simulate", "fio", "look.fio", "--json"].into_iter();
        let simulated = place.json(jobs.chain(on));
        holds_to("simulate-fio.json", &simulated);
        let server = &simulated["file_server"];
        let names = ["shared-files0", "shared-files1", "shared-files2"];
        assert_eq!(server["server"], names.join(", "));
        assert_eq!(server["cluster"]["own"], true);
    }
}

#[test]
fn jobs_that_name_no_place_or_two_are_refused() {
    let place = Workplace::new();
    place.write("files.toml", FILE_SERVER.as_bytes());
    place.write("empty.work", b"# Nothing to do.\n");
    let empty = [
        "simulate",
        "files",
        "empty.work",
        "--scenario",
        "files.toml",
    ];
    (place.refuses(empty.iter().chain(&["--store", "shared"])))
        .says("empty.work:1: there is no operation; write one");
    place.write("look.fio", b"[look]\nrw=randread\nsize=1m\n");
    for (more, code, says) in [
        (&[][..], 2, "--profile"),
        (&["--scenario", "files.toml"][..], 2, "--store"),
        (
            &[
                "--profile",
                "ssd",
                "--scenario",
                "files.toml",
                "--store",
                "shared",
            ][..],
            2,
            "cannot be used with",
        ),
        (
            &["--scenario", "files.toml", "--store", "brick"][..],
            1,
            "or name a store that is; there are: shared",
        ),
        (
            &[
                "--scenario",
                "files.toml",
                "--store",
                "shared",
                "--set",
                "memory=1GiB",
            ][..],
            1,
            "is of jobs on a profile; change files.toml",
        ),
        (&["--profile", "ssd", "--clients", "2"][..], 2, "--scenario"),
    ] {
        let run = ["simulate", "fio", "look.fio"].iter().chain(more).copied();
        Failure::of(place.hotset(run)).has_code(code).says(says);
    }
}

#[test]
fn works_and_stores_that_cannot_be_simulated_are_refused() {
    let place = Workplace::new();
    place.write("small.work", b"on-server data 1 4096\nopne data/0 r\n");
    place.write("good.work", b"on-server data 1 4096\nstat data/0\n");
    place.write("files.toml", FILE_SERVER.as_bytes());
    place.write("v2.toml", FILE_SERVER.replace("nfs3", "nfs2").as_bytes());
    place.write("large.work", b"on-server data 1 3GiB\n");
    for (work, scenario, store, says) in [
        (
            "small.work",
            "files.toml",
            "shared",
            "small.work:2: `opne`: is not known",
        ),
        (
            "good.work",
            "files.toml",
            "brick",
            "store `brick` is on no file server",
        ),
        (
            "good.work",
            "files.toml",
            "sharde",
            "there are: brick, shared; did you mean `shared`?",
        ),
        (
            "large.work",
            "v2.toml",
            "shared",
            "large.work:1: nfs2 has files of at most 2147483647 bytes",
        ),
        ("none.work", "files.toml", "shared", "none.work"),
    ] {
        let run = [
            "simulate",
            "files",
            work,
            "--scenario",
            scenario,
            "--store",
            store,
        ];
        Failure::of(place.hotset(run)).has_code(1).says(says);
    }
}

#[test]
fn a_job_with_a_file_above_2_gib_is_refused_on_nfs2() {
    let place = Workplace::new();
    place.write("files.toml", FILE_SERVER.replace("nfs3", "nfs2").as_bytes());
    place.write("large.fio", b"[a]\nrw=randread\nbs=4k\nsize=3g\n");
    let run = ["simulate", "fio", "large.fio", "--scenario", "files.toml"];
    let run = run.into_iter().chain(["--store", "shared"]);
    let says = "line 12: store `shared`: a file has 3221225472 bytes, and nfs2 has files of at most 2147483647";
    Failure::of(place.hotset(run)).has_code(1).says(says);
}

#[test]
fn simulated_jobs_say_what_is_known_of_the_device() {
    let place = Workplace::new();
    place.write("jobs.fio", b"[a]\nrw=randread\nsize=1m\n");
    for (profile, kind, says) in [
        (
            "nvme",
            json!("ssd"),
            "The device of nvme is described as in a data sheet, not measured.",
        ),
        (
            "hdd",
            json!(null),
            "hdd has no device: requests wait for the delay of its line for files that are not cached, one after the other",
        ),
    ] {
        let simulate = ["simulate", "fio", "jobs.fio", "--profile", profile];
        let shown = place.succeeds(simulate).replace('\n', " ");
        assert!(shown.contains(says), "{shown}");
        let json = place.json(simulate.into_iter().chain(["--json"]));
        assert_eq!(json["device"], kind);
        assert!(json["source"].is_string());
    }
}

#[test]
fn jobs_that_cannot_be_simulated_are_refused_with_their_line() {
    let place = Workplace::new();
    place.write("trim.fio", b"[a]\nrw=trim\nsize=1m\n");
    place.write("odd.fio", b"[a]\nrw=read\nsize=1m\nnrfiles=2\n");
    let simulate = |file| Failure::of(place.hotset(["simulate", "fio", file, "--profile", "ssd"]));
    simulate("trim.fio")
        .has_code(1)
        .says("trim.fio:2: `rw=trim`: trims, which is not modelled; write read, randread, write");
    simulate("odd.fio")
        .has_code(1)
        .says("odd.fio:4: `nrfiles=2`");
    simulate("none.fio").has_code(1).says("none.fio");
    place.write("jobs.fio", b"[a]\nrw=read\nsize=1m\n");
    for (setting, says) in [
        ("memory=lots", "--set memory=lots: "),
        (
            "parallel=8",
            "`parallel`: unknown key; did you mean `reading.parallel`?",
        ),
        ("reading.processors=0", "must be from 1 to 8192"),
        (
            "uncached.bytes_per_us=500",
            "--set uncached.bytes_per_us=500: changes nothing, since ssd has a device",
        ),
    ] {
        let set = [
            "simulate",
            "fio",
            "jobs.fio",
            "--profile",
            "ssd",
            "--set",
            setting,
        ];
        Failure::of(place.hotset(set)).has_code(1).says(says);
    }
    let bare = [
        "simulate",
        "fio",
        "jobs.fio",
        "--profile",
        "ssd",
        "--set",
        "memory",
    ];
    Failure::of(place.hotset(bare))
        .has_code(2)
        .says("write NAME=VALUE");
}

#[test]
fn simulate_prints_its_contract_from_log_and_from_folder_alike() {
    let place = Workplace::new();
    workload(&place);
    let simulate = |input| {
        place.json([
            "simulate", "trace", "--policy", "lru", "--memory", "1MiB", "--json", input,
        ])
    };
    let (log, folder) = (simulate("a.log"), simulate("a.trace"));
    holds_to("simulate-trace.json", &log);
    has(
        &log,
        &[
            "/requests",
            "/hits",
            "/hit_ratio",
            "/byte_hit_ratio",
            "/mean_us",
        ],
    );
    assert_eq!(log["reading"]["sources"][0]["format"], "vhost-combined");
    for moment in ["first", "last"] {
        assert!(log["reading"][moment].is_string(), "{moment}");
        assert!(folder["reading"][moment].is_string(), "{moment}");
    }
    let figures = |mut json: Value| {
        json["reading"].take();
        json
    };
    assert_eq!(figures(log), figures(folder));
}

#[test]
fn a_sampled_hit_ratio_holds_to_its_contract_and_its_interval_covers_the_exact_one() {
    let place = Workplace::new();
    place.succeeds([
        "generate",
        "zipf",
        "--alpha",
        "0.7",
        "--requests",
        "60000",
        "--objects",
        "6000",
        "-o",
        "z.trace",
    ]);
    let simulate = |more: &[&str]| {
        let args = ["simulate", "trace", "--memory", "20%", "--json", "z.trace"];
        place.json(args.iter().chain(more))
    };
    let exact = simulate(&["--policy", "lru"]);
    let seeded = |seed| simulate(&["--sampled", "20%", "--seed", seed]);
    let sampled = seeded("1");
    holds_to("simulate-trace.json", &sampled);
    assert_eq!(sampled["sampled"]["seed"], 1);
    assert_eq!(sampled, seeded("1"));
    assert_ne!(sampled["curve"], seeded("2")["curve"]);
    let number = |value: &Value| value.as_f64().expect("a number");
    let covers = |of: &Value, exact: &Value| {
        let interval = &of["hit_ratio_interval"];
        (number(&interval["low"])..=number(&interval["high"])).contains(&number(exact))
    };
    assert!(covers(&sampled, &exact["hit_ratio"]), "{exact} {sampled}");
    for point in sampled["curve"].as_array().expect("points") {
        let memory = point["memory_bytes"].to_string();
        let args = [
            "simulate", "trace", "--policy", "lru", "--json", "z.trace", "--memory", &memory,
        ];
        let exact = place.json(args);
        assert!(covers(point, &exact["hit_ratio"]), "{exact} {point}");
    }
}

#[test]
fn an_estimated_page_cache_holds_to_its_contract_and_its_intervals_cover_the_exact_figures() {
    let place = Workplace::new();
    let requests = ["--requests", "60000", "--objects", "6000"];
    let made = ["generate", "zipf", "--alpha", "0.7", "-o", "z.trace"];
    place.succeeds(made.iter().chain(&requests));
    let simulate = |more: &[&str]| {
        let args = [
            "simulate", "trace", "--json", "z.trace", "--memory", "10%", "--policy", "two-list",
        ];
        place.json(args.iter().chain(more))
    };
    let exact = simulate(&[]);
    let sampled = simulate(&["--sampled", "20%", "--seed", "1"]);
    holds_to("simulate-trace.json", &sampled);
    assert_eq!(sampled["sampled"]["drawn_by"], "importance");
    assert_eq!(sampled, simulate(&["--sampled", "20%", "--seed", "1"]));
    for key in ["hit_ratio", "byte_hit_ratio", "mean_us"] {
        let number = |value: &Value| value.as_f64().expect("a number");
        let interval = &sampled[format!("{key}_interval")];
        let covered = number(&interval["low"])..=number(&interval["high"]);
        assert!(
            covered.contains(&number(&exact[key])),
            "{key}: {exact} {sampled}"
        );
    }
}
