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
/// one question to the next, and fall where there is a file `anew`. Where there is one `restarted`, the server's own time falls. Where
/// there is one `blind`, no tables are listed.
const CLIENT: &str = r#"#!/bin/sh
for argument; do statement=$argument; done
echo "$statement" >> statements
row() { printf '%s\t%s\n' "$@"; }
asked=$(grep -c TABLE_STATISTICS statements)
case "$statement" in
*"SHOW GLOBAL VARIABLES"*)
    row datadir "$PWD/data/" innodb_buffer_pool_size 33554432 innodb_page_size 16384
    printf '%b' "$HOTSET_SETTINGS" ;;
*TABLE_STATISTICS*)
    [ -e anew ] && asked=$((5 - asked))
    printf 'shop\titem\t%s\n' $((asked * 1000)) ;;
*"SHOW GLOBAL STATUS"*)
    [ -e restarted ] && asked=$((5 - asked))
    row Uptime $((100 + asked)) ;;
*file_summary_by_instance*) row "$PWD/data/shop/item.ibd" $((asked * 50)) ./mysql/user.frm 9 ;;
*INNODB_BUFFER_PAGE*) row 0 1800 7 64 ;;
*INNODB_SYS_TABLES*) row 7 shop/item 0 shop/old 9 shop/cold ;;
*information_schema.TABLES*)
    [ -e blind ] && exit
    table() { printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$@"; }
    table shop item shop item InnoDB 1720320 0 shop old shop old InnoDB 16384 0 shop cold shop cold InnoDB 32768 0
    table shop log shop log MyISAM 4096 0 shop aside shop aside MyISAM 4096 1 shop archive shop archive ARCHIVE 99 0
    table my.shop 'café' my@002eshop caf@0p MyISAM 4096 0
    case "$statement" in *"'SYSTEM VERSIONED'"*) table shop history shop history Aria 4096 0 ;; esac ;;
*"SET GLOBAL userstat"*) : ;;
*) echo "ERROR 1064 (42000): $statement" >&2; exit 1 ;;
esac
"#;

const COUNTING: &str = r"version\t10.11.19-MariaDB\ninnodb_flush_method\tfsync\nperformance_schema\tON\nuserstat\tOFF\n";

/// A server's socket, its data and its client.
fn server() -> (Workplace, UnixListener) {
    let place = Workplace::new();
    let socket = UnixListener::bind(place.path("server.sock")).expect("a socket");
    for folder in ["data/shop", "data/my@002eshop"] {
        fs::create_dir_all(place.path(folder)).expect("a folder");
    }
    place.write("data/shop/log.MYD", &[0; 8192]);
    place.write("data/my@002eshop/caf@0p.MYD", &[0; 8192]);
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
    let tables = [
        "shop.item",
        "my.shop.café",
        "shop.cold",
        "shop.history",
        "shop.log",
    ];
    assert_eq!(names("tables"), tables);
    assert_eq!(
        names("left_out"),
        ["shop.old", "shop.aside", "shop.archive"]
    );
    let coffee = &json["tables"][1];
    assert_eq!(coffee["database"], "my.shop");
    // Its file has another name.
    assert!(coffee["page_cache_bytes"].is_u64(), "{coffee}");
    assert_eq!(json["tables"][2]["resident_bytes"], 0);
    let log = &json["tables"][4];
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
fn a_table_that_was_made_anew_has_read_what_it_counts() {
    let (place, _socket) = server();
    place.write("anew", b"");
    let json = text(&probed(&place, COUNTING, &["--json"]));
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let hours = json["observed_seconds"].as_f64().expect("a time") / 3600.0;
    let mut tables = json["tables"].as_array().expect("tables").iter();
    let item = tables.find(|it| it["name"] == "shop.item").expect("items");
    let rate = item["rows_read_per_hour"].as_f64();
    assert_eq!((rate.expect("a rate") * hours).round(), 3000.0);
}

#[test]
fn a_server_that_was_started_anew_meanwhile_is_refused() {
    let (place, _socket) = server();
    place.write("restarted", b"");
    let refused = Failure::of(probed(&place, COUNTING, &[]));
    refused
        .has_code(1)
        .says("server.sock: the server was started anew while it was looked at");
}

#[test]
fn a_lack_of_rights_is_told_before_reads_are_counted() {
    let (place, _socket) = server();
    place.write("blind", b"");
    let refused = Failure::of(probed(&place, COUNTING, &[]));
    refused.has_code(1).says("grant the user SELECT ON *.*");
    let client = CLIENT.replace(
        "*INNODB_SYS_TABLES*) row",
        "*INNODB_SYS_TABLES*) echo 'ERROR 1227 (42000): PROCESS' >&2; exit 1 ;;\nNEVER) row",
    );
    place.write("bin/mariadb", client.as_bytes());
    let refused = Failure::of(probed(&place, COUNTING, &[]));
    refused
        .has_code(1)
        .says("the user needs the privileges PROCESS, SUPER and SELECT ON *.*");
    let asked = statements(&place).concat();
    assert!(!asked.contains("TABLE_STATISTICS"), "{asked}");
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
