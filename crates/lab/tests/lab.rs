//! The lab builds what a scenario describes, and leaves it up until it is taken down.
use crate::common::{drive_command, eventually, output, places, traces_of};
use hotset_lab::{Control, Inventory, Lab, LabError, NodeEntry};
use hotset_machine::{Deployment, Directories, Requirements, ledger};
use hotset_scenario::Scenario;
use hotset_test_support::{alone, skip, together};
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;
use tempfile::TempDir;

/// Two web nodes with a disk each behind a proxy that keeps responses, and a store in memory.
const SCENARIO: &str = r#"
[[node]]
name = "one"
memory = "128MiB"

[[node]]
name = "two"
memory = "128MiB"
server = "apache"

[[node]]
name = "front"
memory = "128MiB"
server = "nginx-proxy"
upstream = ["one", "two"]
cache = true

[[link]]
node = "one"
rate = "1Gbit"

[[store]]
name = "disk"
profile = "hdd"
kind = "ext4"
size = "64MiB"

[store.disk]
kind = "throttled"
rate = "40MB"

[[store]]
name = "memory"
profile = "memory"
kind = "tmpfs"
size = "16MiB"

[[site]]
name = "shop"
store = "disk"
root = "shop"

[[site]]
name = "news"
store = "memory"
"#;

struct Silent;

impl Control for Silent {
    fn step(&self, _what: &str) {}

    fn interrupted(&self) -> bool {
        false
    }
}

/// A folder for labs and for what their sites serve. What a failed test has left up goes with it.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        let shop = place.0.path().join("shop/pages");
        fs::create_dir_all(&shop).unwrap();
        fs::write(shop.join("index.html"), "the shop").unwrap();
        place
    }

    fn directories(&self) -> Directories {
        places(self.0.path())
    }

    fn scenario(&self, text: &str) -> Scenario {
        Scenario::parse(text, &self.0.path().join("scenario.toml")).unwrap()
    }

    fn up(&self, text: &str) -> Result<Inventory, LabError> {
        let scenario = self.scenario(text);
        hotset_lab::up(&scenario, &self.directories(), &drive_command(), &Silent)
    }

    fn refused(&self, text: &str) -> String {
        let error = self.up(text).unwrap_err().to_string();
        assert!(!self.directories().ledgers.exists(), "something was made");
        error
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let ledgers = self.directories().ledgers;
        for deployment in ledger::left(&ledgers).unwrap_or_default() {
            let _gone = ledger::take_over(&deployment).map(|ledger| ledger.teardown());
        }
    }
}

/// `None`, with the reason printed, where the scenario cannot be built; else the machine is taken by `turn`.
fn place_for(text: &str, turn: fn()) -> Option<Place> {
    let place = Place::new();
    let needs = hotset_lab::needs(&place.scenario(text), &place.directories()).unwrap();
    match Requirements::check(&needs) {
        Ok(()) => {
            turn();
            Some(place)
        }
        Err(error) => {
            skip(error);
            None
        }
    }
}

fn url(node: &NodeEntry) -> &str {
    node.url.as_deref().unwrap()
}

fn get(url: &str, host: &str, target: &str) -> String {
    let address = url.trim_start_matches("http://").trim_end_matches('/');
    let mut stream = TcpStream::connect((address, 80)).unwrap();
    let patience = Some(Duration::from_secs(20));
    stream.set_read_timeout(patience).unwrap();
    write!(
        stream,
        "GET {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
    )
    .unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    response
}

