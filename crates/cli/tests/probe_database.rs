//! `hotset probe database`: what a server says becomes a report, and the server is left as it was. A script stands in for the
//! server's client program.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixListener;
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::support::schema::holds_to;
use crate::support::{Failure, Workplace, hotset};

/// Writes down each statement, and answers it by what stands in `$HOTSET_SETTINGS` and the tables of a shop. Counters grow from
/// one question to the next.
const CLIENT: &str = r#"#!/bin/sh
for argument; do statement=$argument; done
echo "$statement" >> statements
row() { printf '%s\t%s\n' "$@"; }
asked=$(grep -c TABLE_STATISTICS statements)
case "$statement" in
*"SHOW GLOBAL VARIABLES"*)
    row datadir "$PWD/data/" innodb_buffer_pool_size 33554432 innodb_page_size 16384
    printf '%b' "$HOTSET_SETTINGS" ;;
*TABLE_STATISTICS*) printf 'shop\titem\t%s\n' $((asked * 1000)) ;;
*file_summary_by_instance*) row "$PWD/data/shop/item.ibd" $((asked * 50)) ./mysql/user.frm 9 ;;
*INNODB_BUFFER_PAGE*) row 0 1800 7 64 ;;
*INNODB_SYS_TABLES*) row 7 shop/item 0 shop/old 9 shop/cold ;;
*information_schema.TABLES*)
    printf 'shop\titem\tInnoDB\t1720320\t0\nshop\told\tInnoDB\t16384\t0\nshop\tcold\tInnoDB\t32768\t0\n'
    printf 'shop\tlog\tMyISAM\t4096\t0\nshop\taside\tMyISAM\t4096\t1\nshop\tarchive\tARCHIVE\t99\t0\n' ;;
*"SET GLOBAL userstat"*) : ;;
*) echo "ERROR 1064 (42000): $statement" >&2; exit 1 ;;
esac
"#;

const COUNTING: &str = r"version\t10.11.19-MariaDB\ninnodb_flush_method\tfsync\nperformance_schema\tON\nuserstat\tOFF\n";

/// A server's socket, its data and its client.
fn server() -> (Workplace, UnixListener) {
    let place = Workplace::new();
    let socket = UnixListener::bind(place.path("server.sock")).expect("a socket");
    fs::create_dir_all(place.path("data/shop")).expect("a folder");
    place.write("data/shop/log.MYD", &[0; 8192]);
    fs::create_dir(place.path("bin")).expect("a folder");
    place.write("bin/mariadb", CLIENT.as_bytes());
    let executable = fs::Permissions::from_mode(0o755);
    fs::set_permissions(place.path("bin/mariadb"), executable).expect("its owner may");
    (place, socket)
}

fn probed(place: &Workplace, settings: &str, more: &[&str]) -> Output {
    let path = std::env::var("PATH").unwrap_or_default();
    let asked = [
        "probe",
        "database",
        "--socket",
        "server.sock",
        "--duration",
        "100ms",
    ];
    Command::new(hotset())
        .args(asked.iter().chain(more))
        .current_dir(place.folder())
        .env("PATH", format!("{}:{path}", place.path("bin").display()))
        .env("HOTSET_SETTINGS", settings)
        .output()
        .expect("hotset runs")
}

fn text(output: &Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn statements(place: &Workplace) -> Vec<String> {
    let asked = fs::read_to_string(place.path("statements")).expect("it was asked");
    asked.lines().map(str::to_owned).collect()
}

#[test]
fn tables_are_told_by_what_is_in_memory_and_what_they_read() {
    let (place, _socket) = server();
    let json: Value =
        serde_json::from_str(&text(&probed(&place, COUNTING, &["--json"]))).expect("JSON");
    holds_to("probe-database.json", &json);
    assert_eq!(json["pool_bytes"], 33_554_432);
    let socket = json["socket"].as_str().expect("a path");
    assert!(
        socket.starts_with('/') && socket.ends_with("/server.sock"),
        "{socket}"
    );
    assert_eq!(json["flush_method"], "fsync");
    assert_eq!(json["reads_through_page_cache"], true);
    let item = &json["tables"][0];
    assert_eq!(item["name"], "shop.item");
    assert_eq!(item["resident_bytes"], 64 * 16_384);
    // Its file is not in the data folder.
    assert_eq!(item["page_cache_bytes"], Value::Null);
    let hours = json["observed_seconds"].as_f64().expect("a time") / 3600.0;
    let in_all = |key: &str| (item[key].as_f64().expect("a rate") * hours).round();
    assert_eq!(in_all("page_reads_per_hour"), 50.0);
    assert_eq!(in_all("rows_read_per_hour"), 1000.0);
    let names = |key: &str| -> Vec<&str> {
        let of = json[key].as_array().expect("a list").iter();
        of.filter_map(|it| it["name"].as_str()).collect()
    };
    assert_eq!(names("tables"), ["shop.item", "shop.cold", "shop.log"]);
    assert_eq!(
        names("left_out"),
        ["shop.old", "shop.aside", "shop.archive"]
    );
    assert_eq!(json["tables"][1]["resident_bytes"], 0);
    let log = &json["tables"][2];
    assert_eq!(log["resident_bytes"], log["page_cache_bytes"]);
    assert_eq!(log["page_reads_per_hour"], 0.0);
}

#[test]
fn rows_are_counted_for_a_while_only() {
    let (place, _socket) = server();
    probed(&place, COUNTING, &[]);
    let switched = |place: &Workplace| -> Vec<String> {
        let all = statements(place).into_iter();
        all.filter(|it| it.contains("SET GLOBAL")).collect()
    };
    assert_eq!(
        switched(&place),
        [
            "--execute=SET GLOBAL userstat = 1",
            "--execute=SET GLOBAL userstat = 0"
        ]
    );
    let (place, _socket) = server();
    probed(
        &place,
        &COUNTING.replace(r"userstat\tOFF", r"userstat\tON"),
        &[],
    );
    assert_eq!(switched(&place), [""; 0]);
}

#[test]
fn a_server_that_counts_no_reads_is_told_what_to_set() {
    let (place, _socket) = server();
    let settings = COUNTING
        .replace(r"performance_schema\tON", r"performance_schema\tOFF")
        .replace(r"method\tfsync", r"method\tO_DIRECT");
    let said = text(&probed(&place, &settings, &[])).replace('\n', " ");
    assert!(said.contains("performance_schema=ON"), "{said}");
    assert!(said.contains("innodb_flush_method=fsync"), "{said}");
    let json = text(&probed(&place, &settings, &["--json"]));
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["tables"][0]["page_reads_per_hour"], json!(null));
    let asked = statements(&place).concat();
    assert!(!asked.contains("file_summary_by_instance"), "{asked}");
    // From version 11 on.
    let buffered = settings + r"innodb_data_file_buffering\tON\n";
    let said = text(&probed(&place, &buffered, &[]));
    assert!(!said.contains("innodb_flush_method"), "{said}");
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let (place, _socket) = server();
    let mysql = COUNTING.replace("10.11.19-MariaDB", "8.0.36");
    let refused = Failure::of(probed(&place, &mysql, &[]));
    refused.has_code(1).says("8.0.36").says("only MariaDB");
    place.write(
        "bin/mariadb",
        b"#!/bin/sh\necho 'ERROR 1698 (28000): Access denied' >&2\nexit 1\n",
    );
    let refused = Failure::of(probed(&place, COUNTING, &[]));
    refused.has_code(1).says("Access denied").says("~/.my.cnf");
    place
        .refuses(["probe", "database", "--socket", "data"])
        .has_code(1)
        .says("data: is not a socket");
}
