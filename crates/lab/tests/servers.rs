//! Servers answer with what their configurations say, from memory first.
use crate::common::{TestLab, lab};
use hotset_lab::net::{LinkRate, Namespace, Network};
use hotset_lab::server::{
    Apache, Ganesha, MOUNT_PORT, NFS_PORT, Nginx, Place, Proxy, Running, ServerKind, VirtualHost,
    ganesha_needs, start,
};
use hotset_lab::store::{Memory, MemoryKind, Store as _};
use hotset_machine::ControlGroup;
use hotset_machine::cgroup::Limits;
use hotset_machine::{Need, Requirements};
use hotset_probe::nfs::NfsClient;
use hotset_scenario::Balance;
use hotset_test_support::{alone, skip};
use std::collections::BTreeSet;
use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::time::Duration;

/// A node of its own with a site of two files, of which one is held as well.
struct Web<'l> {
    lab: &'l TestLab,
    network: Network,
    group: ControlGroup,
    hosts: Vec<VirtualHost>,
}

impl<'l> Web<'l> {
    fn new(lab: &'l TestLab) -> Self {
        let (root, hot) = (lab.work().join("root"), lab.work().join("hot"));
        for folder in [&root, &hot] {
            fs::create_dir_all(folder).unwrap();
        }
        fs::write(root.join("held.html"), "from the disk").unwrap();
        fs::write(root.join("cold.html"), "only on the disk").unwrap();
        fs::write(hot.join("held.html"), "from memory").unwrap();
        let host = VirtualHost {
            name: "shop".into(),
            root,
            hot_root: Some(hot),
            access_log: None,
            header_waits: false,
        };
        let limits = Limits {
            memory_bytes: Some(128 << 20),
            processors: None,
        };
        Self {
            lab,
            network: Network::create(lab).unwrap(),
            group: ControlGroup::create(lab, "web", &limits).unwrap(),
            hosts: vec![host],
        }
    }

    fn namespace(&self, name: &str) -> Namespace {
        self.network.namespace(name, LinkRate::Unlimited).unwrap()
    }

    fn start(&self, name: &str, kind: &dyn ServerKind) -> Running {
        let namespace = self.namespace(name);
        let place = Place {
            namespace: &namespace,
            group: &self.group,
            port: 80,
            starter: &[],
        };
        start(self.lab, name, kind, place).unwrap()
    }
}

#[test]
fn a_header_waits_for_the_content_where_that_is_wanted() {
    let configuration = |header_waits| {
        let host = VirtualHost {
            name: "shop".into(),
            root: "/srv/shop".into(),
            hot_root: None,
            access_log: None,
            header_waits,
        };
        let nginx = Nginx {
            hosts: vec![host],
            workers: 1,
        };
        nginx.configuration("127.0.0.1:80".parse().unwrap(), Path::new("/run/nginx"))
    };
    assert!(configuration(true).contains(" tcp_nopush on;"));
    assert!(!configuration(false).contains("tcp_nopush"));
}

#[test]
fn a_proxy_chooses_nodes_as_the_scenario_says() {
    let Some(lab) = lab() else { return };
    if missing("nginx", "nginx-light") {
        return;
    }
    let web = Web::new(&lab);
    let node = |name: &str| {
        let root = lab.work().join(name);
        fs::create_dir_all(&root).unwrap();
        for file in 0..8 {
            fs::write(root.join(file.to_string()), name).unwrap();
        }
        let host = VirtualHost {
            root,
            hot_root: None,
            ..web.hosts[0].clone()
        };
        let kind = Nginx {
            hosts: vec![host],
            workers: 1,
        };
        web.start(name, &kind)
    };
    let nodes = ["one", "two"].map(node);
    let addresses: Vec<SocketAddr> = nodes.iter().map(|node| node.address).collect();
    // Who answers for each of the files, asked for twice.
    let answers = |balance: Balance| {
        let kind = Proxy {
            balance,
            upstream: addresses.clone(),
            cache_bytes: None,
            // Each worker takes turns of its own.
            workers: 1,
        };
        let proxy = web.start(&format!("proxy-{}", balance.name()), &kind);
        let who = |file: u32| {
            let answer = get(proxy.address, &format!("/{file}"));
            answer.rsplit("\r\n").next().unwrap().to_owned()
        };
        let answers: Vec<[String; 2]> = (0..8).map(|file| [who(file), who(file)]).collect();
        proxy.stop().unwrap();
        answers
    };
    for balance in [
        Balance::RoundRobin,
        Balance::LeastConnections,
        Balance::Hash,
    ] {
        let answers = answers(balance);
        let all: BTreeSet<&String> = answers.iter().flatten().collect();
        assert_eq!(all.len(), 2, "{balance:?}: {answers:?}");
        let are_kept = answers.iter().all(|[first, again]| first == again);
        // Eight pairs that are asked in turn do not all happen to meet one node.
        assert_eq!(
            are_kept,
            balance == Balance::Hash,
            "{balance:?}: {answers:?}"
        );
    }
    for node in nodes {
        node.stop().unwrap();
    }
}

