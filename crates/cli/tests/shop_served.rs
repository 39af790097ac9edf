//! The shop of TPC-W, served by nginx, PHP-FPM and MariaDB, and visited.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use hotset_test_support::{skip, together};
use serde_json::Value;

use crate::support::Workplace;

/// Longer than MariaDB takes to start on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// What the servers of a shop say, in its folder.
const MESSAGES: &str = "messages";

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

/// Makes the data of a shop.
fn prepare(folder: &Path) {
    let prepared = Command::new("sh").arg(folder.join("prepare.sh")).output();
    let prepared = prepared.expect("sh runs");
    let said = String::from_utf8_lossy(&prepared.stderr);
    assert!(prepared.status.success(), "{said}");
}

/// The servers of a shop, stopped when it is dropped.
struct Shop {
    servers: Child,
    port: u16,
    url: String,
}

impl Shop {
    fn open(folder: &Path) -> Shop {
        prepare(folder);
        Shop::serve(folder)
    }

    /// Serves what was prepared.
    fn serve(folder: &Path) -> Shop {
        let free = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = free.local_addr().expect("an address").port();
        drop(free);
        let said = fs::File::create(folder.join(MESSAGES)).expect("a file");
        let servers = Command::new("sh")
            .arg(folder.join("serve.sh"))
            .env("PORT", port.to_string())
            .stderr(said)
            .spawn()
            .expect("sh runs");
        let shop = Shop {
            servers,
            port,
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
        let json = visited(&place, &shop, mix);
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

/// What visitors of a mix come to who are given longer where a busy machine serves few pages, of which shares say little.
fn visited(place: &Workplace, shop: &Shop, mix: &str) -> Value {
    let sessions = format!("shop.database/sessions/{mix}.toml");
    let asked = ["replay", "--json", "--sessions", &sessions, &shop.url];
    let mut json = Value::Null;
    for duration in ["5s", "20s", "60s"] {
        let load = ["--clients", "4", "--duration", duration, "--think", "0s"];
        json = place.json(asked.iter().chain(&load));
        if json["requests"].as_u64() >= Some(400) {
            break;
        }
    }
    json
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
    // Few pages were visited; indexes count as well.
    assert!(resident > bytes / 4, "{item}");
    assert_eq!(tables.len(), 10);
}

/// Asks for a page, or sends a form to it; what the server answers.
fn page(port: u16, path: &str, form: Option<&str>) -> Option<String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    let (method, body) = form.map_or(("GET", ""), |form| ("POST", form));
    let length = body.len();
    let request = format!(
        "{method} /{path} HTTP/1.0\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).ok()?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).ok()?;
    Some(String::from_utf8_lossy(&answer).into_owned())
}

fn number_after(text: &str, mark: &str) -> Option<u64> {
    let (_, rest) = text.split_once(mark)?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// Buys something; the number of the order that the visitor is told.
fn buy(port: u16, customer: u64) -> Option<u64> {
    let cart = format!("shopping_cart.php?c_id={customer}&add={customer}");
    let cart = number_after(&page(port, &cart, None)?, "shopping_id=")?;
    let form = format!(
        "c_id={customer}&shopping_id={cart}&cc_type=VISA&cc_number=1234567812345678&cc_name=x&ship_type=AIR"
    );
    let told = page(port, "buy_confirm.php", Some(&form))?;
    number_after(&told, "<p>Order ")
}

/// Numbers that a query finds in the shop's tables.
fn numbers(folder: &Path, query: &str) -> Vec<u64> {
    let asked = Command::new("mariadb")
        .args(["--no-defaults", "--batch", "--skip-column-names"])
        .args(["--socket=run/mariadb.sock", "--execute", query, "site"])
        .current_dir(folder)
        .output();
    let asked = asked.expect("mariadb runs");
    let said = String::from_utf8_lossy(&asked.stderr);
    assert!(asked.status.success(), "{said}");
    let numbers = String::from_utf8(asked.stdout).expect("digits");
    let numbers = numbers.lines().map(|line| line.parse().expect("a number"));
    numbers.collect()
}

/// What the tables and the server, in its messages, say of orders that are not whole.
fn evidence(folder: &Path, lost: &[&u64]) -> String {
    let columns = [
        ("orders", "o_id"),
        ("order_line", "ol_o_id"),
        ("cc_xacts", "cx_o_id"),
    ];
    let lost: Vec<String> = lost.iter().map(ToString::to_string).collect();
    let found = columns.map(|(table, column)| {
        let of_lost = format!("{column} IN ({})", lost.join(","));
        let query = format!("SELECT {column} FROM {table} WHERE {of_lost}");
        format!("{table}: {:?}", numbers(folder, &query))
    });
    let said = fs::read_to_string(folder.join(MESSAGES)).unwrap_or_default();
    format!("{}\n{said}", found.join(", "))
}

/// What visitors were told that they bought is compared with the tables.
#[test]
fn a_killed_database_keeps_the_orders_that_visitors_were_told_of() {
    if let Some(missing) = missing() {
        return skip(missing);
    }
    together();
    let place = Workplace::new();
    let shop = ["generate", "tpcw", "--class", "0", "--items", "100"];
    place.succeeds(shop.iter().chain(&["-o", "shop.database"]));
    let folder = place.path("shop.database");
    let shop = Shop::open(&folder);
    let own = "SELECT @@tmpdir LIKE '%/shop.database/run/temporary'";
    assert_eq!(numbers(&folder, own), [1], "temporary tables lie elsewhere");
    let port = shop.port;
    let bought = &AtomicUsize::new(0);
    let told: Vec<u64> = thread::scope(|scope| {
        let visits = (1..=4).map(|customer| {
            let count = move |_: &u64| {
                bought.fetch_add(1, Ordering::Relaxed);
            };
            // The first order that fails is the last.
            let orders = move || std::iter::from_fn(move || buy(port, customer)).inspect(count);
            scope.spawn(move || orders().collect::<Vec<u64>>())
        });
        let visits: Vec<_> = visits.collect();
        let begun = Instant::now();
        while bought.load(Ordering::Relaxed) < 20 && begun.elapsed() < PATIENCE {
            thread::sleep(Duration::from_millis(20));
        }
        let pid = fs::read_to_string(folder.join("run/mariadb.pid")).expect("a number");
        let killed = Command::new("kill").args(["-KILL", pid.trim()]).status();
        assert!(killed.expect("kill runs").success());
        let ended = visits.into_iter();
        ended.flat_map(|it| it.join().expect("no panic")).collect()
    });
    drop(shop);
    assert!(told.len() > 10, "{told:?}");
    let _shop = Shop::serve(&folder);
    // With lines and payment.
    let whole = "SELECT DISTINCT o_id FROM orders JOIN order_line ON ol_o_id = o_id JOIN cc_xacts ON cx_o_id = o_id";
    let kept = numbers(&folder, whole);
    let lost: Vec<_> = told.iter().filter(|order| !kept.contains(order)).collect();
    let of = told.len();
    assert!(
        lost.is_empty(),
        "{lost:?} of {of} orders; {}",
        evidence(&folder, &lost)
    );
}