#[test]
fn what_is_left_up_answers_and_stands_until_it_is_taken_down() {
    let Some(place) = place_for(SCENARIO, together) else {
        return;
    };
    let up = place.up(SCENARIO).unwrap();
    for node in &up.nodes {
        let response = get(url(node), "shop", "/pages/index.html");
        assert!(response.ends_with("the shop"), "{}: {response}", node.name);
        assert!(node.memory_group.exists() && node.log.as_ref().is_some_and(|it| it.exists()));
    }
    let news = up.sites.iter().filter(|site| site.name == "news");
    for site in news {
        fs::write(site.folder.join("today.html"), &site.node).unwrap();
        let mut nodes = up.nodes.iter();
        let node = nodes.find(|node| node.name == site.node).unwrap();
        assert!(get(url(node), "news", "/today.html").ends_with(&site.node));
    }
    assert_eq!(up.stores.len(), 4, "two stores on two nodes");

    let directories = place.directories();
    let listed = hotset_lab::standing(&directories.ledgers).unwrap();
    assert_eq!(listed.len(), 1);
    assert_eq!(
        (&listed[0].tag, &listed[0].inventory),
        (&up.tag, &Some(up.clone()))
    );
    assert!(listed[0].since.elapsed().unwrap() < Duration::from_secs(600));
    let other = Deployment::open(&directories).unwrap();
    assert_eq!(other.recovery().live, std::slice::from_ref(&up.directory));
    other.teardown();
    let name = format!("hotset-{}", up.tag);
    assert!(traces_of(&name).len() > 5, "{:?}", traces_of(&name));
    let wrong = hotset_lab::down(&directories.ledgers, Some("none"));
    assert!(wrong.unwrap_err().to_string().contains(&up.tag));

    let (tag, teardown) = hotset_lab::down(&directories.ledgers, None).unwrap();
    assert_eq!(tag, up.tag);
    assert_eq!(teardown.left, Vec::<String>::new());
    assert_eq!(traces_of(&name), Vec::<String>::new());
    assert_eq!(entries(&directories.ledgers), 0);
    assert_eq!(entries(&directories.work), 0);
    assert_eq!(hotset_lab::standing(&directories.ledgers).unwrap(), []);
    let again = hotset_lab::down(&directories.ledgers, None);
    assert!(
        again
            .unwrap_err()
            .to_string()
            .contains("no data-centre is up")
    );
}

fn entries(folder: &Path) -> usize {
    fs::read_dir(folder).map_or(0, Iterator::count)
}

#[test]
fn each_node_has_local_stores_of_its_own() {
    let Some(place) = place_for(SCENARIO, together) else {
        return;
    };
    let deployment = Deployment::open(&place.directories()).unwrap();
    let scenario = place.scenario(SCENARIO);
    let lab = Lab::build(&deployment, &scenario, &drive_command(), &Silent).unwrap();
    assert_eq!(lab.nodes().len(), 3);
    assert_eq!(lab.disks().count(), 2);
    let [one, two] = ["one", "two"].map(|node| lab.store("disk", node).unwrap());
    fs::write(one.path.join("file"), "one's").unwrap();
    assert!(!two.path.join("file").exists());
    one.store.drop_and_prove().unwrap();
    assert_eq!(fs::read(one.path.join("file")).unwrap(), b"one's");
    let error = lab.store("disk", "front").unwrap_err().to_string();
    assert!(
        error.contains("node `front` has no store `disk`"),
        "{error}"
    );
    drop(lab);
    assert_eq!(deployment.teardown().left, Vec::<String>::new());
}

#[test]
fn a_network_store_is_one_for_all_nodes() {
    let network = SCENARIO
        .replace(
            "kind = \"ext4\"\nsize = \"64MiB\"",
            "kind = \"moosefs\"\nsize = \"512MiB\"",
        )
        .replace("kind = \"throttled\"\nrate = \"40MB\"", "kind = \"plain\"");
    let Some(place) = place_for(&network, alone) else {
        return;
    };
    let deployment = Deployment::open(&place.directories()).unwrap();
    let scenario = place.scenario(&network);
    let lab = Lab::build(&deployment, &scenario, &drive_command(), &Silent).unwrap();
    assert_eq!(lab.disks().count(), 3);
    let [one, two] = ["one", "two"].map(|node| lab.store("disk", node).unwrap());
    assert_ne!(one.path, two.path);
    fs::write(one.path.join("file"), "everyone's").unwrap();
    assert_eq!(fs::read(two.path.join("file")).unwrap(), b"everyone's");
    two.store.drop_and_prove().unwrap();
    assert_eq!(fs::read(one.path.join("file")).unwrap(), b"everyone's");
    drop(lab);
    assert_eq!(deployment.teardown().left, Vec::<String>::new());
}

