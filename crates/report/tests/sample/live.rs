//! Files that are held, and what is said of them.

use hotset_demo::{Comparison, Costs, Demonstration, Figures};
use hotset_lab::{EventEntry, Inventory, LinkEntry, NodeEntry, SiteEntry, StoreEntry};
use hotset_live::{FileState, Preview, RunStatus, SiteFolder, State, Status, Tally};
use hotset_machine::ledger::Teardown;
use hotset_scenario::CostLine;
use serde_json::{Value, json};

fn identity(inode: u64, size_bytes: u64) -> Value {
    json!({
        "device": 64_769, "inode": inode, "size_bytes": size_bytes, "mtime_ns": 1, "ctime_ns": 2,
    })
}

fn held(site: &str, path: &str, inode: u64, size_bytes: u64) -> Value {
    json!({ "site": site, "path": path, "held": identity(inode, size_bytes) })
}

fn files() -> Vec<Value> {
    let left_out = |i: u64| {
        let path = match i {
            2 => "/\u{202e}gnp\x1b[2J.exe".to_owned(),
            _ => format!("/images/picture-{i}.png"),
        };
        json!({ "site": "shop", "path": path, "left_out": "is not there any more" })
    };
    let mut files = vec![
        held("blog.example.org", "/index.html", 1, 9_431),
        held("blog.example.org", "/日本語/写真.jpg", 2, 69_192_717),
        json!({ "site": "shop", "path": "/a.html", "shared": identity(1, 9_431) }),
    ];
    files.extend((0..12).map(left_out));
    files
}

fn process() -> Value {
    json!({ "pid": 4_999_999, "started_ticks": 7, "boot": "none" })
}

/// What is held for two sites, and twelve files that are not.
pub fn state(charge: Value) -> State {
    let state = json!({
        "version": State::VERSION, "guardian": process(), "workers": [], "placer": "pin", "server": null, "folders": [],
        "owners": [], "budget_bytes": 128 << 20, "staleness_ms": 1_000, "charge": charge, "files": files(),
    });
    serde_json::from_value(state).unwrap()
}

/// Where the files of a site are.
pub fn folders() -> Vec<SiteFolder> {
    let folder = |prefix: &str, folder: &str| SiteFolder {
        site: "shop".to_owned(),
        prefix: prefix.to_owned(),
        folder: folder.into(),
    };
    vec![folder("/", "/srv/shop"), folder("/img/", "/srv/img")]
}

/// A memory group that pays for some of what was placed.
pub fn charge(lay_in_memory: bool) -> Value {
    json!({
        "group": "/sys/fs/cgroup/nginx", "before_bytes": 1 << 20, "after_bytes": 2 << 20, "placed_bytes": 4_u64 << 40,
        "lay_in_memory": lay_in_memory,
    })
}

pub fn preview() -> Preview {
    let tally = |objects, bytes| Tally { objects, bytes };
    Preview {
        files: state(Value::Null).files,
        added: tally(1, 9_431),
        kept: tally(1, 69_192_717),
        dropped: tally(0, 0),
        pools: Vec::new(),
    }
}

/// Every file of the plan is left out.
pub fn all_left_out() -> Status {
    let mut state = state(Value::Null);
    state.files.retain(|file| file.status.identity().is_none());
    Status {
        held: vec![false; state.files.len()],
        held_bytes: 0,
        faults: vec![
            "no file is held; the most valuable of 12 is left out: is not there any more"
                .to_owned(),
        ],
        state: Some(state),
        ..status(0)
    }
}

/// All is held, or some problems and faults are found.
pub fn status(problems: usize) -> Status {
    let problem = |i| hotset_live::Problem {
        site: "shop".to_owned(),
        path: format!("/images/picture-{i}.png").as_str().into(),
        problem: "lies in memory in part: 3 of 4 pages".to_owned(),
    };
    let state = state(Value::Null);
    let is_held = |file: &FileState| file.status.identity().is_some();
    Status {
        held: state.files.iter().map(is_held).collect(),
        held_bytes: state.held_bytes(),
        state: Some(state),
        is_placing: false,
        problems: (0..problems).map(problem).collect(),
        faults: (0..problems.min(2))
            .map(|i| format!("worker {i} has died"))
            .collect(),
    }
}

/// Nothing is held, or not yet.
pub fn nothing(is_placing: bool) -> Status {
    Status::of_nothing(is_placing)
}