fn missing(program: &str, package: &str) -> bool {
    let lacking = Requirements::check(&[Need::program(program, package)]);
    if let Err(error) = &lacking {
        skip(error);
    }
    lacking.is_err()
}

fn get(address: SocketAddr, target: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(10)))
        .unwrap();
    write!(
        stream,
        "GET {target} HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n"
    )
    .unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    response
}

fn serves_held_files_first(address: SocketAddr) {
    assert!(get(address, "/held.html").ends_with("\r\n\r\nfrom memory"));
    assert!(get(address, "/cold.html").ends_with("\r\n\r\nonly on the disk"));
    assert!(get(address, "/none.html").starts_with("HTTP/1.1 404"));
}

#[test]
fn nginx_serves_held_files_first_and_the_others_from_the_disk() {
    let Some(lab) = lab() else { return };
    let web = Web::new(&lab);
    let kind = Nginx {
        hosts: web.hosts.clone(),
        workers: 2,
    };
    if missing("nginx", "nginx-light") {
        return;
    }
    let server = web.start("nginx", &kind);
    serves_held_files_first(server.address);
    server.stop().unwrap();
}

#[test]
fn apache_serves_held_files_first_and_the_others_from_the_disk() {
    let Some(lab) = lab() else { return };
    let web = Web::new(&lab);
    let kind = Apache {
        hosts: web.hosts.clone(),
    };
    if missing("apache2", "apache2-bin") {
        return;
    }
    let server = web.start("apache", &kind);
    serves_held_files_first(server.address);
    server.stop().unwrap();
}

#[test]
fn a_proxy_with_a_cache_answers_for_a_node_that_is_gone() {
    let Some(lab) = lab() else { return };
    let web = Web::new(&lab);
    let kind = Nginx {
        hosts: web.hosts.clone(),
        workers: 1,
    };
    if missing("nginx", "nginx-light") {
        return;
    }
    let behind = web.start("behind", &kind);
    let proxy = |cache: bool| Proxy {
        balance: Balance::RoundRobin,
        upstream: vec![behind.address],
        cache_bytes: cache.then_some(64 << 20),
        workers: 1,
    };
    let caching = web.start("caching", &proxy(true));
    let passing = web.start("passing", &proxy(false));
    for front in [&caching, &passing] {
        serves_held_files_first(front.address);
    }
    behind.stop().unwrap();
    assert!(get(caching.address, "/cold.html").ends_with("only on the disk"));
    assert!(get(passing.address, "/cold.html").starts_with("HTTP/1.1 502"));
    caching.stop().unwrap();
    passing.stop().unwrap();
}

#[test]
fn ganesha_exports_a_folder_that_a_client_in_user_space_reads_and_writes() {
    if let Err(error) = Requirements::check(&ganesha_needs()) {
        skip(error);
        return;
    }
    // It begins with copies of all mounts, which keep the stores of others from being emptied.
    alone();
    let Some(lab) = lab() else { return };
    let web = Web::new(&lab);
    let export = Memory::create(&lab, "export", MemoryKind::Tmpfs, 16 << 20).unwrap();
    fs::write(export.path().join("file"), "words of a file").unwrap();
    let kind = Ganesha {
        export: export.path().to_owned(),
    };
    let namespace = web.namespace("files");
    let place = Place {
        namespace: &namespace,
        group: &web.group,
        port: NFS_PORT,
        starter: &[],
    };
    let server = start(&lab, "ganesha", &kind, place).unwrap();
    let path = export.path().to_str().unwrap();
    let mount = || NfsClient::mount(server.address.ip(), [NFS_PORT, MOUNT_PORT], path);
    let is_up = || mount().is_ok();
    server
        .process
        .wait_until(Duration::from_secs(20), is_up)
        .unwrap();
    let mut client = mount().unwrap();
    let file = client.look_up("file").unwrap();
    assert_eq!(client.file_bytes(&file).unwrap(), 15);
    assert_eq!(client.read(&file, 0, 5).unwrap(), b"words");
    assert_eq!(client.write(&file, 0, b"bytes").unwrap(), 5);
    client.commit(&file).unwrap();
    let written = fs::read(export.path().join("file")).unwrap();
    assert_eq!(written, b"bytes of a file");
    drop(client);
    server.stop().unwrap();
}