#[test]
fn a_scenario_that_the_lab_cannot_build_is_refused_before_anything_is_made() {
    let place = Place::new();
    let refused = |from: &str, to: &str| {
        assert!(SCENARIO.contains(from), "{from}");
        place.refused(&SCENARIO.replace(from, to))
    };
    let error = refused("root = \"shop\"", "root = \"nowhere\"");
    assert!(
        error.contains("site `shop`: its root") && error.contains("nowhere"),
        "{error}"
    );
    let error = refused("name = \"news\"", "name = \"the news; today\"");
    assert!(error.contains("site `the news; today`"), "{error}");
    let error = refused("kind = \"tmpfs\"\n", "");
    assert!(
        error.contains("site `news` has no store in the lab"),
        "{error}"
    );
    let error = refused(
        "\"128MiB\"\n\n[[node]]\nname = \"two\"",
        "\"10%\"\n\n[[node]]\nname = \"two\"",
    );
    assert!(
        error.contains("node `one` has its memory as a share"),
        "{error}"
    );
    let error = refused(
        "\"128MiB\"\n\n[[node]]\nname = \"two\"",
        "\"1MiB\"\n\n[[node]]\nname = \"two\"",
    );
    assert!(error.contains("at least 16 MiB"), "{error}");
    for kind in ["orangefs", "pvfs1", "lustre"] {
        let error = refused(
            "kind = \"tmpfs\"\nsize = \"16MiB\"\n",
            &format!(
                "kind = \"{kind}\"\nservers = \"io1\"\non = \"disk\"\n\n\
                 [[node]]\nname = \"io1\"\nmemory = \"128MiB\"\nserver = \"files\"\n"
            ),
        );
        assert!(
            error.contains(kind) && error.contains("it makes \"glusterfs\" and \"moosefs\""),
            "{error}"
        );
    }
}

#[test]
fn a_run_that_is_interrupted_leaves_nothing() {
    struct Impatient;
    impl Control for Impatient {
        fn step(&self, _what: &str) {}

        fn interrupted(&self) -> bool {
            true
        }
    }
    let Some(place) = place_for(SCENARIO, together) else {
        return;
    };
    let directories = place.directories();
    let up = hotset_lab::up(
        &place.scenario(SCENARIO),
        &directories,
        &drive_command(),
        &Impatient,
    );
    assert!(matches!(up, Err(LabError::Interrupted)), "{up:?}");
    assert_eq!(entries(&directories.ledgers), 0);
    let name = place.0.path().to_str().unwrap();
    assert_eq!(traces_of(name), Vec::<String>::new());
}

/// Apache behind a proxy that keeps responses.
const PROXIED: &str = r#"
[[node]]
name = "web"
memory = "64MiB"
server = "apache"

[[node]]
name = "front"
memory = "64MiB"
server = "nginx-proxy"
upstream = "web"
cache = true

[[store]]
name = "disk"
profile = "hdd"
kind = "ext4"
size = "64MiB"
"#;

#[test]
fn a_caching_proxy_and_apache_serve_what_a_scenario_without_sites_is_given() {
    let Some(place) = place_for(PROXIED, together) else {
        return;
    };
    let up = place.up(PROXIED).unwrap();
    let site = &up.sites[0];
    let file = site.folder.join("index.html");
    fs::write(&file, "put there").unwrap();
    for node in &up.nodes {
        assert!(get(url(node), &site.name, "/").ends_with("put there"));
    }
    fs::write(&file, "changed").unwrap();
    assert!(get(url(&up.nodes[0]), &site.name, "/").ends_with("changed"));
    let kept = get(url(&up.nodes[1]), &site.name, "/");
    assert!(kept.ends_with("put there"), "it was kept: {kept}");
}

/// A proxy with a link of its own to the server behind it, clients on a node, and what happens to them.
const EVENTFUL: &str = r#"
[[node]]
name = "web"
memory = "64MiB"

[[node]]
name = "front"
memory = "64MiB"
server = "nginx-proxy"
upstream = "web"

[[node]]
name = "desk"
memory = "64MiB"
server = "none"

[[link]]
node = "web"
rate = "1Gbit"
delay = "1ms"

[[link]]
between = ["front", "web"]
rate = "100Mbit"
mtu = 4000
offload = false

[[link]]
between = ["desk", "front"]
rate = "1Gbit"

[[client]]
name = "crowd"
asks = "front"
clients = 2
node = "desk"

[[store]]
name = "disk"
profile = "hdd"
kind = "ext4"
size = "64MiB"
disk = { kind = "throttled", rate = "40MB" }