/// What a program has told that follows the logs: one that is gone, unless it is the calling process.
pub fn published(is_alive: bool, has_read: bool) -> RunStatus {
    let served = |reads: u64| {
        json!({
            "reads": reads, "hits": reads / 2, "moved_bytes": 5_000_000, "timed": reads, "took_us": reads * 812,
            "beyond_share": reads / 10,
        })
    };
    let reads = if has_read { 1_234 } else { 0 };
    let estimate = |value: f64, error: f64| json!({ "value": value, "error": error });
    let saved = |reads: f64, error: f64| {
        json!({
            "missed_alone": estimate(0.4 * reads, error), "missed": estimate(0.3 * reads, error),
            "reads": estimate(0.1 * reads, error / 2.0), "us": estimate(812.0 * reads, error * 400.0),
        })
    };
    let saving = |reads: u64, error: f64| json!({ "last": saved(reads as f64, error), "all": saved(-10.0 * reads as f64, error) });
    let site = |site: &str| {
        let mut figures = json!({ "site": site, "last": served(reads), "all": served(10 * reads) });
        if has_read {
            figures["saving"] = saving(reads, 0.0);
        }
        figures
    };
    let savings = has_read.then(|| {
        json!({
            "followed_share": 0.25, "total": saving(2 * reads, 40.0),
            "payoff": { "pays": false, "intervals": 10, "reads": 20 * reads, "saving": saved(-0.01 * reads as f64, 30.0) },
        })
    });
    let moved = |i: u64| {
        json!({
            "told_ms": 1_431_856_800_000_u64 + i * 1_000, "site": "shop", "path": format!("/images/{i}.png"),
            "size_bytes": 4_331 * (i + 1), "is_taken": i.is_multiple_of(2), "heat": 40.4 - 20.2 * i as f64, "saved_us": 812.0,
        })
    };
    let hot = |i: u64| {
        json!({
            "site": "blog.example.org", "path": format!("/images/{i}.png"), "size_bytes": 4_331, "heat": 100.0 / (i + 1) as f64,
            "is_held": i < 2,
        })
    };
    let point = |i: u64| {
        json!({
            "told_ms": 1_431_856_800_000_u64 + i * 10_000, "hit_ratio": 0.5 + 0.01 * i as f64, "predicted_hit_ratio": 0.6,
            "memory_hit_ratio": 0.7, "page_cache_hit_ratio": 0.6 - 0.01 * i as f64,
        })
    };
    let count = if has_read { 4 } else { 0 };
    let published = json!({
        "version": 1, "daemon": process(), "told_ms": 1_431_856_860_000_u64, "interval": { "secs": 10, "nanos": 0 },
        "figures": {
            "sites": [site("blog.example.org"), site("news")], "predicted_hit_ratio": 0.61,
            "savings": savings,
            "hottest": Vec::from_iter((0..count).map(hot)), "moves": Vec::from_iter((0..count).map(moved)),
            "history": Vec::from_iter((0..count).map(point)),
        },
    });
    let mut published: RunStatus = serde_json::from_value(published).unwrap();
    if is_alive {
        published.process = hotset_machine::ProcessIdentity::current().unwrap();
    }
    published
}

pub fn teardown() -> Teardown {
    Teardown {
        removed: vec!["mount /var/lib/hotset/state/copies".to_owned(); 3],
        notes: vec!["the group nginx was removed late: it had processes".to_owned()],
        left: vec!["/var/lib/hotset/state/copies: is busy".to_owned()],
    }
}

pub fn clean_teardown() -> Teardown {
    Teardown {
        removed: Vec::new(),
        notes: Vec::new(),
        left: Vec::new(),
    }
}

pub fn inventory() -> Inventory {
    Inventory {
        tag: "hs1".to_owned(),
        directory: "/run/hotset/hs1".into(),
        images: "/var/tmp/hotset/hs1".into(),
        nodes: vec![
            NodeEntry {
                name: "web1".to_owned(),
                url: Some("http://10.77.0.2:8080".to_owned()),
                namespace: "hs1-web1".to_owned(),
                interface: "hs1v0".to_owned(),
                memory_group: "/sys/fs/cgroup/hotset-hs1/web1".into(),
                memory_bytes: 512 << 20,
                log: Some("/run/hotset/hs1/web1.log".into()),
            },
            NodeEntry {
                name: "desk".to_owned(),
                url: None,
                namespace: "hs1-desk".to_owned(),
                interface: "hs1v1".to_owned(),
                memory_group: "/sys/fs/cgroup/hotset-hs1/desk".into(),
                memory_bytes: 64 << 20,
                log: None,
            },
        ],
        stores: vec![StoreEntry {
            name: "disk".to_owned(),
            node: "web1".to_owned(),
            file_system: "ext4".to_owned(),
            path: "/run/hotset/hs1/disk".into(),
        }],
        sites: vec![SiteEntry {
            name: "shop".to_owned(),
            node: "web1".to_owned(),
            store: "disk".to_owned(),
            folder: "/run/hotset/hs1/disk/shop".into(),
        }],
        links: vec![LinkEntry {
            between: vec!["desk".to_owned(), "web1".to_owned()],
            interface: "direct0".to_owned(),
        }],
        events: vec![event()],
        not_honoured: vec!["link.desk-web1.delay".to_owned()],
    }
}

/// Something that happens in it.
pub fn event() -> EventEntry {
    EventEntry {
        at_us: 30_000_000,
        what: "node web1 is down".to_owned(),
    }
}

pub fn demonstration(left_out: u64) -> Demonstration {
    let line = |fixed_us, bytes_per_us| CostLine {
        fixed_us,
        bytes_per_us,
    };
    let figures = |before_us: f64| Figures {
        hit_ratio: 0.734,
        before_us,
        after_us: before_us / 3.3,
    };
    let group = |name: &str, us: f64| Comparison {
        name: name.to_owned(),
        predicted: figures(us),
        measured: figures(1.07 * us),
    };
    Demonstration {
        folder: "/tmp/hotset-demo".into(),
        requests: 2_701,
        costs: Costs {
            memory: line(42.0, 2_100.0),
            disk: line(812.0, 131.0),
            requests: 300,
        },
        held_files: 312,
        held_bytes: 43_201_331,
        left_out,
        groups: vec![group("blog", 901.0), group("all sites", 812.0)],
    }
}
