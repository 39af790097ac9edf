//! The shop of TPC-W, served by nginx, PHP-FPM and MariaDB, and visited.

use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use hotset_test_support::{skip, together};
use serde_json::Value;

use crate::support::Workplace;

/// Longer than MariaDB takes to start on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Programs that the shop is made of, and the packages that have them.
const PROGRAMS: [(&str, &str); 4] = [
    ("/usr/sbin/mariadbd", "mariadb-server"),
    ("/usr/bin/mariadb", "mariadb-client"),
    ("/usr/bin/mariadb-install-db", "mariadb-server"),
    ("/usr/sbin/nginx", "nginx"),
];

/// What keeps the shop from being opened.
fn missing() -> Option<String> {
    let program = PROGRAMS.iter().find(|(path, _)| !Path::new(path).exists());
    if let Some((path, package)) = program {
        return Some(format!("there is no {path}: install {package}"));
    }
    let programs = Path::new("/usr/sbin").read_dir().ok()?;
    let is_fpm = |name: &str| name.starts_with("php-fpm");
    let mut names = programs.flatten().map(|entry| entry.file_name());
    let has_fpm = names.any(|name| name.to_str().is_some_and(is_fpm));
    (!has_fpm).then(|| "there is no php-fpm: install php-fpm and php-mysql".to_owned())
}

/// The servers of a shop, stopped when it is dropped.
struct Shop {
    servers: Child,
    url: String,
}

impl Shop {
    fn open(folder: &Path) -> Shop {
        let free = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = free.local_addr().expect("an address").port();
        drop(free);
        let prepared = Command::new("sh").arg(folder.join("prepare.sh")).output();
        let prepared = prepared.expect("sh runs");
        let said = String::from_utf8_lossy(&prepared.stderr);
        assert!(prepared.status.success(), "{said}");
        let servers = Command::new("sh")
            .arg(folder.join("serve.sh"))
            .env("PORT", port.to_string())
            .stderr(Stdio::null())
            .spawn()
            .expect("sh runs");
        let shop = Shop {
            servers,
            url: format!("http://127.0.0.1:{port}"),
        };
        let sockets = ["mariadb.sock", "php.sock"].map(|name| folder.join("run").join(name));
        let are_there = || sockets.iter().all(|socket| socket.exists());
        let began = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() || !are_there() {
            assert!(began.elapsed() < PATIENCE, "the shop does not open");
            thread::sleep(Duration::from_millis(50));
        }
        shop
    }
}

impl Drop for Shop {
    fn drop(&mut self) {
        let _asked = Command::new("kill")
            .arg(self.servers.id().to_string())
            .status();
        let _waited = self.servers.wait();
    }
}

fn share(json: &Value, page: &str) -> f64 {
    let all = json["requests"].as_f64().expect("a count");
    let pages = json["pages"].as_array().expect("pages").iter();
    let mut pages = pages.filter(|it| it["page"] == page);
    let count = pages.next().and_then(|it| it["count"].as_f64());
    count.expect("a page") / all
}

/// Each page leads to those that follow it, and takes what its forms send.
#[test]
fn visitors_of_the_shop_meet_no_errors_and_follow_links() {
    if let Some(missing) = missing() {
        return skip(missing);
    }
    together();
    let place = Workplace::new();
    place.succeeds([
        "generate",
        "tpcw",
        "--class",
        "0",
        "--items",
        "1000",
        "-o",
        "shop.database",
    ]);
    let shop = Shop::open(&place.path("shop.database"));
    let mut ordered = 0.0;
    for mix in ["browsing", "shopping", "ordering"] {
        let sessions = format!("shop.database/sessions/{mix}.toml");
        let load = ["--clients", "4", "--duration", "5s", "--think", "0s"];
        let asked = ["replay", "--json", "--sessions", &sessions, &shop.url];
        let json = place.json(asked.iter().chain(&load));
        assert_eq!(json["errors"], 0, "{mix}: {}", json["errors_by_kind"]);
        let pages = json["requests"].as_f64().expect("a count");
        assert!(pages > 100.0, "{mix}: {pages} pages");
        // Searches may find nothing, and first pages have none before them.
        let made_up = json["sessions"]["without_link"].as_f64().expect("a count");
        assert!(made_up < 0.05 * pages, "{mix}: {made_up} of {pages}");
        if mix == "ordering" {
            ordered = share(&json, "buy_confirm");
            assert!(json["sessions"]["posts"].as_f64().expect("a count") > 0.0);
        }
    }
    assert!((0.05..0.16).contains(&ordered), "{ordered}");
    holds_items_in_the_pool(&place);
}

/// What the server says of its tables after visitors came.
fn holds_items_in_the_pool(place: &Workplace) {
    let socket = "shop.database/run/mariadb.sock";
    let json = place.json([
        "probe",
        "database",
        "--socket",
        socket,
        "--duration",
        "500ms",
        "--json",
    ]);
    assert_eq!(json["pool_bytes"], 32 << 20);
    let tables = json["tables"].as_array().expect("tables").iter();
    let item = tables
        .clone()
        .find(|it| it["name"] == "site.item")
        .expect("items");
    let resident = item["resident_bytes"].as_u64().expect("a size");
    let bytes = item["bytes"].as_u64().expect("a size");
    assert!(resident > bytes / 2, "{item}");
    assert_eq!(tables.len(), 10);
}