[[event]]
at = "0ms"
node = "web"
state = "down"

[[event]]
at = "1ms"
node = "web"
state = "up"

[[event]]
at = "2ms"
link = ["web", "front"]
state = "down"

[[event]]
at = "3ms"
link = ["front", "web"]
state = "up"

[[event]]
at = "4ms"
link = ["front", "web"]
state = { rate = "10Mbit" }

[[event]]
at = "5ms"
store = "disk"
state = { speed = 0.5 }

[[event]]
at = "6ms"
link = "web"
state = "down"
"#;

/// Looks at a data-centre before each of its events.
struct Looking<'u> {
    up: &'u Inventory,
    seen: Mutex<Vec<String>>,
}

impl Looking<'_> {
    fn node(&self, name: &str) -> &NodeEntry {
        let mut nodes = self.up.nodes.iter();
        nodes.find(|node| node.name == name).unwrap()
    }

    fn answers(&self, status: &str) {
        let front = url(self.node("front"));
        let answer = || get(front, "site", "/index.html");
        let answer = eventually(answer, |answer| answer.contains(status));
        assert!(answer.contains(status), "{answer}");
    }

    /// How one node reaches another; empty where it does not.
    fn route(&self, from: &str, to: &str) -> String {
        let address = url(self.node(to)).trim_start_matches("http://");
        let address = address.trim_end_matches('/');
        let namespace = &self.node(from).namespace;
        output("ip", &["-n", namespace, "route", "get", address])
    }
}

impl Control for Looking<'_> {
    fn step(&self, what: &str) {
        match what {
            "node web is down" => self.answers(" 200 "),
            "node web is up" => self.answers(" 502 "),
            "link front-web is down" => self.answers(" 200 "),
            "link front-web is up" => assert_eq!(self.route("front", "web"), ""),
            _ => {}
        }
        self.seen.lock().unwrap().push(what.to_owned());
    }

    fn interrupted(&self) -> bool {
        false
    }
}

#[test]
fn what_a_scenario_has_happen_happens_to_what_was_left_up() {
    let Some(place) = place_for(EVENTFUL, together) else {
        return;
    };
    let up = place.up(EVENTFUL).unwrap();
    assert_eq!(up.nodes[2].url, None);
    assert_eq!(up.not_honoured, ["link.web.delay"]);
    let interfaces = up.links.iter().map(|link| link.interface.as_str());
    assert_eq!(interfaces.collect::<Vec<_>>(), ["direct0", "direct1"]);
    fs::write(up.sites[0].folder.join("index.html"), "here").unwrap();
    let looking = Looking {
        up: &up,
        seen: Mutex::default(),
    };
    assert!(looking.route("front", "web").contains("dev direct0"));
    assert!(looking.route("web", "front").contains("dev direct0"));
    assert!(looking.route("desk", "front").contains("dev direct1"));
    assert!(looking.route("desk", "web").contains("dev eth0"));
    let front = &looking.node("front").namespace;
    let link = output("ip", &["-n", front, "-d", "link", "show", "direct0"]);
    assert!(
        link.contains("mtu 4000") && link.contains("gso_max_segs 1 "),
        "{link}"
    );

    let ledgers = place.directories().ledgers;
    let played = hotset_lab::play(&ledgers, None, &looking).unwrap();
    assert_eq!(
        (&played.tag, &played.events, played.left),
        (&up.tag, &up.events, 0)
    );
    let happened: Vec<&str> = up.events.iter().map(|it| it.what.as_str()).collect();
    assert_eq!(*looking.seen.lock().unwrap(), happened);
    assert!(looking.route("front", "web").contains("dev direct0"));
    let rate = output("tc", &["-n", front, "qdisc", "show", "dev", "direct0"]);
    assert!(rate.contains("rate 10Mbit"), "{rate}");
    let cut = output("ip", &["link", "show", &looking.node("web").interface]);
    assert!(cut.contains("state DOWN"), "{cut}");
    // Nothing but the switch goes by the link that is cut.
    looking.answers(" 200 ");

    let (_, teardown) = hotset_lab::down(&ledgers, None).unwrap();
    assert_eq!(teardown.left, Vec::<String>::new());
    assert_eq!(
        traces_of(&format!("hotset-{}", up.tag)),
        Vec::<String>::new()
    );
}
